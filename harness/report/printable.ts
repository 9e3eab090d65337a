/** Text of programs that may print anything. */

/**
 * The text without what neither XML 1.0 nor a log can hold: control characters other than tabs and line ends, half
 * surrogate pairs, and code points that are none. U+FFFD stands in their place.
 */
export function printable(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
