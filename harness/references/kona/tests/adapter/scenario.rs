//! A small scenario: four L1 blocks twelve seconds apart, one safe L2 block, two seconds a block.

use alloy_primitives::{B256, Bytes, hex};
use alloy_rlp::Encodable;
use holodiff_kona::vector::Vector;
use kona_protocol::{Batch, SingleBatch};
use serde_json::{Value, json};

/// The hash of L1 block `number`.
pub fn l1_hash(number: u8) -> B256 {
    B256::repeat_byte(number)
}

/// The hash of the safe head, block 5 with time 1010.
pub fn safe_head_hash() -> B256 {
    B256::repeat_byte(0xa5)
}

/// A document with L1 blocks 10 to 13 and every fork up to Granite active from the start.
pub fn document(holocene: Option<u64>) -> Value {
    let l1: Vec<Value> = (10u8..14)
        .map(|number| {
            json!({
                "number": number, "hash": l1_hash(number), "parentHash": l1_hash(number - 1),
                "timestamp": 1000 + 12 * (u64::from(number) - 10), "data": [],
            })
        })
        .collect();
    json!({
        "format": 1,
        "name": "test/small",
        "config": {
            "genesis": {
                "l1": { "number": 10, "hash": l1_hash(10) },
                "l2": { "number": 0, "hash": B256::ZERO },
                "l2Time": 1000,
            },
            "l2ChainId": 901, "blockTime": 2, "maxSequencerDrift": 600, "seqWindowSize": 3600, "channelTimeout": 300,
            "forks": {
                "regolith": 0, "canyon": 0, "delta": 0, "ecotone": 0, "fjord": 0, "granite": 0,
                "holocene": holocene, "isthmus": null, "jovian": null, "karst": null,
            },
        },
        "l1": l1,
        "l2": [{
            "number": 5, "hash": safe_head_hash(), "parentHash": B256::ZERO, "timestamp": 1010,
            "l1Origin": { "number": 10, "hash": l1_hash(10) }, "sequenceNumber": 5, "transactions": [],
        }],
        "invalidBlocks": [],
    })
}

/// Reads a document that is a vector.
pub fn vector(document: &Value) -> Vector {
    Vector::parse(document.to_string().as_bytes()).expect("the document is a vector")
}

/// The batch after the safe head, with one transaction.
pub fn next_batch() -> SingleBatch {
    SingleBatch {
        parent_hash: safe_head_hash(),
        epoch_num: 11,
        epoch_hash: l1_hash(11),
        timestamp: 1012,
        transactions: vec![Bytes::from_static(&[0x02, 0xc0])],
    }
}

/// One item of L1 data: a zlib channel with `batches`, in one frame.
pub fn item(channel: u8, batches: &[SingleBatch]) -> String {
    let mut content = Vec::new();
    for batch in batches {
        let mut encoded = Vec::new();
        Batch::Single(batch.clone()).encode(&mut encoded).expect("single batches always encode");
        encoded.as_slice().encode(&mut content);
    }
    item_of(channel, &content)
}

/// One item of L1 data: a zlib channel with any content, in one frame.
pub fn item_of(channel: u8, content: &[u8]) -> String {
    let data = miniz_oxide::deflate::compress_to_vec_zlib(content, 6);
    let mut item = vec![0];
    item.extend([channel; 16]);
    item.extend(0u16.to_be_bytes());
    item.extend(u32::try_from(data.len()).expect("test channels are small").to_be_bytes());
    item.extend(data);
    item.push(1);
    hex::encode_prefixed(item)
}
