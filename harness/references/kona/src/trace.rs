//! Traces of format 1: what a run hands back. The order of the fields is the order in the JSON.

use alloy_primitives::{B256, Bytes, FixedBytes};
use serde::Serialize;

/// The name and version by which this implementation is known in handshakes and traces.
pub const IMPLEMENTATION: Implementation = Implementation { name: "kona", version: env!("KONA_DERIVE_VERSION") };

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Implementation {
    pub name: &'static str,
    pub version: &'static str,
}

/// The record of one run. Every `origin` is the number of the L1 block that the pipeline stood on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    pub format: u64,
    pub implementation: Implementation,
    #[serde(flatten)]
    pub lists: Lists,
    pub outcome: Outcome,
    pub safe_head: SafeHead,
}

/// What crossed the boundaries between the stages, one list a boundary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Lists {
    pub frames: Vec<FrameEntry>,
    pub channels: Vec<ChannelEntry>,
    pub batches: Vec<BatchEntry>,
    pub flushes: Vec<FlushEntry>,
    pub singles: Vec<SingleEntry>,
}

impl Lists {
    /// The number of entries in all lists together.
    pub fn len(&self) -> usize {
        self.frames.len() + self.channels.len() + self.batches.len() + self.flushes.len() + self.singles.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A frame that the frame queue handed on; `size` is the length of its data in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrameEntry {
    pub origin: u64,
    pub channel: FixedBytes<16>,
    pub number: u16,
    pub size: usize,
    pub last: bool,
}

/// A complete channel: length and keccak256 of its compressed data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChannelEntry {
    pub origin: u64,
    pub size: usize,
    pub hash: B256,
}

/// A batch as the channel reader decoded it; `hash` is the format's hash over its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BatchEntry {
    pub origin: u64,
    pub kind: BatchKind,
    pub hash: B256,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BatchKind {
    Single,
    Span,
}

/// A decision to flush the channel stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FlushEntry {
    pub origin: u64,
    pub cause: FlushCause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FlushCause {
    /// The batch stage found an invalid single or span batch.
    Batch,
    /// The engine refused a payload, and the driver built the deposits-only block instead.
    Execution,
}

/// A batch that left the pipeline, as emitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SingleEntry {
    pub origin: u64,
    pub parent_hash: B256,
    pub epoch_num: u64,
    pub epoch_hash: B256,
    pub timestamp: u64,
    pub transactions: Vec<Bytes>,
}

/// How a run ended. `message` is for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    pub kind: OutcomeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Outcome {
    /// The end of a run that read all L1 blocks.
    pub const DRAINED: Self = Self { kind: OutcomeKind::Drained, message: None };

    pub fn new(kind: OutcomeKind, message: impl ToString) -> Self {
        Self { kind, message: Some(message.to_string()) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    Drained,
    Reset,
    Critical,
    Crash,
    Stalled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SafeHead {
    pub number: u64,
    pub hash: B256,
}
