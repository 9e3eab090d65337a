/**
 * The ledger of known divergences: differences that somebody has looked at, with the sentence that explains each.
 *
 * It is checked, not trusted: a difference that is not listed fails a replay, and so does an entry that no longer shows
 * for a vector that it names.
 */

import path from 'node:path';
import * as v from 'valibot';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { FileError, messageOf } from '../errors.ts';
import { readFile } from '../files.ts';
import { parseJson } from '../json.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { REFERENCE_NAMES } from '../references/build.ts';
import { compareVersions } from '../references/version-order.ts';
import { firstIssue, list, object } from '../schema.ts';
import { BOUNDARIES, type Difference } from './compare.ts';

/** The ledger that holds unless another is named. */
export const LEDGER_FILE = path.join(PACKAGE_ROOT, 'vectors', 'known-divergences.json');

const text = v.pipe(v.string(), v.nonEmpty('expected some text'));
const date = v.pipe(v.string(), v.isoDate('expected a date such as 2026-11-30'));

const versions = v.pipe(
  v.string(),
  v.regex(/^\d+(\.\d+)*( - \d+(\.\d+)*)?$/, 'expected a version, or two with " - " between them'),
);

const entrySchema = object({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and hyphens')),
  title: text,
  /** The vectors that show it: by name, the first boundary at which the traces part. */
  vectors: v.pipe(
    v.record(v.string(), v.picklist(BOUNDARIES), 'expected an object'),
    v.check((vectors) => Object.keys(vectors).length > 0, 'expected at least one vector'),
  ),
  /** Signatures by which a campaign knows it; a part that is `*` stands for anything, as in `* | kona | RULE+ | *`. */
  signatures: list(text),
  /** Who stands alone there; `all` where each says something else. */
  outlier: v.picklist([...REFERENCE_NAMES, 'typescript', 'all']),
  /** The rule by which the TypeScript pipeline decides there. */
  rule: v.picklist(RULE_IDS, ({ received }) => `no rule of the catalogue is called ${received}`),
  /**
   * The versions of the references for which it holds, one (`0.4.5`) or from one to another (`0.3.0 - 0.4.5`); a
   * reference that is not named is not concerned.
   */
  versions: object({ kona: v.exactOptional(versions), 'op-node': v.exactOptional(versions) }),
  /** Who is right by the specification, and the sentence that says so. */
  specification: object({
    /** Names of implementations; empty where the text does not decide. */
    right: list(v.picklist([...REFERENCE_NAMES, 'typescript'])),
    section: text,
    sentence: text,
  }),
  /** A public report. */
  link: v.exactOptional(v.pipe(v.string(), v.url('expected a URL'))),
  /** When it was listed. */
  date,
  /** The first day on which it is not accepted any more. */
  expiry: v.exactOptional(date),
  /**
   * Not to be told yet: its vectors are replayed and its signatures are known like any other's, and no report says more
   * of them than how many there are. It ends when somebody takes the field away, never by itself.
   */
  embargo: v.exactOptional(v.literal(true, 'expected true')),
});

const ledgerSchema = object({
  format: v.literal(1, 'expected format 1'),
  divergences: list(entrySchema),
});

export type KnownDivergence = v.InferOutput<typeof entrySchema>;

/** An implementation that took part in a comparison. */
export interface Participant {
  readonly name: string;
  readonly version: string;
}

/** Reads a ledger. @throws FileError */
export function readLedger(file: string): KnownDivergence[] {
  const content = readFile(file);
  const fail = (message: string, cause?: unknown) =>
    new FileError('invalid-file', file, message, cause === undefined ? undefined : { cause });
  let document: ReturnType<typeof parseJson>;
  try {
    document = parseJson(content);
  } catch (error) {
    throw fail(messageOf(error), error);
  }
  if (document.duplicate !== undefined) throw fail(`${document.duplicate.path}: repeated field`);
  const result = v.safeParse(ledgerSchema, document.value);
  if (!result.success) {
    const { path: where, reason } = firstIssue(result.issues);
    throw fail(where === '' ? reason : `${where}: ${reason}`);
  }
  const { divergences } = result.output;
  const ids = new Set<string>();
  for (const [i, { id }] of divergences.entries()) {
    if (ids.has(id)) throw fail(`divergences[${i}].id: ${id} is listed twice`);
    ids.add(id);
  }
  return divergences;
}

/** Reads several ledgers as one. @throws FileError also if two of them have an entry of the same id */
export function readLedgers(files: readonly string[]): KnownDivergence[] {
  const all = new Map<string, { readonly file: string; readonly entry: KnownDivergence }>();
  for (const file of new Set(files.map((one) => path.resolve(one)))) {
    for (const entry of readLedger(file)) {
      const before = all.get(entry.id);
      if (before !== undefined)
        throw new FileError('invalid-file', file, `${entry.id} is listed in ${before.file} too`);
      all.set(entry.id, { file, entry });
    }
  }
  return [...all.values()].map(({ entry }) => entry);
}

/** The vectors that entries under embargo name. */
export function withheldVectors(entries: readonly KnownDivergence[]): ReadonlySet<string> {
  const embargoed = entries.filter(({ embargo }) => embargo === true);
  return new Set(embargoed.flatMap(({ vectors }) => Object.keys(vectors)));
}

/** Something about the ledger that makes a replay fail. */
export interface LedgerProblem {
  readonly id: string;
  readonly vector: string;
  readonly message: string;
}

/** Checks one run against the ledger. */
export class LedgerCheck {
  readonly #entries: readonly KnownDivergence[];
  readonly #participants: ReadonlyMap<string, string>;
  readonly #today: string;
  /** What was seen of each vector: the id of the entry that explains its difference, if one does. */
  readonly #seen = new Map<string, Set<string>>();
  /** Vectors of which nothing is told. */
  readonly #withheld: ReadonlySet<string>;

  /**
   * @param today - the date, `YYYY-MM-DD`, that decides whether an entry has expired
   */
  constructor(entries: readonly KnownDivergence[], participants: readonly Participant[], today: string) {
    this.#entries = entries;
    this.#participants = new Map(participants.map(({ name, version }) => [name, version]));
    this.#today = today;
    this.#withheld = withheldVectors(entries);
  }

  /** Whether the vector is under embargo: then not even a difference that is not listed may be told. */
  withholds(vector: string): boolean {
    return this.#withheld.has(vector);
  }

  /**
   * Takes down what a comparison said.
   *
   * @param compared - the implementations that took part in this vector's comparison
   * @returns the entry that lists the difference
   */
  see(vector: string, compared: readonly string[], difference: Difference | undefined): KnownDivergence | undefined {
    let explained = this.#seen.get(vector);
    if (explained === undefined) {
      explained = new Set();
      this.#seen.set(vector, explained);
    }
    const applying = this.#entries.filter(
      (entry) => Object.hasOwn(entry.vectors, vector) && this.#applies(entry, compared),
    );
    // An entry whose implementations did not all take part has nothing to show.
    for (const entry of this.#entries) if (!applying.includes(entry)) explained.add(entry.id);
    if (difference === undefined) return undefined;
    const known = applying.find((entry) => matches(entry, vector, difference));
    if (known === undefined) return undefined;
    explained.add(known.id);
    return isExpired(known, this.#today) ? undefined : known;
  }

  /**
   * What is wrong with the ledger after all vectors were seen.
   *
   * @param complete - whether all vectors were replayed, so that a name that did not come up names none; or the ids of
   * the entries for which that is so
   */
  problems(complete: boolean | ReadonlySet<string>): LedgerProblem[] {
    const problems: LedgerProblem[] = [];
    for (const entry of this.#entries) {
      const { id } = entry;
      for (const vector of Object.keys(entry.vectors)) {
        const explained = this.#seen.get(vector);
        if (explained === undefined) {
          if (complete === true || (complete !== false && complete.has(id)))
            problems.push({ id, vector, message: 'is listed and there is no such vector' });
        } else if (!explained.has(id)) {
          problems.push({ id, vector, message: 'is listed and does not show as listed any more' });
        } else if (isExpired(entry, this.#today)) {
          problems.push({ id, vector, message: `was accepted until ${entry.expiry}` });
        }
      }
    }
    return problems;
  }

  #applies({ outlier, versions }: KnownDivergence, compared: readonly string[]): boolean {
    if (compared.length < 2) return false;
    const concerned = outlier === 'all' ? ['typescript', ...REFERENCE_NAMES] : [outlier];
    if (!concerned.every((name) => compared.includes(name))) return false;
    return Object.entries(versions).every(
      ([name, range]) => !compared.includes(name) || inRange(this.#participants.get(name), range),
    );
  }
}

/** The signatures of a ledger, for a campaign to look up. */
export class KnownSignatures {
  readonly entries: readonly KnownDivergence[];
  readonly #exact = new Map<string, KnownDivergence>();
  readonly #patterns: { readonly pattern: RegExp; readonly entry: KnownDivergence }[] = [];
  /** Those of entries under embargo. */
  readonly #withheld: RegExp[] = [];

  constructor(entries: readonly KnownDivergence[]) {
    this.entries = entries;
    for (const entry of entries) {
      if (entry.embargo === true) this.#withheld.push(...entry.signatures.map(toPattern));
      for (const signature of entry.signatures) {
        if (signature.includes('*')) this.#patterns.push({ pattern: toPattern(signature), entry });
        else this.#exact.set(signature, entry);
      }
    }
  }

  /** The entry that lists the signature, by its own words before any pattern. */
  entry(signature: string): KnownDivergence | undefined {
    return this.#exact.get(signature) ?? this.#patterns.find(({ pattern }) => pattern.test(signature))?.entry;
  }

  /** The id of that entry. */
  get(signature: string): string | undefined {
    return this.entry(signature)?.id;
  }

  /** Whether an entry under embargo lists the signature, whatever else does: then no report may tell it. */
  withholds(signature: string): boolean {
    return this.#withheld.some((pattern) => pattern.test(signature));
  }

  /** Signatures that are listed word for word. */
  get exact(): ReadonlySet<string> {
    return new Set(this.#exact.keys());
  }
}

function toPattern(signature: string): RegExp {
  const literal = signature.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*')}$`);
}

/** Whether the version is the one named, or lies between the two that are named, both included. */
function inRange(version: string | undefined, range: string): boolean {
  if (version === undefined) return false;
  const [oldest = range, newest = oldest] = range.split(' - ');
  return compareVersions(version, oldest) >= 0 && compareVersions(version, newest) <= 0;
}

function isExpired({ expiry }: KnownDivergence, today: string): boolean {
  return expiry !== undefined && expiry <= today;
}

/** Whether the entry lists this difference. Between two, the outlier is one of them and nobody can tell which. */
function matches({ vectors, outlier }: KnownDivergence, vector: string, difference: Difference): boolean {
  if (vectors[vector] !== difference.boundary) return false;
  const { verdict } = difference;
  switch (verdict.kind) {
    case 'outlier':
    case 'typescript':
      return outlier === verdict.outlier;
    case 'all':
      return outlier === 'all';
    case 'pair':
      return outlier !== 'all' && difference.groups.some(({ implementations }) => implementations.includes(outlier));
    default:
      return verdict satisfies never;
  }
}
