/** Curated scenarios of rebuilding the transactions of a span batch: types, fields, signatures. */

import type { SpanColumns } from '../../src/batch/span-columns.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.ts';
import type { ScenarioOptions } from '../scenario/scenario.ts';
import { madeUpHash, type TransactionKind, transaction } from '../scenario/transactions.ts';
import { doubt, element, spanOf, typed } from './batch-kit.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';

const SKIPPED: readonly RuleSide[] = ['batch-decode/underivable-span-skipped+'];
const ISTHMUS: ScenarioOptions = { forks: { isthmus: 0 } };
const ADDRESS = new Uint8Array(20).fill(0xaa);
const NONE = new Uint8Array(0);
const CREATION: Partial<SpanColumns> = { contractCreationBits: Uint8Array.of(1), txTos: NONE };

/** A sound authorisation: chain id, address, nonce, parity, r, s. */
const AUTHORISATION: readonly RlpValue[] = [901n, ADDRESS, 0n, 1n, madeUpHash('ar', 1), madeUpHash('as', 1)];

/** The sound list of each type: value, price or prices, data, access list, authorisation list. */
const FIELDS = {
  legacy: [1n, 100n, NONE],
  1: [1n, 100n, NONE, []],
  2: [1n, 1n, 100n, NONE, []],
  4: [1n, 1n, 100n, NONE, [], [AUTHORISATION]],
} as const satisfies Record<string, readonly RlpValue[]>;

type Known = keyof typeof FIELDS;

const typeByte = (type: Known) => (type === 'legacy' ? undefined : type);

/** A list with some items replaced, rebuilt or not. */
function fields(
  name: string,
  shows: string,
  side: '+' | '-',
  type: Known,
  change: (sound: readonly RlpValue[]) => readonly RlpValue[],
  options: ScenarioOptions & { readonly columns?: Partial<SpanColumns> } = {},
): CuratedScenario {
  const rules: RuleSide[] = [`batch-decode/tx-fields${side}`];
  const legacy = type === 'legacy' ? { protectedBits: Uint8Array.of(1) } : {};
  return element(
    name,
    shows,
    side === '+' ? [...rules, ...SKIPPED] : rules,
    typed(typeByte(type), change(FIELDS[type])),
    {
      ...ISTHMUS,
      ...options,
      columns: { ...legacy, ...options.columns },
    },
  );
}

const put = (index: number, value: RlpValue) => (sound: readonly RlpValue[]) => sound.with(index, value);
const raw = (...bytes: number[]): RlpValue => ({ encoded: Uint8Array.from(bytes) });

/** A number of exactly so many bytes. */
const wide = (bytes: number): bigint => (1n << BigInt(8 * bytes)) - 1n;

/** Transactions of one block of a span batch, rebuilt. */
function rebuilt(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  transactions: readonly Uint8Array[],
  options: ScenarioOptions = {},
): CuratedScenario {
  return doubt(name, shows, rules, (s) => spanOf(s, transactions), options);
}

/** A type that cannot be rebuilt. */
function unknownType(type: number): CuratedScenario {
  const hex = `0x${type.toString(16).padStart(2, '0')}`;
  return element(
    `transaction-type-${type}`,
    `A transaction of type ${hex} makes a span batch underivable.`,
    ['batch-decode/tx-types+', ...SKIPPED],
    typed(type, FIELDS[2]),
  );
}

const KINDS: readonly TransactionKind[] = ['legacy', 'legacy-unprotected', 'access-list', 'dynamic-fee'];

export const spanTransactionScenarios: readonly CuratedScenario[] = [
  rebuilt(
    'every-type-rebuilt',
    'Legacy with and without chain id, types 1 and 2, with recipient and without.',
    ['batch-decode/tx-types-', 'batch-decode/tx-fields-', 'batch-decode/signature-v+', 'batch-decode/signature-v-'],
    KINDS.flatMap((kind, index) => [transaction(index, kind), transaction(index + 10, kind, { create: true })]),
  ),
  ...[3, 5, 0x7c, 0x7e, 0x7f].map(unknownType),
  element(
    'transaction-type-0-written-out',
    'An explicit type byte 0 counts as legacy for the protected bits, but cannot be rebuilt.',
    ['batch-decode/tx-types+', ...SKIPPED],
    typed(0, FIELDS.legacy),
    { columns: { protectedBits: Uint8Array.of(1) } },
  ),
  element(
    'transaction-type-0-without-its-bit',
    'Without a protected bit for it the batch is a byte short: malformed, not underivable.',
    ['batch-decode/span-layout+', 'batch-decode/malformed-ends-channel+'],
    typed(0, FIELDS.legacy),
  ),
  element(
    'transaction-type-7d',
    'Type 0x7d is copied as it stands, whatever its list holds; the batch stage refuses it then.',
    ['batch-decode/tx-types-', 'batch-decode/tx-fields-', 'single/tx-post-exec+'],
    typed(0x7d, [1n, [2n]]),
    { columns: CREATION },
  ),
  element(
    'transaction-type-7d-with-columns',
    'The columns of a transaction of type 0x7d are read and have no effect.',
    ['batch-decode/tx-types-', 'single/tx-post-exec+'],
    typed(0x7d, []),
    { columns: { txNonces: [7n], txGases: [8n], yParityBits: Uint8Array.of(1) } },
  ),
  rebuilt(
    'set-code-transaction',
    'Type 4 is rebuilt; from Isthmus on it is accepted.',
    ['batch-decode/tx-types-', 'batch-decode/tx-fields-', 'single/tx-set-code-'],
    [transaction(2, 'set-code')],
    ISTHMUS,
  ),
  rebuilt(
    'set-code-transaction-before-isthmus',
    'Type 4 is rebuilt before Isthmus as well; that it is not allowed is for the batch stage to say.',
    ['batch-decode/tx-types-', 'single/tx-set-code+'],
    [transaction(2, 'set-code')],
  ),
  element(
    'set-code-transaction-without-recipient',
    'Type 4 with the contract-creation bit cannot be rebuilt (A20).',
    ['batch-decode/tx-types+', ...SKIPPED],
    typed(4, FIELDS[4]),
    { ...ISTHMUS, columns: CREATION },
  ),
  doubt(
    'unknown-type-behind-known-ones',
    'One transaction that cannot be rebuilt loses the whole span batch.',
    ['batch-decode/tx-types+', 'batch-decode/tx-types-', ...SKIPPED],
    (s) =>
      s.encodeSpan(spanOf(s, [transaction(1)], [transaction(2)]), {
        columns: (honest) => ({ ...honest, txDatas: [honest.txDatas[0]!, typed(3, FIELDS[2])] }),
      }),
  ),

  fields('legacy-value-of-33-bytes', 'A legacy value may have any width (A17).', '-', 'legacy', put(0, wide(33))),
  fields('legacy-price-of-40-bytes', 'A legacy price may have any width (A17).', '-', 'legacy', put(1, wide(40))),
  fields('legacy-price-of-17-bytes', 'A price above 128 bits is copied in full.', '-', 'legacy', put(1, wide(17))),
  fields('access-list-value-of-33-bytes', 'A value of type 1 may have any width (A17).', '-', 1, put(0, wide(33))),
  fields(
    'access-list-price-of-17-bytes',
    'A price of type 1 above 128 bits is copied in full.',
    '-',
    1,
    put(1, wide(17)),
  ),
  fields('dynamic-fee-value-of-33-bytes', 'A value of type 2 may have any width (A17).', '-', 2, put(0, wide(33))),
  fields('dynamic-fee-cap-of-17-bytes', 'A fee cap above 128 bits is copied in full.', '-', 2, put(2, wide(17))),
  fields('dynamic-fee-tip-of-17-bytes', 'A tip cap above 128 bits is copied in full.', '-', 2, put(1, wide(17))),
  fields('dynamic-fee-cap-of-16-bytes', 'A fee cap of 128 bits.', '-', 2, put(2, wide(16))),
  fields('set-code-value-of-32-bytes', 'A value of type 4 may have 256 bits.', '-', 4, put(0, wide(32))),
  fields('set-code-value-of-33-bytes', 'A value of type 4 must fit 256 bits (A17).', '+', 4, put(0, wide(33))),
  fields('set-code-cap-of-33-bytes', 'A fee cap of type 4 must fit 256 bits (A17).', '+', 4, put(2, wide(33))),
  fields('set-code-cap-of-17-bytes', 'A fee cap of type 4 above 128 bits is copied in full.', '-', 4, put(2, wide(17))),

  fields('value-with-leading-zero', 'A value with a leading zero.', '+', 2, put(0, raw(0x82, 0, 1))),
  fields('value-of-one-zero-byte', 'A value of one zero byte: zero has no bytes.', '+', 'legacy', put(0, raw(0))),
  fields('value-in-a-header', 'A value below 128 with a header.', '+', 2, put(0, raw(0x81, 1))),
  fields('value-as-list', 'A list in place of the value.', '+', 2, put(0, [])),
  fields('data-as-list', 'A list in place of the data.', '+', 'legacy', put(2, [])),
  fields('data-in-a-header', 'One byte of data below 128 with a header.', '+', 2, put(3, raw(0x81, 1))),
  fields(
    'data-with-long-length',
    'One byte of data whose length stands in a byte of its own.',
    '+',
    2,
    put(3, raw(0xb8, 1, 0xff)),
  ),
  fields('legacy-with-two-items', 'A legacy list without data.', '+', 'legacy', (sound) => sound.slice(0, 2)),
  fields('legacy-with-four-items', 'A legacy list with an item too many.', '+', 'legacy', (sound) => [...sound, 1n]),
  fields('dynamic-fee-without-access-list', 'A list of type 2 without an access list.', '+', 2, (sound) =>
    sound.slice(0, 4),
  ),
  fields('dynamic-fee-with-six-items', 'A list of type 2 with an item too many.', '+', 2, (sound) => [...sound, []]),
  fields('set-code-without-authorisations', 'A list of type 4 without an authorisation list.', '+', 4, (sound) =>
    sound.slice(0, 5),
  ),
  fields('set-code-with-no-authorisation', 'An empty authorisation list can be rebuilt.', '-', 4, put(5, [])),
  fields('item-past-the-list', 'The last item runs past the end of its list.', '+', 2, put(4, raw(0xc1))),
  fields('access-list-as-string', 'A string in place of the access list.', '+', 1, put(3, NONE)),
  fields('access-list-of-strings', 'An access list that holds an address without its list.', '+', 1, put(3, [ADDRESS])),
  fields('access-list-address-of-19-bytes', 'An address of 19 bytes.', '+', 1, put(3, [[ADDRESS.subarray(1), []]])),
  fields(
    'access-list-address-of-21-bytes',
    'An address of 21 bytes.',
    '+',
    2,
    put(4, [[concatBytes([ADDRESS, Uint8Array.of(1)]), []]]),
  ),
  fields(
    'access-list-key-of-31-bytes',
    'A storage key of 31 bytes.',
    '+',
    1,
    put(3, [[ADDRESS, [madeUpHash('key', 1).subarray(1)]]]),
  ),
  fields(
    'access-list-with-third-item',
    'An entry of the access list with three items.',
    '+',
    1,
    put(3, [[ADDRESS, [], 1n]]),
  ),
  fields(
    'access-list-without-keys',
    'An entry of the access list without a list of keys.',
    '+',
    1,
    put(3, [[ADDRESS]]),
  ),
  fields(
    'access-list-twice-the-same',
    'The same entry twice, and a key twice.',
    '-',
    1,
    put(3, [
      [ADDRESS, [madeUpHash('key', 1), madeUpHash('key', 1)]],
      [ADDRESS, [madeUpHash('key', 1), madeUpHash('key', 1)]],
    ]),
  ),
  ...(
    [
      ['with-five-items', 'five items', '+', AUTHORISATION.slice(0, 5)],
      ['with-seven-items', 'seven items', '+', [...AUTHORISATION, 1n]],
      ['chain-id-of-33-bytes', 'a chain id above 256 bits', '+', AUTHORISATION.with(0, wide(33))],
      ['chain-id-of-32-bytes', 'a chain id of 256 bits', '-', AUTHORISATION.with(0, wide(32))],
      ['nonce-of-9-bytes', 'a nonce above 64 bits', '+', AUTHORISATION.with(2, wide(9))],
      ['parity-of-255', 'a parity of 255', '-', AUTHORISATION.with(3, 255n)],
      ['parity-of-256', 'a parity above 8 bits', '+', AUTHORISATION.with(3, 256n)],
      ['r-of-33-bytes', 'an r above 256 bits', '+', AUTHORISATION.with(4, wide(33))],
      ['address-of-19-bytes', 'an address of 19 bytes', '+', AUTHORISATION.with(1, ADDRESS.subarray(1))],
    ] as const
  ).map(([name, what, side, item]) =>
    fields(`authorisation-${name}`, `An authorisation with ${what}.`, side, 4, put(5, [item])),
  ),

  rebuilt(
    'legacy-with-and-without-chain-id',
    'Protected bits are counted among the legacy transactions alone.',
    ['batch-decode/protected-bits+', 'batch-decode/protected-bits-', 'batch-decode/signature-v+'],
    [
      transaction(1, 'dynamic-fee'),
      transaction(2, 'legacy-unprotected'),
      transaction(3, 'access-list'),
      transaction(4, 'legacy'),
      transaction(5, 'legacy-unprotected'),
    ],
  ),
  ...(['legacy', 'legacy-unprotected', 'dynamic-fee'] as const).flatMap((kind) =>
    ([0, 1] as const).map((parity) =>
      rebuilt(
        `${kind}-with-parity-${parity}`,
        `The rebuilt v of a ${kind} transaction with parity ${parity}.`,
        [kind === 'dynamic-fee' ? 'batch-decode/signature-v-' : 'batch-decode/signature-v+'],
        [transaction(2, kind, { parity })],
      ),
    ),
  ),
  rebuilt(
    'foreign-chain-id',
    'A span batch carries no chain id: a transaction for chain 10 is rebuilt for the chain itself.',
    ['batch-decode/signature-v-', 'batch-decode/signature-v+'],
    [transaction(1, 'dynamic-fee', { chainId: 10n }), transaction(2, 'legacy', { chainId: 10n })],
  ),
  ...(
    [
      ['of-zeros', 'r and s of zero', new Uint8Array(64)],
      ['of-ones', 'r and s of 2²⁵⁶ − 1', new Uint8Array(64).fill(0xff)],
      ['with-leading-zeros', 'r and s with leading zeros', new Uint8Array(64).fill(7, 20, 32).fill(9, 63)],
    ] as const
  ).map(([name, what, txSigs]) =>
    doubt(
      `signature-${name}`,
      `No signature is verified: ${what}.`,
      ['batch-decode/signature-v-', 'batch-decode/tx-fields-'],
      (s) => s.encodeSpan(spanOf(s, [transaction(2)]), { columns: (honest) => ({ ...honest, txSigs }) }),
    ),
  ),
  doubt(
    'before-holocene-fee-cap-of-17-bytes',
    'The fee cap above 128 bits before Holocene.',
    ['batch-decode/tx-fields-'],
    (s) =>
      s.encodeSpan(spanOf(s, [transaction(2)]), {
        columns: (honest) => ({
          ...honest,
          txDatas: [concatBytes([Uint8Array.of(2), encodeRlp(put(2, wide(17))(FIELDS[2]))])],
        }),
      }),
    { era: 'before' },
  ),
];
