//! What production asks over the network, served from a vector: the two chains, the data source and the attributes
//! builder.

use crate::kona::{
    AttributesBuilder, ChainProvider, DataAvailabilityProvider, L2ChainProvider, PipelineError, PipelineErrorKind,
    PipelineResult,
};
use crate::vector::{L1Block, L2Block};
use alloy_consensus::{BlockBody, Header, Receipt, Sealed, TxEnvelope};
use alloy_eips::{
    BlockNumHash,
    eip2718::{Decodable2718, Encodable2718},
};
#[cfg(not(feature = "no_batcher_address"))]
use alloy_primitives::Address;
use alloy_primitives::{B256, Bytes};
use alloy_rpc_types_engine::PayloadAttributes;
use async_trait::async_trait;
use kona_genesis::{RollupConfig, SystemConfig};
use kona_protocol::{BatchValidationProvider, BlockInfo, L1BlockInfoBedrock, L1BlockInfoTx, L2BlockInfo};
use op_alloy_consensus::{OpBlock, OpTxEnvelope};
use op_alloy_rpc_types_engine::OpPayloadAttributes;
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Locks what a run shares. A panic of kona is part of a trace and leaves the shared values whole: nothing here calls
/// kona with the lock held.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the vector cannot serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainError {
    /// An L1 block number behind the vector's last one: the run is drained.
    L1Exhausted(u64),
    /// An L1 block that is looked up by hash, which only data sources and attributes builders of production do.
    L1ByHash(B256),
    /// An L2 block that is neither in the vector nor derived.
    L2BlockUnknown(u64),
    /// A block with a transaction that kona's own type for blocks cannot hold. In production no block has one.
    L2BlockUndecodable(u64),
}

impl fmt::Display for ChainError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::L1Exhausted(number) => write!(formatter, "L1 block {number} is past the last one"),
            Self::L1ByHash(hash) => write!(formatter, "L1 block {hash} is not served by hash"),
            Self::L2BlockUnknown(number) => write!(formatter, "L2 block {number} is not known"),
            Self::L2BlockUndecodable(number) => write!(formatter, "L2 block {number} holds an undecodable transaction"),
        }
    }
}

impl From<ChainError> for PipelineErrorKind {
    /// The kinds that kona's own fault proof program gives to these errors.
    fn from(error: ChainError) -> Self {
        match error {
            ChainError::L1Exhausted(_) => PipelineError::EndOfSource.crit(),
            other => PipelineError::Provider(other.to_string()).crit(),
        }
    }
}

/// The vector's L1 chain.
#[derive(Debug, Clone)]
pub struct L1Chain {
    blocks: Arc<[L1Block]>,
}

impl L1Chain {
    /// A chain of consecutive blocks, at least one.
    pub const fn new(blocks: Arc<[L1Block]>) -> Self {
        Self { blocks }
    }

    fn block(&self, number: u64) -> Result<&L1Block, ChainError> {
        number
            .checked_sub(self.blocks[0].info.number)
            .and_then(|index| self.blocks.get(usize::try_from(index).ok()?))
            .ok_or(ChainError::L1Exhausted(number))
    }
}

#[async_trait]
impl ChainProvider for L1Chain {
    type Error = ChainError;

    async fn block_info_by_number(&mut self, number: u64) -> Result<BlockInfo, ChainError> {
        Ok(self.block(number)?.info)
    }

    /// No receipt: the system configuration never changes during a run.
    async fn receipts_by_hash(&mut self, _: B256) -> Result<Vec<Receipt>, ChainError> {
        Ok(Vec::new())
    }

    async fn header_by_hash(&mut self, hash: B256) -> Result<Header, ChainError> {
        Err(ChainError::L1ByHash(hash))
    }

    async fn block_info_and_transactions_by_hash(
        &mut self,
        hash: B256,
    ) -> Result<(BlockInfo, Vec<TxEnvelope>), ChainError> {
        Err(ChainError::L1ByHash(hash))
    }
}

/// The data source: each L1 block's items in order. Like kona's own sources it keeps to the block that it was opened
/// for until it is cleared, and reads a block that is asked for again from its first item.
#[derive(Debug)]
pub struct DataSource {
    l1: L1Chain,
    open: Option<OpenBlock>,
}

#[derive(Debug, Clone, Copy)]
struct OpenBlock {
    number: u64,
    next_item: usize,
}

impl DataSource {
    pub const fn new(l1: L1Chain) -> Self {
        Self { l1, open: None }
    }

    fn next_item(&mut self, block: &BlockInfo) -> PipelineResult<Bytes> {
        let open = self.open.get_or_insert(OpenBlock { number: block.number, next_item: 0 });
        let data = &self.l1.block(open.number)?.data;
        let item = data.get(open.next_item).cloned().ok_or(PipelineError::Eof.temp())?;
        open.next_item += 1;
        Ok(item)
    }
}

#[async_trait]
impl DataAvailabilityProvider for DataSource {
    type Item = Bytes;

    #[cfg(not(feature = "no_batcher_address"))]
    async fn next(&mut self, block: &BlockInfo, _: Address) -> PipelineResult<Bytes> {
        self.next_item(block)
    }

    #[cfg(feature = "no_batcher_address")]
    async fn next(&mut self, block: &BlockInfo) -> PipelineResult<Bytes> {
        self.next_item(block)
    }

    fn clear(&mut self) {
        self.open = None;
    }
}

/// The safe L2 chain: the vector's blocks and those derived since. Clones share one chain.
#[derive(Debug, Clone)]
pub struct L2Chain {
    rollup: Arc<RollupConfig>,
    given: Arc<[L2Block]>,
    derived: Arc<Mutex<Vec<L2Block>>>,
}

impl L2Chain {
    /// A chain of consecutive blocks, at least one.
    pub fn new(rollup: Arc<RollupConfig>, given: Arc<[L2Block]>) -> Self {
        Self { rollup, given, derived: Arc::default() }
    }

    /// The safe head.
    pub fn tip(&self) -> L2BlockInfo {
        lock(&self.derived).last().unwrap_or_else(|| &self.given[self.given.len() - 1]).info
    }

    /// Makes `block`, which builds on the tip, the new tip.
    pub fn push(&self, block: L2Block) {
        lock(&self.derived).push(block);
    }

    /// The hashes of the blocks derived so far.
    pub fn derived_hashes(&self) -> Vec<B256> {
        lock(&self.derived).iter().map(|block| block.info.block_info.hash).collect()
    }

    fn with_block<T>(
        &self,
        number: u64,
        read: impl FnOnce(&L2Block) -> Result<T, ChainError>,
    ) -> Result<T, ChainError> {
        let derived = lock(&self.derived);
        let block = number
            .checked_sub(self.given[0].info.block_info.number)
            .and_then(|index| usize::try_from(index).ok())
            .and_then(|index| self.given.get(index).or_else(|| derived.get(index - self.given.len())))
            .ok_or(ChainError::L2BlockUnknown(number))?;
        read(block)
    }
}

#[async_trait]
impl BatchValidationProvider for L2Chain {
    type Error = ChainError;
    #[cfg(feature = "transaction_type")]
    type Transaction = OpTxEnvelope;

    async fn l2_block_info_by_number(&mut self, number: u64) -> Result<L2BlockInfo, ChainError> {
        self.with_block(number, |block| Ok(block.info))
    }

    async fn block_by_number(&mut self, number: u64) -> Result<OpBlock, ChainError> {
        self.with_block(number, |block| whole_block(block, &self.rollup))
    }
}

#[async_trait]
impl L2ChainProvider for L2Chain {
    type Error = ChainError;

    /// The same configuration for every block: with this data source none of its values matters.
    async fn system_config_by_number(&mut self, number: u64, _: Arc<RollupConfig>) -> Result<SystemConfig, ChainError> {
        self.with_block(number, |_| Ok(SystemConfig::default()))
    }
}

/// The block as kona's overlap check wants it: with the L1-attributes deposit in front of the user transactions.
fn whole_block(block: &L2Block, rollup: &RollupConfig) -> Result<OpBlock, ChainError> {
    let L2BlockInfo { block_info, l1_origin, seq_num } = block.info;
    let is_genesis = block_info.id() == rollup.genesis.l2;
    // Of genesis kona does not read the deposit: its L1 origin is the configured one.
    let l1_origin = if is_genesis { rollup.genesis.l1 } else { l1_origin };
    let mut transactions = Vec::with_capacity(1 + block.transactions.len());
    transactions.push(l1_attributes_deposit(l1_origin, seq_num));
    for raw in &block.transactions {
        let transaction = OpTxEnvelope::decode_2718(&mut &raw[..])
            .ok()
            // kona compares the encoding of what was decoded; nothing may be left over either.
            .filter(|transaction| transaction.encoded_2718() == raw[..])
            .ok_or(ChainError::L2BlockUndecodable(block_info.number))?;
        transactions.push(transaction);
    }

    // kona knows the genesis block by its number and then wants the header to hash to the configured value. No header
    // hashes to a vector's hash, so a true genesis block gets a number that spares it that check.
    let header = Header {
        number: if is_genesis { block_info.number.wrapping_add(1) } else { block_info.number },
        parent_hash: block_info.parent_hash,
        timestamp: block_info.timestamp,
        ..Header::default()
    };
    Ok(OpBlock { header, body: BlockBody { transactions, ommers: Vec::new(), withdrawals: None } })
}

fn l1_attributes_deposit(l1_origin: BlockNumHash, sequence_number: u64) -> OpTxEnvelope {
    let attributes = L1BlockInfoTx::Bedrock(L1BlockInfoBedrock {
        number: l1_origin.number,
        block_hash: l1_origin.hash,
        sequence_number,
        ..L1BlockInfoBedrock::default()
    });
    // The type of a deposit has lived in several crates and is not named; nothing reads the deposit's own hash.
    let seal = |deposit| Sealed::new_unchecked(deposit, B256::ZERO);
    match OpTxEnvelope::Deposit(seal(Default::default())) {
        OpTxEnvelope::Deposit(empty) => {
            let mut deposit = empty.unseal();
            deposit.input = attributes.encode_calldata();
            OpTxEnvelope::Deposit(seal(deposit))
        }
        other => other,
    }
}

/// An attributes builder that always succeeds and so has no say in derivation. It keeps the epoch it was last asked
/// for, the one thing about an emitted batch that the finished attributes do not tell.
#[derive(Debug, Clone)]
pub struct EpochKeeper {
    rollup: Arc<RollupConfig>,
    epoch: Arc<Mutex<BlockNumHash>>,
}

impl EpochKeeper {
    pub fn new(rollup: Arc<RollupConfig>) -> Self {
        Self { rollup, epoch: Arc::default() }
    }

    /// The epoch of the attributes built last.
    pub fn epoch(&self) -> BlockNumHash {
        *lock(&self.epoch)
    }
}

#[async_trait]
impl AttributesBuilder for EpochKeeper {
    async fn prepare_payload_attributes(
        &mut self,
        parent: L2BlockInfo,
        epoch: BlockNumHash,
    ) -> PipelineResult<OpPayloadAttributes> {
        *lock(&self.epoch) = epoch;
        let timestamp = parent.block_info.timestamp + self.rollup.block_time;
        Ok(OpPayloadAttributes {
            payload_attributes: PayloadAttributes { timestamp, ..PayloadAttributes::default() },
            ..OpPayloadAttributes::default()
        })
    }
}
