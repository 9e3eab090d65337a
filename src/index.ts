/**
 * The public surface of the package: the pipeline, vectors and traces with their JSON forms, and what a configuration of
 * the harness is written with.
 */

export { defineConfig, type HolodiffConfig } from '../harness/config/define.ts';
export { type ErrorCode, HolodiffError } from '../harness/errors.ts';
export { checkTrace, TraceError, type TraceInteger, type TraceJson, traceToJson } from '../harness/trace.ts';
export { parseVector, VectorError, vectorToJson, vectorToLine } from '../harness/vector.ts';
export type { Batch, SingleBatch, SpanBatch, SpanBlock } from './batch/batch.ts';
export type { BlockId, L1Block, L1BlockRef, L2Block } from './chain/blocks.ts';
export { FORKS, type Fork, isActive, type RollupConfig } from './chain/config.ts';
export { SafeChain } from './chain/safe-chain.ts';
export { ChainSpec } from './chain/spec.ts';
export { type DeriveOptions, derive, LIST_NAMES, type ListName, type TracedDecision } from './derive.ts';
export { Pipeline, type PipelineObserver } from './pipeline.ts';
export { OPEN_POINTS, RULE_IDS, RULES, type RuleEntry, type RuleId } from './rules/catalogue.ts';
export { CONSTANT_NAMES, CONSTANTS, type ConstantName } from './rules/constants.ts';
export type { ExtensionPoint, Extensions } from './rules/extensions.ts';
export {
  type ActivationOverride,
  type Decision,
  RuleBook,
  type RuleOverride,
  type Variant,
  type Verdict,
} from './rules/rule-book.ts';
export type { Trace } from './trace.ts';
export type { Vector } from './vector.ts';
