/** From `--variant NAME|FILE` to a changed rule set. */

import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { FORKS, type Fork } from '../src/chain/config.ts';
import { RULE_IDS, type RuleId } from '../src/rules/catalogue.ts';
import { CONSTANT_NAMES, type ConstantName } from '../src/rules/constants.ts';
import { EXTENSION_ANSWERS, type ExtensionPoint, isAnswer } from '../src/rules/extensions.ts';
import { type ActivationOverride, REJECTIONS, type Rejection, type Variant } from '../src/rules/rule-book.ts';
import { BUILT_IN_VARIANTS } from '../src/rules/variants.ts';
import { FileError, HolodiffError, messageOf } from './errors.ts';
import { readFile } from './files.ts';
import { parseJson } from './json.ts';
import { importDefault } from './modules.ts';
import { firstIssue, object } from './schema.ts';

const rule = v.picklist(RULE_IDS, ({ received }) => `no rule of the catalogue is called ${received}`);
const constant = v.picklist(
  CONSTANT_NAMES,
  ({ received }) => `no constant is called ${received}: there are ${CONSTANT_NAMES.join(', ')}`,
);

const fork = v.picklist(FORKS, ({ received }) => `no fork is called ${received}: there are ${FORKS.join(', ')}`);
const points = Object.keys(EXTENSION_ANSWERS) as [ExtensionPoint, ...ExtensionPoint[]];
const point = v.picklist(
  points,
  ({ received }) => `there is no place called ${received}: expected ${points.join(', ')}`,
);
const fixed = v.picklist(['never', 'always'], 'expected never or always');
const override = v.union([v.picklist(['never', 'always']), v.function()], 'expected never, always or a function');
const aFunction = v.function('expected a function');
const amount = v.pipe(
  v.number('expected a number'),
  v.safeInteger('expected a whole number'),
  v.minValue(0, 'expected a number from 0'),
);
const bigAmount = v.pipe(v.bigint('expected a bigint, such as 50n'), v.minValue(0n, 'expected a number from 0'));

/** A variant as a JSON file holds it: what needs no code. */
const fileSchema = object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  rules: v.exactOptional(v.record(rule, fixed)),
  verdicts: v.exactOptional(v.record(rule, v.picklist(REJECTIONS, `expected one of ${REJECTIONS.join(', ')}`))),
  constants: v.exactOptional(v.record(constant, amount)),
  /** Seconds by which a fork is active later, or with a minus earlier. */
  activations: v.exactOptional(
    v.record(fork, v.pipe(v.number('expected a number of seconds'), v.safeInteger('expected whole seconds'))),
  ),
});

/** A variant as a module exports it. */
const moduleSchema = object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  rules: v.exactOptional(v.record(rule, override)),
  verdicts: v.exactOptional(v.record(rule, aFunction)),
  constants: v.exactOptional(v.record(constant, bigAmount)),
  activations: v.exactOptional(v.record(fork, aFunction)),
  extensions: v.exactOptional(v.record(point, aFunction)),
});

/**
 * The built-in variant of this name, or the one in this file: a `.json` with what needs no code, or a module whose
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
  const { verdicts, constants, activations, ...rest } = check(file, fileSchema, value);
  return {
    ...rest,
    ...(verdicts && { verdicts: mapValues<RuleId, Rejection, () => Rejection>(verdicts, (verdict) => () => verdict) }),
    ...(constants && { constants: mapValues<ConstantName, number, bigint>(constants, BigInt) }),
    ...(activations && { activations: mapValues<Fork, number, ActivationOverride>(activations, shifted) }),
  };
}

/** A fork that is active so many seconds later. */
export function shifted(seconds: number): ActivationOverride {
  return (_base, time, activation) => activation !== null && time >= activation + BigInt(seconds);
}

async function fromModule(file: string): Promise<Variant> {
  const exported = await importDefault(file, 'unknown-variant');
  const module = check(file, moduleSchema, exported);
  const boolean = (said: unknown) => typeof said === 'boolean';
  const rejection = (said: unknown) => (REJECTIONS as readonly unknown[]).includes(said);
  const activations =
    module.activations &&
    guardAll(
      file,
      'activations',
      module.activations,
      () => boolean,
      () => 'true or false',
    );
  // The answers are checked as they come, which is what makes these the types of a variant.
  return {
    ...module,
    ...(module.rules && {
      rules: guardAll(
        file,
        'rules',
        module.rules,
        () => boolean,
        () => 'true or false',
      ),
    }),
    ...(module.verdicts && {
      verdicts: guardAll(
        file,
        'verdicts',
        module.verdicts,
        () => rejection,
        () => `one of ${REJECTIONS.join(', ')}`,
      ),
    }),
    ...(activations && { activations }),
    ...(module.extensions && {
      extensions: guardAll(
        file,
        'extensions',
        module.extensions,
        (name) => (said) => said === undefined || isAnswer(name, said),
        (name) => `undefined or ${answersOf(name)}`,
      ),
    }),
  } as Variant;
}

/** What a place takes, in words. */
function answersOf(point: ExtensionPoint): string {
  const forms = EXTENSION_ANSWERS[point].map((form) => (typeof form === 'string' ? `'${form}'` : `{ ${form.field} }`));
  return forms.join(', ').replace(/(.*), /, '$1 or ');
}

type Callback = (...parameters: unknown[]) => unknown;

/** A module's functions, such that a throw or an answer of the wrong kind names the file and the field. */
function guardAll<K extends string>(
  file: string,
  field: string,
  functions: Readonly<Partial<Record<K, unknown>>>,
  accepts: (key: K) => (said: unknown) => boolean,
  expected: (key: K) => string,
): Record<string, unknown> {
  const guarded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(functions)) {
    if (typeof value !== 'function') {
      guarded[key] = value;
      continue;
    }
    const callback = value as Callback;
    const isRight = accepts(key as K);
    guarded[key] = (...parameters: unknown[]): unknown => {
      let said: unknown;
      try {
        said = callback(...parameters);
      } catch (error) {
        throw new FileError('unknown-variant', file, `${field}.${key}: threw ${messageOf(error)}`, { cause: error });
      }
      if (isRight(said)) return said;
      throw new FileError(
        'unknown-variant',
        file,
        `${field}.${key}: gave ${String(said)}, expected ${expected(key as K)}`,
      );
    };
  }
  return guarded;
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
