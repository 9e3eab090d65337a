/** How an implementation's trace of one vector stands beside that of the TypeScript pipeline, and what the ledger says. */

import { derive } from '../../src/derive.ts';
import type { Vector } from '../../src/vector.ts';
import { compare, type Difference, type Side } from '../compare/compare.ts';
import { type KnownDivergence, KnownSignatures } from '../compare/ledger.ts';
import { formatSignature, signatureOf } from '../compare/signature.ts';
import type { Answer, Implementation } from '../implementations/implementation.ts';
import { traceToJson } from '../trace.ts';

export type Standing =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'differs';
      readonly signature: string;
      /** The id of the ledger's entry for it, or no more than {@link UNDER_EMBARGO}. */
      readonly listed: string | undefined;
    }
  /** It has no trace of the vector: a program that does not accept it. */
  | { readonly kind: 'refuses'; readonly why: string };

/** What is told of an entry under embargo in place of its id. */
const UNDER_EMBARGO = 'under embargo';

/** Tells standings. */
export class Standings {
  readonly #entries: readonly KnownDivergence[];
  readonly #signatures: KnownSignatures;

  constructor(entries: readonly KnownDivergence[]) {
    this.#entries = entries;
    this.#signatures = new KnownSignatures(entries);
  }

  of({ name }: Implementation, vector: Vector, answer: Answer): Standing {
    if (answer.kind === 'error') return { kind: 'refuses', why: `${answer.path}: ${answer.message}` };
    if (answer.kind === 'absent') return { kind: 'refuses', why: answer.reason };
    const own: Side = { implementation: 'typescript', trace: traceToJson(derive(vector)) };
    const other: Side = { implementation: name, trace: answer.trace, silent: answer.incident !== undefined };
    const difference = name === 'typescript' ? undefined : compare([own, other]);
    if (difference === undefined) return { kind: 'same' };
    // As a campaign has it in which all others go along with the TypeScript pipeline.
    const signature = formatSignature({ ...signatureOf(vector, difference, [own, other]), outlier: name });
    return { kind: 'differs', signature, listed: this.#listed(name, vector, difference, signature) };
  }

  #listed(name: string, vector: Vector, { boundary }: Difference, signature: string): string | undefined {
    if (this.#signatures.withholds(signature)) return UNDER_EMBARGO;
    const bySignature = this.#signatures.get(signature);
    if (bySignature !== undefined) return bySignature;
    const byName = this.#entries.find(
      ({ vectors, outlier }) =>
        Object.hasOwn(vectors, vector.name) && vectors[vector.name] === boundary && outlier === name,
    );
    return byName?.id;
  }
}
