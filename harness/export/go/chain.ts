/** The part of a Go test that serves both chains from memory and simulates the engine. */

import type { TestCase } from '../test-case.ts';
import { flushesForRefused } from './stages.ts';

export function chainType(testCase: TestCase, chain: string): string {
  const { mayHoldSpans, vector, hasItems } = testCase;
  const fields: (readonly [name: string, type: string, comment?: string])[] = [
    ['t', '*testing.T'],
    ['config', '*rollup.Config'],
    ['l1', '[]eth.L1BlockRef'],
    ['items', '[][]eth.Data', 'of each L1 block'],
    ['unread', '[]eth.Data', 'of the L1 block that is read'],
    ['l2', '[]eth.L2BlockRef', 'the safe head last'],
    ...(mayHoldSpans ? ([['transactions', '[][]eth.Data', 'of each L2 block, without deposits']] as const) : []),
    ...(vector.invalidBlocks.length > 0
      ? ([['refused', 'map[uint64]bool', 'L2 blocks that the engine refuses']] as const)
      : []),
    ...(flushesForRefused(testCase)
      ? ([['refusing', 'bool', 'the flush at hand is for a refused payload']] as const)
      : []),
    ['seen', '[]string', 'what is compared'],
  ];
  return `// ${chain} is all that the stages read: the L1 chain with the batcher's data and the safe L2 chain, in memory. The
// engine is simulated: a block that is derived is safe at once, and its hash is made of what the batch says.
type ${chain} struct {
${alignedFields(fields).join('\n')}
}

func (c *${chain}) addL1(number, time uint64, hash, parent string) {
	c.l1 = append(c.l1, eth.L1BlockRef{
		Number: number, Time: time, Hash: common.HexToHash(hash), ParentHash: common.HexToHash(parent),
	})
	c.items = append(c.items, nil)
}

${hasItems ? addItem(chain) : ''}func (c *${chain}) addL2(number, time uint64, hash, parent string,
	originNumber uint64, originHash string, sequenceNumber uint64${mayHoldSpans ? ', transactions ...string' : ''}) {
	c.l2 = append(c.l2, eth.L2BlockRef{
		Number: number, Time: time, Hash: common.HexToHash(hash), ParentHash: common.HexToHash(parent),
		L1Origin:       eth.BlockID{Number: originNumber, Hash: common.HexToHash(originHash)},
		SequenceNumber: sequenceNumber,
	})
${
  mayHoldSpans
    ? `	raw := make([]eth.Data, len(transactions))
	for i, transaction := range transactions {
		raw[i] = common.FromHex(transaction)
	}
	c.transactions = append(c.transactions, raw)
`
    : ''
}}

func (c *${chain}) safeHead() eth.L2BlockRef {
	return c.l2[len(c.l2)-1]
}

func (c *${chain}) saw(format string, args ...any) {
	c.seen = append(c.seen, fmt.Sprintf(format, args...))
}
`;
}

function addItem(chain: string): string {
  return `// addItem adds the data of a batcher transaction to the last L1 block. The first word of each line is hex.
func (c *${chain}) addItem(dump string) {
	item := eth.Data{}
	for line := range strings.Lines(dump) {
		if words := strings.Fields(line); len(words) > 0 {
			item = append(item, common.FromHex(words[0])...)
		}
	}
	c.items[len(c.l1)-1] = append(c.items[len(c.l1)-1], item)
}

`;
}

/** Fields of a struct in gofmt's columns. */
function alignedFields(fields: readonly (readonly [name: string, type: string, comment?: string])[]): string[] {
  const names = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, type, comment], index) => {
    if (comment === undefined) return `\t${name.padEnd(names)} ${type}`;
    // Comments stand in one column as far as lines with comments follow each other.
    let from = index;
    let to = index;
    while (fields[from - 1]?.[2] !== undefined) from -= 1;
    while (fields[to + 1]?.[2] !== undefined) to += 1;
    const types = Math.max(...fields.slice(from, to + 1).map(([, other]) => other.length));
    return `\t${name.padEnd(names)} ${type.padEnd(types)} // ${comment}`;
  });
}

export function buildFunction({ mayHoldSpans }: TestCase, chain: string): string {
  return `// build makes the batch the new safe head.
func (c *${chain}) build(batch *derive.SingularBatch, transactions []eth.Data) {
	parent := c.safeHead()
	block := eth.L2BlockRef{
		Number: parent.Number + 1, Time: batch.Timestamp, ParentHash: parent.Hash, L1Origin: batch.Epoch(),
	}
	if block.L1Origin.Number == parent.L1Origin.Number {
		block.SequenceNumber = parent.SequenceNumber + 1
	}
	preimage := parent.Hash.Bytes()
	for _, number := range []uint64{block.Number, block.Time, block.L1Origin.Number} {
		preimage = binary.BigEndian.AppendUint64(preimage, number)
	}
	preimage = append(preimage, block.L1Origin.Hash[:]...)
	for _, transaction := range transactions {
		preimage = append(preimage, crypto.Keccak256(transaction)...)
	}
	block.Hash = crypto.Keccak256Hash(preimage)
	c.l2 = append(c.l2, block)
${mayHoldSpans ? '\tc.transactions = append(c.transactions, transactions)\n' : ''}}
`;
}

export function l1Functions(chain: string): string {
  return `// L1BlockRefByNumber serves the traversal of L1.
func (c *${chain}) L1BlockRefByNumber(_ context.Context, number uint64) (eth.L1BlockRef, error) {
	index := number - c.l1[0].Number
	if index >= uint64(len(c.l1)) {
		return eth.L1BlockRef{}, ethereum.NotFound
	}
	return c.l1[index], nil
}

// FetchReceipts gives none: the system configuration never changes.
func (c *${chain}) FetchReceipts(context.Context, common.Hash) (eth.BlockInfo, optypes.Receipts, error) {
	return nil, nil, nil
}

// OpenData starts to read an L1 block.
func (c *${chain}) OpenData(_ context.Context, block eth.L1BlockRef, _ common.Address) (derive.DataIter, error) {
	c.unread = c.items[block.Number-c.l1[0].Number]
	return c, nil
}

// Next gives the next item of the L1 block that is read.
func (c *${chain}) Next(context.Context) (eth.Data, error) {
	if len(c.unread) == 0 {
		return nil, io.EOF
	}
	item := c.unread[0]
	c.unread = c.unread[1:]
	return item, nil
}
`;
}

export function l2Functions({ mayHoldSpans }: TestCase, chain: string): string {
  const payload = mayHoldSpans
    ? `// PayloadByNumber gives a safe block with its L1 attributes deposit in front: span batches that overlap are held against it.
func (c *${chain}) PayloadByNumber(ctx context.Context, number uint64) (*eth.ExecutionPayloadEnvelope, error) {
	block, err := c.L2BlockRefByNumber(ctx, number)
	if err != nil {
		return nil, err
	}
	l1 := eth.HeaderBlockInfoTrusted(block.L1Origin.Hash, &types.Header{
		Number: new(big.Int).SetUint64(block.L1Origin.Number), BaseFee: new(big.Int),
	})
	deposit, err := derive.L1InfoDepositBytes(c.config, nil, eth.SystemConfig{}, block.SequenceNumber, l1, block.Time)
	if err != nil {
		return nil, err
	}
	return &eth.ExecutionPayloadEnvelope{ExecutionPayload: &eth.ExecutionPayload{
		ParentHash:   block.ParentHash,
		BlockNumber:  eth.Uint64Quantity(block.Number),
		Timestamp:    eth.Uint64Quantity(block.Time),
		BlockHash:    block.Hash,
		Transactions: append([]eth.Data{deposit}, c.transactions[number-c.l2[0].Number]...),
	}}, nil
}
`
    : `// PayloadByNumber is for span batches that overlap the safe chain, of which there are none here.
func (c *${chain}) PayloadByNumber(context.Context, uint64) (*eth.ExecutionPayloadEnvelope, error) {
	return nil, ethereum.NotFound
}
`;
  return `// L2BlockRefByNumber looks up a safe block.
func (c *${chain}) L2BlockRefByNumber(_ context.Context, number uint64) (eth.L2BlockRef, error) {
	index := number - c.l2[0].Number
	if index >= uint64(len(c.l2)) {
		return eth.L2BlockRef{}, ethereum.NotFound
	}
	return c.l2[index], nil
}

${payload}`;
}
