//! kona's public interface under the names of the newest version that the adapter knows.

#[cfg(feature = "prelude")]
pub use kona_derive::prelude::{
    ActivationSignal, AttributesBuilder, AttributesProvider, AttributesQueue, BatchProvider, BatchStream,
    BatchStreamProvider, ChainProvider, ChannelProvider, ChannelReader, ChannelReaderProvider,
    DataAvailabilityProvider, DerivationPipeline, FrameQueue, L1Retrieval, L1Traversal as PollingTraversal,
    L2ChainProvider, NextFrameProvider, OriginAdvancer, OriginProvider, Pipeline, PipelineBuilder, PipelineError,
    PipelineErrorKind, PipelineResult, ResetError, ResetSignal, Signal, SignalReceiver, StepResult,
};
#[cfg(not(feature = "prelude"))]
pub use kona_derive::{
    ActivationSignal, AttributesBuilder, AttributesProvider, AttributesQueue, BatchProvider, BatchStream,
    BatchStreamProvider, ChainProvider, ChannelProvider, ChannelReader, ChannelReaderProvider,
    DataAvailabilityProvider, DerivationPipeline, FrameQueue, L1Retrieval, L2ChainProvider, NextFrameProvider,
    OriginAdvancer, OriginProvider, Pipeline, PipelineBuilder, PipelineError, PipelineErrorKind, PipelineResult,
    PollingTraversal, ResetError, ResetSignal, Signal, SignalReceiver, StepResult,
};
