/** Names and measures of a test case in Rust. */

import type { TestCase } from '../test-case.ts';

/** Columns of a comment, two slashes and a space aside. */
export const RUST_WIDTH = 96;

/** The names of the test's function and of its file. */
export function rustNames({ words }: Pick<TestCase, 'words'>): { readonly test: string; readonly file: string } {
  const test = words.join('_');
  return { test, file: `${test}.rs` };
}
