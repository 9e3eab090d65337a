//! One derivation run: kona's stages strung together over a vector, and the driver loop around them.
//!
//! The stages, from the L1 chain to the engine, with the recorders' places:
//!
//! 1. [`PollingTraversal`] and 2. [`L1Retrieval`]
//! 3. [`FrameQueue`] — frames
//! 4. [`ChannelProvider`], the channel bank or the channel assembler — channels
//! 5. [`ChannelReader`] — batches, and flushes on their way back
//! 6. [`BatchStream`]
//! 7. [`BatchProvider`], the batch queue or the batch validator — singles
//! 8. [`AttributesQueue`]

use crate::kona::{
    ActivationSignal, AttributesQueue, BatchProvider, BatchStream, ChannelProvider, ChannelReader, DerivationPipeline,
    FrameQueue, L1Retrieval, Pipeline, PipelineBuilder, PipelineError, PipelineErrorKind, PollingTraversal, ResetError,
    ResetSignal, Signal, SignalReceiver, StepResult,
};
use crate::{
    chain::{DataSource, EpochKeeper, L1Chain, L2Chain},
    crash,
    engine::{Built, Engine},
    recorder::{Recorder, Recording},
    trace::{FlushCause, FlushEntry, IMPLEMENTATION, Lists, Outcome, OutcomeKind, SafeHead, SingleEntry, Trace},
    vector::{FORMAT, Vector},
};
use alloy_primitives::B256;
use kona_protocol::{BlockInfo, L2BlockInfo, SingleBatch};
use op_alloy_rpc_types_engine::OpPayloadAttributes;
use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// Consecutive retries without progress after which a recorded run is stalled.
const RETRY_LIMIT: usize = 10_000;

/// The same for a run without recorders, where frames, channels and batches that pass do not show as progress: more
/// than any vector of sensible size has between two emitted batches of one L1 block.
const UNRECORDED_RETRY_LIMIT: usize = 10_000_000;

/// Derives from `vector` with a recorder at every stage boundary.
pub fn derive_recorded(vector: &Vector) -> Trace {
    let recording = Recording::default();
    let l2 = L2Chain::new(vector.rollup.clone(), vector.l2.clone());
    let mut observer = Recorded { recording: recording.clone() };
    let outcome = crash::catch(|| {
        let mut pipeline = recorded_pipeline(vector, &l2, &recording);
        ready(drive(&mut pipeline, vector, &l2, &Engine::new(vector), &mut observer))
    })
    .unwrap_or_else(|message| Outcome::new(OutcomeKind::Crash, message));
    trace(recording.take_lists(), outcome, &l2)
}

/// Derives from `vector` with the pipeline that kona itself assembles; only the list `singles` is filled.
pub fn derive_assembled(vector: &Vector) -> Trace {
    let epochs = EpochKeeper::new(vector.rollup.clone());
    let l2 = L2Chain::new(vector.rollup.clone(), vector.l2.clone());
    let mut observer = Assembled { epochs: epochs.clone(), singles: Some(Vec::new()) };
    let outcome = crash::catch(|| {
        let mut pipeline = assembled_pipeline(vector, &l2, epochs);
        ready(drive(&mut pipeline, vector, &l2, &Engine::new(vector), &mut observer))
    })
    .unwrap_or_else(|message| Outcome::new(OutcomeKind::Crash, message));
    let singles = observer.singles.unwrap_or_default();
    trace(Lists { singles, ..Lists::default() }, outcome, &l2)
}

/// A run to be timed: kona's assembled pipeline, nothing recorded, block hashes known beforehand.
#[derive(Debug)]
pub struct TimedRun<'a> {
    vector: &'a Vector,
    l2: L2Chain,
    engine: Engine,
}

impl<'a> TimedRun<'a> {
    /// Prepares a run; `known_hashes` are those of the blocks that it will derive, see [`derived_hashes`].
    pub fn new(vector: &'a Vector, known_hashes: Arc<[B256]>) -> Self {
        let l2 = L2Chain::new(vector.rollup.clone(), vector.l2.clone());
        Self { vector, l2, engine: Engine::with_known_hashes(vector, known_hashes) }
    }

    /// Assembles the pipeline and derives; a crash ends the run like any other outcome.
    pub fn run(self) -> L2Chain {
        let epochs = EpochKeeper::new(self.vector.rollup.clone());
        let mut observer = Assembled { epochs: epochs.clone(), singles: None };
        // How a run ends does not matter to its timing.
        let _ = crash::catch(|| {
            let mut pipeline = assembled_pipeline(self.vector, &self.l2, epochs);
            ready(drive(&mut pipeline, self.vector, &self.l2, &self.engine, &mut observer))
        });
        self.l2
    }
}

/// The hashes of the blocks that `vector` derives, in order.
pub fn derived_hashes(vector: &Vector) -> Arc<[B256]> {
    TimedRun::new(vector, Arc::default()).run().derived_hashes().into()
}

fn trace(lists: Lists, outcome: Outcome, l2: &L2Chain) -> Trace {
    let tip = l2.tip().block_info;
    Trace {
        format: FORMAT,
        implementation: IMPLEMENTATION,
        lists,
        outcome,
        safe_head: SafeHead { number: tip.number, hash: tip.hash },
    }
}

/// Strings the stages together as kona's `PipelineBuilder` does, with the recorders in between.
fn recorded_pipeline(vector: &Vector, l2: &L2Chain, recording: &Recording) -> impl Pipeline + SignalReceiver + use<> {
    let rollup = &vector.rollup;
    let l1 = L1Chain::new(vector.l1.clone());
    let mut traversal = PollingTraversal::new(l1.clone(), rollup.clone());
    traversal.block = Some(vector.l1[0].info);
    let retrieval = L1Retrieval::new(traversal, DataSource::new(l1));
    let frames = Recorder::new(FrameQueue::new(retrieval, rollup.clone()), recording);
    let channels = Recorder::new(ChannelProvider::new(rollup.clone(), frames), recording);
    let batches = Recorder::new(ChannelReader::new(channels, rollup.clone()), recording);
    let stream = BatchStream::new(batches, rollup.clone(), l2.clone());
    let singles = Recorder::new(BatchProvider::new(rollup.clone(), stream, l2.clone()), recording);
    let attributes = AttributesQueue::new(rollup.clone(), singles, EpochKeeper::new(rollup.clone()));
    DerivationPipeline::new(attributes, rollup.clone(), l2.clone())
}

fn assembled_pipeline(vector: &Vector, l2: &L2Chain, epochs: EpochKeeper) -> impl Pipeline + SignalReceiver + use<> {
    let l1 = L1Chain::new(vector.l1.clone());
    let builder = PipelineBuilder::new()
        .rollup_config(vector.rollup.clone())
        .origin(vector.l1[0].info)
        .dap_source(DataSource::new(l1.clone()))
        .chain_provider(l1)
        .l2_chain_provider(l2.clone())
        .builder(epochs);
    #[cfg(not(feature = "prelude"))]
    return builder.build_polled();
    #[cfg(feature = "prelude")]
    return builder.build();
}

/// What the driver needs to know of a pipeline beyond kona's own interface, and tells about its own decisions.
trait Observer {
    /// Consecutive retries without progress that are still no stall.
    const RETRY_LIMIT: usize;

    /// The number of list entries so far.
    fn entries(&self) -> usize;

    /// The batch that was turned into `attributes` for the block after `parent`.
    fn emitted(&mut self, parent: &L2BlockInfo, attributes: OpPayloadAttributes) -> SingleBatch;

    /// Takes down an emitted batch.
    fn single(&mut self, origin: u64, batch: &SingleBatch);

    /// Takes down the flush behind a refused payload.
    fn execution_flush(&mut self, origin: u64);
}

struct Recorded {
    recording: Recording,
}

impl Observer for Recorded {
    const RETRY_LIMIT: usize = RETRY_LIMIT;

    fn entries(&self) -> usize {
        self.recording.len()
    }

    fn emitted(&mut self, _: &L2BlockInfo, _: OpPayloadAttributes) -> SingleBatch {
        self.recording.take_handed_on().expect("attributes are made of a batch that was handed on")
    }

    fn single(&mut self, origin: u64, batch: &SingleBatch) {
        self.recording.write(|lists| lists.singles.push(single_entry(origin, batch)));
    }

    fn execution_flush(&mut self, origin: u64) {
        self.recording.write(|lists| lists.flushes.push(FlushEntry { origin, cause: FlushCause::Execution }));
    }
}

struct Assembled {
    epochs: EpochKeeper,
    /// [`None`] when nothing is to be recorded.
    singles: Option<Vec<SingleEntry>>,
}

impl Observer for Assembled {
    const RETRY_LIMIT: usize = UNRECORDED_RETRY_LIMIT;

    fn entries(&self) -> usize {
        self.singles.as_ref().map_or(0, Vec::len)
    }

    /// Reads the batch back from its attributes. The attributes queue has checked parent hash and timestamp, and put
    /// the batch's transactions behind those of the attributes builder, of which there are none.
    fn emitted(&mut self, parent: &L2BlockInfo, attributes: OpPayloadAttributes) -> SingleBatch {
        let epoch = self.epochs.epoch();
        SingleBatch {
            parent_hash: parent.block_info.hash,
            epoch_num: epoch.number,
            epoch_hash: epoch.hash,
            timestamp: attributes.payload_attributes.timestamp,
            transactions: attributes.transactions.unwrap_or_default(),
        }
    }

    fn single(&mut self, origin: u64, batch: &SingleBatch) {
        if let Some(singles) = &mut self.singles {
            singles.push(single_entry(origin, batch));
        }
    }

    fn execution_flush(&mut self, _: u64) {}
}

fn single_entry(origin: u64, batch: &SingleBatch) -> SingleEntry {
    SingleEntry {
        origin,
        parent_hash: batch.parent_hash,
        epoch_num: batch.epoch_num,
        epoch_hash: batch.epoch_hash,
        timestamp: batch.timestamp,
        transactions: batch.transactions.clone(),
    }
}

/// Resets the pipeline to the first L1 block and drives it to its end.
///
/// What a step returns is treated as in kona's own driver, save that a reset request ends the run.
async fn drive<P: Pipeline + SignalReceiver, O: Observer>(
    pipeline: &mut P,
    vector: &Vector,
    l2: &L2Chain,
    engine: &Engine,
    observer: &mut O,
) -> Outcome {
    // The pipeline looks the system configuration up by itself.
    let reset = ResetSignal { l2_safe_head: l2.tip(), l1_origin: vector.l1[0].info, system_config: None };
    if let Err(error) = pipeline.signal(reset.signal()).await {
        return outcome_of(error);
    }

    let mut progress = (vector.l1[0].info, observer.entries());
    let mut retries = 0;
    loop {
        let parent = l2.tip();
        match pipeline.step(parent).await {
            StepResult::PreparedAttributes | StepResult::AdvancedOrigin => {}
            StepResult::OriginAdvanceErr(error) | StepResult::StepFailed(error) => match error {
                PipelineErrorKind::Temporary(_) => {}
                PipelineErrorKind::Reset(ResetError::HoloceneActivation) => {
                    let activation =
                        ActivationSignal { l2_safe_head: parent, l1_origin: origin(pipeline), system_config: None };
                    if let Err(error) = pipeline.signal(activation.signal()).await {
                        return outcome_of(error);
                    }
                }
                error => return outcome_of(error),
            },
        }

        let origin = origin(pipeline);
        if let Some(attributes) = pipeline.next() {
            #[cfg(not(feature = "prelude"))]
            let payload = attributes.inner;
            #[cfg(feature = "prelude")]
            let payload = attributes.attributes;
            let batch = observer.emitted(&attributes.parent, payload);
            observer.single(origin.number, &batch);
            let Built { block, deposits_only } = engine.build(batch, &parent, &origin);
            l2.push(block);
            if deposits_only {
                observer.execution_flush(origin.number);
                if let Err(error) = pipeline.signal(Signal::FlushChannel).await {
                    return outcome_of(error);
                }
            }
        }

        let reached = (origin, observer.entries());
        if reached != progress {
            progress = reached;
            retries = 0;
        } else if retries == O::RETRY_LIMIT {
            return Outcome::new(OutcomeKind::Stalled, format!("more than {retries} retries without progress"));
        } else {
            retries += 1;
        }
    }
}

/// The block that the pipeline stands on.
fn origin(pipeline: &impl Pipeline) -> BlockInfo {
    pipeline.origin().expect("the traversal stage starts with an origin and never loses it")
}

/// The outcome of a run that ends with `error`.
fn outcome_of(error: PipelineErrorKind) -> Outcome {
    match error {
        PipelineErrorKind::Critical(PipelineError::EndOfSource) => Outcome::DRAINED,
        PipelineErrorKind::Reset(error) => Outcome::new(OutcomeKind::Reset, error),
        // Only a signal can end a run with a temporary error; kona's driver gives up on it too.
        error => Outcome::new(OutcomeKind::Critical, error),
    }
}

/// The result of a future that has nothing to wait for: all that a run reads is in memory.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("a provider waited"),
    }
}
