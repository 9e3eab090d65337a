/** The part of a Rust test that strings kona's stages together, drives them, and records what passes between two. */

import { FLUSH_CAUSES } from '../entries.ts';
import type { TestCase } from '../test-case.ts';

/** So many steps are enough for any vector; a pipeline that takes more does not come to an end. */
const STEPS = '1_000_000';

/** What stands between two stages and writes down what passes. */
export interface Recorder {
  /** The stage that it stands behind. */
  readonly behind: 'frames' | 'channels' | 'batches';
  readonly source: string;
}

/** Whether a recorder stands between two stages. */
export function recordsBetweenStages(boundary: TestCase['boundary']): boolean {
  return boundary !== 'singles' && boundary !== 'outcome' && boundary !== 'safeHead';
}

/** The recorder that a boundary needs; none where the driver sees all. */
export function recorderOf({ boundary }: TestCase): Recorder | undefined {
  switch (boundary) {
    case 'frames':
      return {
        behind: 'frames',
        source: `${recorderType('the frame queue and the channel stage')}
#[async_trait]
impl<P: NextFrameProvider + OriginProvider + Send> NextFrameProvider for Recorder<P> {
    async fn next_frame(&mut self) -> PipelineResult<Frame> {
        let frame = self.stage.next_frame().await?;
        let Frame { id, number, data, is_last } = &frame;
        let (id, size) = (hex::encode_prefixed(id), data.len());
        let last = if *is_last { ", last" } else { "" };
        self.saw(&format!("frame {number} of channel {id}, {size} bytes{last}"));
        Ok(frame)
    }
}
${HANDED_THROUGH}`,
      };
    case 'channels':
      return {
        behind: 'channels',
        source: `${recorderType('the channel stage and the channel reader')}
#[async_trait]
impl<P: ChannelReaderProvider + OriginProvider + Send> ChannelReaderProvider for Recorder<P> {
    async fn next_data(&mut self) -> PipelineResult<Option<Bytes>> {
        let data = self.stage.next_data().await?;
        if let Some(channel) = &data {
            let (size, hash) = (channel.len(), keccak256(channel));
            self.saw(&format!("channel of {size} bytes, keccak256 {hash}"));
        }
        Ok(data)
    }
}
${HANDED_THROUGH}`,
      };
    case 'batches':
      return { behind: 'batches', source: batchRecorder(SAW_BATCH, '') };
    case 'flushes':
      return { behind: 'batches', source: batchRecorder('', SAW_FLUSH) };
    case 'singles':
    case 'outcome':
    case 'safeHead':
      return undefined;
    default:
      return boundary satisfies never;
  }
}

function recorderType(between: string): string {
  return `/// Stands between ${between} and writes down what passes.
#[derive(Debug)]
struct Recorder<P> {
    stage: P,
    chain: Chain,
}

impl<P: OriginProvider> Recorder<P> {
    fn saw(&self, what: &str) {
        let origin = self.stage.origin().expect("the reset has set it");
        self.chain.saw(format!("L1 block {}: {what}", origin.number));
    }
}
`;
}

function batchRecorder(sawBatch: string, sawFlush: string): string {
  return `${recorderType('the channel reader and the batch stages')}
#[async_trait]
impl<P: BatchStreamProvider + OriginProvider + Send> BatchStreamProvider for Recorder<P> {
    async fn next_batch(&mut self) -> PipelineResult<Batch> {
        let batch = self.stage.next_batch().await?;
${sawBatch}        Ok(batch)
    }

    fn flush(&mut self) {
${sawFlush}        self.stage.flush();
    }
}
${HANDED_THROUGH}${sawBatch === '' ? '' : SPAN_RLP}`;
}

const SAW_FLUSH = `        self.saw("flush for ${FLUSH_CAUSES.batch}");
`;

const SAW_BATCH = `        // A batch is named by the hash of its content in RLP. The test's output shows the content.
        let (kind, encoded) = match &batch {
            Batch::Single(single) => ("single", alloy_rlp::encode(single)),
            Batch::Span(span) => ("span", span_rlp(span)),
        };
        println!("{batch:?}");
        self.saw(&format!("{kind} batch, keccak256 {}", keccak256(encoded)));
`;

const SPAN_RLP = `
/// \`[parent check, L1 origin check, [[epoch, time, transactions], …]]\`
fn span_rlp(span: &SpanBatch) -> Vec<u8> {
    let list = |content: &[u8]| {
        let mut encoded = Vec::new();
        RlpHeader { list: true, payload_length: content.len() }.encode(&mut encoded);
        encoded.extend_from_slice(content);
        encoded
    };
    let mut blocks = Vec::new();
    for block in &span.batches {
        let mut content = Vec::new();
        block.epoch_num.encode(&mut content);
        block.timestamp.encode(&mut content);
        block.transactions.encode(&mut content);
        blocks.extend(list(&content));
    }
    let mut content = Vec::new();
    span.parent_check.encode(&mut content);
    span.l1_origin_check.encode(&mut content);
    content.extend(list(&blocks));
    list(&content)
}
`;

/** What every recorder hands through. */
const HANDED_THROUGH = `
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
`;

export function deriveFunction({ boundary, vector }: TestCase, recorder: Recorder | undefined): string {
  const stage = (name: Recorder['behind'], made: string) => {
    const recorded = `\n    let ${name} = Recorder { stage: ${name}, chain: chain.clone() };`;
    return `    let ${name} = ${made};${recorder?.behind === name ? recorded : ''}`;
  };
  const refuses = vector.invalidBlocks.length > 0;
  const end = (how: string) => (boundary === 'outcome' ? `chain.saw("the run ends: ${how}")` : '');
  const arms =
    boundary === 'outcome'
      ? `            Err(PipelineErrorKind::Critical(PipelineError::EndOfSource)) => {
                return ${end('drained')};
            }
            Err(PipelineErrorKind::Critical(_)) => return ${end('critical')},
            Err(PipelineErrorKind::Reset(_)) => return ${end('reset')},
`
      : `            // No further L1 block, or an error that ends the run.
            Err(_) => return,
`;
  return `/// Strings kona's stages together, each reading from the one before, and drives them as kona's
/// pipeline and driver do, up to the last L1 block.
async fn derive(chain: &Chain) {
    let config = Arc::new(config());
    let first = chain.lock().l1[0].0;
    let mut traversal = PollingTraversal::new(chain.clone(), config.clone());
    traversal.block = Some(first);
    let retrieval = L1Retrieval::new(traversal, chain.clone());
${stage('frames', 'FrameQueue::new(retrieval, config.clone())')}
${stage('channels', 'ChannelProvider::new(config.clone(), frames)')}
${stage('batches', 'ChannelReader::new(channels, config.clone())')}
    let stream = BatchStream::new(batches, config.clone(), chain.clone());
    let mut stages = BatchProvider::new(config.clone(), stream, chain.clone());

    let system_config = Some(SystemConfig::default());
    let l2_safe_head = chain.safe_head();
    let reset = ResetSignal { l2_safe_head, l1_origin: first, system_config };
    let mut signal = Some(reset.signal());
    for _ in 0..${STEPS} {
        let l2_safe_head = chain.safe_head();
        let step = match signal.take() {
            Some(signal) => stages.signal(signal).await,
            None => match stages.next_batch(l2_safe_head).await {
                Ok(${refuses ? 'mut ' : ''}batch) => {
${boundary === 'singles' || refuses ? ORIGIN : ''}${boundary === 'singles' ? SAW_SINGLE : ''}${refuses ? refusedPayload(boundary) : ''}                    chain.build(batch);
                    Ok(())
                }
                Err(PipelineErrorKind::Temporary(PipelineError::Eof)) => {
                    // Nothing is left of this L1 block.
                    stages.advance_origin().await
                }
                Err(error) => Err(error),
            },
        };
        match step {
            // A temporary error asks for another try.
            Ok(()) | Err(PipelineErrorKind::Temporary(_)) => {}
            Err(PipelineErrorKind::Reset(ResetError::HoloceneActivation)) => {
                let l1_origin = stages.origin().expect("the reset has set it");
                let system_config = Some(SystemConfig::default());
                let activation = ActivationSignal { l2_safe_head, l1_origin, system_config };
                signal = Some(activation.signal());
            }
${arms}        }
    }
    ${boundary === 'outcome' ? end('stalled') : 'panic!("derivation makes no progress")'}
}
`;
}

const ORIGIN = `                    let origin = stages.origin().expect("the reset has set it");
`;

const SAW_SINGLE = `                    let SingleBatch { parent_hash, epoch_num, epoch_hash, timestamp, .. } = batch;
                    chain.saw(format!("L1 block {}: batch for time {timestamp}", origin.number));
                    chain.saw(format!("on parent {parent_hash}"));
                    chain.saw(format!("in epoch {epoch_num} {epoch_hash}"));
                    for transaction in &batch.transactions {
                        chain.saw(format!("with transaction {}", keccak256(transaction)));
                    }
`;

function refusedPayload(boundary: TestCase['boundary']): string {
  const saw =
    boundary === 'flushes'
      ? `                        let number = origin.number;
                        chain.saw(format!("L1 block {number}: flush for ${FLUSH_CAUSES.execution}"));
`
      : '';
  return `                    if config.is_holocene_active(origin.timestamp) && chain.refuses(&batch) {
                        // A block without its transactions takes its place, and the rest of the
                        // channel is forgotten.
                        batch.transactions.clear();
${saw}                        signal = Some(Signal::FlushChannel);
                    }
`;
}
