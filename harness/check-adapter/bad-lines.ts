/** Lines that are no vectors, each with the path at which it is to be refused. */

import { VECTOR_FORMAT } from '../vector.ts';

export interface BadLine {
  readonly id: string;
  readonly title: string;
  readonly line: string;
  /** JSON path of the first offending value. */
  readonly path: string;
}

/** Makes them from a good vector on one line, which has two L1 blocks and two L2 blocks at least. */
export function badLines(good: string): BadLine[] {
  const bad: BadLine[] = [];
  const add = (id: string, title: string, path: string, line: string) => bad.push({ id, title, path, line });
  /** The vector with a value changed. */
  const edit = (change: (vector: Loose) => void): string => {
    const vector = JSON.parse(good) as Loose;
    change(vector);
    return JSON.stringify(vector);
  };
  /** The vector's text with a number written in another way. */
  const blockTime = (text: string) => good.replace(/"blockTime":\d+/, `"blockTime":${text}`);
  const zeros = `0x${'00'.repeat(32)}`;

  add('not-json', 'text that is not JSON', '', 'vector');
  add('cut-off', 'a document that ends too early', '', good.slice(0, good.length / 2));
  add('not-an-object', 'a document that is no object', '', '[]');
  add(
    'format',
    'a format that is not read, before anything else',
    'format',
    edit((vector) => {
      vector.format = VECTOR_FORMAT + 1000;
      vector.config['extra'] = 1;
    }),
  );
  add(
    'missing-field',
    'a missing field',
    'l1[1].timestamp',
    edit((vector) => delete vector.l1[1]!['timestamp']),
  );
  add(
    'unknown-field',
    'a field that the format has not',
    'config.extra',
    edit((vector) => {
      vector.config['extra'] = 1;
    }),
  );
  add('repeated-field', 'a field that stands twice', 'config.blockTime', blockTime('2,"blockTime":2'));
  add('string-for-number', 'a string in place of a number', 'config.blockTime', blockTime('"2"'));
  add('negative', 'a negative number', 'config.blockTime', blockTime('-2'));
  add('fraction', 'an integer with a fraction', 'config.blockTime', blockTime('2.0'));
  add('too-large', 'an integer above 2^53 - 1', 'config.blockTime', blockTime('9007199254740992'));
  add(
    'odd-hex',
    'an odd number of hex digits',
    'l1[1].data[0]',
    edit((vector) => {
      vector.l1[1]!['data'] = ['0x0'];
    }),
  );
  add(
    'upper-case-hex',
    'upper-case hex digits',
    'l1[1].data[0]',
    edit((vector) => {
      vector.l1[1]!['data'] = ['0xAB'];
    }),
  );
  add(
    'short-hash',
    'a hash of too few bytes',
    'l1[0].hash',
    edit((vector) => {
      vector.l1[0]!['hash'] = '0x00';
    }),
  );
  add(
    'no-block',
    'an empty list of blocks',
    'l2',
    edit((vector) => {
      vector.l2 = [];
    }),
  );
  add(
    'number-gap',
    'L1 blocks that are not consecutive',
    'l1[1].number',
    edit((vector) => {
      vector.l1[1]!['number'] = (vector.l1[1]!['number'] as number) + 1;
    }),
  );
  add(
    'l1-time',
    'an L1 block that is not later than the one before',
    'l1[1].timestamp',
    edit((vector) => {
      vector.l1[1]!['timestamp'] = vector.l1[0]!['timestamp'];
    }),
  );
  add(
    'l2-link',
    'an L2 block that is not on the one before',
    'l2[1].parentHash',
    edit((vector) => {
      vector.l2[1]!['parentHash'] = zeros;
    }),
  );
  add(
    'first-of-two',
    'the first of two faults in the order of the document',
    'config.extra',
    edit((vector) => {
      vector.l1[0]!['hash'] = '0x00';
      vector.config['extra'] = 1;
    }),
  );
  return bad;
}

/** A vector of which nothing is known but where things stand. */
interface Loose {
  format: number;
  config: Record<string, unknown>;
  l1: Record<string, unknown>[];
  l2: Record<string, unknown>[];
}
