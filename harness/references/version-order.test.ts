import { expect, test } from 'vitest';
import { byVersion, compareVersions } from './version-order.ts';

test('versions in their order, candidates before releases, special builds behind what they are of', () => {
  const ordered = ['0.9.3', '0.11.0-rc.2', '0.11.0-rc.10', '0.11.0', '0.11.0+checked', '0.11.1', '1.0'];
  expect([...ordered].reverse().sort(byVersion)).toEqual(ordered);
});

test('how a version was built does not make it another one', () => {
  expect(compareVersions('0.4.5+checked', '0.4.5')).toBe(0);
  expect(compareVersions('1.0', '1.0.0')).toBe(0);
});
