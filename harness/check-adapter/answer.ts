/** What a line of an adapter is, and what is wrong with it. */

import * as v from 'valibot';
import { messageOf } from '../errors.ts';
import type { Handshake } from '../implementations/implementation.ts';
import { firstIssue, list, object } from '../schema.ts';
import { checkTrace, parseLine, type TraceJson } from '../trace.ts';
import { VECTOR_FORMAT } from '../vector.ts';

const word = v.pipe(
  v.string('expected a string'),
  v.regex(/^[^\s,=@]+$/, 'expected some text without spaces, commas, = and @'),
);

const handshakeSchema = v.object(
  {
    holodiff: v.literal('handshake', 'expected "handshake"'),
    implementation: object({ name: word, version: word }),
    formats: v.pipe(
      list(v.number('expected a number')),
      v.check((formats) => formats.includes(VECTOR_FORMAT), `expected format ${VECTOR_FORMAT} among them`),
    ),
    decompressors: v.exactOptional(v.record(v.string(), v.string('expected a string'), 'expected an object'), {}),
  },
  'expected an object',
);

const errorSchema = object({
  error: object({
    path: v.string('expected a string'),
    message: v.pipe(v.string('expected a string'), v.nonEmpty('expected some text')),
  }),
});

/** A line, or why it is not what it should be. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

export function readHandshake(line: string): Read<Handshake> {
  return read(line, handshakeSchema);
}

function read<T extends v.GenericSchema>(line: string, schema: T): Read<v.InferOutput<T>> {
  const parsed = parse(line);
  if ('problem' in parsed) return parsed;
  const result = v.safeParse(schema, parsed.value);
  if (result.success) return { value: result.output };
  const { path, reason } = firstIssue(result.issues);
  return { problem: path === '' ? reason : `${path}: ${reason}` };
}

function parse(line: string): Read<unknown> {
  if (line.endsWith('\r')) return { problem: 'ends with a carriage return' };
  if (line.includes('\ufffd')) return { problem: 'is not UTF-8' };
  try {
    return { value: parseLine(line) };
  } catch {
    return { problem: 'is not JSON' };
  }
}

/** A trace, or a refusal. */
export type AnswerLine =
  | { readonly kind: 'trace'; readonly trace: TraceJson }
  | { readonly kind: 'error'; readonly path: string; readonly message: string };

/** Reads an answer. */
export function readAnswer(line: string, { implementation }: Handshake): Read<AnswerLine> {
  const parsed = parse(line);
  if ('problem' in parsed) return parsed;
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && 'error' in value) {
    const refusal = read(line, errorSchema);
    return 'problem' in refusal ? refusal : { value: { kind: 'error', ...refusal.value.error } };
  }
  try {
    const trace = checkTrace(value);
    const { name, version } = trace.implementation;
    if (name === implementation.name && version === implementation.version) return { value: { kind: 'trace', trace } };
    const said = `${implementation.name} ${implementation.version}`;
    return { problem: `implementation: expected that of the handshake, ${said}, got ${name} ${version}` };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
