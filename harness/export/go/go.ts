/** A test case as a Go test for op-node's package `derive`: an external test, through public interfaces only. */

import { VERSION } from '../../../src/version.ts';
import { wrap } from '../../decode/paint.ts';
import { pinnedVersion } from '../../references/build.ts';
import { SEEN } from '../entries.ts';
import type { TestCase } from '../test-case.ts';
import { buildFunction, chainType, l1Functions, l2Functions } from './chain.ts';
import { configFields, l1Calls, l2Calls } from './feed.ts';
import { imports } from './imports.ts';
import { GO_WIDTH, type GoNames, goNames } from './names.ts';
import { deriveFunction, recorderOf } from './stages.ts';

/** The source of the test, as gofmt leaves it. */
export function goTest(testCase: TestCase): string {
  const names = goNames(testCase);
  const chain = `${names.prefix}Chain`;
  const recorder = recorderOf(testCase, `${names.prefix}Recorder`, chain);
  const sections = [
    header(testCase, names),
    imports(testCase),
    testFunction(testCase, names, chain),
    chainType(testCase, chain),
    deriveFunction(testCase, chain, recorder),
    buildFunction(testCase, chain),
    ...(recorder === undefined ? [] : [recorder.source]),
    l1Functions(chain),
    l2Functions(testCase, chain),
  ];
  return sections.join('\n');
}

function header({ source }: TestCase, { file, test }: GoNames): string {
  return `// Exported by holodiff ${VERSION} from the vector ${source} for op-node ${pinnedVersion('op-node')}; needs nothing of holodiff.
//
// Save it as op-node/rollup/derive/${file} and run
//
//	go test ./op-node/rollup/derive -run '^${test}$'

package derive_test
`;
}

/** The test: what is fed and what is expected. */
function testFunction(testCase: TestCase, { test }: GoNames, chain: string): string {
  const { title, about, vector } = testCase;
  const doc = [`${test}: ${title}`, ...about.flatMap((paragraph) => ['', ...paragraph])];
  const comment = doc.flatMap((line) => (line === '' ? ['//'] : wrap(line, GO_WIDTH).map((part) => `// ${part}`)));
  const refused = vector.invalidBlocks.map((number) => `${number}: true`);
  const body = [
    `c := &${chain}{t: t, config: &rollup.Config{`,
    ...configFields(vector.config).map((line) => `\t${line}`),
    '}}',
    '',
    ...l1Calls(testCase),
    '',
    ...l2Calls(testCase),
    '',
    ...(refused.length === 0
      ? []
      : [
          '// The engine refuses the payloads of these L2 blocks if they hold user transactions.',
          `c.refused = map[uint64]bool{${refused.join(', ')}}`,
          '',
        ]),
    ...assertions(testCase),
  ];
  return `${comment.join('\n')}
func ${test}(t *testing.T) {
${body.map((line) => (line === '' ? '' : `\t${line}`)).join('\n')}
}
`;
}

function assertions(testCase: TestCase): string[] {
  const { expected, ends, boundary } = testCase;
  const run = runOf(testCase).split('\n');
  if (ends === 'crash' && boundary === 'outcome') return run;
  const what = `"${SEEN[boundary]}"`;
  if (expected.length === 0) return [...run, `require.Empty(t, c.seen, ${what})`];
  const entries = expected.flatMap(({ comment, lines }) => [
    ...(comment === undefined ? [] : [`\t// ${comment}`]),
    ...lines.map((line) => `\t"${line}",`),
  ]);
  return [...run, 'require.Equal(t, []string{', ...entries, `}, c.seen, ${what})`];
}

/** A panic that is not expected ends this test, not the whole package's. */
function runOf({ ends, panicking, boundary }: TestCase): string {
  const run =
    ends === 'crash'
      ? 'require.Panics(t, c.derive)'
      : panicking.includes('op-node')
        ? 'require.NotPanics(t, c.derive)'
        : 'c.derive()';
  const head = 'c.saw("safe head: L2 block %d %s", c.safeHead().Number, c.safeHead().Hash)';
  return boundary === 'safeHead' ? `${run}\n${head}` : run;
}
