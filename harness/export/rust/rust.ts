/** A test case as an integration test of kona-derive, through public interfaces only. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../../../src/version.ts';
import { wrap } from '../../decode/paint.ts';
import { PACKAGE_ROOT } from '../../places.ts';
import { pinnedVersion } from '../../references/build.ts';
import { SEEN } from '../entries.ts';
import type { TestCase } from '../test-case.ts';
import { chainType, providers, READY } from './chain.ts';
import { chainFunction, configFunction } from './feed.ts';
import { imports } from './imports.ts';
import { RUST_WIDTH, rustNames } from './names.ts';
import { deriveFunction, recorderOf } from './stages.ts';

/** The source of the test, as rustfmt leaves it with kona's settings. */
export function rustTest(testCase: TestCase): string {
  const recorder = recorderOf(testCase);
  return [
    header(testCase),
    imports(testCase),
    testFunction(testCase),
    configFunction(testCase),
    chainFunction(testCase),
    deriveFunction(testCase, recorder),
    READY,
    chainType(testCase),
    providers(testCase),
    ...(recorder === undefined ? [] : [recorder.source]),
  ].join('\n');
}

function header(testCase: TestCase): string {
  const { title, about, source } = testCase;
  const { test, file } = rustNames(testCase);
  const exported = `Exported by holodiff ${VERSION} from the vector ${source} for kona ${pinnedVersion('kona')}; needs nothing of holodiff.`;
  const doc = [title, ...about.flatMap((paragraph) => ['', ...paragraph]), '', exported];
  const lines = [
    ...doc.flatMap((line) => (line === '' ? [''] : wrap(line, RUST_WIDTH))),
    '',
    `Save it as \`tests/${file}\` of kona-derive, or of any package with these dependencies:`,
    '',
    '```toml',
    '[dev-dependencies]',
    ...dependencyLines(testCase),
    '```',
    '',
    `Then run \`cargo test --release --test ${test}\`.`,
  ];
  return `${lines.map((line) => `//! ${line}`.trimEnd()).join('\n')}\n`;
}

/** What a test needs, in the versions that the adapter's manifest names: those with which kona was released. */
function dependencyLines({ boundary }: TestCase): string[] {
  const manifest = readFileSync(path.join(PACKAGE_ROOT, 'harness', 'references', 'kona', 'Cargo.toml'), 'utf8');
  const names = ['kona-derive', 'kona-genesis', 'kona-protocol', 'alloy-consensus', 'alloy-eips', 'alloy-primitives'];
  if (boundary === 'batches') names.push('alloy-rlp');
  names.push('async-trait', 'op-alloy-consensus');
  return names.map((name) => {
    const version = new RegExp(`^${name} = (?:\\{ version = )?"=?([^"]+)"`, 'm').exec(manifest)?.[1];
    if (version === undefined) throw new Error(`the adapter's Cargo.toml does not name ${name}`);
    return `${name} = "${name.startsWith('kona') ? '=' : ''}${version}"`;
  });
}

function testFunction(testCase: TestCase): string {
  const { expected, ends, boundary } = testCase;
  const { test } = rustNames(testCase);
  const run = `${ends === 'crash' ? RUN_TO_PANIC : RUN}${boundary === 'safeHead' ? SAW_SAFE_HEAD : ''}`;
  if (ends === 'crash' && boundary === 'outcome') {
    return `#[test]
fn ${test}() {
    let chain = chain();
${run}}
`;
  }
  const entries = expected.flatMap(({ comment, lines }) => [
    ...(comment === undefined ? [] : [`// ${comment}`]),
    ...lines.map((line) => `"${line}",`),
  ]);
  return `/// What is expected: ${SEEN[boundary]}.
${constant('const EXPECTED: &[&str] =', entries)}

#[test]
fn ${test}() {
    let chain = chain();
${run}    let seen = &chain.lock().seen;
    assert!(
        seen == EXPECTED,
        "${SEEN[boundary]}:\\n  {}\\nexpected:\\n  {}",
        seen.join("\\n  "),
        EXPECTED.join("\\n  "),
    );
}
`;
}

const RUN = '    ready(derive(&chain));\n';

const RUN_TO_PANIC = `    let run = AssertUnwindSafe(|| ready(derive(&chain)));
    assert!(catch_unwind(run).is_err(), "kona panics");
`;

const SAW_SAFE_HEAD = `    let BlockInfo { number, hash, .. } = chain.safe_head().block_info;
    chain.saw(format!("safe head: L2 block {number} {hash}"));
`;

/** A constant list in rustfmt's lines: on one, behind the equals sign, or an entry on each. */
function constant(name: string, entries: readonly string[]): string {
  const line = `&[${entries.join(' ').slice(0, -1)}];`;
  const plain = entries.every((entry) => entry.startsWith('"'));
  if (plain && `${name} ${line}`.length <= 100) return `${name} ${line}`;
  if (plain && line.length <= 96) return `${name}\n    ${line}`;
  return `${name} &[\n${entries.map((entry) => `    ${entry}`).join('\n')}\n];`;
}
