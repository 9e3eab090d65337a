/**
 * Answers to fork questions that are not plain activation times: limits and timeouts by time, through the rule book
 * so that a variant can move them.
 */

import type { RuleBook } from '../rules/rule-book.ts';
import { type Fork, isActive, type RollupConfig } from './config.ts';

/** A configuration seen through a rule book: what holds at a given time. */
export class ChainSpec {
  /** The configuration as it was given. */
  readonly config: RollupConfig;
  /** Where every rule is asked. */
  readonly rules: RuleBook;

  /** @param rules - counts decisions, and may hold a variant */
  constructor(config: RollupConfig, rules: RuleBook) {
    this.config = config;
    this.rules = rules;
  }

  /** Whether the fork is active at `time` (seconds). */
  isActive(fork: Fork, time: bigint): boolean {
    return this.rules.activates(fork, isActive(this.config, fork, time), time, this.config.forks[fork]);
  }

  /**
   * The channel timeout in L1 blocks at an origin of the given time.
   *
   * Specification: granite/derivation.md#reduce-channel-timeout.
   */
  channelTimeout(originTime: bigint): bigint {
    const granite = this.isActive('granite', originTime);
    return this.rules.fires('channel-bank/timeout-length', granite, () => ({ originTime }))
      ? this.rules.constant('CHANNEL_TIMEOUT_GRANITE')
      : this.config.channelTimeout;
  }

  /** The largest total size of the channel bank in bytes at an origin of the given time. */
  maxChannelBankSize(originTime: bigint): bigint {
    return this.rules.constant(
      this.isActive('fjord', originTime) ? 'MAX_CHANNEL_BANK_SIZE_FJORD' : 'MAX_CHANNEL_BANK_SIZE_BEDROCK',
    );
  }

  /** How many decompressed bytes of a channel count, and how large a staging channel may be, in bytes. */
  maxRlpBytesPerChannel(originTime: bigint): bigint {
    return this.rules.constant(
      this.isActive('fjord', originTime) ? 'MAX_RLP_BYTES_PER_CHANNEL_FJORD' : 'MAX_RLP_BYTES_PER_CHANNEL_BEDROCK',
    );
  }

  /**
   * The sequencer drift in seconds for a batch whose L1 origin has the given time.
   *
   * Specification: fjord/derivation.md#constant-maximum-sequencer-drift.
   */
  maxSequencerDrift(epochTime: bigint): bigint {
    const constant = this.isActive('fjord', epochTime);
    return this.rules.fires('single/drift-limit', constant, () => ({ epochTime }))
      ? this.rules.constant('MAX_SEQUENCER_DRIFT_FJORD')
      : this.config.maxSequencerDrift;
  }
}
