/**
 * The public surface of the package: the pipeline, vectors and traces with their JSON forms, and what a configuration of
 * the harness is written with.
 */

export { defineConfig, type HolodiffConfig } from '../harness/config/define.ts';
export { type ErrorCode, HolodiffError } from '../harness/errors.ts';
export {
  type BatchJson,
  type ChannelJson,
  checkTrace,
  type FlushJson,
  type FrameJson,
  type SingleJson,
  TRACE_FORMAT,
  TraceError,
  type TraceInteger,
  type TraceJson,
  traceToJson,
} from '../harness/trace.ts';
export { parseVector, VECTOR_FORMAT, VectorError, vectorToJson, vectorToLine } from '../harness/vector.ts';
export type { Batch, SingleBatch, SpanBatch, SpanBlock } from './batch/batch.ts';
export type { BlockId, L1Block, L1BlockRef, L2Block } from './chain/blocks.ts';
export { FORKS, type Fork, isActive, type RollupConfig } from './chain/config.ts';
export { type BlockHash, blockHash, buildBlock } from './chain/engine.ts';
export { SafeChain } from './chain/safe-chain.ts';
export { ChainSpec } from './chain/spec.ts';
export { type DeriveOptions, derive, LIST_NAMES, type ListName, type TracedDecision } from './derive.ts';
export type { Frame } from './frame.ts';
export { Pipeline, type PipelineObserver } from './pipeline.ts';
export {
  OPEN_POINTS,
  type OpenPoint,
  RULE_IDS,
  RULES,
  type RuleClock,
  type RuleEntry,
  type RuleId,
} from './rules/catalogue.ts';
export { CONSTANT_NAMES, CONSTANTS, type ConstantName } from './rules/constants.ts';
export type { ExtensionPoint, ExtensionPoints, Extensions, Moment } from './rules/extensions.ts';
export {
  type ActivationOverride,
  type Decision,
  type Rejection,
  RuleBook,
  type RuleContext,
  type RuleOverride,
  type Variant,
  type Verdict,
  type VerdictOverride,
} from './rules/rule-book.ts';
export type { BatchEnvironment } from './rules/single.ts';
export type { FlushCause, NoValue, Pull } from './stages/pull.ts';
export type {
  BatchEntry,
  ChannelEntry,
  FlushEntry,
  FrameEntry,
  Outcome,
  OutcomeKind,
  SingleEntry,
  Trace,
} from './trace.ts';
export type { Vector } from './vector.ts';
