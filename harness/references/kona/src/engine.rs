//! The simulated execution engine: which block an emitted batch becomes.

use crate::vector::{L2Block, Vector};
use alloy_eips::BlockNumHash;
use alloy_primitives::{B256, Keccak256, keccak256};
use kona_genesis::RollupConfig;
use kona_protocol::{BlockInfo, L2BlockInfo, SingleBatch};
use std::{collections::HashSet, sync::Arc};

/// The engine of one run.
#[derive(Debug)]
pub struct Engine {
    rollup: Arc<RollupConfig>,
    invalid_blocks: Arc<HashSet<u64>>,
    /// Number of the first block that is built.
    first: u64,
    /// Hashes of an earlier run over the same vector, from the first block on.
    known_hashes: Arc<[B256]>,
}

/// What became of a batch.
#[derive(Debug)]
pub struct Built {
    pub block: L2Block,
    /// Whether the payload was refused and the deposits-only block stands in its place.
    pub deposits_only: bool,
}

impl Engine {
    /// An engine that computes block hashes.
    pub fn new(vector: &Vector) -> Self {
        Self::with_known_hashes(vector, Arc::default())
    }

    /// An engine that takes block hashes from an earlier run and computes only those that it lacks.
    pub fn with_known_hashes(vector: &Vector, known_hashes: Arc<[B256]>) -> Self {
        Self {
            rollup: vector.rollup.clone(),
            invalid_blocks: vector.invalid_blocks.clone(),
            first: vector.l2[vector.l2.len() - 1].info.block_info.number + 1,
            known_hashes,
        }
    }

    /// Builds the block for `batch` on `parent`, derived from the L1 block `origin`.
    pub fn build(&self, batch: SingleBatch, parent: &L2BlockInfo, origin: &BlockInfo) -> Built {
        let number = parent.block_info.number + 1;
        let epoch = BlockNumHash { number: batch.epoch_num, hash: batch.epoch_hash };
        let deposits_only = !batch.transactions.is_empty()
            && self.invalid_blocks.contains(&number)
            && self.rollup.is_holocene_active(origin.timestamp);
        let transactions = if deposits_only { Vec::new() } else { batch.transactions };

        let hash = self.known_hash(number).unwrap_or_else(|| {
            let mut hasher = Keccak256::new();
            hasher.update(parent.block_info.hash);
            hasher.update(number.to_be_bytes());
            hasher.update(batch.timestamp.to_be_bytes());
            hasher.update(epoch.number.to_be_bytes());
            hasher.update(epoch.hash);
            for transaction in &transactions {
                hasher.update(keccak256(transaction));
            }
            hasher.finalize()
        });
        let block_info = BlockInfo { hash, number, parent_hash: parent.block_info.hash, timestamp: batch.timestamp };
        let seq_num = if epoch == parent.l1_origin { parent.seq_num + 1 } else { 0 };
        Built {
            block: L2Block { info: L2BlockInfo { block_info, l1_origin: epoch, seq_num }, transactions },
            deposits_only,
        }
    }

    fn known_hash(&self, number: u64) -> Option<B256> {
        self.known_hashes.get(usize::try_from(number - self.first).ok()?).copied()
    }
}
