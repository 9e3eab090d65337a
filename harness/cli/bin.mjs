#!/usr/bin/env node
// Node 20 does not read TypeScript by itself.
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./main.ts');
await main(process.argv);
