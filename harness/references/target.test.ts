import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pinnedVersion } from './names.ts';
import { folderNameOf, isPinned, namesReference, parseTarget, spellingOf } from './target.ts';

const kona = pinnedVersion('kona');

describe('how a build of a reference is spelled', () => {
  test.each([
    ['kona', 'kona'],
    [`kona@${kona}`, 'kona'],
    ['kona@0.3.0', 'kona@0.3.0'],
    ['op-node@1.4.0-rc.3', 'op-node@1.4.0-rc.3'],
    ['kona+checked', `kona@${kona}+checked`],
    [`kona@${kona}+checked`, `kona@${kona}+checked`],
    ['op-node@path:../x', 'op-node@path:../x'],
    ['kona@path:/a/b#main+checked', 'kona@path:/a/b#main+checked'],
  ])('%s is %s', (text, canonical) => {
    const target = parseTarget(text);
    expect(target.text).toBe(canonical);
    expect(parseTarget(target.text)).toEqual(target);
    expect(isPinned(target)).toBe(canonical === 'kona');
  });

  test('folders are taken from where the user stands, revisions from behind the last #', () => {
    expect(parseTarget('kona@path:a#b').source).toEqual({ kind: 'revision', folder: path.resolve('a'), revision: 'b' });
    expect(parseTarget('kona@path:a#b#c').source).toMatchObject({ folder: path.resolve('a#b'), revision: 'c' });
    expect(parseTarget('kona@path:a+checked')).toMatchObject({
      source: { kind: 'folder', folder: path.resolve('a') },
      checked: true,
    });
  });

  test.each([
    ['geth', /geth: no reference is called geth: there are kona and op-node/],
    ['kona@', /kona@: expected a version such as 0\.4\.5, or path:FOLDER, in place of nothing/],
    ['kona@latest', /in place of latest/],
    ['kona@0.4', /in place of 0\.4/],
    ['kona@path:', /expected a folder behind path:/],
    ['kona@path:x#', /expected a git revision behind #/],
    ['kona@path:x#--all', /expected a git revision behind #/],
    ['op-node+checked', /\+checked is for kona alone/],
  ])('%s is none', (text, message) => {
    expect(() => parseTarget(text)).toThrow(message);
  });

  test('each has a folder of its own among the builds, whatever is in its name', () => {
    const folders = [
      'kona',
      'kona@0.3.0',
      'kona+checked',
      'kona@path:/a/b',
      'kona@path:/c/b',
      'kona@path:/a/b#x y/z',
    ].map((text) => folderNameOf(parseTarget(text)));
    expect(new Set(folders).size).toBe(folders.length);
    expect(folders.slice(0, 3)).toEqual(['kona', 'kona@0.3.0', `kona@${kona}+checked`]);
    for (const folder of folders) expect(folder).toMatch(/^[\w.@+-]+$/);
  });

  test('what a journal or a recording names can be spelled if it was published', () => {
    expect(spellingOf({ name: 'kona', version: kona })).toBe('kona');
    expect(spellingOf({ name: 'kona@0.3.0', version: '0.3.0' })).toBe('kona@0.3.0');
    expect(spellingOf({ name: 'kona', version: '0.3.0+checked' })).toBe('kona@0.3.0+checked');
    expect(spellingOf({ name: 'kona', version: '0.4.5+src.0123456789ab' })).toBeUndefined();
    expect(spellingOf({ name: 'mine', version: '1.0.0' })).toBeUndefined();
  });

  test('a name that begins like a reference is meant as one', () => {
    expect(['kona', 'kona@x', 'op-node+checked'].every(namesReference)).toBe(true);
    expect(['konax', 'typescript', 'mine=kona'].some(namesReference)).toBe(false);
  });
});
