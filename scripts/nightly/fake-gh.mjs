#!/usr/bin/env node
// Stands in for gh in the tests: issues in a file, and every call written down. FAKE_GH is its folder.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.env.FAKE_GH;
const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const input = option('--body-file') === '-' ? readFileSync(0, 'utf8') : undefined;
const file = path.join(folder, 'issues.json');
const issues = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
appendFileSync(path.join(folder, 'calls.ndjson'), `${JSON.stringify({ args, input })}\n`);

const [what, action] = args;
const issue = issues.find(({ number }) => number === Number(args[2]));
if (process.env.FAKE_GH_FAILS === `${what} ${action}`) {
  process.stderr.write('HTTP 403: Resource not accessible by integration\nsee the documentation\n');
  process.exit(1);
}
switch (`${what} ${action}`) {
  case 'repo view':
    console.log(process.env.FAKE_GH_VISIBILITY ?? 'PRIVATE');
    break;
  case 'label create':
    break;
  case 'issue list':
    console.log(JSON.stringify(issues.filter(({ labels }) => labels.includes(option('--label')))));
    break;
  case 'issue create':
    issues.push({
      number: issues.length + 1,
      title: option('--title'),
      labels: [option('--label')],
      body: input,
      state: 'OPEN',
      stateReason: null,
    });
    break;
  case 'issue edit':
    issue.body = input;
    break;
  case 'issue reopen':
    Object.assign(issue, { state: 'OPEN', stateReason: 'REOPENED' });
    break;
  case 'issue close':
    Object.assign(issue, { state: 'CLOSED', stateReason: 'COMPLETED' });
    break;
  default:
    process.stderr.write(`unknown command ${args.join(' ')}\n`);
    process.exit(1);
}
writeFileSync(file, JSON.stringify(issues));
