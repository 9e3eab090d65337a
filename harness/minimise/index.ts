/** The minimiser: what the rest of the harness uses of it. */

export { CommandJudge, interestingBySignature, presentSignature } from './interesting.ts';
export { type Interesting, minimise, NotInterestingError } from './minimise.ts';
