import { describe, expect, test } from 'vitest';
import { sampleVector } from './testing.ts';
import { parseVector, VectorError, vectorToJson, vectorToLine } from './vector.ts';

const LINE = vectorToLine(sampleVector('a/name'));

const HASH = `0x${'77'.repeat(32)}`;

type Fields = Record<string, unknown>;
type Edit = (document: Fields) => void;

/** The sample as JSON, edited. */
function edited(edit: Edit): string {
  const document = JSON.parse(LINE) as Fields;
  edit(document);
  return JSON.stringify(document);
}

function at(document: Fields, path: string): [holder: Fields, field: string] {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const field = steps.pop()!;
  return [steps.reduce((value, step) => value[step] as Fields, document), field];
}

/** Sets the value at a path. */
function put(path: string, value: unknown): Edit {
  return (document) => {
    const [holder, field] = at(document, path);
    holder[field] = value;
  };
}

/** Removes the field at a path. */
function drop(path: string): Edit {
  return (document) => {
    const [holder, field] = at(document, path);
    Reflect.deleteProperty(holder, field);
  };
}

function both(first: Edit, second: Edit): Edit {
  return (document) => {
    first(document);
    second(document);
  };
}

function refusal(text: string): { path: string; reason: string } {
  try {
    parseVector(text);
  } catch (error) {
    if (error instanceof VectorError) return { path: error.path, reason: error.reason };
    throw error;
  }
  throw new Error('was accepted');
}

describe('reading', () => {
  test('a vector comes back as it was written, on a line and in a file', () => {
    const vector = sampleVector('a/name');
    expect(parseVector(vectorToLine(vector))).toEqual(vector);
    expect(parseVector(vectorToJson(vector))).toEqual(vector);
  });

  test('white space and the order of fields do not matter', () => {
    const { name, format, ...rest } = JSON.parse(LINE) as Fields;
    expect(parseVector(JSON.stringify({ ...rest, name, format }, null, 3))).toEqual(sampleVector('a/name'));
  });

  test('the largest integer is 2^53 - 1', () => {
    const text = edited(put('config.genesis.l2Time', 9007199254740991));
    expect(parseVector(text).config.genesis.l2Time).toBe(9007199254740991n);
  });

  test('a long hex string', () => {
    const text = edited(put('l1[1].data', [`0x${'ab'.repeat(4_000_000)}`]));
    expect(parseVector(text).l1[1]?.data[0]).toHaveLength(4_000_000);
  });
});

describe('refusing, with the path', () => {
  test.each<[string, Edit, string, RegExp]>([
    ['a missing field', drop('config.blockTime'), 'config.blockTime', /^missing$/],
    ['a missing list', drop('invalidBlocks'), 'invalidBlocks', /^missing$/],
    ['a missing fork', drop('config.forks.karst'), 'config.forks.karst', /^missing$/],
    ['an extra field', put('config.extra', 1), 'config.extra', /^unknown field$/],
    ['an extra fork', put('config.forks.interop', null), 'config.forks.interop', /unknown/],
    ['an extra field of a block', put('l1[1].extra', 1), 'l1[1].extra', /unknown/],
    ['an extra field at the top', put('extra', 1), 'extra', /unknown/],
    ['a negative number', put('l1[0].number', -1), 'l1[0].number', /integer from 0.*got -1/],
    ['a fraction', put('l1[0].timestamp', 1.5), 'l1[0].timestamp', /got 1\.5/],
    ['a number as text', put('config.blockTime', '2'), 'config.blockTime', /got "2"/],
    ['null for a number', put('config.blockTime', null), 'config.blockTime', /got null/],
    ['a fork as text', put('config.forks.holocene', 'never'), 'config.forks.holocene', /or null, got/],
    ['odd hex', put('l1[1].data[1]', '0x123'), 'l1[1].data[1]', /even number of lower-case hex/],
    ['upper-case hex', put('l1[1].data[0]', '0xAB'), 'l1[1].data[0]', /lower-case/],
    ['hex without 0x', put('l2[1].transactions[0]', 'ab'), 'l2[1].transactions[0]', /expected 0x/],
    ['a short hash', put('l1[0].hash', '0xab'), 'l1[0].hash', /64 lower-case/],
    ['no L1 block', put('l1', []), 'l1', /at least one block, got an empty list/],
    ['no L2 block', put('l2', []), 'l2', /at least one block/],
    ['an object for a list', put('l1', {}), 'l1', /expected a list, got an object/],
    ['a list for an object', put('config', []), 'config', /expected an object/],
    ['another format', put('format', 2), 'format', /expected format 1, got 2/],
    ['a number for the name', put('name', 1), 'name', /expected a string/],
    ['an L1 gap', put('l1[1].number', 12), 'l1[1].number', /expected 11, got 12/],
    ['equal L1 times', put('l1[1].timestamp', 1000), 'l1[1].timestamp', /more than 1000, got 1000/],
    ['an L2 gap', put('l2[1].number', 6), 'l2[1].number', /expected 5, got 6/],
    ['unlinked L2 blocks', put('l2[1].parentHash', HASH), 'l2[1].parentHash', /hash of the block/],
    ['an invalid block number', put('invalidBlocks', [1, -2]), 'invalidBlocks[1]', /integer/],
  ])('%s', (_, edit, place, reason) => {
    const refused = refusal(edited(edit));
    expect(refused.path).toBe(place);
    expect(refused.reason).toMatch(reason);
  });

  test('an L1 parent hash that does not link is for the pipeline to see', () => {
    expect(() => parseVector(edited(put('l1[1].parentHash', HASH)))).not.toThrow();
  });

  test.each([
    ['2^53', '9007199254740992'],
    ['an integer that parsing would round into range', '9007199254740991.2'],
    ['a larger one', '18446744073709551616'],
    ['one of many digits', '1'.repeat(100_000)],
    ['an infinite one', '1e999'],
    ['an infinite one below zero', '-1e999'],
    ['2^53 with an exponent', '9007199254740992e0'],
    ['an integer with a fraction', '2.0'],
    ['an integer with an exponent', '2e0'],
    ['a negative zero', '-0'],
  ])('no plain integer in range: %s', (_, literal) => {
    const refused = refusal(LINE.replace('"blockTime":2', `"blockTime":${literal}`));
    expect(refused.path).toBe('config.blockTime');
    expect(refused.reason).toMatch(/from 0 to 9007199254740991/);
    expect(refused.reason).toContain(`, got ${literal.slice(0, 24)}`);
  });

  test('a format that is no plain integer', () => {
    expect(refusal(LINE.replace('"format":1', '"format":1.0'))).toEqual({
      path: 'format',
      reason: 'expected format 1, got 1.0',
    });
  });

  test('a repeated field', () => {
    const text = LINE.replace('"blockTime":2', '"blockTime":2,"blockTime":2');
    expect(refusal(text)).toEqual({ path: 'config.blockTime', reason: 'repeated field' });
    const nested = LINE.replace('"timestamp":1012', '"timestamp":1012,"timestamp":1012');
    expect(refusal(nested).path).toBe('l1[1].timestamp');
  });

  test('the key that an assignment would lose', () => {
    expect(refusal(LINE.replace('"blockTime":2', '"blockTime":2,"__proto__":{}')).path).toBe('config.__proto__');
  });

  test.each([
    ['nothing', ''],
    ['text', 'vector'],
    ['half a vector', LINE.slice(0, 200)],
    ['more than a vector', `${LINE}}`],
    ['a list', '[]'],
    ['null', 'null'],
    ['a raw control character', '{"name":"a\u0000"}'],
    ['endless nesting', '['.repeat(200_000)],
  ])('the document itself: %s', (_, text) => {
    expect(refusal(text).path).toBe('');
  });

  test.each<[string, Edit, string]>([
    ['a link before a form', both(put('l1[1].number', 99), put('l2[0].hash', 1)), 'l1[1].number'],
    ['a form before a link', both(put('l1[0].data', [1]), put('l2[1].parentHash', HASH)), 'l1[0].data[0]'],
    ['an unknown field before a form', both(put('config.forks.x', 1), put('l1[0].hash', 1)), 'config.forks.x'],
    ['a missing field stands at the end of its object', both(drop('format'), put('name', 1)), 'name'],
    ['an inner one before an outer one', both(drop('format'), drop('config.blockTime')), 'config.blockTime'],
  ])('the first in the order of the document: %s', (_, edit, place) => {
    expect(refusal(edited(edit)).path).toBe(place);
  });

  test('a repeated field counts where it stands', () => {
    const text = LINE.replace('"name":', '"name":"a/name","name":').replace('"format":1', '"format":9');
    expect(refusal(text).path).toBe('format');
    expect(refusal(text.replace('"format":9', '"format":1').replace('"blockTime":2', '"blockTime":-2')).path).toBe(
      'name',
    );
  });
});

describe('writing', () => {
  test('a file is canonical: fields in the order of the format, short things on one line', () => {
    const text = vectorToJson(sampleVector('a/name'));
    expect(text.slice(0, 120)).toMatchInlineSnapshot(`
      "{
       "format": 1,
       "name": "a/name",
       "config": {
        "genesis": {
         "l1": {"number": 0, "hash": "0x01010101010101010101010"
    `);
    expect(vectorToJson(parseVector(text))).toBe(text);
    expect(JSON.stringify(JSON.parse(text))).toBe(LINE);
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(170);
  });
});
