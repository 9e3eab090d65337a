/**
 * Frames: the pieces in which batchers post channels.
 *
 * One item of L1 data is a version byte and one or more frames; a frame is channel id (16 bytes), frame number
 * (uint16), data length (uint32), data and is_last (1 byte), all big-endian.
 *
 * Specification: derivation.md#batcher-transaction-format, derivation.md#frame-format.
 */

import { concatBytes } from './encoding/bytes.ts';
import type { RuleId } from './rules/catalogue.ts';
import type { RuleBook } from './rules/rule-book.ts';

/** Length of a channel id in bytes. */
export const CHANNEL_ID_LENGTH = 16;

/** The only version of batcher data that derivation reads. */
export const DERIVATION_VERSION = 0;

/** Bytes of a frame besides its data: id, number, length and is_last. */
export const FRAME_ENVELOPE_LENGTH = 23;

/** One frame. */
export interface Frame {
  /** Channel id, 16 bytes; any value. */
  readonly channel: Uint8Array;
  /** Position in the channel, 0 to 65535. */
  readonly number: number;
  /** A piece of the compressed channel. */
  readonly data: Uint8Array;
  /** Whether the frame closes its channel. */
  readonly last: boolean;
}

/** What parsing one item gives: all its frames, or the rule by which the item is ignored. */
export type ParsedItem =
  | { readonly kind: 'frames'; readonly frames: readonly Frame[] }
  | { readonly kind: 'ignored'; readonly rule: RuleId };

/** Parses one item of L1 data. Data views into the item are kept, nothing is copied. */
export function decodeItem(item: Uint8Array, rules: RuleBook): ParsedItem {
  const wrongVersion = item.length < 2 || item[0] !== DERIVATION_VERSION;
  if (rules.fires('frame/version-byte', wrongVersion, () => ({ length: item.length, version: item[0] }))) {
    return { kind: 'ignored', rule: 'frame/version-byte' };
  }
  const frames: Frame[] = [];
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength);
  let offset = 1;
  while (offset < item.length) {
    const frame = decodeFrame(item, view, offset, rules);
    if (typeof frame === 'string') {
      if (rules.fires('frame/all-or-nothing', true, () => ({ offset, parsed: frames.length, rule: frame }))) {
        return { kind: 'ignored', rule: frame };
      }
      return { kind: 'frames', frames };
    }
    frames.push(frame);
    offset += FRAME_ENVELOPE_LENGTH + frame.data.length;
  }
  if (rules.fires('frame/all-or-nothing', false)) return { kind: 'ignored', rule: 'frame/all-or-nothing' };
  return { kind: 'frames', frames };
}

/** One frame at `start`, or the rule that makes it unparseable. */
function decodeFrame(item: Uint8Array, view: DataView, start: number, rules: RuleBook): Frame | RuleId {
  const rest = item.length - start;
  const header = CHANNEL_ID_LENGTH + 6;
  const length = rest >= header ? view.getUint32(start + CHANNEL_ID_LENGTH + 2) : 0;
  // The length is judged before the data is looked for, as a reader that allocates by it has to.
  const maximum = Number(rules.constant('MAX_FRAME_LENGTH'));
  if (rules.fires('frame/max-data-length', length > maximum, () => ({ length, maximum }))) {
    return 'frame/max-data-length';
  }
  const overrun = rest < FRAME_ENVELOPE_LENGTH + length;
  if (rules.fires('frame/exact-tiling', overrun, () => ({ start, rest, length })) || overrun)
    return 'frame/exact-tiling';
  const isLast = item[start + header + length]!;
  if (rules.fires('frame/is-last-values', isLast > 1, () => ({ isLast }))) return 'frame/is-last-values';
  return {
    channel: item.subarray(start, start + CHANNEL_ID_LENGTH),
    number: view.getUint16(start + CHANNEL_ID_LENGTH),
    data: item.subarray(start + header, start + header + length),
    // A variant that lets other values pass takes them for a frame that is not the last, as kona does.
    last: isLast === 1,
  };
}

/** Fields of a frame that an encoder may write wrong on purpose. */
export interface FrameFaults {
  /** Written in place of the true data length. */
  readonly length?: number;
  /** Written in place of 0 or 1. */
  readonly isLast?: number;
}

/** The bytes of one frame. */
export function encodeFrame(frame: Frame, faults: FrameFaults = {}): Uint8Array {
  const out = new Uint8Array(FRAME_ENVELOPE_LENGTH + frame.data.length);
  const view = new DataView(out.buffer);
  out.set(frame.channel, 0);
  view.setUint16(CHANNEL_ID_LENGTH, frame.number);
  view.setUint32(CHANNEL_ID_LENGTH + 2, faults.length ?? frame.data.length);
  out.set(frame.data, CHANNEL_ID_LENGTH + 6);
  out[out.length - 1] = faults.isLast ?? (frame.last ? 1 : 0);
  return out;
}

/** One item of L1 data: the version byte and the encoded frames. */
export function encodeItem(frames: readonly Uint8Array[], version: number = DERIVATION_VERSION): Uint8Array {
  return concatBytes([Uint8Array.of(version), ...frames]);
}
