import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SaxesParser } from 'saxes';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { checksOf } from './checks.ts';
import { githubAnnotations, githubSummary } from './github.ts';
import { junit } from './junit.ts';
import { Reporters } from './reporters.ts';
import { parseResult, type Result, resultSchema, resultToJson } from './result.ts';
import { sarif } from './sarif.ts';
import { CAMPAIGN, KNOWN, METAMORPHIC, MUTANTS, REPLAY } from './testing.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-reporters-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RESULTS: readonly [string, Result][] = [
  ['a replay', REPLAY],
  ['a campaign', CAMPAIGN],
  ['relations', METAMORPHIC],
  ['mutants', MUTANTS],
];

/** Nothing went wrong. */
const GOOD: Result = {
  ...REPLAY,
  status: 'ok',
  differences: REPLAY.differences.filter(({ known }) => known !== null),
  failures: [],
  incidents: [],
  ledger: [],
  embargoBroken: 0,
};

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
}

/** Reads XML strictly: whatever is not well-formed throws. */
function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return root.children[0]!;
}

const all = ({ name, children, ...rest }: XmlElement, wanted: string): XmlElement[] => [
  ...(name === wanted ? [{ name, children, ...rest }] : []),
  ...children.flatMap((child) => all(child, wanted)),
];

describe.each(RESULTS)('%s', (_, result) => {
  test('is a document of the schema, and read again as it was written', () => {
    expect(v.parse(resultSchema, result)).toEqual(result);
    // Half a surrogate pair cannot be written in UTF-8, but its escape can.
    expect(parseResult(resultToJson(result), 'x.json')).toEqual(result);
  });

  test('as JUnit: well-formed, counted right, and every check in it', () => {
    const text = junit(result);
    expect(Buffer.from(text).toString()).toBe(text);
    const root = parseXml(text);
    const cases = all(root, 'testcase');
    expect(cases.map(({ attributes }) => attributes['name']?.length)).toEqual(
      checksOf(result).map(({ name }) => name.length),
    );
    for (const element of [root, ...all(root, 'testsuite')]) {
      const inside = (name: string) => String(all(element, name).length);
      expect(element.attributes).toMatchObject({
        tests: inside('testcase'),
        failures: inside('failure'),
        errors: inside('error'),
        skipped: inside('skipped'),
      });
    }
    expect(all(root, 'property').map(({ attributes }) => attributes['value'])).toContain(String(result.underEmbargo));
  });

  test('as SARIF: each result has its rule and a place', () => {
    const [run] = (JSON.parse(sarif(result, '/repository')) as SarifShape).runs;
    expect(run!.results.length).toBeGreaterThan(2);
    for (const { ruleId, ruleIndex, locations } of run!.results) {
      expect(run!.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(locations).toHaveLength(1);
      expect(locations[0]!.physicalLocation.region.startLine).toBeGreaterThan(0);
    }
    const prints = run!.results.flatMap(({ partialFingerprints }) => Object.values(partialFingerprints ?? {}));
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('for GitHub: an annotation a line for all that is bad, and a table that stays one', () => {
    const lines = githubAnnotations(result, '/repository');
    const bad = checksOf(result).filter(({ state }) => state === 'differs' || state === 'failed');
    expect(lines).toHaveLength(bad.length);
    for (const line of lines) {
      expect(line).toMatch(/^::error (file=[^:,]*,line=\d+,)?title=[^:,]*::/);
      expect(line).not.toMatch(/[\r\n]/);
    }
    for (const line of githubSummary(result).split('\n')) {
      if (!line.startsWith('|')) continue;
      const bars = [...line.matchAll(/(?<!\\)\|/g)].length;
      expect([4, 5, 6]).toContain(bars);
    }
    const embargo = `\n${result.underEmbargo} under embargo\n`;
    expect(githubSummary(result).includes(embargo)).toBe(result.underEmbargo > 0);
  });

  test('is told the same every time', () => {
    for (const write of [junit, sarif, githubAnnotations, githubSummary]) {
      expect(write(result, '/repository')).toEqual(write(structuredClone(result), '/repository'));
    }
  });
});

interface SarifShape {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly suppressions?: readonly unknown[];
      readonly partialFingerprints?: Readonly<Record<string, string>>;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
          readonly region: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

describe('what the reporters say', () => {
  test('JUnit: a new difference is a failure, a known one is skipped, bad input is an error', () => {
    const root = parseXml(junit(REPLAY));
    const of = (name: string) => all(root, 'testcase').find(({ attributes }) => attributes['name'] === name)!;
    expect(of('frame/a').children).toEqual([]);
    expect(of('frame/new')).toMatchObject({
      attributes: { classname: 'vectors/frame', file: 'vectors/frame/new.vector.json' },
      children: [{ name: 'failure', attributes: { message: expect.stringMatching(/not repeatable: kona/) as string } }],
    });
    expect(of('frame/old').children).toMatchObject([
      { name: 'skipped', attributes: { message: expect.stringContaining(KNOWN.title) as string } },
    ]);
    expect(of('vectors/bad.vector.json').children).toMatchObject([{ name: 'error' }]);
    expect(root.attributes).toMatchObject({ tests: '9', failures: '5', errors: '1', skipped: '2' });
  });

  test('SARIF: levels, suppressions, and paths inside and outside of the repository', () => {
    const { results } = (JSON.parse(sarif(REPLAY, '/repository')) as SarifShape).runs[0]!;
    const at = (uri: string) =>
      results.find(({ locations }) => locations[0]!.physicalLocation.artifactLocation.uri === uri);
    expect(at('vectors/frame/new.vector.json')).toMatchObject({ level: 'error', ruleId: 'frame/is-last-values' });
    expect(at('vectors/frame/old.vector.json')).toMatchObject({ level: 'note', suppressions: [{ kind: 'external' }] });
    expect(at('file:///elsewhere/many.ndjson')).toMatchObject({
      ruleId: 'holodiff/difference',
      locations: [{ physicalLocation: { region: { startLine: 12 } } }],
    });
    // The same file, named from elsewhere.
    const moved = {
      ...REPLAY,
      differences: REPLAY.differences.map((one) => ({ ...one, source: `/a/b/${one.source}` })),
    };
    expect(sarif(moved, '/a/b')).toContain('"uri": "vectors/frame/new.vector.json"');
  });

  test('GitHub: ten annotations at most, and the last says how many more', () => {
    const [one] = REPLAY.differences;
    const many = {
      ...REPLAY,
      differences: Array.from({ length: 3000 }, (_, i) => ({ ...one!, vector: `frame/${i}` })),
    };
    const lines = githubAnnotations(many, '/');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::error title=holodiff::and 2995 more: see the summary of the job');
    const summary = githubSummary(many);
    expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20);
    expect(summary).toContain('| … 2800 more |');
  });

  test('GitHub: the command of an annotation is escaped as workflow commands are', () => {
    const line = githubAnnotations(REPLAY, '/').find((text) => text.includes('many.ndjson'))!;
    expect(line).toMatch(
      /^::error file=elsewhere\/many\.ndjson,line=12,title=holodiff%3A difference%3A one\/two%3A three::/,
    );
    expect(line).toContain('100%25,');
  });

  test('a run in which all went well has no annotation', () => {
    expect(githubAnnotations(GOOD, '/')).toEqual([]);
    expect(githubSummary(GOOD)).toMatch(/^### holodiff replay: nothing new\n/);
  });
});

describe('--reporter', () => {
  /** What comes to standard output, with files below the folder. */
  function report(given: readonly string[], environment: Record<string, string> = {}): string {
    let out = '';
    const reporters = new Reporters(given, environment, (text) => {
      out += text;
    });
    reporters.print('a line');
    reporters.write(REPLAY);
    return out;
  }
  const file = (name: string) => path.join(folder, name);

  test('without any: the lines for a terminal', () => {
    expect(report([])).toBe('a line\n');
  });

  test('what a name in a line could do to a terminal is taken out', () => {
    let out = '';
    new Reporters([], {}, (text) => {
      out += text;
    }).print('a \u001b[31mname\nand a table');
    expect(out).toBe('a \ufffd[31mname\nand a table\n');
  });

  test('one document alone goes to standard output', () => {
    expect(report(['json'])).toBe(resultToJson(REPLAY));
    expect(report(['junit'])).toBe(junit(REPLAY));
    expect(report(['sarif'])).toBe(sarif(REPLAY, process.cwd()));
  });

  test('several, each into its file, folders made on the way', () => {
    const given = ['text', `json=${file('a/b.json')}`, `junit=${file('a/b.xml')}`, `sarif=${file('c=d.sarif')}`];
    expect(report(given)).toBe('a line\n');
    expect(readFileSync(file('a/b.json'), 'utf8')).toBe(resultToJson(REPLAY));
    expect(readFileSync(file('a/b.xml'), 'utf8')).toBe(junit(REPLAY));
    expect(readFileSync(file('c=d.sarif'), 'utf8')).toBe(sarif(REPLAY, process.cwd()));
  });

  test('github: annotations beside the lines, the summary behind what the job wrote before', () => {
    const summary = file('summary.md');
    writeFileSync(summary, 'before\n');
    const out = report(['text', 'github'], { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: '/elsewhere' });
    expect(out).toBe(`a line\n${githubAnnotations(REPLAY, '/elsewhere').join('\n')}\n`);
    expect(readFileSync(summary, 'utf8')).toBe(`before\n${githubSummary(REPLAY)}`);
    report([`github=${file('own.md')}`], { GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(file('own.md'), 'utf8')).toBe(githubSummary(REPLAY));
    expect(readFileSync(summary, 'utf8')).toBe(`before\n${githubSummary(REPLAY)}`);
    expect(report(['github'])).toMatch(/^::error /);
  });

  test.each<[string, string[], RegExp]>([
    ['an unknown one', ['tap'], /^--reporter tap: expected one of text, json, junit, sarif, github$/],
    ['no file', ['json='], /^--reporter json=: expected a file behind the =$/],
    ['a file for text', ['text=x'], /^--reporter text=x: text goes to standard output$/],
    [
      'two documents at once',
      ['json', 'junit'],
      /^--reporter json: junit goes to standard output too; give one a file/,
    ],
    ['a document between lines', ['text', 'json'], /^--reporter json: text goes to standard output too/],
    ['one twice', ['json', 'json'], /^--reporter json: json goes to standard output too/],
    ['a file twice', ['json=x', 'junit=./x'], /^--reporter: .*x is named twice$/],
    ['a folder', [`json=${folder}`], /is a folder$/],
  ])('%s is refused', (_, given, message) => {
    expect(() => new Reporters(given)).toThrow(message);
  });

  test('a file that cannot be written is named', () => {
    writeFileSync(file('plain'), '');
    expect(() => report([`json=${file('plain/x.json')}`])).toThrow(
      /^--reporter json: .*plain\/x\.json cannot be written: /,
    );
    mkdirSync(file('summary'));
    expect(() => report(['github'], { GITHUB_STEP_SUMMARY: file('summary') })).toThrow(
      /^--reporter github: .*summary cannot/,
    );
  });
});
