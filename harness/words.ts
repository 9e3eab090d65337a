/** Words for numbers. */

/** `1 item`, `2 items`. */
export function count(number: number, what: string): string {
  const plural = /(ch|x|s)$/.test(what) ? `${what}es` : `${what}s`;
  return `${number.toLocaleString('en-GB')} ${number === 1 ? what : plural}`;
}
