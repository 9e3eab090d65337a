// The thread that prepares a campaign's vectors. As the command line does: from sources in a checkout, else compiled.
import { existsSync } from 'node:fs';

const source = new URL('thread.ts', import.meta.url);
const isCheckout = existsSync(source);
if (isCheckout) {
  const { register } = await import('tsx/esm/api');
  register();
}
await import(isCheckout ? source.href : '../../dist/harness/campaign/thread.js');
