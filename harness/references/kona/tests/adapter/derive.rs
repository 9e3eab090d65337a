//! Runs over small vectors: what is recorded, and how runs end.

use crate::scenario::{document, item, item_of, l1_hash, next_batch, safe_head_hash, vector};
use alloy_primitives::{B256, keccak256};
use holodiff_kona::{
    derive::{TimedRun, derive_assembled, derive_recorded, derived_hashes},
    trace::{BatchKind, FlushCause, OutcomeKind, Trace},
};
use kona_protocol::SingleBatch;
use serde_json::{Value, json};

/// Derives in both ways and checks that they agree on what both tell.
fn derive(document: &Value) -> Trace {
    let vector = vector(document);
    let recorded = derive_recorded(&vector);
    let assembled = derive_assembled(&vector);
    assert_eq!(recorded.lists.singles, assembled.lists.singles);
    assert_eq!(recorded.outcome, assembled.outcome);
    assert_eq!(recorded.safe_head, assembled.safe_head);
    assert_eq!(assembled.lists.len(), assembled.lists.singles.len());
    recorded
}

#[test]
fn every_boundary_is_recorded_before_and_after_holocene() {
    for holocene in [None, Some(0)] {
        let mut document = document(holocene);
        document["l1"][2]["data"] = json!([item(1, &[next_batch()])]);
        let trace = derive(&document);

        let lists = &trace.lists;
        assert_eq!((lists.frames.len(), lists.frames[0].origin, lists.frames[0].last), (1, 12, true));
        assert_eq!(lists.frames[0].channel, [1; 16]);
        assert_eq!((lists.channels.len(), lists.channels[0].origin), (1, 12));
        assert_eq!(lists.channels[0].size, lists.frames[0].size);
        assert_eq!((lists.batches.len(), lists.batches[0].kind), (1, BatchKind::Single));
        assert_eq!(lists.batches[0].hash, keccak256(alloy_rlp::encode(next_batch())));
        assert!(lists.flushes.is_empty());
        assert_eq!((lists.singles.len(), lists.singles[0].timestamp), (1, 1012));

        let mut preimage = safe_head_hash().to_vec();
        preimage.extend(6u64.to_be_bytes());
        preimage.extend(1012u64.to_be_bytes());
        preimage.extend(11u64.to_be_bytes());
        preimage.extend(l1_hash(11));
        preimage.extend(keccak256([0x02, 0xc0]));
        assert_eq!((trace.safe_head.number, trace.safe_head.hash), (6, keccak256(preimage)));
        assert_eq!(trace.outcome.kind, OutcomeKind::Drained);
    }
}

#[test]
fn an_invalid_batch_flushes_from_holocene_on_only() {
    let invalid = SingleBatch { epoch_hash: B256::ZERO, ..next_batch() };
    for (holocene, flushes) in [(None, 0), (Some(0), 1)] {
        let mut document = document(holocene);
        document["l1"][2]["data"] = json!([item(1, std::slice::from_ref(&invalid))]);
        let trace = derive(&document);
        assert_eq!(trace.lists.flushes.len(), flushes);
        assert!(trace.lists.flushes.iter().all(|flush| flush.cause == FlushCause::Batch && flush.origin == 12));
        assert!(trace.lists.singles.is_empty());
    }
}

#[test]
fn a_refused_payload_is_replaced_and_flushes_the_channel() {
    let after = SingleBatch { timestamp: 1014, ..next_batch() };
    let mut document = document(Some(0));
    document["l1"][2]["data"] = json!([item(1, &[next_batch(), after])]);
    document["invalidBlocks"] = json!([6]);
    let trace = derive(&document);
    assert_eq!(trace.lists.singles.len(), 1);
    assert_eq!(trace.lists.singles[0].transactions.len(), 1, "the batch is listed as it was emitted");
    assert_eq!(trace.lists.batches.len(), 1, "the rest of the channel is gone");
    assert_eq!((trace.lists.flushes.len(), trace.lists.flushes[0].cause), (1, FlushCause::Execution));
    assert_eq!(trace.safe_head.number, 6);
}

#[test]
fn a_refused_payload_before_holocene_has_no_effect() {
    let mut document = document(None);
    document["l1"][2]["data"] = json!([item(1, &[next_batch()])]);
    let accepted = derive(&document);
    document["invalidBlocks"] = json!([6]);
    assert_eq!(derive(&document), accepted);
}

#[test]
fn holocene_activates_between_two_blocks() {
    let mut document = document(Some(1024));
    document["l1"][1]["data"] = json!([item(1, &[next_batch()])]);
    document["l1"][2]["data"] = json!([item(2, &[SingleBatch { epoch_hash: B256::ZERO, ..next_batch() }])]);
    let trace = derive(&document);
    assert_eq!(trace.lists.singles.len(), 1);
    assert_eq!(trace.lists.singles[0].origin, 11);
    assert_eq!(trace.lists.batches.len(), 2);
    assert_eq!(trace.outcome.kind, OutcomeKind::Drained);
}

#[test]
fn a_parent_hash_mismatch_on_l1_asks_for_a_reset() {
    let mut document = document(None);
    document["l1"][2]["parentHash"] = json!(B256::ZERO);
    let trace = derive(&document);
    assert_eq!(trace.outcome.kind, OutcomeKind::Reset);
    assert!(trace.outcome.message.is_some());
}

#[test]
fn a_panic_of_kona_is_a_crash_with_what_was_recorded_up_to_it() {
    // kona 0.4.5 panics on a batch of an unknown version, here 0x82.
    let mut document = document(None);
    document["l1"][2]["data"] = json!([item(1, &[next_batch()]), item_of(2, &[0x81, 0x82])]);
    let trace = derive(&document);
    assert_eq!(trace.outcome.kind, OutcomeKind::Crash);
    assert_eq!((trace.lists.frames.len(), trace.lists.channels.len(), trace.lists.batches.len()), (2, 2, 1));
    assert_eq!((trace.lists.singles.len(), trace.safe_head.number), (1, 6));
}

#[test]
fn known_hashes_lead_to_the_same_chain() {
    let mut document = document(Some(0));
    document["l1"][2]["data"] = json!([item(1, &[next_batch()])]);
    let vector = vector(&document);
    let hashes = derived_hashes(&vector);
    assert_eq!(hashes.len(), 1);
    assert_eq!(TimedRun::new(&vector, hashes.clone()).run().derived_hashes(), hashes.to_vec());
}

#[test]
fn a_trace_is_written_in_the_order_of_the_format() {
    let line = serde_json::to_string(&derive(&document(None))).expect("traces serialise");
    let safe_head = safe_head_hash();
    assert_eq!(
        line,
        format!(
            "{{\"format\":1,\"implementation\":{{\"name\":\"kona\",\"version\":\"0.4.5\"}},\"frames\":[],\"channels\":[],\
             \"batches\":[],\"flushes\":[],\"singles\":[],\"outcome\":{{\"kind\":\"drained\"}},\
             \"safeHead\":{{\"number\":5,\"hash\":\"{safe_head}\"}}}}"
        )
    );
}
