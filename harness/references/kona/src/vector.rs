//! Vectors of format 1: what a derivation run starts from, and its strict reader.

use crate::json::Json;
use alloy_eips::BlockNumHash;
use alloy_primitives::{B256, Bytes, hex};
use kona_genesis::{ChainGenesis, RollupConfig};
use kona_protocol::{BlockInfo, L2BlockInfo};
use serde::Serialize;
use std::{collections::HashSet, sync::Arc};

/// The vector format that this program reads.
pub const FORMAT: u64 = 1;

/// Integers in vectors stay below this, so that every language's JSON reader keeps them exact.
const INTEGER_LIMIT: u64 = 1 << 53;

/// A vector, as the types that kona works on. Sharing it between runs copies no data.
#[derive(Debug, Clone)]
pub struct Vector {
    pub name: String,
    pub rollup: Arc<RollupConfig>,
    /// Consecutive L1 blocks, at least one; the pipeline is reset to the first.
    pub l1: Arc<[L1Block]>,
    /// Consecutive safe L2 blocks, at least one; the last is the safe head at the start.
    pub l2: Arc<[L2Block]>,
    /// Numbers of L2 blocks whose payload the engine refuses if it has user transactions.
    pub invalid_blocks: Arc<HashSet<u64>>,
}

/// An L1 block with what the data source yields for it, in order.
#[derive(Debug, Clone, Default)]
pub struct L1Block {
    pub info: BlockInfo,
    pub data: Vec<Bytes>,
}

/// An L2 block with its user transactions (no deposits), raw.
#[derive(Debug, Clone, Default)]
pub struct L2Block {
    pub info: L2BlockInfo,
    pub transactions: Vec<Bytes>,
}

/// Why a document is not a vector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// JSON path of the first offending value, such as `l1[3].data[1]`; empty for the document itself.
    pub path: String,
    pub message: String,
}

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Self { path: String::new(), message: message.into() }
    }

    /// The same fault, seen from the object that holds the faulty value as member `name`.
    fn in_member(self, name: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{name}{separator}{}", self.path), ..self }
    }

    /// The same fault, seen from the array that holds the faulty value as element `index`.
    fn in_element(self, index: usize) -> Self {
        self.in_member(&format!("[{index}]"))
    }
}

type Read<T> = Result<T, Fault>;

impl Vector {
    /// Reads one JSON document.
    ///
    /// # Errors
    /// The first fault in the order of the document, where a missing field counts at the end of its object. A document
    /// that is not JSON is faulty as a whole.
    pub fn parse(document: &[u8]) -> Read<Self> {
        let json: Json<'_> =
            serde_json::from_slice(document).map_err(|error| Fault::new(format!("not a JSON document: {error}")))?;

        let mut name = String::new();
        let mut rollup = RollupConfig::default();
        let mut l1 = Vec::new();
        let mut l2 = Vec::new();
        let mut invalid_blocks = HashSet::new();
        let names = ["format", "name", "config", "l1", "l2", "invalidBlocks"];
        members(&json, &names, |member, value| {
            match member {
                "format" => {
                    if integer(value)? != FORMAT {
                        return Err(Fault::new(format!("expected {FORMAT}, the only format known here")));
                    }
                }
                "name" => name = string(value)?.to_owned(),
                "config" => rollup = read_config(value)?,
                "l1" => l1 = read_l1(value)?,
                "l2" => l2 = read_l2(value)?,
                _invalid_blocks => {
                    elements(value, |_, number| {
                        invalid_blocks.insert(integer(number)?);
                        Ok(())
                    })?;
                }
            }
            Ok(())
        })?;
        Ok(Self {
            name,
            rollup: Arc::new(rollup),
            l1: l1.into(),
            l2: l2.into(),
            invalid_blocks: Arc::new(invalid_blocks),
        })
    }
}

/// Reads the configuration; what it does not say stays at kona's own default, as in production: the channel timeout
/// from Granite on is 50 L1 blocks.
fn read_config(value: &Json<'_>) -> Read<RollupConfig> {
    let mut config = RollupConfig::default();
    let names = ["genesis", "l2ChainId", "blockTime", "maxSequencerDrift", "seqWindowSize", "channelTimeout", "forks"];
    members(value, &names, |member, value| {
        match member {
            "genesis" => config.genesis = read_genesis(value)?,
            "l2ChainId" => config.l2_chain_id = integer(value)?.into(),
            "blockTime" => config.block_time = integer(value)?,
            "maxSequencerDrift" => config.max_sequencer_drift = integer(value)?,
            "seqWindowSize" => config.seq_window_size = integer(value)?,
            "channelTimeout" => config.channel_timeout = integer(value)?,
            _forks => read_forks(value, &mut config)?,
        }
        Ok(())
    })?;
    Ok(config)
}

fn read_genesis(value: &Json<'_>) -> Read<ChainGenesis> {
    let mut genesis = ChainGenesis::default();
    members(value, &["l1", "l2", "l2Time"], |member, value| {
        match member {
            "l1" => genesis.l1 = block_id(value)?,
            "l2" => genesis.l2 = block_id(value)?,
            _l2_time => genesis.l2_time = integer(value)?,
        }
        Ok(())
    })?;
    Ok(genesis)
}

/// Reads the activation times. A fork that kona does not know, such as Karst to 0.4.5, is read and then dropped.
fn read_forks(value: &Json<'_>, config: &mut RollupConfig) -> Read<()> {
    #[cfg(not(feature = "flat_forks"))]
    let forks = &mut config.hardforks;
    #[cfg(feature = "flat_forks")]
    let forks = config;
    let names =
        ["regolith", "canyon", "delta", "ecotone", "fjord", "granite", "holocene", "isthmus", "jovian", "karst"];
    members(value, &names, |member, value| {
        let time = match value {
            Json::Null => None,
            time => Some(integer(time).map_err(|fault| Fault::new(format!("{} or null", fault.message)))?),
        };
        match member {
            "regolith" => forks.regolith_time = time,
            "canyon" => forks.canyon_time = time,
            "delta" => forks.delta_time = time,
            "ecotone" => forks.ecotone_time = time,
            "fjord" => forks.fjord_time = time,
            "granite" => forks.granite_time = time,
            "holocene" => forks.holocene_time = time,
            "isthmus" => forks.isthmus_time = time,
            #[cfg(not(feature = "no_jovian"))]
            "jovian" => forks.jovian_time = time,
            _unknown => {}
        }
        Ok(())
    })
}

fn read_l1(value: &Json<'_>) -> Read<Vec<L1Block>> {
    let mut blocks: Vec<L1Block> = Vec::new();
    elements(value, |_, value| {
        let previous = blocks.last().map(|block| block.info);
        let mut block = L1Block::default();
        members(value, &["number", "hash", "parentHash", "timestamp", "data"], |member, value| {
            match member {
                "number" => block.info.number = next_number(value, previous.map(|block| block.number))?,
                "hash" => block.info.hash = hash(value)?,
                "parentHash" => block.info.parent_hash = hash(value)?,
                "timestamp" => {
                    block.info.timestamp = integer(value)?;
                    if previous.is_some_and(|previous| block.info.timestamp <= previous.timestamp) {
                        return Err(Fault::new("expected a timestamp after that of the block before"));
                    }
                }
                _data => block.data = byte_strings(value)?,
            }
            Ok(())
        })?;
        blocks.push(block);
        Ok(())
    })?;
    not_empty(blocks)
}

fn read_l2(value: &Json<'_>) -> Read<Vec<L2Block>> {
    let mut blocks: Vec<L2Block> = Vec::new();
    let names = ["number", "hash", "parentHash", "timestamp", "l1Origin", "sequenceNumber", "transactions"];
    elements(value, |_, value| {
        let previous = blocks.last().map(|block| block.info.block_info);
        let mut block = L2Block::default();
        members(value, &names, |member, value| {
            let info = &mut block.info;
            match member {
                "number" => info.block_info.number = next_number(value, previous.map(|block| block.number))?,
                "hash" => info.block_info.hash = hash(value)?,
                "parentHash" => {
                    info.block_info.parent_hash = hash(value)?;
                    if previous.is_some_and(|previous| info.block_info.parent_hash != previous.hash) {
                        return Err(Fault::new("expected the hash of the block before"));
                    }
                }
                "timestamp" => info.block_info.timestamp = integer(value)?,
                "l1Origin" => info.l1_origin = block_id(value)?,
                "sequenceNumber" => info.seq_num = integer(value)?,
                _transactions => block.transactions = byte_strings(value)?,
            }
            Ok(())
        })?;
        blocks.push(block);
        Ok(())
    })?;
    not_empty(blocks)
}

/// Reads an object's members in the order of the document, each exactly once and none but `names`.
fn members<'a>(value: &'a Json<'_>, names: &[&str], mut read: impl FnMut(&str, &'a Json<'_>) -> Read<()>) -> Read<()> {
    let Json::Object(object) = value else {
        return Err(Fault::new("expected an object"));
    };
    let mut seen = 0u32;
    for (name, value) in object {
        let position =
            names.iter().position(|known| known == name).ok_or_else(|| Fault::new("unknown field").in_member(name))?;
        if seen & (1 << position) != 0 {
            return Err(Fault::new("repeated field").in_member(name));
        }
        seen |= 1 << position;
        read(name, value).map_err(|fault| fault.in_member(name))?;
    }
    match names.iter().enumerate().find(|(position, _)| seen & (1 << position) == 0) {
        Some((_, missing)) => Err(Fault::new("missing").in_member(missing)),
        None => Ok(()),
    }
}

fn elements<'a>(value: &'a Json<'_>, mut read: impl FnMut(usize, &'a Json<'_>) -> Read<()>) -> Read<()> {
    let Json::Array(array) = value else {
        return Err(Fault::new("expected an array"));
    };
    for (index, element) in array.iter().enumerate() {
        read(index, element).map_err(|fault| fault.in_element(index))?;
    }
    Ok(())
}

fn not_empty<T>(blocks: Vec<T>) -> Read<Vec<T>> {
    if blocks.is_empty() { Err(Fault::new("expected at least one block")) } else { Ok(blocks) }
}

fn integer(value: &Json<'_>) -> Read<u64> {
    match value {
        Json::Integer(number) if *number < INTEGER_LIMIT => Ok(*number),
        _ => Err(Fault::new("expected an integer from 0 to 2^53 - 1")),
    }
}

fn next_number(value: &Json<'_>, previous: Option<u64>) -> Read<u64> {
    let number = integer(value)?;
    if previous.is_some_and(|previous| number != previous + 1) {
        return Err(Fault::new("expected the number after that of the block before"));
    }
    Ok(number)
}

fn string<'a>(value: &'a Json<'_>) -> Read<&'a str> {
    match value {
        Json::String(text) => Ok(text),
        _ => Err(Fault::new("expected a string")),
    }
}

/// The bytes that `0x` and lower-case hex digits stand for.
fn hex_bytes(value: &Json<'_>) -> Option<Vec<u8>> {
    let digits = string(value).ok()?.strip_prefix("0x")?;
    // The decoder takes capitals and a second prefix.
    if digits.starts_with("0x") || digits.bytes().any(|digit| digit.is_ascii_uppercase()) {
        return None;
    }
    hex::decode(digits).ok()
}

fn hash(value: &Json<'_>) -> Read<B256> {
    hex_bytes(value)
        .and_then(|bytes| B256::try_from(bytes.as_slice()).ok())
        .ok_or_else(|| Fault::new("expected 0x and 64 lower-case hex digits"))
}

fn byte_strings(value: &Json<'_>) -> Read<Vec<Bytes>> {
    let mut strings = Vec::new();
    elements(value, |_, value| {
        let bytes =
            hex_bytes(value).ok_or_else(|| Fault::new("expected 0x and an even number of lower-case hex digits"))?;
        strings.push(bytes.into());
        Ok(())
    })?;
    Ok(strings)
}

fn block_id(value: &Json<'_>) -> Read<BlockNumHash> {
    let mut id = BlockNumHash::default();
    members(value, &["number", "hash"], |member, value| {
        match member {
            "number" => id.number = integer(value)?,
            _hash => id.hash = hash(value)?,
        }
        Ok(())
    })?;
    Ok(id)
}
