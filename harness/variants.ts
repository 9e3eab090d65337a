/** From `--variant NAME|FILE` to a changed rule set. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { RULE_IDS, type RuleId } from '../src/rules/catalogue.ts';
import { CONSTANT_NAMES, type ConstantName } from '../src/rules/constants.ts';
import type { Rejection, Variant } from '../src/rules/rule-book.ts';
import { BUILT_IN_VARIANTS } from '../src/rules/variants.ts';
import { FileError, HolodiffError, messageOf } from './errors.ts';
import { readFile } from './files.ts';
import { parseJson } from './json.ts';
import { firstIssue, object } from './schema.ts';

const REJECTIONS = ['drop', 'past', 'future', 'undecided'] as const satisfies Rejection[];

const rule = v.picklist(RULE_IDS, ({ received }) => `no rule of the catalogue is called ${received}`);
const constant = v.picklist(CONSTANT_NAMES, ({ received }) => `no constant is called ${received}`);

/** A variant as a JSON file holds it: what needs no code. */
const fileSchema = object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  rules: v.exactOptional(v.record(rule, v.picklist(['never', 'always']))),
  verdicts: v.exactOptional(v.record(rule, v.picklist(REJECTIONS))),
  constants: v.exactOptional(v.record(constant, v.pipe(v.number(), v.safeInteger(), v.minValue(0)))),
});

/** A variant as a module exports it: functions are taken as they are. */
const moduleSchema = object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  rules: v.exactOptional(v.record(rule, v.union([v.picklist(['never', 'always']), v.function()]))),
  verdicts: v.exactOptional(v.record(rule, v.function())),
  constants: v.exactOptional(v.record(constant, v.bigint())),
});

/**
 * The built-in variant of this name, or the one in this file: a `.json` with `never` and `always`, or a module whose
 * default export is a variant.
 */
export async function loadVariant(spec: string): Promise<Variant> {
  const builtIn = Object.hasOwn(BUILT_IN_VARIANTS, spec) ? BUILT_IN_VARIANTS[spec] : undefined;
  if (builtIn !== undefined) return builtIn;
  if (!existsSync(spec)) {
    const names = Object.keys(BUILT_IN_VARIANTS).join(', ');
    throw new HolodiffError('unknown-variant', `unknown variant ${spec}: neither built in (${names}) nor a file`);
  }
  return spec.endsWith('.json') ? fromJson(spec) : fromModule(spec);
}

function fromJson(file: string): Variant {
  let value: unknown;
  try {
    value = parseJson(readFile(file)).value;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError('unknown-variant', file, messageOf(error), { cause: error });
  }
  const { verdicts, constants, ...rest } = check(file, fileSchema, value);
  return {
    ...rest,
    ...(verdicts && { verdicts: mapValues<RuleId, Rejection, () => Rejection>(verdicts, (verdict) => () => verdict) }),
    ...(constants && { constants: mapValues<ConstantName, number, bigint>(constants, BigInt) }),
  };
}

async function fromModule(file: string): Promise<Variant> {
  let exported: unknown;
  try {
    ({ default: exported } = (await import(pathToFileURL(path.resolve(file)).href)) as { default?: unknown });
  } catch (error) {
    throw new FileError('unknown-variant', file, messageOf(error), { cause: error });
  }
  // What a function takes and gives cannot be checked here; its type is the module's own affair.
  return check(file, moduleSchema, exported) as Variant;
}

function check<const T extends v.GenericSchema>(file: string, schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const { path: where, reason } = firstIssue(result.issues);
  throw new FileError('unknown-variant', file, where === '' ? reason : `${where}: ${reason}`);
}

function mapValues<K extends string, A, B>(record: Partial<Record<K, A>>, map: (value: A) => B): Partial<Record<K, B>> {
  return Object.fromEntries(
    Object.entries<A>(record as Record<string, A>).map(([key, value]) => [key, map(value)]),
  ) as Partial<Record<K, B>>;
}
