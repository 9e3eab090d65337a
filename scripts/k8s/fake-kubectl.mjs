#!/usr/bin/env node
// Stands in for kubectl in the tests: jobs in a file, complete at the second look. FAKE_KUBECTL is its folder.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.env.FAKE_KUBECTL;
const args = process.argv
  .slice(2)
  .filter((word, index, all) => word !== '--namespace' && all[index - 1] !== '--namespace');
const file = path.join(folder, 'jobs.json');
const jobs = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
appendFileSync(path.join(folder, 'calls.ndjson'), `${JSON.stringify(process.argv.slice(2))}\n`);

const name = args[2];
switch (args.slice(0, 2).join(' ')) {
  case 'delete job':
    delete jobs[name];
    break;
  case 'create -f': {
    const job = JSON.parse(readFileSync(0, 'utf8'));
    if (jobs[job.metadata.name] !== undefined) {
      process.stderr.write(`Error from server (AlreadyExists): jobs.batch "${job.metadata.name}" already exists\n`);
      process.exit(1);
    }
    jobs[job.metadata.name] = { job, looks: 0 };
    break;
  }
  case 'get job': {
    const one = jobs[name];
    one.looks += 1;
    const failed = { type: 'Failed', status: 'True', message: 'Job has failed indexes' };
    const end = process.env.FAKE_KUBECTL_FAILS === name ? failed : { type: 'Complete', status: 'True' };
    const done = one.looks > 1;
    console.log(
      JSON.stringify({
        ...one.job,
        status: {
          succeeded: done ? one.job.spec.completions : 0,
          ...(done && end === failed ? { failedIndexes: '1,3' } : {}),
          conditions: done ? [end] : [],
        },
      }),
    );
    break;
  }
  default:
    if (args[0] === 'logs') console.log(process.env.FAKE_KUBECTL_LOG ?? '3 vectors\nholodiff merge ended with 1');
    else process.exit(1);
}
writeFileSync(file, JSON.stringify(jobs));
