/** From a finding of a campaign to a vector that stays: a deliberate step, since a finding may need other hands first. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { derive } from '../../src/derive.ts';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { FINDING_FILES } from '../campaign/finding.ts';
import { BOUNDARIES } from '../compare/compare.ts';
import type { IndexEntry } from '../curated/write.ts';
import { FileError, HolodiffError, messageOf } from '../errors.ts';
import { readFile, writeFile } from '../files.ts';
import { parseJson } from '../json.ts';
import { workFolder } from '../places.ts';
import { firstIssue } from '../schema.ts';
import { parseVector, VectorError, vectorToJson } from '../vector.ts';

export interface PromoteOptions {
  /** `GROUP/NAME`, where the vector goes below the folder of finds. Default: from the signature. */
  readonly name?: string | undefined;
  /** The sides of rules that it is kept for, as `frame/version-byte+`. Default: that of the signature. */
  readonly rules?: readonly string[] | undefined;
  /** One line for people. Default: the signature. */
  readonly shows?: string | undefined;
  /** Default: `vectors/finds` of the repository, or below the current folder. */
  readonly target?: string;
}

export interface Promoted {
  /** The vector's file. */
  readonly file: string;
  /** Whether it is the minimised vector. */
  readonly minimised: boolean;
  /** An entry for the ledger, empty where somebody has to look and write. */
  readonly entry: Readonly<Record<string, unknown>>;
}

const findingSchema = v.object({
  signature: v.string(),
  /** Where the traces part first. */
  boundary: v.picklist(BOUNDARIES),
  implementations: v.optional(v.array(v.object({ name: v.string(), version: v.string() })), []),
});

const indexSchema = v.array(v.strictObject({ name: v.string(), shows: v.string(), rules: v.array(v.string()) }));

/** Puts a finding's vector among the vectors that stay. The finding itself is left as it is. @throws HolodiffError */
export function promote(folder: string, options: PromoteOptions = {}): Promoted {
  if (existsSync(folder) && !existsSync(path.join(folder, FINDING_FILES.finding))) {
    throw new FileError('invalid-file', folder, `no ${FINDING_FILES.finding}: not the folder of a finding`);
  }
  const finding = read(path.join(folder, FINDING_FILES.finding), findingSchema);
  const [boundary = '', outlier = '', decision = '', shape = ''] = finding.signature.split(' | ');
  const name = options.name ?? defaultName(boundary, outlier, decision, shape);
  const [group, own] = /^([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9-]*)$/.exec(name)?.slice(1) ?? [];
  if (group === undefined || own === undefined) {
    throw new HolodiffError(
      'bad-option',
      `--name ${name}: expected GROUP/NAME of lower-case letters, digits and hyphens`,
    );
  }

  const minimised = existsSync(path.join(folder, FINDING_FILES.minimised));
  const source = path.join(folder, minimised ? FINDING_FILES.minimised : FINDING_FILES.vector);
  const vector: Vector = { ...readVector(source), name: `finds/${name}` };
  const rules = options.rules ?? (/[+-]$/.test(decision) ? [decision] : []);
  checkRules(vector, rules);

  const target = path.join(options.target ?? path.join(workFolder(), 'vectors', 'finds'), group);
  const file = path.join(target, `${own}.vector.json`);
  const index = path.join(target, 'index.json');
  const entries = existsSync(index) ? read(index, indexSchema) : [];
  if (existsSync(file) || entries.some((entry) => entry.name === vector.name)) {
    throw new FileError('invalid-file', file, 'is there already, and is not overwritten: give it another --name');
  }
  const added: IndexEntry = { name: vector.name, shows: options.shows ?? finding.signature, rules };
  const sorted = [...entries, added].sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFile(file, vectorToJson(vector));
  writeFile(index, `${JSON.stringify(sorted, null, 2)}\n`);

  const versions = Object.fromEntries(
    finding.implementations.filter((one) => one.name !== 'typescript').map((one) => [one.name, one.version]),
  );
  const entry = {
    id: `${group}-${own}`,
    title: '',
    vectors: { [vector.name]: finding.boundary },
    signatures: [finding.signature],
    outlier,
    rule: decision.replace(/(\+[a-z]+|[+~-])$/, ''),
    versions,
    specification: { right: [], section: '', sentence: '' },
    date: '',
  };
  return { file, minimised, entry };
}

/** A name that tells the rule, who stands alone and how. */
function defaultName(boundary: string, outlier: string, decision: string, shape: string): string {
  const slug = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
  const [group, rule] = /^([a-z0-9-]+)\/([a-z0-9-]+?)(?:\+[a-z]*|-|~)?$/.exec(decision)?.slice(1) ?? [];
  return group === undefined || rule === undefined
    ? `${slug(boundary)}/${slug(`${outlier} ${shape}`)}`
    : `${group}/${slug(`${rule} ${outlier} ${shape}`)}`;
}

/** An entry names only sides that the vector reaches. */
function checkRules(vector: Vector, rules: readonly string[]): void {
  const book = new RuleBook();
  derive(vector, { rules: book });
  for (const rule of rules) {
    const index = (RULE_IDS as readonly string[]).indexOf(rule.slice(0, -1));
    if (index < 0 || !/[+-]$/.test(rule)) {
      throw new HolodiffError('bad-option', `--rules ${rule}: expected a rule of the catalogue with + or - behind it`);
    }
    const reached = rule.endsWith('+') ? book.fired[index] : book.passed[index];
    if (reached === 0) throw new HolodiffError('bad-option', `--rules ${rule}: the vector does not reach it`);
  }
}

function readVector(file: string): Vector {
  try {
    return parseVector(readFile(file));
  } catch (error) {
    if (error instanceof VectorError) throw new FileError('invalid-file', file, error.message, { cause: error });
    throw error;
  }
}

function read<const T extends v.GenericSchema>(file: string, schema: T): v.InferOutput<T> {
  const content = readFile(file);
  let value: unknown;
  try {
    ({ value } = parseJson(content));
  } catch (error) {
    throw new FileError('invalid-file', file, messageOf(error), { cause: error });
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const { path: where, reason } = firstIssue(result.issues);
  throw new FileError('invalid-file', file, where === '' ? reason : `${where}: ${reason}`);
}
