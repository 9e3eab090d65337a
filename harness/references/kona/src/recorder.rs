//! The recorder that stands between two of kona's stages, takes down what passes and changes nothing.

use crate::kona::{
    AttributesProvider, BatchStreamProvider, ChannelReaderProvider, NextFrameProvider, OriginAdvancer, OriginProvider,
    PipelineResult, Signal, SignalReceiver,
};
use crate::{
    chain::lock,
    trace::{BatchEntry, BatchKind, ChannelEntry, FlushCause, FlushEntry, FrameEntry, Lists},
};
use alloy_primitives::{B256, Bytes, keccak256};
use alloy_rlp::{Encodable, Header, RlpEncodable};
use async_trait::async_trait;
use kona_protocol::{Batch, BlockInfo, Frame, L2BlockInfo, SingleBatch, SpanBatch};
use std::sync::{Arc, Mutex};

/// What the recorders of one pipeline have seen. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    shared: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    lists: Lists,
    /// The batch that the attributes queue holds; it is emitted once the attributes leave the pipeline.
    handed_on: Option<SingleBatch>,
}

impl Recording {
    /// Applies `write` to the lists.
    pub fn write(&self, write: impl FnOnce(&mut Lists)) {
        write(&mut lock(&self.shared).lists);
    }

    /// The number of entries so far.
    pub fn len(&self) -> usize {
        lock(&self.shared).lists.len()
    }

    /// Whether nothing was recorded so far.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the lists out.
    pub fn take_lists(&self) -> Lists {
        std::mem::take(&mut lock(&self.shared).lists)
    }

    /// Takes the batch that was handed to the attributes queue last.
    pub fn take_handed_on(&self) -> Option<SingleBatch> {
        lock(&self.shared).handed_on.take()
    }
}

/// A recorder in front of the stage `P`. Which boundary it records follows from what `P` provides.
#[derive(Debug)]
pub struct Recorder<P> {
    stage: P,
    recording: Recording,
}

impl<P: OriginProvider> Recorder<P> {
    pub fn new(stage: P, recording: &Recording) -> Self {
        Self { stage, recording: recording.clone() }
    }

    fn origin_number(&self) -> u64 {
        self.stage.origin().expect("the traversal stage starts with an origin and never loses it").number
    }
}

impl<P: OriginProvider> OriginProvider for Recorder<P> {
    fn origin(&self) -> Option<BlockInfo> {
        self.stage.origin()
    }
}

#[async_trait]
impl<P: OriginAdvancer + Send> OriginAdvancer for Recorder<P> {
    async fn advance_origin(&mut self) -> PipelineResult<()> {
        self.stage.advance_origin().await
    }
}

#[async_trait]
impl<P: SignalReceiver + Send> SignalReceiver for Recorder<P> {
    async fn signal(&mut self, signal: Signal) -> PipelineResult<()> {
        self.stage.signal(signal).await
    }
}

/// Frame queue → channel stage.
#[async_trait]
impl<P: NextFrameProvider + OriginProvider + Send> NextFrameProvider for Recorder<P> {
    async fn next_frame(&mut self) -> PipelineResult<Frame> {
        let frame = self.stage.next_frame().await?;
        let entry = FrameEntry {
            origin: self.origin_number(),
            channel: frame.id.into(),
            number: frame.number,
            size: frame.data.len(),
            last: frame.is_last,
        };
        self.recording.write(|lists| lists.frames.push(entry));
        Ok(frame)
    }
}

/// Channel stage → channel reader.
#[async_trait]
impl<P: ChannelReaderProvider + OriginProvider + Send> ChannelReaderProvider for Recorder<P> {
    async fn next_data(&mut self) -> PipelineResult<Option<Bytes>> {
        let data = self.stage.next_data().await?;
        if let Some(channel) = &data {
            let entry = ChannelEntry { origin: self.origin_number(), size: channel.len(), hash: keccak256(channel) };
            self.recording.write(|lists| lists.channels.push(entry));
        }
        Ok(data)
    }
}

/// Channel reader → batch stream. Every flush that the batch stages decide on comes back here: the batch stream hands
/// on the batch validator's and its own, and keeps to itself the batch queue's, which before Holocene mean nothing.
#[async_trait]
impl<P: BatchStreamProvider + OriginProvider + Send> BatchStreamProvider for Recorder<P> {
    async fn next_batch(&mut self) -> PipelineResult<Batch> {
        let batch = self.stage.next_batch().await?;
        let (kind, hash) = match &batch {
            Batch::Single(single) => (BatchKind::Single, keccak256(alloy_rlp::encode(single))),
            Batch::Span(span) => (BatchKind::Span, span_hash(span)),
        };
        let entry = BatchEntry { origin: self.origin_number(), kind, hash };
        self.recording.write(|lists| lists.batches.push(entry));
        Ok(batch)
    }

    fn flush(&mut self) {
        let entry = FlushEntry { origin: self.origin_number(), cause: FlushCause::Batch };
        self.recording.write(|lists| lists.flushes.push(entry));
        self.stage.flush();
    }
}

/// Batch provider → attributes queue.
#[async_trait]
impl<P: AttributesProvider + OriginProvider + Send> AttributesProvider for Recorder<P> {
    async fn next_batch(&mut self, parent: L2BlockInfo) -> PipelineResult<SingleBatch> {
        let batch = self.stage.next_batch(parent).await?;
        lock(&self.recording.shared).handed_on = Some(batch.clone());
        Ok(batch)
    }

    fn is_last_in_span(&self) -> bool {
        self.stage.is_last_in_span()
    }
}

/// One block of a span batch, as the format hashes it.
#[derive(RlpEncodable)]
struct SpanBlock<'a> {
    epoch_num: u64,
    timestamp: u64,
    transactions: &'a Vec<Bytes>,
}

/// keccak256 of `rlp([parentCheck, l1OriginCheck, [[epochNum, timestamp, transactions], …]])`.
fn span_hash(span: &SpanBatch) -> B256 {
    let blocks: Vec<SpanBlock<'_>> = span
        .batches
        .iter()
        .map(|block| SpanBlock {
            epoch_num: block.epoch_num,
            timestamp: block.timestamp,
            transactions: &block.transactions,
        })
        .collect();
    let payload_length = span.parent_check.length() + span.l1_origin_check.length() + blocks.length();
    let mut encoded = Vec::with_capacity(payload_length + 9);
    Header { list: true, payload_length }.encode(&mut encoded);
    span.parent_check.encode(&mut encoded);
    span.l1_origin_check.encode(&mut encoded);
    blocks.encode(&mut encoded);
    keccak256(encoded)
}
