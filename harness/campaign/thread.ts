/** Answers each position with its vector, prepared, in the order in which they come. */

import { parentPort, workerData } from 'node:worker_threads';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { prepareAt, type ThreadData } from './prepare.ts';
import { openSource } from './source.ts';

const { spec, shard } = workerData as ThreadData;
const source = openSource(spec, shard);
const rules = new RuleBook();
parentPort!.on('message', (position: number) => parentPort!.postMessage(prepareAt(source, position, rules)));
