/** Bytes in hex, a line for each part, so that every byte stands beside its meaning. */

import type { Part } from './decoded.ts';

/** Bytes on a line. */
const WIDTH = 32;

/** One line of a dump. */
export interface HexLine {
  /** Offset of the first byte. */
  readonly offset: number;
  readonly hex: string;
  /** Position of the part among the parts; gives its colour. */
  readonly part: number;
  /** Name and value of the part, on its first line. */
  readonly label: string;
}

/**
 * The lines of a dump.
 *
 * @param most - lines for one part; what is left out is said on the last of them
 */
export function hexLines(bytes: Uint8Array, parts: readonly Part[], most = 8): HexLine[] {
  const lines: HexLine[] = [];
  for (const [part, { name, start, end, value }] of parts.entries()) {
    if (start === end) continue;
    // A value in hex would only say the bytes again.
    const label = value === undefined || value.startsWith('0x') ? name : `${name}: ${value}`;
    for (let offset = start, line = 0; offset < end; offset += WIDTH, line++) {
      if (line === most) {
        lines.push({ offset, hex: `… ${end - offset} more bytes`, part, label: '' });
        break;
      }
      const hex = Buffer.from(bytes.subarray(offset, Math.min(offset + WIDTH, end))).toString('hex');
      lines.push({ offset, hex, part, label: line === 0 ? label : '' });
    }
  }
  return lines;
}
