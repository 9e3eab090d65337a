import { expect, test } from 'vitest';
import type { Implementation } from './implementation.ts';
import { distinctly, titleOf } from './named.ts';
import { TypeScriptImplementation } from './typescript.ts';

/** The TypeScript pipeline under another name and version. */
function called(name: string, version: string): Implementation {
  const one = new TypeScriptImplementation();
  return Object.defineProperties(one, { name: { value: name }, version: { value: version } });
}

test('versions of one implementation get names of their own, and nothing else does', () => {
  const given = [
    called('typescript', '0.1.0'),
    called('kona', '0.3.0'),
    called('op-node', '1.19.6'),
    called('kona', '0.4.5'),
  ];
  const named = distinctly(given);
  expect(named.map(({ name }) => name)).toEqual(['typescript', 'kona@0.3.0', 'op-node', 'kona@0.4.5']);
  expect(named.map(titleOf)).toEqual(['typescript 0.1.0', 'kona@0.3.0', 'op-node 1.19.6', 'kona@0.4.5']);
  expect(named[1]!.version).toBe('0.3.0');
  expect(named[0]).toBe(given[0]);
});
