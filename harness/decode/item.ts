/** Items of L1 data and their frames, with the place of every field. */

import { toHex } from '../../src/encoding/bytes.ts';
import {
  CHANNEL_ID_LENGTH,
  DERIVATION_VERSION,
  FRAME_ENVELOPE_LENGTH,
  type Frame,
  decodeItem as parseItem,
} from '../../src/frame.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { type DecodedFrame, type DecodedItem, type Ending, ending, type Part } from './decoded.ts';

/** Keeps the frames before a fault, which derivation drops with it. */
const KEEP_PARSED = { name: 'keep-parsed', rules: { 'frame/all-or-nothing': 'never' } } as const;

/** Decodes one item: a version byte and frames. */
export function decodeItem(item: Uint8Array): DecodedItem {
  return decode('item', item, 0);
}

/** Decodes frames that stand without a version byte. */
export function decodeFrames(bytes: Uint8Array): DecodedItem {
  const item = new Uint8Array(bytes.length + 1);
  item[0] = DERIVATION_VERSION;
  item.set(bytes, 1);
  return decode('frames', item, 1);
}

/** @param base - the offset in `item` from which places are counted */
function decode(kind: DecodedItem['kind'], item: Uint8Array, base: number): DecodedItem {
  const rules = new RuleBook(KEEP_PARSED);
  let fault: { rule: RuleId; offset: number } | undefined;
  rules.listener = ({ rule, context }) => {
    if (rule === 'frame/all-or-nothing' && 'offset' in context) {
      fault = { rule: context['rule'] as RuleId, offset: context['offset'] as number };
    }
  };
  const parsed = parseItem(item, rules);
  const size = item.length - base;
  const version: Part[] = kind === 'item' && item.length > 0 ? [versionPart(item[0]!)] : [];
  if (parsed.kind === 'ignored') {
    const rest: Part[] = item.length > 1 ? [{ name: 'unread', start: 1 - base, end: size }] : [];
    return { kind, size, frames: [], parts: [...version, ...rest], ending: ending(parsed.rule, 0, versionFault(item)) };
  }
  const frames: DecodedFrame[] = [];
  let offset = 1 - base;
  for (const frame of parsed.frames) {
    frames.push(placeFrame(frame, offset));
    offset = frames[frames.length - 1]!.end;
  }
  const end = fault === undefined ? null : faultAt(item, fault.rule, fault.offset, base);
  const unread: Part[] = offset < size ? [{ name: 'unread', start: offset, end: size }] : [];
  return { kind, size, frames, parts: [...version, ...frames.flatMap(({ parts }) => parts), ...unread], ending: end };
}

function versionPart(version: number): Part {
  const known = version === DERIVATION_VERSION ? '' : ', not that of derivation';
  return { name: 'version', start: 0, end: 1, value: `${version}${known}` };
}

function versionFault(item: Uint8Array): string {
  if (item.length === 0) return 'no bytes';
  return item[0] === DERIVATION_VERSION ? 'no frame behind the version byte' : `version ${item[0]!}`;
}

function placeFrame(frame: Frame, start: number): DecodedFrame {
  const number = start + CHANNEL_ID_LENGTH;
  const data = number + 6;
  const last = data + frame.data.length;
  const end = start + FRAME_ENVELOPE_LENGTH + frame.data.length;
  const channel = toHex(frame.channel);
  return {
    start,
    end,
    channel,
    number: frame.number,
    size: frame.data.length,
    last: frame.last,
    parts: [
      { name: 'channel id', start, end: number, value: channel },
      { name: 'frame number', start: number, end: number + 2, value: String(frame.number) },
      { name: 'data length', start: number + 2, end: data, value: String(frame.data.length) },
      { name: 'data', start: data, end: last, value: `${frame.data.length} bytes` },
      { name: 'is_last', start: last, end, value: frame.last ? '1' : '0' },
    ],
  };
}

function faultAt(item: Uint8Array, rule: RuleId, offset: number, base: number): Ending {
  const rest = item.length - offset;
  const header = CHANNEL_ID_LENGTH + 6;
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength);
  const length = rest >= header ? view.getUint32(offset + CHANNEL_ID_LENGTH + 2) : undefined;
  const detail = () => {
    if (length === undefined) return `${rest} bytes left, a frame has at least ${FRAME_ENVELOPE_LENGTH}`;
    if (rule === 'frame/is-last-values') return `is_last is ${item[offset + header + length]!}`;
    if (rule === 'frame/max-data-length') return `the frame says ${length} bytes of data`;
    return `the frame says ${length} bytes of data, ${Math.max(0, rest - FRAME_ENVELOPE_LENGTH)} are left`;
  };
  return ending(rule, offset - base, detail());
}
