/**
 * JSON, read more strictly than `JSON.parse` does and written more exactly than `JSON.stringify` can.
 *
 * `JSON.parse` lets a repeated key pass and rounds large integers without a word. Here a repeated key is reported with
 * its path, and an integer literal that a double cannot hold exactly arrives as a bigint.
 */

import { toHex } from '../src/encoding/bytes.ts';

/** A symbol is a number that must not pass for an integer; its description is the literal, for the message. */
type JsonValue = null | boolean | number | bigint | symbol | string | JsonValue[] | { [key: string]: JsonValue };

/** One step to a value inside a document. */
export type PathStep = string | number;

/** A value that is written in the document, by its path and its place in the text. */
interface Located {
  readonly path: string;
  readonly offset: number;
}

export interface JsonDocument {
  readonly value: JsonValue;
  /** The first key that its object already has. */
  readonly duplicate?: Located;
}

/** Text that is not JSON. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`not JSON: ${message} at character ${offset + 1}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** A path in the form `l1[3].data[1]`; the document itself is the empty string. */
export function formatPath(path: readonly PathStep[]): string {
  let out = '';
  for (const step of path) out += typeof step === 'number' ? `[${step}]` : out === '' ? step : `.${step}`;
  return out;
}

/** Reads a whole document. @throws JsonSyntaxError */
export function parseJson(text: string): JsonDocument {
  const reader = new Reader(text);
  const value = reader.document();
  return reader.duplicate === undefined ? { value } : { value, duplicate: reader.duplicate };
}

/** Where each value of a document starts, and where each object and array ends, by path. */
export interface Places {
  readonly starts: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
}

/** Finds the places of all values of a document that {@link parseJson} could read. */
export function locateValues(text: string): Places {
  const places = { starts: new Map<string, number>(), ends: new Map<string, number>() };
  new Reader(text, places).document();
  return places;
}

/** No document of this project comes near; a deeper one is garbage that would exhaust the stack. */
const MAX_DEPTH = 64;

/** A longer integer literal is out of range wherever it stands; turning it into a bigint would take quadratic time. */
const MAX_DIGITS = 400;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const FRACTION = /[.eE]/;

class Reader {
  duplicate: Located | undefined;
  readonly #text: string;
  readonly #places: { starts: Map<string, number>; ends: Map<string, number> } | undefined;
  readonly #path: PathStep[] = [];
  #at = 0;

  constructor(text: string, places?: { starts: Map<string, number>; ends: Map<string, number> }) {
    this.#text = text;
    this.#places = places;
  }

  document(): JsonValue {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail('unexpected text after the value');
    return value;
  }

  #value(): JsonValue {
    this.#space();
    this.#mark('starts');
    const char = this.#text.charCodeAt(this.#at);
    if (char === 0x7b) return this.#object();
    if (char === 0x5b) return this.#array();
    if (char === 0x22) return this.#string();
    if (this.#text.startsWith('true', this.#at)) return this.#literal(true, 4);
    if (this.#text.startsWith('false', this.#at)) return this.#literal(false, 5);
    if (this.#text.startsWith('null', this.#at)) return this.#literal(null, 4);
    return this.#number();
  }

  #literal<T extends JsonValue>(value: T, length: number): T {
    this.#at += length;
    return value;
  }

  #object(): JsonValue {
    if (this.#path.length >= MAX_DEPTH) this.#fail('nested too deeply');
    const out: { [key: string]: JsonValue } = {};
    this.#at += 1;
    this.#space();
    if (this.#skip(0x7d)) return this.#ended(out);
    for (;;) {
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== 0x22) this.#fail('expected a key');
      const key = this.#string();
      this.#space();
      if (!this.#skip(0x3a)) this.#fail("expected ':'");
      this.#path.push(key);
      if (Object.hasOwn(out, key)) this.duplicate ??= { path: formatPath(this.#path), offset: this.#at };
      const value = this.#value();
      this.#path.pop();
      // An assignment to this one key would set the prototype instead.
      if (key === '__proto__') Object.defineProperty(out, key, { value, enumerable: true, configurable: true });
      else out[key] = value;
      this.#space();
      if (this.#skip(0x7d)) return this.#ended(out);
      if (!this.#skip(0x2c)) this.#fail("expected ',' or '}'");
    }
  }

  #array(): JsonValue {
    if (this.#path.length >= MAX_DEPTH) this.#fail('nested too deeply');
    const out: JsonValue[] = [];
    this.#at += 1;
    this.#space();
    if (this.#skip(0x5d)) return this.#ended(out);
    for (;;) {
      this.#path.push(out.length);
      out.push(this.#value());
      this.#path.pop();
      this.#space();
      if (this.#skip(0x5d)) return this.#ended(out);
      if (!this.#skip(0x2c)) this.#fail("expected ',' or ']'");
    }
  }

  #ended<T extends JsonValue>(value: T): T {
    this.#mark('ends');
    return value;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) this.#fail('a string without an end');
    } while (this.#escaped(start, end));
    const raw = this.#text.slice(start + 1, end);
    this.#at = end + 1;
    if (!NEEDS_PARSE.test(raw)) return raw;
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      this.#at = start;
      return this.#fail('a malformed string');
    }
  }

  /** Whether the quote at `end` follows an odd number of backslashes. */
  #escaped(start: number, end: number): boolean {
    let first = end;
    while (first - 1 > start && this.#text.charCodeAt(first - 1) === 0x5c) first -= 1;
    return (end - first) % 2 === 1;
  }

  #number(): number | bigint | symbol {
    NUMBER.lastIndex = this.#at;
    const literal = NUMBER.exec(this.#text)?.[0];
    if (literal === undefined) return this.#fail(this.#at < this.#text.length ? 'unexpected text' : 'unexpected end');
    this.#at += literal.length;
    const value = Number(literal);
    // `2.0`, `2e0` and `-0` are refused as integers by the readers of other languages, and a large fraction may round to
    // an integer in range: none of them may pass for one.
    const plain = !FRACTION.test(literal) && !Object.is(value, -0);
    if (!plain && (Number.isInteger(value) || !Number.isFinite(value))) return Symbol(literal);
    if (Math.abs(value) < Number.MAX_SAFE_INTEGER) return value;
    if (literal.length > MAX_DIGITS) return Symbol(literal);
    return Number.isSafeInteger(value) ? value : BigInt(literal);
  }

  #space(): void {
    for (;;) {
      const char = this.#text.charCodeAt(this.#at);
      if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return;
      this.#at += 1;
    }
  }

  #skip(char: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== char) return false;
    this.#at += 1;
    return true;
  }

  #mark(what: 'starts' | 'ends'): void {
    this.#places?.[what].set(formatPath(this.#path), this.#at);
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#at);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids raw control characters in strings
const NEEDS_PARSE = /[\\\u0000-\u001f]/;

/** What {@link writeJson} takes: bytes become `0x` and hex, a field that is `undefined` is left out. */
export type Writable =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Writable[]
  | { readonly [key: string]: Writable | undefined };

/** The value on one line, without spaces; a bigint in plain digits. */
export function writeJson(value: Writable): string {
  if (isScalar(value)) return writeScalar(value);
  if (isArray(value)) {
    let out = '';
    for (const item of value) out += out === '' ? writeJson(item) : `,${writeJson(item)}`;
    return `[${out}]`;
  }
  let out = '';
  for (const key in value) {
    const item = value[key];
    if (item === undefined) continue;
    out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${writeJson(item)}`;
  }
  return `{${out}}`;
}

/** What {@link writeJson} takes, without bytes. */
export type WritableText =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly WritableText[]
  | { readonly [key: string]: WritableText | undefined };

/** What {@link writeJson} writes: the native writer is several times as fast, and only a bigint is beyond it. */
export function writeTextJson(value: WritableText): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return writeJson(value);
  }
}

/** Characters of a piece: enough that the cost of handing one on does not show. */
const PIECE = 65_536;

/**
 * What {@link writeJson} writes, in pieces of bounded size: for what is too large to be held as one string, which has
 * about 2^29 characters at most.
 */
export function* jsonPieces(value: Writable): Generator<string, void, undefined> {
  const pieces = new PieceWriter();
  yield* pieces.write(value);
  yield pieces.take();
}

class PieceWriter {
  #text = '';

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  *write(value: Writable): Generator<string, void, undefined> {
    if (value instanceof Uint8Array && value.length > PIECE / 2) yield* this.#longBytes(value);
    else if (typeof value === 'string' && value.length > PIECE) yield* this.#longString(value);
    else if (isScalar(value)) this.#text += writeScalar(value);
    else if (isArray(value)) yield* this.#list(value);
    else yield* this.#object(value);
    if (this.#text.length >= PIECE) yield this.take();
  }

  *#longBytes(bytes: Uint8Array): Generator<string, void, undefined> {
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text += '"0x';
    for (let at = 0; at < hex.length; at += PIECE / 2) {
      this.#text += hex.toString('hex', at, at + PIECE / 2);
      if (this.#text.length >= PIECE) yield this.take();
    }
    this.#text += '"';
  }

  *#longString(text: string): Generator<string, void, undefined> {
    this.#text += '"';
    for (let at = 0; at < text.length; ) {
      // A pair of surrogates that is cut in two would be escaped.
      const cut = at + PIECE;
      const end = isHighSurrogate(text.charCodeAt(cut - 1)) ? cut + 1 : cut;
      this.#text += JSON.stringify(text.slice(at, end)).slice(1, -1);
      at = end;
      yield this.take();
    }
    this.#text += '"';
  }

  *#list(list: readonly Writable[]): Generator<string, void, undefined> {
    let between = '[';
    for (const item of list) {
      this.#text += between;
      between = ',';
      yield* this.write(item);
    }
    this.#text += between === '[' ? '[]' : ']';
  }

  *#object(object: { readonly [key: string]: Writable | undefined }): Generator<string, void, undefined> {
    let between = '{';
    for (const key in object) {
      const item = object[key];
      if (item === undefined) continue;
      this.#text += `${between}${JSON.stringify(key)}:`;
      between = ',';
      yield* this.write(item);
    }
    this.#text += between === '{' ? '{}' : '}';
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** A line of a written file: long enough for two hashes with their names, short enough to read. */
const WIDTH = 160;

/** The value for people and for version control: what fits on a line stands on one, the rest is indented by a space. */
export function writeReadableJson(value: Writable, indent = '', used = 0): string {
  if (isScalar(value)) return writeScalar(value);
  const line = oneLine(value);
  if (indent.length + used + line.length < WIDTH) return line;
  const inner = `${indent} `;
  if (isArray(value)) {
    const items = value.map((item) => `${inner}${writeReadableJson(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const fields: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const name = JSON.stringify(key);
    fields.push(`${inner}${name}: ${writeReadableJson(item, inner, name.length + 2)}`);
  }
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

function oneLine(value: Writable): string {
  if (isScalar(value)) return writeScalar(value);
  if (isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const fields: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) fields.push(`${JSON.stringify(key)}: ${oneLine(item)}`);
  }
  return `{${fields.join(', ')}}`;
}

/** A value without parts. */
type Scalar = null | boolean | number | bigint | string | Uint8Array;

function isScalar(value: Writable): value is Scalar {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array;
}

function writeScalar(value: Scalar): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return value instanceof Uint8Array ? `"${toHex(value)}"` : String(value);
}

function isArray(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}
