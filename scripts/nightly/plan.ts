/**
 * Plans a night: whether one may be run in this repository, with which seed, and in how many parts.
 *
 * The inputs are variables: SEED, SHARDS, MINUTES (of each part), and HOLODIFF_PUBLIC_FINDINGS, without which no night is
 * run in a public repository. The outputs are go, seed, shards (a list for the matrix) and minutes.
 */

import { $ } from 'zx';
import { HolodiffError } from '../../harness/errors.ts';
import { main, setOutput, variable } from './workflow.ts';

/** GitHub's most jobs of a matrix, and less than its most minutes of a job: minimising comes on top. */
const MOST = { shards: 256, minutes: 300 } as const;

function number(name: string, otherwise: number, most: number): number {
  const { [name]: given = '' } = process.env;
  if (given === '') return otherwise;
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= 1 && value <= most) return value;
  throw new HolodiffError('bad-option', `${name}: expected a number from 1 to ${most}, got ${JSON.stringify(given)}`);
}

await main(async () => {
  const { SEED = '', HOLODIFF_PUBLIC_FINDINGS } = process.env;
  const repository = variable('GITHUB_REPOSITORY');
  const { stdout } = await $({ quiet: true })`gh repo view ${repository} --json visibility --jq .visibility`;
  const go = stdout.trim() !== 'PUBLIC' || HOLODIFF_PUBLIC_FINDINGS === 'yes';
  if (!go) {
    console.log(
      '::notice title=no night was run::what a campaign finds may be security-relevant, and everybody can read the artifacts, logs and issues of a public repository: see docs/nightly.md',
    );
  }
  // A run that is run again keeps its number, so its parts stay parts of the same campaign.
  const seed = SEED === '' ? variable('GITHUB_RUN_ID') : SEED;
  if (!/^\d{1,19}$/.test(seed)) {
    throw new HolodiffError('bad-option', `SEED: expected a whole number from 0, got ${JSON.stringify(seed)}`);
  }
  const shards = Array.from({ length: number('SHARDS', 8, MOST.shards) }, (_, index) => index + 1);
  const minutes = number('MINUTES', 60, MOST.minutes);
  setOutput('go', String(go));
  setOutput('seed', BigInt(seed).toString());
  setOutput('shards', JSON.stringify(shards));
  setOutput('minutes', String(minutes));
});
