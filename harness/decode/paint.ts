/** Colours for terminals, in one place, so that plain text comes from the same code. */

import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Styles text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Colours if the stream is a terminal that shows them and `NO_COLOR` does not forbid it; `FORCE_COLOR` asks for them. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  const { NO_COLOR: never, FORCE_COLOR: always } = env;
  if (never !== undefined && never !== '') return plain;
  const forced = always !== undefined && always !== '' && always !== '0';
  return forced || stream.isTTY === true ? (style, text) => styleText(style, text) : plain;
}

/** One after the other for neighbouring parts, so that their borders show. */
export const PART_STYLES = ['cyan', 'yellow', 'green', 'magenta', 'blue'] as const satisfies Style[];

/** Breaks text into lines of at most `width` characters, between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
