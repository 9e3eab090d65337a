/**
 * The rule catalogue: every normative rule of derivation from batcher data to single batches, as data.
 *
 * Written from the specification (ethereum-optimism/specs at `fd72cf79`, 28 April 2026) and held against op-node
 * v1.19.6 and kona-derive / kona-protocol 0.4.5. Where the specification is silent or ambiguous the statement gives
 * op-node's behaviour and names the open point.
 *
 * A rule's id is stable: a rule that turns out wrong gets a new id. Statements use these words: **S** the safe head ·
 * **next** S's timestamp + block time · **SWS** the sequencing window size · **item** one piece of L1 data · **window**
 * the batch stage's consecutive L1 blocks up to the origin · **w₀** its first block · **inclusion block** the origin at
 * which a batch was read.
 */

/** Which time decides a fork question: the origin's, that of the batch's own L1 origin, or the L2 block's. */
export type RuleClock = 'none' | 'origin' | 'epoch' | 'timestamp';

/** On which side of Holocene (by the pipeline's L1 origin) a rule can be asked at all. */
export type RuleEra = 'before' | 'after' | 'both';

/** One rule. */
export interface RuleEntry {
  /** Whose time decides which fork's form of the rule holds. */
  readonly clock: RuleClock;
  /** The rule in one or a few sentences. */
  readonly statement: string;
  /** Sections, as paths below `specs/protocol/` of the specification (`interop/` stands beside it). */
  readonly specification: readonly string[];
  /** Where op-node decides it: file and function. */
  readonly opNode: string;
  /** Where kona decides it: crate, file and function. */
  readonly kona: string;
  /** Ids of the open points of {@link OPEN_POINTS} that the statement resolves. */
  readonly openPoints: readonly string[];
}

const entries = {
  'frame/version-byte': {
    clock: 'none',
    statement:
      'The first byte must be 0 and at least one frame must follow; an empty item, a lone version byte, or any other version (1 is kept for alt-DA commitments) makes the item ignored.',
    specification: ['derivation.md#batcher-transaction-format'],
    opNode: 'frame.go ParseFrames',
    kona: 'kona-protocol: frame.rs parse_frames',
    openPoints: [],
  },
  'frame/layout': {
    clock: 'none',
    statement:
      'A frame is channel id (16 bytes), frame number (uint16), data length (uint32), data, is_last (1 byte); integers are big-endian; 23 bytes besides the data. Any id is allowed, and data may be empty.',
    specification: ['derivation.md#frame-format'],
    opNode: 'frame.go UnmarshalBinary',
    kona: 'kona-protocol: frame.rs decode',
    openPoints: [],
  },
  'frame/max-data-length': {
    clock: 'none',
    statement: 'A data length above 1,000,000 is invalid; exactly 1,000,000 is valid.',
    specification: ['derivation.md#frame-format'],
    opNode: 'frame.go UnmarshalBinary',
    kona: 'kona-protocol: frame.rs decode',
    openPoints: [],
  },
  'frame/exact-tiling': {
    clock: 'none',
    statement:
      'Frames fill the item exactly: a frame that runs past the end, or left-over bytes too few for a frame, make the item unparseable.',
    specification: ['derivation.md#batcher-transaction-format'],
    opNode: 'frame.go ParseFrames',
    kona: 'kona-protocol: frame.rs parse_frames',
    openPoints: [],
  },
  'frame/is-last-values': {
    clock: 'none',
    statement: 'is_last is 0 or 1; any other byte makes the frame unparseable (A4).',
    specification: ['derivation.md#frame-format'],
    opNode: 'frame.go UnmarshalBinary',
    kona: 'kona-protocol: frame.rs decode',
    openPoints: ['A4'],
  },
  'frame/all-or-nothing': {
    clock: 'none',
    statement: 'One unparseable frame rejects every frame of its item; other items are not affected.',
    specification: ['derivation.md#batcher-transaction-format'],
    opNode: 'frame_queue.go loadNextFrames',
    kona: 'kona-derive: frame_queue.rs load_frames',
    openPoints: [],
  },
  'frame-queue/one-item': {
    clock: 'none',
    statement:
      "The next item is parsed only when the queue is empty, so the queue never mixes items; items keep their order in the L1 block. An unparseable item is a retry, not the end of the block's data.",
    specification: ['derivation.md#frame-queue'],
    opNode: 'frame_queue.go NextFrame',
    kona: 'kona-derive: frame_queue.rs next_frame',
    openPoints: [],
  },
  'frame-queue/prune-on-load': {
    clock: 'origin',
    statement:
      'Before Holocene frames are handed on unchecked. From Holocene on the rules below are applied once, when an item has been loaded, to neighbours (a, b) from left to right; after each removal the new neighbours at that place are compared. The first frame of an item is not compared with frames already handed on.',
    specification: ['holocene/derivation.md#frame-queue'],
    opNode: 'frame_queue.go loadNextFrames',
    kona: 'kona-derive: frame_queue.rs prune',
    openPoints: [],
  },
  'frame-queue/contiguous': {
    clock: 'origin',
    statement:
      "Same id: b is removed unless its number is a's plus one (uint16, so 0 may follow 65535). That includes a frame 0 behind an open frame of the same id: the older frame stays (A5).",
    specification: ['holocene/derivation.md#frame-queue'],
    opNode: 'frame_queue.go pruneFrameQueue',
    kona: 'kona-derive: frame_queue.rs prune',
    openPoints: ['A5'],
  },
  'frame-queue/after-close': {
    clock: 'origin',
    statement: 'Same id and a is a last frame: b is removed, whatever its number (A6).',
    specification: ['holocene/derivation.md#frame-queue'],
    opNode: 'frame_queue.go pruneFrameQueue',
    kona: 'kona-derive: frame_queue.rs prune',
    openPoints: ['A6'],
  },
  'frame-queue/foreign-non-first': {
    clock: 'origin',
    statement: 'Different ids and b is not frame 0: b is removed.',
    specification: ['holocene/derivation.md#frame-queue'],
    opNode: 'frame_queue.go pruneFrameQueue',
    kona: 'kona-derive: frame_queue.rs prune',
    openPoints: [],
  },
  'frame-queue/new-first-drops-open': {
    clock: 'origin',
    statement:
      'Different ids, b is frame 0 and a is not a last frame: a is removed, and so on backwards through the unclosed channel that stands directly before b. Closed channels further back stay, also one with the same id.',
    specification: ['holocene/derivation.md#frame-queue'],
    opNode: 'frame_queue.go pruneFrameQueue',
    kona: 'kona-derive: frame_queue.rs prune',
    openPoints: [],
  },
  'channel-bank/open': {
    clock: 'none',
    statement:
      'A frame with an id that is not in the bank opens a channel at the current origin, at the end of the queue; further frames may come in any order, from any item or L1 block. An id is free again once its channel has left the bank.',
    specification: ['derivation.md#loading-frames'],
    opNode: 'channel_bank.go IngestFrame',
    kona: 'kona-derive: channel_bank.rs ingest_frame',
    openPoints: [],
  },
  'channel-bank/duplicate-number': {
    clock: 'none',
    statement: 'A frame whose number the channel already holds is dropped; the first one stays.',
    specification: ['derivation.md#loading-frames'],
    opNode: 'channel.go AddFrame',
    kona: 'kona-protocol: channel.rs add_frame',
    openPoints: [],
  },
  'channel-bank/after-close': {
    clock: 'none',
    statement:
      'Once the closing frame is there, a second closing frame and any frame numbered at or above it are dropped.',
    specification: ['derivation.md#loading-frames'],
    opNode: 'channel.go AddFrame',
    kona: 'kona-protocol: channel.rs add_frame',
    openPoints: [],
  },
  'channel-bank/close-drops-higher': {
    clock: 'none',
    statement: 'A closing frame removes held frames with higher numbers.',
    specification: ['derivation.md#loading-frames'],
    opNode: 'channel.go AddFrame',
    kona: 'kona-protocol: channel.rs add_frame',
    openPoints: [],
  },
  'channel-bank/timeout': {
    clock: 'none',
    statement: 'A channel is timed out when open block number + timeout < origin number; at equality it still lives.',
    specification: ['derivation.md#timeouts'],
    opNode: 'channel_bank.go Read',
    kona: 'kona-derive: channel_bank.rs read',
    openPoints: [],
  },
  'channel-bank/timeout-length': {
    clock: 'origin',
    statement:
      'The timeout is the configured one (default 300 L1 blocks) before Granite and 50 from Granite on, by the current origin, not by the block that opened the channel (A3).',
    specification: ['granite/derivation.md#reduce-channel-timeout'],
    opNode: 'chain_spec.go ChannelTimeout',
    kona: 'kona-genesis: rollup.rs channel_timeout',
    openPoints: ['A3'],
  },
  'channel-bank/timed-out-frame': {
    clock: 'none',
    statement: 'A frame for a channel that is timed out but still in the bank is dropped.',
    specification: ['derivation.md#loading-frames'],
    opNode: 'channel_bank.go IngestFrame',
    kona: 'kona-derive: channel_bank.rs ingest_frame',
    openPoints: [],
  },
  'channel-bank/timed-out-head': {
    clock: 'none',
    statement:
      'Before anything is read, a timed-out channel at the head of the queue is removed, one a step. Others are passed over and stay until they reach the head (A10).',
    specification: ['derivation.md#reading'],
    opNode: 'channel_bank.go Read',
    kona: 'kona-derive: channel_bank.rs read',
    openPoints: ['A10'],
  },
  'channel-bank/ready': {
    clock: 'none',
    statement:
      'A channel is ready when it holds its closing frame and every number below it (so at most 65,536 frames).',
    specification: ['derivation.md#reading'],
    opNode: 'channel.go IsReady',
    kona: 'kona-protocol: channel.rs is_ready',
    openPoints: [],
  },
  'channel-bank/read-before-load': {
    clock: 'none',
    statement:
      'Each step first tries to read a channel; only if none can be read is one frame loaded, followed by a retry.',
    specification: ['derivation.md#reading'],
    opNode: 'channel_bank.go NextRawChannel',
    kona: 'kona-derive: channel_bank.rs next_data',
    openPoints: [],
  },
  'channel-bank/first-ready': {
    clock: 'origin',
    statement:
      'Before Canyon only the channel at the head may be read. From Canyon on it is the first in queue order that is ready and not timed out.',
    specification: ['derivation.md#reading'],
    opNode: 'channel_bank.go Read',
    kona: 'kona-derive: channel_bank.rs read',
    openPoints: [],
  },
  'channel-bank/size': {
    clock: 'none',
    statement:
      "A channel's size is the sum over its frames of data length + 200. When a closing frame removes higher ones, the sizes of all frames held at that moment are subtracted (A8).",
    specification: ['derivation.md#pruning'],
    opNode: 'channel.go AddFrame',
    kona: 'kona-protocol: channel.rs add_frame',
    openPoints: ['A8'],
  },
  'channel-bank/prune': {
    clock: 'origin',
    statement:
      'After each accepted frame, channels are removed from the head of the queue until the total size is at most 100,000,000 (before Fjord) or 1,000,000,000. This comes before the next read, so a ready channel, or the one just extended, can be lost (A9).',
    specification: [
      'derivation.md#pruning',
      'fjord/derivation.md#increasing-max_rlp_bytes_per_channel-and-max_channel_bank_size',
    ],
    opNode: 'channel_bank.go prune',
    kona: 'kona-derive: channel_bank.rs prune',
    openPoints: ['A9'],
  },
  'channel-assembler/first-frame': {
    clock: 'none',
    statement:
      'Frame 0 always starts a new staging channel at the current origin and discards the one that was there, also one with the same id.',
    specification: ['holocene/derivation.md#reading--frame-loading'],
    opNode: 'channel_assembler.go NextRawChannel',
    kona: 'kona-derive: channel_assembler.rs next_data',
    openPoints: [],
  },
  'channel-assembler/stray-frame': {
    clock: 'none',
    statement:
      'Any other frame is dropped when there is no staging channel or when it belongs to another id; a staging channel stays as it is.',
    specification: ['holocene/derivation.md#reading--frame-loading'],
    opNode: 'channel_assembler.go NextRawChannel, channel.go AddFrame',
    kona: 'kona-derive: channel_assembler.rs next_data',
    openPoints: [],
  },
  'channel-assembler/in-order': {
    clock: 'none',
    statement:
      'A frame for the staging channel must carry the number of frames already held; otherwise it is dropped and the channel stays. This is what enforces order across items.',
    specification: ['holocene/derivation.md#channel-bank'],
    opNode: 'channel.go AddFrame',
    kona: 'kona-derive: channel_assembler.rs next_data',
    openPoints: [],
  },
  'channel-assembler/timeout': {
    clock: 'origin',
    statement:
      'At each pull, before frames are read, a timed-out staging channel is dropped (`channel-bank/timeout`, `channel-bank/timeout-length`); its later frames are then stray.',
    specification: ['holocene/derivation.md#timeout'],
    opNode: 'channel_assembler.go channelTimedOut',
    kona: 'kona-derive: channel_assembler.rs is_timed_out',
    openPoints: [],
  },
  'channel-assembler/size-limit': {
    clock: 'origin',
    statement:
      'After a frame is added the channel is dropped if its size (data length + 200 a frame) is above 10,000,000 before Fjord or 100,000,000 from Fjord on, also when that frame was the closing one (A7).',
    specification: ['holocene/derivation.md#pruning'],
    opNode: 'channel_assembler.go NextRawChannel',
    kona: 'kona-derive: channel_assembler.rs next_data',
    openPoints: ['A7'],
  },
  'channel-assembler/complete': {
    clock: 'none',
    statement:
      'An in-order closing frame completes the channel (at most 65,536 frames): its data is handed on at once and the slot is empty.',
    specification: ['holocene/derivation.md#reading--frame-loading'],
    opNode: 'channel_assembler.go NextRawChannel',
    kona: 'kona-derive: channel_assembler.rs next_data',
    openPoints: [],
  },
  'channel-reader/detect': {
    clock: 'none',
    statement:
      'Low four bits of the first byte equal to 8 or 15 mean zlib; otherwise the byte must be exactly 1, meaning brotli from the second byte on. Anything else, or a channel of zero bytes, is dropped.',
    specification: ['fjord/derivation.md#brotli-channel-compression'],
    opNode: 'channel.go BatchReader',
    kona: 'kona-protocol: reader.rs decompress',
    openPoints: [],
  },
  'channel-reader/zlib-stream': {
    clock: 'none',
    statement:
      'Zlib is RFC 1950 over RFC 1951 without a dictionary: method 8 (so a low nibble of 15 always fails), window code at most 7, header check divisible by 31, complete Huffman codes. Whether a preset-dictionary flag is ever acceptable is open (A13).',
    specification: ['derivation.md#channel-format'],
    opNode: 'channel.go BatchReader',
    kona: 'kona-protocol: reader.rs decompress',
    openPoints: ['A13'],
  },
  'channel-reader/brotli-stream': {
    clock: 'none',
    statement:
      'After the version byte comes one RFC 7932 stream without a custom dictionary; what that RFC does not define is an error.',
    specification: ['fjord/derivation.md#brotli-channel-compression'],
    opNode: 'channel.go BatchReader',
    kona: 'kona-protocol: brotli.rs decompress_brotli',
    openPoints: [],
  },
  'channel-reader/brotli-gate': {
    clock: 'origin',
    statement:
      'A brotli channel is dropped if Fjord is not active at the origin at which the complete channel is taken up for reading (A14).',
    specification: ['fjord/derivation.md#timestamp-activation'],
    opNode: 'channel_in_reader.go WriteChannel',
    kona: 'kona-protocol: reader.rs next_batch',
    openPoints: ['A14'],
  },
  'channel-reader/rlp-strings': {
    clock: 'none',
    statement:
      'The decompressed bytes are a plain sequence of canonical RLP strings, each one batch (A2), decoded one a pull. A list, a longer-than-needed length form or a wrapped single byte below 0x80 ends the channel.',
    specification: ['derivation.md#channel-format', 'derivation.md#batch-format'],
    opNode: 'batch.go DecodeRLP',
    kona: 'kona-protocol: reader.rs next_batch',
    openPoints: ['A2'],
  },
  'channel-reader/limit': {
    clock: 'origin',
    statement:
      'Only the first 10,000,000 (before Fjord) or 100,000,000 decompressed bytes count, RLP headers included, by the origin at which the channel is taken up (A14). A batch that ends at or below the limit is used even if the channel is longer; the first that would pass it ends the channel.',
    specification: [
      'derivation.md#channel-format',
      'fjord/derivation.md#increasing-max_rlp_bytes_per_channel-and-max_channel_bank_size',
    ],
    opNode: 'channel_in_reader.go WriteChannel',
    kona: 'kona-protocol: reader.rs decompress, brotli.rs decompress_brotli',
    openPoints: ['A14'],
  },
  'channel-reader/partial-output': {
    clock: 'none',
    statement:
      'If the compressed stream is cut off, corrupt or has a wrong or missing checksum, every batch whose bytes came out before the fault is still used; then the channel ends. Bytes behind the end of the stream are ignored (A12; for a batch that ends exactly where the output ends, A43).',
    specification: ['derivation.md#channel-format'],
    opNode: 'channel.go BatchReader',
    kona: 'kona-protocol: reader.rs decompress, brotli.rs decompress_brotli',
    openPoints: ['A12', 'A43'],
  },
  'channel-reader/end': {
    clock: 'none',
    statement:
      'When no further complete RLP item can be read (end, cut-off item, fault, limit) the channel is done: retry, and the next pull takes a new channel. This is never a flush.',
    specification: ['derivation.md#batch-format'],
    opNode: 'channel_in_reader.go NextBatch',
    kona: 'kona-derive: channel_reader.rs next_batch',
    openPoints: [],
  },
  'batch-decode/version': {
    clock: 'none',
    statement: "A batch's first byte is 0 (single) or 1 (span); no byte at all, or another value, is malformed.",
    specification: ['derivation.md#batch-format'],
    opNode: 'batch.go decodeTyped',
    kona: 'kona-protocol: core.rs decode, type.rs from',
    openPoints: [],
  },
  'batch-decode/malformed-ends-channel': {
    clock: 'none',
    statement:
      'A batch whose bytes cannot be parsed ends its channel: the later batches of the channel are lost, without a flush (A11).',
    specification: ['derivation.md#batch-format'],
    opNode: 'channel_in_reader.go NextBatch',
    kona: 'kona-derive: channel_reader.rs next_batch',
    openPoints: ['A11'],
  },
  'batch-decode/underivable-span-skipped': {
    clock: 'none',
    statement:
      'A span batch that parses but whose transactions cannot be rebuilt (`batch-decode/tx-types`, `batch-decode/tx-fields`) is skipped alone; reading goes on with the next batch of the same channel, without a flush (A11).',
    specification: ['derivation.md#batch-format'],
    opNode: 'channel_in_reader.go NextBatch',
    kona: 'kona-protocol: core.rs decode',
    openPoints: ['A11'],
  },
  'batch-decode/tail-ignored': {
    clock: 'none',
    statement: 'Bytes behind a complete batch inside its RLP string are ignored, for both versions (A39).',
    specification: ['derivation.md#batch-format'],
    opNode: 'singular_batch.go decode, span_batch.go decode',
    kona: 'kona-protocol: core.rs decode',
    openPoints: ['A39'],
  },
  'batch-decode/single-format': {
    clock: 'none',
    statement:
      'A single batch is an RLP list of exactly parent hash, epoch number, epoch hash, timestamp, list of transactions: hashes of 32 bytes, canonical integers of at most 8 bytes, transactions any RLP strings, even empty ones.',
    specification: ['derivation.md#batch-format'],
    opNode: 'singular_batch.go decode',
    kona: 'kona-protocol: single.rs SingleBatch',
    openPoints: [],
  },
  'batch-decode/span-before-delta': {
    clock: 'origin',
    statement:
      'A span batch read at an origin before Delta is skipped alone (A21): after its bytes were parsed, so that a malformed one ends its channel, and before its transactions are rebuilt.',
    specification: ['delta/span-batches.md#span-batch-activation-rule'],
    opNode: 'channel_in_reader.go NextBatch',
    kona: 'kona-derive: channel_reader.rs next_batch',
    openPoints: ['A21'],
  },
  'batch-decode/span-layout': {
    clock: 'none',
    statement:
      'Relative timestamp, last L1 origin number, parent check (20 bytes), L1 origin check (20), block count, origin bits, a transaction count for each block; then for all transactions: contract-creation bits, y-parity bits, signatures (r and s of 32 bytes, any value), recipients (20 bytes for each transaction whose creation bit is 0), transaction data, nonces, gas limits, protected bits. Running out of bytes anywhere is malformed.',
    specification: ['delta/span-batches.md#span-batch-format'],
    opNode: 'span_batch.go decode, span_batch_txs.go decode',
    kona: 'kona-protocol: raw.rs decode, prefix.rs, transactions.rs',
    openPoints: [],
  },
  'batch-decode/uvarint': {
    clock: 'none',
    statement:
      'Numbers are base-128 varints, low group first, of at most 10 bytes; the value must fit 64 bits (a tenth byte above 1 is malformed); redundant zero groups are allowed (A15).',
    specification: ['delta/span-batches.md#span-batch-format'],
    opNode: 'span_batch.go and span_batch_txs.go, all decode functions',
    kona: 'kona-protocol: prefix.rs, payload.rs, transactions.rs',
    openPoints: ['A15'],
  },
  'batch-decode/bit-list': {
    clock: 'none',
    statement:
      'n bits take ⌈n/8⌉ bytes, read as one big-endian integer whose bit i belongs to element i; a set bit at n or above is malformed.',
    specification: ['delta/span-batches.md#span-batch-format'],
    opNode: 'span_batch_util.go decodeSpanBatchBits',
    kona: 'kona-protocol: bits.rs decode',
    openPoints: [],
  },
  'batch-decode/element-limits': {
    clock: 'none',
    statement:
      'At least 1 and at most 10,000,000 blocks; at most 10,000,000 transactions in a block and in all blocks together.',
    specification: ['delta/span-batches.md#span-batch-size-limits'],
    opNode: 'span_batch.go decodeBlockCount, decodeBlockTxCounts, decodeTxs',
    kona: 'kona-protocol: payload.rs decode_block_count, decode_block_tx_counts, decode_txs',
    openPoints: [],
  },
  'batch-decode/tx-data-item': {
    clock: 'none',
    statement:
      'An element of transaction data is an optional type byte (≤ 0x7f) and one RLP list with a canonical header that fits the remaining bytes; without a type byte it is legacy. Anything else is malformed.',
    specification: ['delta/span-batches.md#span-batch-format'],
    opNode: 'span_batch.go ReadTxData',
    kona: 'kona-protocol: utils.rs read_tx_data',
    openPoints: [],
  },
  'batch-decode/tx-data-size': {
    clock: 'none',
    statement: 'That RLP list, header included, is at most 10,000,000 bytes (A16).',
    specification: ['delta/span-batches.md#span-batch-size-limits'],
    opNode: 'span_batch.go ReadTxData',
    kona: 'kona-protocol: utils.rs read_tx_data',
    openPoints: ['A16'],
  },
  'batch-decode/protected-bits': {
    clock: 'none',
    statement:
      'The last column has one bit for each legacy transaction, counted among the legacy ones only (an element with an explicit type byte 0 counts, although it makes the batch underivable later): 1 means that the signature is bound to the chain id.',
    specification: ['delta/span-batches.md#span-batch-format'],
    opNode: 'span_batch_txs.go decodeProtectedBits',
    kona: 'kona-protocol: transactions.rs decode_protected_bits',
    openPoints: [],
  },
  'batch-decode/tx-types': {
    clock: 'none',
    statement:
      'Legacy, 1, 2, 4 and 0x7d can be rebuilt, whatever forks are active; 3, 5 … 0x7c, 0x7e, 0x7f, an explicit 0, and a type 4 without recipient (A20) make the batch underivable (A19). Whether a rebuilt type is allowed is a later question (`single/tx-set-code`, `single/tx-post-exec`).',
    specification: ['delta/span-batches.md#span-batch-format', 'isthmus/derivation.md#span-batch-updates'],
    opNode: 'span_batch_txs.go recoverV, span_batch_tx.go decodeTyped, convertToFullTx',
    kona: 'kona-protocol: wrapper.rs decode_typed, to_signed_tx',
    openPoints: ['A19', 'A20'],
  },
  'batch-decode/tx-fields': {
    clock: 'none',
    statement:
      'List contents: legacy (value, gas price, data); 1 (value, gas price, data, access list); 2 (value, tip cap, fee cap, data, access list); 4 (as 2, then authorisation list); 0x7d any list, kept verbatim. Exact item counts, canonical integers, 20-byte addresses, 32-byte keys. Amounts of legacy, 1 and 2 may have any width and are copied exactly; those of 4 must fit 256 bits (A17). A violation makes the batch underivable.',
    specification: ['delta/span-batches.md#span-batch-format', 'isthmus/derivation.md#span-batch-updates'],
    opNode: 'span_batch_tx.go UnmarshalBinary',
    kona: 'kona-protocol: wrapper.rs decode, legacy.rs, eip2930.rs, eip1559.rs, eip7702.rs to_signed_tx',
    openPoints: ['A17'],
  },
  'batch-decode/signature-v': {
    clock: 'none',
    statement:
      "Rebuilt v: legacy protected 2·chain id + 35 + parity, legacy unprotected 27 + parity, types 1, 2 and 4 the parity. The chain id is the L2 chain's own; the batch does not carry one. No signature is verified.",
    specification: [
      'delta/span-batches.md#store-y_parity-and-protected_bit-instead-of-v',
      'delta/span-batches.md#chain-id-removal-from-initial-specs',
    ],
    opNode: 'span_batch_txs.go recoverV',
    kona: 'kona-protocol: transactions.rs full_txs',
    openPoints: [],
  },
  'span/timestamps': {
    clock: 'none',
    statement: 'Block i has timestamp L2 genesis time + relative timestamp + i · block time, modulo 2⁶⁴ (A38).',
    specification: ['delta/span-batches.md#how-derivation-works-with-span-batches'],
    opNode: 'span_batch.go derive',
    kona: 'kona-protocol: raw.rs derive',
    openPoints: ['A38'],
  },
  'span/epochs': {
    clock: 'none',
    statement:
      "The last block's epoch is the L1 origin number of the prefix; going back, each set origin bit (the first block's excepted) lowers the number by one. The first block's epoch is the *start epoch*.",
    specification: ['delta/span-batches.md#how-derivation-works-with-span-batches'],
    opNode: 'span_batch.go derive',
    kona: 'kona-protocol: raw.rs derive',
    openPoints: ['A38'],
  },
  'span/new-blocks': {
    clock: 'none',
    statement:
      'Single batches are made only of blocks later than S (the others are the *overlap*). Each takes its epoch hash from the window, and the hash of the safe head it is about to build on as its parent hash.',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'span_batch.go GetSingularBatches, base_batch_stage.go popNextBatch',
    kona: 'kona-protocol: span.rs get_singular_batches, kona-derive: batch_validator.rs next_batch',
    openPoints: [],
  },
  'span/new-block-origin': {
    clock: 'none',
    statement:
      'A new block whose epoch is below that of S, or not in the window, makes the span batch invalid; it must not stop derivation. (Before Holocene `span/full-epoch` has caught it.)',
    specification: ['holocene/derivation.md#span-batches'],
    opNode: 'span_batch.go GetSingularBatches',
    kona: 'kona-protocol: span.rs get_singular_batches',
    openPoints: [],
  },
  'span/next-epoch-unknown': {
    clock: 'none',
    statement: 'Start epoch = w₀ + 1 and that block is not in the window: undecided.',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: [],
  },
  'span/delta': {
    clock: 'epoch',
    statement:
      "The start's L1 origin (the block after w₀ if start epoch = w₀ + 1, otherwise w₀) is before Delta: drop.",
    specification: ['delta/span-batches.md#span-batch-activation-rule'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A21', 'A23'],
  },
  'span/too-early': {
    clock: 'origin',
    statement: 'First timestamp > next: future before Holocene, drop from Holocene on.',
    specification: ['delta/span-batches.md#batch-queue', 'holocene/derivation.md#span-batches'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: [],
  },
  'span/no-new-block': {
    clock: 'origin',
    statement: 'Last timestamp < next: drop before Holocene, past from Holocene on.',
    specification: ['delta/span-batches.md#batch-queue', 'holocene/derivation.md#span-batches'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: [],
  },
  'span/aligned': {
    clock: 'none',
    statement:
      'First timestamp after S but below next, or at or before S at a distance that is no multiple of the block time: drop.',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A23'],
  },
  'span/parent-known': {
    clock: 'none',
    statement:
      'The block before the first one is S, or is looked up by number in the safe chain; if it cannot be got: undecided (A27).',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A27'],
  },
  'span/parent-check': {
    clock: 'none',
    statement: "The first 20 bytes of that block's hash differ from the parent check: drop.",
    specification: ['delta/span-batches.md#batch-queue', 'holocene/derivation.md#span-batches'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: [],
  },
  'span/sequence-window': {
    clock: 'none',
    statement: 'Start epoch + SWS < inclusion block number: drop the whole batch (A1).',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A1', 'A23'],
  },
  'span/start-epoch-too-new': {
    clock: 'none',
    statement: "Start epoch > the parent block's origin number + 1: drop.",
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A23'],
  },
  'span/origin-check': {
    clock: 'none',
    statement:
      "The first 20 bytes of the hash of the L1 block with the last block's epoch number differ from the L1 origin check: drop.",
    specification: ['delta/span-batches.md#batch-queue', 'holocene/derivation.md#span-batches'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A41'],
  },
  'span/origin-unknown': {
    clock: 'none',
    statement: 'That L1 block is not in the window (too new, or older than w₀): undecided (A25).',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A25'],
  },
  'span/start-epoch-too-old': {
    clock: 'none',
    statement: "Start epoch < the parent block's origin number: drop.",
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchPrefix',
    kona: 'kona-protocol: span.rs check_batch_prefix',
    openPoints: ['A23'],
  },
  'span/overlap-content': {
    clock: 'none',
    statement:
      'Every overlapped block must equal the safe block at its height: number of user transactions, their bytes in order, L1 origin number; else drop. The block with the number of L2 genesis must have the configured hash, and its L1 origin is the configured one. A safe block that cannot be got: undecided. It is the last check before Holocene, and follows the prefix from Holocene on (A24).',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatchOverlap',
    kona: 'kona-protocol: span.rs check_batch, kona-derive: batch_stream.rs next_batch',
    openPoints: ['A24'],
  },
  'span/full-epoch': {
    clock: 'none',
    statement: "The block's epoch is below that of S, or not in the window: drop.",
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatch',
    kona: 'kona-protocol: span.rs check_batch',
    openPoints: [],
  },
  'span/full-min-time': {
    clock: 'none',
    statement: "The block's timestamp is below its L1 origin's: drop.",
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatch',
    kona: 'kona-protocol: span.rs check_batch',
    openPoints: [],
  },
  'span/full-drift': {
    clock: 'epoch',
    statement:
      "Timestamp > origin time + drift (`single/drift-limit`): drop if the block has transactions, or if it is empty, keeps the epoch of the block before it and the timestamp is at or after the next L1 block's time; undecided if it is empty, keeps the epoch and that L1 block is unknown.",
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'batches.go checkSpanBatch',
    kona: 'kona-protocol: span.rs check_batch',
    openPoints: [],
  },
  'span/full-transactions': {
    clock: 'timestamp',
    statement:
      'One transaction that `single/tx-…` forbids drops the whole batch, each block judged by its own timestamp.',
    specification: ['delta/span-batches.md#batch-queue', 'isthmus/derivation.md#activation'],
    opNode: 'batches.go checkSpanBatch',
    kona: 'kona-protocol: span.rs check_batch',
    openPoints: [],
  },
  'single/too-early': {
    clock: 'origin',
    statement: 'Timestamp > next: future before Holocene, drop from Holocene on.',
    specification: ['derivation.md#batch-queue', 'holocene/derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch_timestamp',
    openPoints: [],
  },
  'single/too-late': {
    clock: 'origin',
    statement:
      'Timestamp < next: drop before Holocene, past from Holocene on, also when it lies between S and next (A22).',
    specification: ['derivation.md#batch-queue', 'holocene/derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch_timestamp',
    openPoints: ['A22'],
  },
  'single/parent-hash': {
    clock: 'none',
    statement: 'Parent hash differs from the hash of S: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch, kona-derive: batch_validator.rs next_batch',
    openPoints: [],
  },
  'single/sequence-window': {
    clock: 'none',
    statement:
      'Epoch number + SWS < inclusion block number: drop; inclusion in block epoch number + SWS is in time (A1).',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: ['A1'],
  },
  'single/epoch-too-old': {
    clock: 'none',
    statement: 'Epoch number < w₀: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/next-epoch-unknown': {
    clock: 'none',
    statement: 'Epoch number = w₀ + 1 and that block is not in the window: undecided.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/epoch-too-new': {
    clock: 'none',
    statement: 'Epoch number > w₀ + 1: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/epoch-hash': {
    clock: 'none',
    statement: 'Epoch hash differs from the hash of that L1 block (w₀, or the one after it): drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: ['A41'],
  },
  'single/min-time': {
    clock: 'none',
    statement: "Timestamp below that L1 block's: drop.",
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/activation-block-empty': {
    clock: 'timestamp',
    statement:
      'The batch is for the first L2 block of Jovian, Karst or Lagoon (active at T, not at T − block time) and has transactions: drop (A30).',
    specification: ['jovian/derivation.md#activation-block-rules', 'interop/derivation.md#activation-block'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: ['A30'],
  },
  'single/drift-limit': {
    clock: 'epoch',
    statement:
      "The limit is origin time + drift: the configured drift before Fjord and 1800 s from Fjord on, by the time of the batch's L1 origin. A timestamp at the limit is within it.",
    specification: ['fjord/derivation.md#constant-maximum-sequencer-drift'],
    opNode: 'chain_spec.go MaxSequencerDrift',
    kona: 'kona-genesis: rollup.rs max_sequencer_drift',
    openPoints: [],
  },
  'single/drift-with-transactions': {
    clock: 'none',
    statement: 'Past the limit with transactions: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/drift-empty': {
    clock: 'none',
    statement:
      "Past the limit, empty and with epoch number = w₀: drop if the timestamp is at or after the next L1 block's time, undecided if that block is unknown, otherwise fine. An empty batch of epoch w₀ + 1 is always fine.",
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/tx-empty': {
    clock: 'none',
    statement: 'A transaction of zero bytes: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSequencerTxData',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/tx-deposit': {
    clock: 'none',
    statement: 'A transaction whose first byte is 0x7e: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSequencerTxData',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/tx-set-code': {
    clock: 'timestamp',
    statement: 'A transaction whose first byte is 4 before Isthmus: drop.',
    specification: ['isthmus/derivation.md#activation'],
    opNode: 'batches.go checkSequencerTxData',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/tx-post-exec': {
    clock: 'timestamp',
    statement: 'A transaction whose first byte is 0x7d before Lagoon: drop.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSequencerTxData',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: [],
  },
  'single/tx-other-types': {
    clock: 'none',
    statement: 'Other first bytes (3, 5 … 0x7c and so on) are let through and left to the engine (A18).',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batches.go checkSequencerTxData',
    kona: 'kona-protocol: single.rs check_batch',
    openPoints: ['A18'],
  },
  'batch-queue/origin-behind': {
    clock: 'none',
    statement: "While the origin is below S's L1 origin, batches are read and thrown away.",
    specification: ['derivation.md#finding-the-sync-starting-point'],
    opNode: 'batch_queue.go NextBatch',
    kona: 'kona-derive: batch_queue.rs next_batch',
    openPoints: [],
  },
  'batch-queue/arrival': {
    clock: 'none',
    statement:
      'A batch belongs to the origin at which it came out of the reader (its inclusion block). Judged *drop* on arrival it is not kept; with any other verdict it is kept, in order of arrival. One batch is read per request before a decision is tried.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batch_queue.go AddBatch',
    kona: 'kona-derive: batch_queue.rs add_batch',
    openPoints: [],
  },
  'batch-queue/first-accepted': {
    clock: 'none',
    statement:
      'Whenever the reader gave a batch or the end of its data (a retry of the reader is passed on at once), the kept batches are judged again in order: the first accepted one is used, dropped ones are removed, future ones stay, those behind it stay unjudged.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batch_queue.go deriveNextBatch',
    kona: 'kona-derive: batch_queue.rs derive_next_batch',
    openPoints: [],
  },
  'batch-queue/undecided-stops': {
    clock: 'none',
    statement:
      'An undecided batch ends the search: it and all behind it stay, nothing is emitted, and no empty batch is made.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'batch_queue.go deriveNextBatch',
    kona: 'kona-derive: batch_queue.rs derive_next_batch',
    openPoints: [],
  },
  'batch-queue/span-cache': {
    clock: 'none',
    statement:
      'An accepted span batch is turned into single batches at once; they are emitted one a request, without a new check, as long as each has timestamp next; if one has not, the rest is thrown away.',
    specification: ['delta/span-batches.md#batch-queue'],
    opNode: 'base_batch_stage.go nextFromSpanBatch',
    kona: 'kona-derive: batch_queue.rs next_batch',
    openPoints: [],
  },
  'batch-queue/window': {
    clock: 'none',
    statement:
      'Each new origin is appended to the window (which is emptied instead while the origin is behind S); when S moves to a later epoch the older blocks leave it, but not while a span batch is being emitted.',
    specification: ['derivation.md#batch-queue'],
    opNode: 'base_batch_stage.go updateOrigins',
    kona: 'kona-derive: batch_queue.rs next_batch',
    openPoints: [],
  },
  'batch-queue/epoch-mismatch': {
    clock: 'none',
    statement:
      "If w₀ is neither S's origin, in number and hash, nor the block after it, by number alone, the pipeline asks for a reset. The batch validator has the same rule.",
    specification: ['derivation.md#resetting-the-pipeline'],
    opNode: 'batch_queue.go deriveNextBatch, batch_stage.go NextBatch',
    kona: 'kona-derive: batch_queue.rs derive_next_batch, batch_validator.rs next_batch',
    openPoints: [],
  },
  'empty/window-over': {
    clock: 'none',
    statement:
      'An empty batch may be made when w₀ + SWS < origin number, or when they are equal and this L1 block has no more data (A1), and the block after w₀ is in the window. Before Holocene no kept batch may be acceptable or undecided; from Holocene on it is tried only when the current span batch and the reader have nothing more for this origin.',
    specification: ['derivation.md#batch-queue', 'holocene/derivation.md#batch-queue'],
    opNode: 'base_batch_stage.go deriveNextEmptyBatch, batch_stage.go NextBatch',
    kona: 'kona-derive: batch_queue.rs derive_next_batch, batch_validator.rs next_batch',
    openPoints: ['A1'],
  },
  'empty/same-epoch': {
    clock: 'none',
    statement:
      "If next < the time of the block after w₀, or w₀ has no L2 block yet, the batch is for w₀: parent S, timestamp next, w₀'s number and hash, no transactions, no further check.",
    specification: ['derivation.md#batch-queue'],
    opNode: 'base_batch_stage.go deriveNextEmptyBatch',
    kona: 'kona-derive: batch_queue.rs derive_next_batch, batch_validator.rs try_derive_empty_batch',
    openPoints: [],
  },
  'empty/next-epoch': {
    clock: 'none',
    statement:
      'Otherwise w₀ leaves the window and nothing is emitted: end of data, or retry if (before Holocene) this L1 block has data left. An empty batch for the new w₀ can be made only when its own sequencing window is over (A35).',
    specification: ['derivation.md#batch-queue'],
    opNode: 'base_batch_stage.go deriveNextEmptyBatch',
    kona: 'kona-derive: batch_queue.rs derive_next_batch, batch_validator.rs try_derive_empty_batch',
    openPoints: ['A35'],
  },
  'batch-validator/drain': {
    clock: 'none',
    statement:
      "While the origin is at or below S's L1 origin, batches are read and thrown away unchecked, without a flush (A28).",
    specification: ['derivation.md#finding-the-sync-starting-point'],
    opNode: 'batch_stage.go NextBatch',
    kona: 'kona-derive: batch_validator.rs next_batch, batch_stream.rs next_batch',
    openPoints: ['A28'],
  },
  'batch-validator/two-origins': {
    clock: 'none',
    statement: 'After that the window holds at least two blocks; fewer is a critical error (A29).',
    specification: [],
    opNode: 'batch_stage.go NextBatch',
    kona: 'kona-derive: batch_validator.rs next_batch',
    openPoints: ['A29'],
  },
  'batch-validator/lazy-span': {
    clock: 'none',
    statement:
      'An accepted span batch becomes the current one. Its single batches are the candidates before anything else is read, each checked only when its turn comes; emitted ones are never taken back. If the next of them does not have timestamp next, all that are left are thrown away without a flush (A37).',
    specification: ['holocene/derivation.md#span-batches'],
    opNode: 'batch_stage.go nextSingularBatchCandidate',
    kona: 'kona-derive: batch_stream.rs next_batch',
    openPoints: ['A37'],
  },
  'batch-validator/span-drop': {
    clock: 'none',
    statement: 'An invalid span batch is dropped with a flush, and reading goes on in the same L1 block (retry).',
    specification: ['holocene/derivation.md#span-batches'],
    opNode: 'batch_stage.go nextSingularBatchCandidate',
    kona: 'kona-derive: batch_stream.rs next_batch',
    openPoints: [],
  },
  'batch-validator/span-extraction': {
    clock: 'none',
    statement: 'A span batch that fails `span/new-block-origin` is treated as dropped, with a flush.',
    specification: ['holocene/derivation.md#span-batches'],
    opNode: 'batch_stage.go nextSingularBatchCandidate',
    kona: 'kona-derive: batch_stream.rs try_hydrate_buffer',
    openPoints: [],
  },
  'batch-validator/span-past': {
    clock: 'none',
    statement: 'A past span batch is skipped; the channel goes on.',
    specification: ['holocene/derivation.md#span-batches'],
    opNode: 'batch_stage.go nextSingularBatchCandidate',
    kona: 'kona-derive: batch_stream.rs next_batch',
    openPoints: [],
  },
  'batch-validator/span-undecided': {
    clock: 'none',
    statement: 'An undecided span batch is skipped too: not kept, not asked about again, no flush (A26).',
    specification: ['holocene/derivation.md#span-batches'],
    opNode: 'batch_stage.go nextSingularBatchCandidate',
    kona: 'kona-derive: batch_stream.rs next_batch',
    openPoints: ['A26'],
  },
  'batch-validator/single-past': {
    clock: 'none',
    statement: 'A past single batch is skipped; the rest of its span batch and of the channel goes on.',
    specification: ['holocene/derivation.md#batch-queue'],
    opNode: 'batch_stage.go NextBatch',
    kona: 'kona-derive: batch_validator.rs next_batch',
    openPoints: [],
  },
  'batch-validator/single-drop': {
    clock: 'none',
    statement:
      'An invalid single batch (a future one included) is dropped with a flush; reading goes on in the same L1 block (retry).',
    specification: ['holocene/derivation.md#batch-queue', 'holocene/derivation.md#fast-channel-invalidation'],
    opNode: 'batch_stage.go NextBatch',
    kona: 'kona-derive: batch_validator.rs next_batch',
    openPoints: [],
  },
  'batch-validator/flush-scope': {
    clock: 'none',
    statement:
      "A flush forgets the current span batch's remaining single batches, the reader's channel and the staging channel (which is always empty then, as a batch is judged before a further frame is read). It keeps the window, the frames still in the queue and all later channels (A40).",
    specification: ['holocene/derivation.md#fast-channel-invalidation'],
    opNode: 'batch_stage.go, channel_in_reader.go, channel_assembler.go FlushChannel',
    kona: 'kona-derive: batch_stream.rs flush, channel_reader.rs flush',
    openPoints: ['A40'],
  },
  'engine/deposits-only': {
    clock: 'origin',
    statement:
      'From Holocene on, by the L1 block the batch was derived from, a refused payload with user transactions is replaced by the same block without them, and the replacement becomes S (A33).',
    specification: ['holocene/derivation.md#engine-queue'],
    opNode: 'build_invalid.go onBuildInvalid, payload_process.go processNewPayload',
    kona: 'kona driver (not in the two crates): core.rs advance_to_target',
    openPoints: ['A33'],
  },
  'engine/replacement-flushes': {
    clock: 'origin',
    statement: 'That replacement also flushes.',
    specification: ['holocene/derivation.md#engine-queue'],
    opNode: 'attributes_queue.go DepositsOnlyAttributes',
    kona: 'kona-derive: attributes_queue.rs signal',
    openPoints: [],
  },
  'engine/deposits-only-refused': {
    clock: 'none',
    statement: 'If a payload of deposits only is refused, derivation stops with a critical error.',
    specification: ['holocene/derivation.md#engine-queue'],
    opNode: 'build_invalid.go onBuildInvalid',
    kona: 'kona driver: core.rs advance_to_target',
    openPoints: [],
  },
  'engine/legacy-refusal': {
    clock: 'origin',
    statement:
      'A refused payload is thrown away and S stays; derivation goes on with the next batch for the same timestamp, in the end an empty one. Blocks already built from the same span batch are taken back (A34).',
    specification: ['derivation.md#l1-sync-payload-attributes-processing'],
    opNode: 'build_invalid.go onBuildInvalid',
    kona: 'kona driver: core.rs advance_to_target',
    openPoints: ['A34'],
  },
  'activation/trigger': {
    clock: 'origin',
    statement:
      'It happens when the origin moves from an L1 block before the activation time to one at or after it, before any data of the new block is read.',
    specification: ['holocene/derivation.md#activation'],
    opNode: 'pipeline.go transformStages',
    kona: 'kona-derive: polling.rs advance_origin',
    openPoints: [],
  },
  'activation/channels-dropped': {
    clock: 'origin',
    statement:
      'Queued frames and all channels of the bank are lost and the assembler starts empty: a channel begun before must be sent again from frame 0.',
    specification: ['holocene/derivation.md#activation'],
    opNode: 'frame_queue.go Transform, channel_mux.go TransformHolocene',
    kona: 'kona-derive: frame_queue.rs signal, channel_provider.rs attempt_update',
    openPoints: [],
  },
  'activation/batches-dropped': {
    clock: 'origin',
    statement: 'Kept batches (future and undecided) and cached single batches are lost.',
    specification: ['holocene/derivation.md#activation'],
    opNode: 'batch_mux.go TransformHolocene',
    kona: 'kona-derive: batch_provider.rs attempt_update',
    openPoints: [],
  },
  'activation/window-kept': {
    clock: 'origin',
    statement: 'The window is carried over, so that batches of earlier epochs can still be judged (A31).',
    specification: ['holocene/derivation.md#activation'],
    opNode: 'batch_mux.go TransformHolocene',
    kona: 'kona-derive: batch_provider.rs attempt_update',
    openPoints: ['A31'],
  },
  'activation/data-once': {
    clock: 'origin',
    statement: "The activation block's data is processed exactly once, by the new rules.",
    specification: ['holocene/derivation.md#activation'],
    opNode: 'pipeline.go Step',
    kona: 'kona-derive: l1_retrieval.rs signal, polling.rs signal',
    openPoints: [],
  },
  'activation/old-batches-new-rules': {
    clock: 'origin',
    statement:
      'A batch read at or after the activation block is judged by Holocene rules even if its timestamp and its epoch lie before it.',
    specification: ['holocene/derivation.md#batch-queue'],
    opNode: 'batches.go checkSingularBatch, checkSpanBatchPrefix',
    kona: 'kona-protocol: single.rs check_batch_timestamp, span.rs check_batch_prefix',
    openPoints: [],
  },
  'activation/several-forks': {
    clock: 'origin',
    statement:
      "Holocene's stage changes happen also when an earlier fork activates at the same step of the origin. op-node does otherwise (A32).",
    specification: ['holocene/derivation.md#activation'],
    opNode: 'types.go IsActivationBlock',
    kona: 'kona-derive: channel_provider.rs, batch_provider.rs attempt_update',
    openPoints: ['A32'],
  },
  'activation/fork-order': {
    clock: 'none',
    statement:
      'Activation times do not decrease from one fork to the next, and an active fork implies all earlier ones (A42).',
    specification: ['superchain-upgrades.md#activation-rules'],
    opNode: 'types.go Check, IsForkActive',
    kona: 'kona-genesis: rollup.rs is_…_active',
    openPoints: ['A42'],
  },
  'reset/stages': {
    clock: 'origin',
    statement:
      "A reset to an L1 block empties every stage, picks the channel and batch stages by that block's time, and makes the window consist of it.",
    specification: ['derivation.md#resetting-derivation-stages'],
    opNode: 'channel_mux.go Reset, batch_mux.go Reset',
    kona: 'kona-derive: channel_provider.rs signal, batch_provider.rs signal',
    openPoints: [],
  },
  'reset/catch-up': {
    clock: 'none',
    statement:
      "A reset to a block before S's L1 origin, at whatever distance, is followed by reading up to it (`batch-queue/origin-behind`, `batch-validator/drain`).",
    specification: ['derivation.md#finding-the-sync-starting-point'],
    opNode: 'base_batch_stage.go updateOrigins',
    kona: 'kona-derive: batch_queue.rs next_batch',
    openPoints: [],
  },
  'reset/first-block-twice': {
    clock: 'none',
    statement:
      "If a batch is emitted at the first origin after its data has run out, that block's data is read a second time (A36).",
    specification: [],
    opNode: 'l1_retrieval.go Reset, l1_traversal.go Reset',
    kona: 'kona-derive: l1_retrieval.rs signal, polling.rs signal',
    openPoints: ['A36'],
  },
  'reset/l1-parent-mismatch': {
    clock: 'none',
    statement: "If the next L1 block's parent hash is not the origin's hash, the pipeline asks for a reset.",
    specification: ['derivation.md#resetting-the-pipeline'],
    opNode: 'l1_traversal.go AdvanceL1Block',
    kona: 'kona-derive: polling.rs advance_origin',
    openPoints: [],
  },
} as const satisfies Record<string, RuleEntry>;

/** Every rule's id, in the order of the pipeline. */
export type RuleId = keyof typeof entries;

/** Every rule by its id. */
export const RULES: Readonly<Record<RuleId, RuleEntry>> = entries;

/** All rule ids in catalogue order; a rule's position is its index in the counters of a rule book. */
export const RULE_IDS = Object.keys(entries) as readonly RuleId[];

/** Rules of both channel stages or both batch stages, named after the one that came first. */
const SHARED: ReadonlySet<RuleId> = new Set<RuleId>([
  'channel-bank/timeout',
  'channel-bank/timeout-length',
  'batch-queue/window',
  'batch-queue/epoch-mismatch',
  'activation/trigger',
]);

/** The eras in which a rule is asked. Stage rules follow from the stage: channel bank and batch queue stand before. */
export function eraOf(rule: RuleId): RuleEra {
  if (SHARED.has(rule)) return 'both';
  if (/^(channel-bank|batch-queue)\/|^span\/full-|^engine\/legacy/.test(rule)) return 'before';
  if (/^(channel-assembler|batch-validator|activation)\//.test(rule)) return 'after';
  if (/^frame-queue\/(contiguous|after-close|foreign|new-first)/.test(rule)) return 'after';
  return 'both';
}

/** A place where the specification does not decide, or decides against what clients do. */
export interface OpenPoint {
  /** The rules whose statements take a side. */
  readonly rules: readonly RuleId[];
  /** What the specification leaves open or says two ways. */
  readonly question: string;
  /** What op-node does and the base follows. */
  readonly base: string;
  /** Where the specification's text speaks against the base: what it says. The `text` variant follows it. */
  readonly text?: string;
}

/** Points on which the specification is silent or ambiguous, and how the base resolves them. */
export const OPEN_POINTS: Readonly<Record<string, OpenPoint>> = {
  A1: {
    rules: ['single/sequence-window', 'span/sequence-window', 'empty/window-over'],
    question:
      'the overview and the glossary give the window as [E, E + SWS); the batch rules accept inclusion in block E + SWS',
    base: 'E + SWS is still in time; an empty batch at that origin only after its data is used up',
  },
  A2: {
    rules: ['channel-reader/rlp-strings'],
    question: 'the pseudo-code of the channel format RLP-encodes the concatenation of all batches',
    base: 'each batch is its own RLP string; the strings follow one another',
  },
  A3: {
    rules: ['channel-bank/timeout-length'],
    question:
      'the glossary gives the timeout in seconds since a time in the channel id; nothing says what becomes of a channel that is open across Granite',
    base: "L1 block numbers; the current origin's timeout also applies to channels opened before",
  },
  A4: {
    rules: ['frame/is-last-values'],
    question: '"ignore the frame" and "reject all frames of the transaction" both stand in the text',
    base: 'the whole item is rejected',
  },
  A5: {
    rules: ['frame-queue/contiguous'],
    question: 'by the text a frame 0 behind an open frame drops the older frames, with no exception for the same id',
    base: 'inside one item the newer frame is dropped; across items the assembler starts again',
    text: 'holocene/derivation.md#frame-queue: the order rules bind non-first frames; a first frame behind an open frame throws out the earlier frames of that channel and stays, and the same id is no exception.',
  },
  A6: {
    rules: ['frame-queue/after-close'],
    question: 'the closed-channel rule speaks of non-first frames only',
    base: 'frame 0 of the same id behind its closing frame is dropped too, unless a frame of another channel stands between and stays there: an open one is removed by that very frame 0, which then meets the closing frame',
    text: 'holocene/derivation.md#frame-queue: that a channel was closed speaks against non-first frames only; a first frame may follow a closing frame of the same id and opens a new channel.',
  },
  A7: {
    rules: ['channel-assembler/size-limit'],
    question: '"raw compressed size": with or without the 200 bytes a frame',
    base: 'with',
  },
  A8: {
    rules: ['channel-bank/size'],
    question: 'the size should be the sum over buffered frames',
    base: 'after a closing frame removed others, the count is too low by the frames that stay',
    text: 'derivation.md#pruning: the size is that of what is buffered.',
  },
  A9: {
    rules: ['channel-bank/prune'],
    question: 'whether a channel completed by the very frame that overflows the bank can still be read',
    base: 'pruned first',
  },
  A10: {
    rules: ['channel-bank/timed-out-head'],
    question: 'timed-out channels that are not first',
    base: 'passed over, counted in the total size, removed when they reach the head',
  },
  A11: {
    rules: ['batch-decode/malformed-ends-channel', 'batch-decode/underivable-span-skipped'],
    question:
      'what "ignored" means for the rest of the channel, and whether Holocene\'s fast invalidation covers malformed batches',
    base: 'parse error: rest of the channel lost, no flush; transactions cannot be rebuilt: only that batch lost; the same before and after Holocene',
    text: 'derivation.md#batch-format: malformed content makes that batch invalid and ignored; nothing is said against the channel. From Holocene on, holocene/derivation.md#fast-channel-invalidation takes the rest of the channel along with an invalid batch, which a flush would have to show: the variant follows the text before Holocene only, since no flush can be seen to come of bytes that are no batch.',
  },
  A12: {
    rules: ['channel-reader/partial-output'],
    question: 'broken or over-long compressed streams',
    base: 'streaming: everything that comes out before the fault counts; the checksum has no effect on batches, the tail is not read (exception: A43)',
  },
  A13: {
    rules: ['channel-reader/zlib-stream'],
    question: '"no dictionary" against a stream that names the empty dictionary',
    base: 'accepted if the named dictionary id is that of the empty string',
  },
  A14: {
    rules: ['channel-reader/brotli-gate', 'channel-reader/limit'],
    question: 'which L1 block counts for a channel that crosses Fjord',
    base: 'the origin at which the complete channel is taken up',
  },
  A15: {
    rules: ['batch-decode/uvarint'],
    question: 'minimal form, width, overflow',
    base: 'not minimal is fine; more than 64 bits is malformed',
  },
  A16: {
    rules: ['batch-decode/tx-data-size'],
    question: 'limits are stated for numbers of elements only',
    base: "also a limit of 10,000,000 bytes on one transaction's list",
  },
  A17: {
    rules: ['batch-decode/tx-fields'],
    question: 'widths of amounts',
    base: 'unbounded for legacy, 1 and 2; 256 bits for 4',
  },
  A18: {
    rules: ['single/tx-other-types'],
    question: 'the text drops every future type above 2 (4 allowed from Isthmus)',
    base: 'only 0x7e, 4 before Isthmus and 0x7d before Lagoon are dropped; the engine sees the rest',
    text: 'derivation.md#batch-queue: every transaction type above 2 is a drop; isthmus/derivation.md#activation excepts type 4 from Isthmus on.',
  },
  A19: {
    rules: ['batch-decode/tx-types'],
    question: 'unknown types inside a span batch: invalid batch (flush) or malformed (no flush)',
    base: 'malformed, and only that batch is skipped',
  },
  A20: {
    rules: ['batch-decode/tx-types'],
    question: 'type 4 with the contract-creation bit',
    base: 'the batch cannot be rebuilt',
  },
  A21: {
    rules: ['batch-decode/span-before-delta', 'span/delta'],
    question:
      'whether the reader may already refuse by O; the Delta overview names the L2 timestamp, the span text the L1 origin',
    base: 'refused by O at the reader, and by E in the check',
  },
  A22: {
    rules: ['single/too-late'],
    question: 'past is defined as at or before S; a timestamp between S and next is then a plain drop',
    base: 'past (no flush)',
    text: 'holocene/derivation.md#batch-queue: past is at or before S; a timestamp between S and next falls under the older rule and is a drop, with a flush.',
  },
  A23: {
    rules: [
      'span/delta',
      'span/aligned',
      'span/sequence-window',
      'span/start-epoch-too-new',
      'span/start-epoch-too-old',
    ],
    question: 'Holocene lists four span checks and says that the full checks are no longer made',
    base: 'the whole Delta prefix is still checked',
    text: 'holocene/derivation.md#span-batches: origin check, parent check, start after next and end before next are the checks on the span batch; the others are left to its single batches.',
  },
  A24: {
    rules: ['span/overlap-content'],
    question: 'the Holocene text at this commit does not ask for it',
    base: 'checked; drop with flush',
    text: 'holocene/derivation.md#span-batches: the overlap is expressly allowed and its content not asked for at this commit; later text asks for it retroactively.',
  },
  A25: {
    rules: ['span/origin-unknown'],
    question: 'by the Holocene text an origin check that is not on the canonical chain invalidates',
    base: 'undecided, so skipped without a flush',
    text: 'delta/span-batches.md#batch-queue and holocene/derivation.md#span-batches: an origin check that does not match the canonical chain at the end epoch makes the batch invalid; undecided is not foreseen. An end epoch below w₀ is invalid in the end in any case, by its new blocks.',
  },
  A26: {
    rules: ['batch-validator/span-undecided'],
    question: 'what undecided means when nothing is buffered',
    base: 'batch lost, no flush',
  },
  A27: {
    rules: ['span/parent-known'],
    question: 'the text drops if there is no such block',
    base: 'misaligned: drop; not available: undecided',
    text: 'delta/span-batches.md#batch-queue: if the safe chain has no such block the batch is dropped. A block that exists but was not given stays undecided.',
  },
  A28: {
    rules: ['batch-validator/drain'],
    question: 'not mentioned',
    base: "unchecked draining up to and including S's L1 origin",
  },
  A29: {
    rules: ['batch-validator/two-origins'],
    question: 'not mentioned',
    base: 'critical error',
  },
  A30: {
    rules: ['single/activation-block-empty'],
    question:
      "only Jovian's and interop's texts make it a batch rule; Ecotone, Fjord and Isthmus speak to the sequencer; Karst's text is silent",
    base: 'enforced for Jovian, Karst and Lagoon on single batches; not in the full span check; not for earlier forks',
    text: "jovian/derivation.md#activation-block-rules makes it a rule on batches; Karst's text has none.",
  },
  A31: {
    rules: ['activation/window-kept'],
    question: "the batch queue's L1 blocks, and a half-read channel, at activation",
    base: 'blocks kept; the reader is not touched (it is always empty then)',
  },
  A32: {
    rules: ['activation/several-forks'],
    question: 'two forks at one step of the origin',
    base: 'against the text, op-node announces only the earliest fork, so if one before Holocene activates with it the channel bank and the batch queue stay until the next reset while the frame queue and the verdicts are already those of Holocene; a past batch is then a critical error and a flush a panic. The base follows the text',
  },
  A33: {
    rules: ['engine/deposits-only'],
    question: 'which clock',
    base: 'the L1 block derived from',
  },
  A34: {
    rules: ['engine/legacy-refusal'],
    question: 'refusal in the middle of a span batch',
    base: 'the safe head goes back to before the span batch',
  },
  A35: {
    rules: ['empty/next-epoch'],
    question: 'how many steps a change of epoch takes',
    base: 'one end of data, so the origin advances once',
    text: 'derivation.md#batch-queue: the empty batch of the next epoch is made at once, in the same L1 block.',
  },
  A36: {
    rules: ['reset/first-block-twice'],
    question: 'not mentioned',
    base: 'may happen',
    text: "derivation.md#resetting-derivation-stages: the first block's data is read once.",
  },
  A37: {
    rules: ['batch-validator/lazy-span'],
    question: 'single batches of the current span batch that no longer fit',
    base: 'thrown away, no flush',
  },
  A38: {
    rules: ['span/timestamps', 'span/epochs'],
    question: 'overflow',
    base: 'modulo 2⁶⁴ everywhere',
  },
  A39: {
    rules: ['batch-decode/tail-ignored'],
    question: 'bytes behind a complete batch "may" be ignored',
    base: 'ignored',
  },
  A40: {
    rules: ['batch-validator/flush-scope'],
    question: 'whether queued frames go too',
    base: 'kept; the flushed channel itself has none left, as it was complete',
  },
  A41: {
    rules: ['single/epoch-hash', 'span/origin-check'],
    question: 'a batch whose epoch is its own inclusion block (said to be impossible)',
    base: 'accepted; then `batch-validator/drain` holds until the origin moves on',
  },
  A42: {
    rules: ['activation/fork-order'],
    question: 'forks out of order, or a later one without an earlier one',
    base: 'refused by configuration up to Isthmus; beyond that each fork is judged by its own time only',
  },
  A43: {
    rules: ['channel-reader/partial-output'],
    question:
      'a batch that ends with the very last byte that comes out of a faulty stream (wrong or missing checksum, bytes behind a brotli stream)',
    base: 'used if it was completed from the 4,096-byte read buffer; lost if its last read went past the buffer, that is if at least 4,096 bytes of it were missing when the buffer ran empty',
  },
  A44: {
    rules: ['single/epoch-too-new', 'empty/next-epoch'],
    question:
      "after w₀ was given up, whether epochs are counted from S's L1 origin, as the text defines them, or from the new w₀",
    base: "from w₀: a batch that skips S's next L1 block is accepted; op-node's attributes builder then asks for a reset, which lies behind the boundary that is compared",
  },
  A45: {
    rules: ['single/drift-empty'],
    question: 'whether an empty batch of epoch w₀ advances the epoch when w₀ is already the block after S’s L1 origin',
    base: 'it counts as not advancing',
  },
  A46: {
    rules: ['span/full-drift'],
    question:
      "whether a span batch's first block advances the epoch by its own origin bit or by comparison with the parent",
    base: "by comparison with the parent's L1 origin",
  },
  A47: {
    rules: ['channel-bank/first-ready'],
    question:
      'Canyon starts to look for the first ready channel when frames of an L1 block at or after it first enter the queue',
    base: 'at the first pull with an origin at or after Canyon, whether or not that block carries frames',
  },
  A48: {
    rules: ['channel-bank/after-close'],
    question:
      'the text does not refuse a non-closing frame numbered above the closing one; it could only add to the size',
    base: 'refused',
  },
  A49: {
    rules: ['reset/first-block-twice'],
    question:
      'the second read also happens when the first L1 block is the newest one and derivation is asked to go on: the vector format ends there',
    base: 'not reached',
  },
};
