#!/usr/bin/env node
// An installed package has compiled JavaScript; a checkout runs from its sources, which Node 20 does not read by itself.
import { existsSync } from 'node:fs';

const source = new URL('main.ts', import.meta.url);
const isCheckout = existsSync(source);
if (isCheckout) {
  const { register } = await import('tsx/esm/api');
  register();
}
const { main } = await import(isCheckout ? source.href : '../../dist/harness/cli/main.js');
await main(process.argv);
