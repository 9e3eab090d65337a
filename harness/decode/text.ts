/** Decoded bytes as a tree for people. */

import { count } from '../words.ts';
import type { DecodedDocument, FrameFate } from './decode.ts';
import type {
  ChannelBatch,
  Decoded,
  DecodedBatch,
  DecodedBlock,
  DecodedChannel,
  DecodedItem,
  DecodedTransaction,
  Ending,
  Part,
} from './decoded.ts';
import { type Paint, wrap } from './paint.ts';

/** Blocks and transactions that are shown of a batch; the JSON form has all. */
const MOST = 40;

/** The lines of all that was decoded. */
export function documentLines(
  { inputs, channels, holocene, holoceneChannels }: DecodedDocument,
  paint: Paint,
): string[] {
  const lines: string[] = [];
  let items = 0;
  for (const [index, one] of inputs.entries()) {
    const number = inputs.length > 1 ? ` ${index}` : '';
    lines.push(`${paint(['bold', 'underline'], `${HEADINGS[one.kind]}${number}`)}  ${count(one.size, 'byte')}`);
    lines.push(...indented(decodedLines(one, paint)));
    if (one.kind !== 'channel' && one.kind !== 'batch')
      lines.push(...indented(fateLines(one, holocene[items++] ?? [], paint)));
  }
  for (const { channel, frames, missing, content } of channels) {
    const state =
      missing === null
        ? 'no closing frame'
        : missing.length === 0
          ? 'complete'
          : `frames missing: ${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', …' : ''}`;
    const numbers = `${frames.slice(0, 20).join(', ')}${frames.length > 20 ? ', …' : ''}`;
    lines.push('', `${paint(['bold', 'underline'], `channel ${channel}`)}  frames ${numbers}: ${state}`);
    if (content !== null) lines.push(...indented(decodedLines(content, paint)));
  }
  if (items > 0) {
    const complete = channels.filter(({ content }) => content !== null).length;
    lines.push(
      '',
      `${count(complete, 'channel')} complete in any order; ${count(holoceneChannels, 'channel')} by Holocene's rules of order`,
    );
  }
  return lines;
}

const HEADINGS: Readonly<Record<Decoded['kind'], string>> = {
  item: 'item',
  frames: 'frames',
  channel: 'channel',
  batch: 'batch',
  transaction: 'signed transaction',
};

/** What Holocene makes of the frames of one item. */
function fateLines(one: Decoded, fates: readonly FrameFate[], paint: Paint): string[] {
  const item = one.kind === 'transaction' ? one.item : one;
  if ((item.kind !== 'item' && item.kind !== 'frames') || item.ending !== null || fates.length === 0) return [];
  const lost = fates.flatMap(({ lost: why }, index) => (why === null ? [] : [{ ...why, frame: item.frames[index]! }]));
  const kept = fates.length - lost.length;
  const lines = [`from Holocene on: ${kept} of ${fates.length} frames end up in a complete channel`];
  const told = new Set<string>();
  for (const { frame, rule, effect, statement, specification } of lost) {
    lines.push(paint('yellow', `  frame ${frame.number} at ${frame.start} of ${frame.channel}: ${effect}: ${rule}`));
    if (told.has(rule)) continue;
    told.add(rule);
    lines.push(...wrap(`“${statement}”`, 110).map((line) => paint('dim', `    ${line}`)));
    lines.push(paint('dim', `    specs: ${specification.join(', ')}`));
  }
  return lines;
}

/** The lines of a decoded value, without its heading. */
export function decodedLines(decoded: Decoded, paint: Paint): string[] {
  switch (decoded.kind) {
    case 'item':
    case 'frames':
      return itemLines(decoded, paint);
    case 'channel':
      return channelLines(decoded, paint);
    case 'batch':
      return batchLines(decoded, paint);
    case 'transaction': {
      const { transaction, item, parts } = decoded;
      return [...partLines(parts, paint), transactionLine(transaction), ...indented(itemLines(item, paint))];
    }
    default:
      return decoded satisfies never;
  }
}

function itemLines({ frames, ending, kind, parts }: DecodedItem, paint: Paint): string[] {
  const lines = kind === 'item' && parts[0]?.name === 'version' ? partLines(parts.slice(0, 1), paint) : [];
  const digits = Math.max(0, ...frames.map(({ start, end }) => `${start}…${end}`.length));
  for (const { start, end, channel, number, size, last } of frames) {
    const detail = `channel ${channel}, ${size} bytes${last ? ', last' : ''}`;
    lines.push(`${place(start, end, paint, digits)} ${paint('bold', `frame ${number}`)}  ${detail}`);
  }
  if (ending !== null) lines.push(...endingLines(ending, 'the item is ignored', paint));
  return lines;
}

function channelLines({ parts, batches, ending, contentSize }: DecodedChannel, paint: Paint): string[] {
  const lines = partLines(parts, paint);
  lines.push(`content: ${count(contentSize, 'byte')}, ${count(batches.length, 'batch')}`);
  for (const one of batches) lines.push(...indented(channelBatchLines(one, paint)));
  if (ending !== null) lines.push(...endingLines(ending, 'the channel ends', paint));
  return lines;
}

function channelBatchLines({ index, start, payload, end, read, batch }: ChannelBatch, paint: Paint): string[] {
  const unread = read ? '' : paint('yellow', '  not read: behind a malformed batch');
  const detail = `${batch.size} bytes from ${payload} on`;
  const head = `${place(start, end, paint)} ${paint('bold', `${batch.form} batch ${index}`)}  ${detail}${unread}`;
  return [head, ...indented(batchLines(batch, paint))];
}

function batchLines({ parts, blocks, ending, effect, hash }: DecodedBatch, paint: Paint): string[] {
  const lines = partLines(parts, paint);
  if (hash !== null) lines.push(`hash ${hash}`);
  for (const [index, block] of blocks.slice(0, MOST).entries()) lines.push(...blockLines(block, index, paint));
  if (blocks.length > MOST) lines.push(`… ${blocks.length - MOST} more blocks`);
  if (ending !== null) {
    const what =
      effect === 'skipped' ? 'the batch is skipped, its channel goes on' : 'malformed: its channel ends here';
    lines.push(...endingLines(ending, what, paint));
  }
  return lines;
}

function blockLines({ timestamp, epoch, transactions }: DecodedBlock, index: number, paint: Paint): string[] {
  const heading = `${paint('bold', `block ${index}`)}  time ${timestamp}, epoch ${epoch}, ${count(transactions.length, 'transaction')}`;
  const lines = [heading];
  for (const transaction of transactions.slice(0, MOST)) lines.push(`  ${transactionLine(transaction)}`);
  if (transactions.length > MOST) lines.push(`  … ${transactions.length - MOST} more transactions`);
  return lines;
}

function transactionLine({ type, size, hash, nonce, to, value, gas, dataSize }: DecodedTransaction): string {
  const name = type === null ? 'not a transaction' : `type ${type}`;
  const head = `${name}  ${hash.slice(0, 18)}…  ${size} bytes`;
  if (nonce === null) return head;
  return `${head}, nonce ${nonce}, ${to === null ? 'creates a contract' : `to ${to}`}, value ${value ?? 0}, gas ${gas ?? 0}, ${dataSize ?? 0} bytes of data`;
}

function partLines(parts: readonly Part[], paint: Paint): string[] {
  const width = Math.max(0, ...parts.map(({ name }) => name.length));
  const digits = Math.max(0, ...parts.map(({ start, end }) => `${start}…${end}`.length));
  return parts.map(({ name, start, end, value }) =>
    `${place(start, end, paint, digits)} ${name.padEnd(width)}  ${value ?? `${end - start} bytes`}`.trimEnd(),
  );
}

function endingLines({ rule, statement, specification, offset, detail }: Ending, what: string, paint: Paint): string[] {
  return [
    paint(['bold', 'red'], `✕ valid up to byte ${offset}; ${what}: ${rule}: ${detail}`),
    ...wrap(`“${statement}”`, 110).map((line) => paint('dim', `  ${line}`)),
    ...(specification.length > 0 ? [paint('dim', `  specs: ${specification.join(', ')}`)] : []),
  ];
}

/** Offsets: from, up to but not including. */
function place(start: number, end: number, paint: Paint, digits = 0): string {
  return paint('dim', `[${`${start}…${end}`.padStart(digits)})`);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
