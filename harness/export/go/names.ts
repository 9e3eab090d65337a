/** Names and measures of a test case in Go. */

import type { TestCase } from '../test-case.ts';

/** Columns of a comment, two slashes and a space aside. */
export const GO_WIDTH = 112;

/** The names of a test case in Go. */
export interface GoNames {
  readonly test: string;
  readonly file: string;
  /** What the names of the file's types begin with, so that several exported tests fit into one package. */
  readonly prefix: string;
}

export function goNames({ words }: Pick<TestCase, 'words'>): GoNames {
  let name = '';
  for (const word of words) {
    // Numbers side by side stay apart.
    const gap = /\d$/.test(name) && /^\d/.test(word) ? '_' : '';
    name += `${gap}${word[0]!.toUpperCase()}${word.slice(1)}`;
  }
  const prefix = `${name[0]!.toLowerCase()}${name.slice(1)}`;
  return { test: `Test${name}`, file: `${words.join('_')}_test.go`, prefix };
}
