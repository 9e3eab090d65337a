/** Text of programs that may print anything. */

/**
 * The text without what neither XML 1.0 nor a log can hold: control characters other than tabs and line ends, half
 * surrogate pairs, and code points that are none. U+FFFD stands in their place.
 */
export function printable(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** The text on one line of a terminal: without what would end the line, paint it, or turn its direction around. */
export function onOneLine(text: string): string {
  return printable(text)
    .trimEnd()
    .replace(/\s*[\n\r\u0085\u2028\u2029]\s*/g, ' / ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
