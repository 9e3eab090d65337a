/** The part of a Rust test that serves both chains from memory and simulates the engine. */

import { equalBytes } from '../../../src/encoding/bytes.ts';
import type { TestCase } from '../test-case.ts';

/** Instead of a runtime, so that nothing has to be added to the package. */
export const READY = `/// The output of a future that waits for nothing: all that is read is in memory.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("a stage waits"),
    }
}
`;

export function chainType({ vector, hasItems }: TestCase): string {
  const refuses = vector.invalidBlocks.length > 0;
  return `/// The L1 chain with the batcher's data and the safe L2 chain, in memory; clones share them. The
/// engine is simulated: a block that is derived is safe at once, and its hash is made of what the
/// batch says.
#[derive(Debug, Clone, Default)]
struct Chain(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// L1 blocks with their items.
    l1: Vec<(BlockInfo, Vec<Bytes>)>,
    /// Where the data source reads: positions of the L1 block and of its next item.
    reading: Option<(usize, usize)>,
    /// Safe L2 blocks with their user transactions.
    l2: Vec<(L2BlockInfo, Vec<Bytes>)>,
${refuses ? '    /// Numbers of the L2 blocks whose payload the engine refuses.\n    refused: Vec<u64>,\n' : ''}    /// What is compared.
    seen: Vec<String>,
}

impl Chain {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no stage runs under this lock")
    }

    fn add_l1(&self, block: BlockInfo) {
        self.lock().l1.push((block, Vec::new()));
    }

${hasItems ? ADD_ITEM : ''}    fn add_l2(&self, block: BlockInfo, l1_origin: BlockNumHash, seq_num: u64, raw: &[&str]) {
        let transactions = raw.iter().map(|one| hex::decode(one).expect("hex").into()).collect();
        let block = L2BlockInfo { block_info: block, l1_origin, seq_num };
        self.lock().l2.push((block, transactions));
    }

    fn safe_head(&self) -> L2BlockInfo {
        self.lock().l2.last().expect("a safe head").0
    }

    fn saw(&self, what: impl Into<String>) {
        self.lock().seen.push(what.into());
    }
${refuses ? REFUSES : ''}${BUILD}
    fn l1_position(&self, number: u64) -> Option<usize> {
        self.lock().l1.iter().position(|(block, _)| block.number == number)
    }

    fn l2_block(&self, number: u64) -> Option<(L2BlockInfo, Vec<Bytes>)> {
        let l2 = &self.lock().l2;
        l2.iter().find(|(block, _)| block.block_info.number == number).cloned()
    }
}

fn unknown_block(number: u64) -> PipelineErrorKind {
    PipelineError::Provider(format!("no L2 block {number}")).crit()
}
`;
}

const ADD_ITEM = `    /// Adds the data of a batcher transaction to the last L1 block. The first word of each line is
    /// hex.
    fn add_item(&self, dump: &str) {
        let words = dump.lines().filter_map(|line| line.split_whitespace().next());
        let item = hex::decode(words.collect::<String>()).expect("hex");
        self.lock().l1.last_mut().expect("an L1 block").1.push(item.into());
    }

`;

const REFUSES = `
    /// Whether the engine refuses the payload of the block that follows from the batch.
    fn refuses(&self, batch: &SingleBatch) -> bool {
        let number = self.safe_head().block_info.number + 1;
        !batch.transactions.is_empty() && self.lock().refused.contains(&number)
    }
`;

const BUILD = `
    /// Makes the block that follows from the batch the new safe head.
    fn build(&self, batch: SingleBatch) {
        let parent = self.safe_head();
        let number = parent.block_info.number + 1;
        let l1_origin = batch.epoch();
        let mut preimage = parent.block_info.hash.to_vec();
        for value in [number, batch.timestamp, l1_origin.number] {
            preimage.extend(value.to_be_bytes());
        }
        preimage.extend(l1_origin.hash);
        for transaction in &batch.transactions {
            preimage.extend(keccak256(transaction));
        }
        let block_info = BlockInfo {
            number,
            timestamp: batch.timestamp,
            hash: keccak256(preimage),
            parent_hash: parent.block_info.hash,
        };
        let seq_num = if l1_origin == parent.l1_origin { parent.seq_num + 1 } else { 0 };
        let block = L2BlockInfo { block_info, l1_origin, seq_num };
        self.lock().l2.push((block, batch.transactions));
    }
`;

export function providers({ mayHoldSpans, vector }: TestCase): string {
  return `#[async_trait]
impl ChainProvider for Chain {
    type Error = PipelineErrorKind;

    async fn block_info_by_number(&mut self, number: u64) -> PipelineResult<BlockInfo> {
        let position = self.l1_position(number).ok_or(PipelineError::EndOfSource.crit())?;
        Ok(self.lock().l1[position].0)
    }

    /// None: the system configuration never changes.
    async fn receipts_by_hash(&mut self, _: B256) -> PipelineResult<Vec<Receipt>> {
        Ok(Vec::new())
    }

    async fn header_by_hash(&mut self, _: B256) -> PipelineResult<Header> {
        unreachable!("only attributes builders ask")
    }

    async fn block_info_and_transactions_by_hash(
        &mut self,
        _: B256,
    ) -> PipelineResult<(BlockInfo, Vec<TxEnvelope>)> {
        unreachable!("only data sources ask")
    }
}

#[async_trait]
impl DataAvailabilityProvider for Chain {
    type Item = Bytes;

    async fn next(&mut self, block: &BlockInfo, _: Address) -> PipelineResult<Bytes> {
        let position = self.l1_position(block.number).ok_or(PipelineError::EndOfSource.crit())?;
        let state = &mut *self.lock();
        let (block, item) = state.reading.get_or_insert((position, 0));
        let data = state.l1[*block].1.get(*item).cloned().ok_or(PipelineError::Eof.temp())?;
        *item += 1;
        Ok(data)
    }

    fn clear(&mut self) {
        self.lock().reading = None;
    }
}

#[async_trait]
impl BatchValidationProvider for Chain {
    type Error = PipelineErrorKind;

    async fn l2_block_info_by_number(&mut self, number: u64) -> PipelineResult<L2BlockInfo> {
        Ok(self.l2_block(number).ok_or(unknown_block(number))?.0)
    }

${mayHoldSpans ? wholeBlock(holdsGenesis(vector)) : NO_WHOLE_BLOCK}}

#[async_trait]
impl L2ChainProvider for Chain {
    type Error = PipelineErrorKind;

    async fn system_config_by_number(
        &mut self,
        _: u64,
        _: Arc<RollupConfig>,
    ) -> PipelineResult<SystemConfig> {
        Ok(SystemConfig::default())
    }
}
`;
}

const NO_WHOLE_BLOCK = `    /// For span batches that overlap the safe chain, of which there are none here.
    async fn block_by_number(&mut self, number: u64) -> PipelineResult<OpBlock> {
        Err(unknown_block(number))
    }
`;

function holdsGenesis({ config: { genesis }, l2 }: TestCase['vector']): boolean {
  return l2.some(({ number, hash }) => number === genesis.l2.number && equalBytes(hash, genesis.l2.hash));
}

/** The genesis block is one to kona by its number, and then its header has to hash to the configured value. */
function wholeBlock(genesis: boolean): string {
  const special = genesis
    ? `        let genesis = config().genesis;
        let is_genesis = block_info.id() == genesis.l2;
        // kona takes the origin of genesis from the configuration. It would also hold the header's
        // hash against the configured one, which this header has not: another number spares it that.
        let l1_origin = if is_genesis { genesis.l1 } else { l1_origin };
        let number = if is_genesis { number + 1 } else { number };
`
    : '';
  return `    /// A safe block with an L1 attributes deposit in front: span batches that overlap the safe chain
    /// are held against it.
    async fn block_by_number(&mut self, number: u64) -> PipelineResult<OpBlock> {
        let block = self.l2_block(number).ok_or(unknown_block(number))?;
        let (L2BlockInfo { block_info, l1_origin, seq_num }, raw) = block;
${special}        let attributes = L1BlockInfoTx::Bedrock(L1BlockInfoBedrock {
            number: l1_origin.number,
            block_hash: l1_origin.hash,
            sequence_number: seq_num,
            ..Default::default()
        });
        let deposit = TxDeposit { input: attributes.encode_calldata(), ..Default::default() };
        let deposit = OpTxEnvelope::Deposit(Sealed::new_unchecked(deposit, B256::ZERO));
        let mut transactions = vec![deposit];
        for raw in raw {
            // What kona compares is the encoding of what was decoded.
            let decoded = OpTxEnvelope::decode_2718_exact(&raw).ok();
            let transaction = decoded.filter(|one| one.encoded_2718() == raw[..]);
            let undecodable = PipelineError::Provider(format!("L2 block {number} is undecodable"));
            transactions.push(transaction.ok_or(undecodable.crit())?);
        }
        let header = Header {
            number,
            parent_hash: block_info.parent_hash,
            timestamp: block_info.timestamp,
            ..Default::default()
        };
        let body = BlockBody { transactions, ommers: Vec::new(), withdrawals: None };
        Ok(OpBlock { header, body })
    }
`;
}
