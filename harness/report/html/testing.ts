/** Findings for the tests of the report: real differences between the pipeline and changed rule sets of its own. */

import { derive } from '../../../src/derive.ts';
import type { RuleId } from '../../../src/rules/catalogue.ts';
import { compare, type Side } from '../../compare/compare.ts';
import { CURATED } from '../../curated/index.ts';
import { explain } from '../../explain/model.ts';
import { traceToJson, traceToLine } from '../../trace.ts';
import { vectorToLine } from '../../vector.ts';
import type { ReportFinding, ReportInput } from './render.ts';

/** Scenarios and the rule that one implementation does not know there. */
const DIFFERENCES: readonly (readonly [scenario: string, rule: RuleId])[] = [
  ['frame-queue/open-channel-of-an-id-closed-before', 'frame-queue/new-first-drops-open'],
  ['single/parent-hash-of-rival-after-holocene', 'single/parent-hash'],
  ['frame/second-frame-is-last-3', 'frame/is-last-values'],
  ['single/activation-block-jovian-in-span', 'single/activation-block-empty'],
  ['channel-assembler/early-close-does-not-close', 'channel-assembler/in-order'],
];

/** A finding: kona, or op-node for every third one, decides by another rule set. Every second one is known. */
export function sampleFinding(index: number): ReportFinding {
  const [name, rule] = DIFFERENCES[index % DIFFERENCES.length]!;
  const vector = { ...CURATED.find((one) => one.name === name)!.build(), name: `${name}/${index}` };
  const variant = { name: 'other', rules: { [rule]: 'never' as const } };
  const odd = index % 3 === 2 ? 'op-node' : 'kona';
  const sides = ['typescript', 'kona', 'op-node'].map((implementation): Side => {
    const trace = traceToJson(derive(vector, implementation === odd ? { variant } : {}));
    return { implementation, trace: { ...trace, implementation: { name: implementation, version: '1.0' } } };
  });
  const difference = compare(sides)!;
  const explanation = explain(vector, sides);
  return {
    signature: explanation.difference!.signature,
    known: index % 2 === 1 ? { id: 'some-entry', title: 'Something known', link: 'https://example.org/1' } : undefined,
    rule: explanation.difference!.rule,
    boundary: difference.boundary,
    outlier: odd,
    count: index + 1,
    source: `findings/${index}`,
    explanation,
    vector: vectorToLine(vector),
    traces: sides.map(({ trace }) => traceToLine(trace)),
  };
}

/** A report of these findings. */
export function sampleReport(findings: readonly ReportFinding[], changes: Partial<ReportInput> = {}): ReportInput {
  const implementations = ['typescript', 'kona', 'op-node'].map((name) => ({ name, version: '1.0' }));
  return { title: 'Test report', implementations, summary: ['a campaign'], findings, ...changes };
}
