/** An item of L1 data in hex, a line for each field with its meaning behind it: what an exported test holds as text. */

import { CHANNEL_ID_LENGTH, FRAME_ENVELOPE_LENGTH } from '../../src/frame.ts';
import type { Part } from '../decode/decoded.ts';
import { hexLines } from '../decode/hex.ts';
import { decodeItem } from '../decode/item.ts';

/** The first word of a line is hex, whatever follows is for people. No line holds a quote or a backslash. */
export function hexdump(item: Uint8Array): string[] {
  const parts = decodeItem(item).parts.flatMap((part) => (part.name === 'unread' ? unreadParts(item, part) : [part]));
  const lines = hexLines(item, parts, Number.POSITIVE_INFINITY);
  const width = Math.max(0, ...lines.map(({ hex }) => hex.length));
  return lines.map(({ hex, label }) => `${hex.padEnd(width)}  ${label.replace(/["'`\\]/g, '')}`.trimEnd());
}

/** Bytes that do not parse, cut by the frame format as far as that goes: the fault is to be seen in its field. */
function unreadParts(item: Uint8Array, { start, end }: Part): Part[] {
  const parts: Part[] = [];
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength);
  let offset = start;
  while (end - offset >= FRAME_ENVELOPE_LENGTH) {
    const number = offset + CHANNEL_ID_LENGTH;
    const data = number + 6;
    const length = view.getUint32(number + 2);
    parts.push(
      { name: 'channel id', start: offset, end: number },
      { name: 'frame number', start: number, end: number + 2, value: String(view.getUint16(number)) },
      { name: 'data length', start: number + 2, end: data, value: String(length) },
    );
    offset = data;
    const last = data + length;
    if (last >= end) break;
    parts.push(
      { name: 'data', start: data, end: last, value: `${length} bytes` },
      { name: 'is_last', start: last, end: last + 1, value: String(item[last]!) },
    );
    offset = last + 1;
  }
  return offset < end
    ? [...parts, { name: 'what is left', start: offset, end, value: `${end - offset} bytes` }]
    : parts;
}
