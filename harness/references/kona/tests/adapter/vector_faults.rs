//! Every fault of a document is named by its path.

use crate::scenario::document;
use holodiff_kona::vector::Vector;
use serde_json::{Value, json};

fn fault_path(document: &str) -> String {
    Vector::parse(document.as_bytes()).expect_err("the document is no vector").path
}

#[test]
fn a_value_outside_the_schema_is_named() {
    let number = json!(1);
    let cases: [(&str, Value, &str); 22] = [
        ("/format", json!(2), "format"),
        ("/format", json!("1"), "format"),
        ("/name", number.clone(), "name"),
        ("/config/genesis/l1/hash", json!("0x00"), "config.genesis.l1.hash"),
        ("/config/genesis/l2Time", json!(-1), "config.genesis.l2Time"),
        ("/config/l2ChainId", json!(1u64 << 53), "config.l2ChainId"),
        ("/config/blockTime", json!(2.5), "config.blockTime"),
        ("/config/forks/holocene", json!(true), "config.forks.holocene"),
        ("/config/forks", json!([]), "config.forks"),
        ("/l1", json!([]), "l1"),
        ("/l1", json!({}), "l1"),
        ("/l1/2/number", json!(13), "l1[2].number"),
        ("/l1/2/timestamp", json!(1012), "l1[2].timestamp"),
        ("/l1/3/data", json!(["0x", "0x0"]), "l1[3].data[1]"),
        ("/l1/3/data", json!(["0xAB"]), "l1[3].data[0]"),
        ("/l1/3/data", json!(["0x0x"]), "l1[3].data[0]"),
        ("/l1/3/data", json!(["00"]), "l1[3].data[0]"),
        ("/l1/3", number, "l1[3]"),
        ("/l2", json!([]), "l2"),
        ("/l2/0/l1Origin/number", Value::Null, "l2[0].l1Origin.number"),
        ("/l2/0/transactions", json!([null]), "l2[0].transactions[0]"),
        ("/invalidBlocks", json!([1, "2"]), "invalidBlocks[1]"),
    ];
    for (pointer, value, path) in cases {
        let mut document = document(None);
        *document.pointer_mut(pointer).expect("the pointer leads somewhere") = value;
        assert_eq!(fault_path(&document.to_string()), path);
    }
}

#[test]
fn l2_blocks_are_linked_and_consecutive() {
    let mut document = document(None);
    let mut second = document["l2"][0].clone();
    second["number"] = json!(6);
    document["l2"].as_array_mut().expect("l2 is an array").push(second);
    assert_eq!(fault_path(&document.to_string()), "l2[1].parentHash");
    document["l2"][1]["parentHash"] = document["l2"][0]["hash"].clone();
    assert!(Vector::parse(document.to_string().as_bytes()).is_ok());
    document["l2"][1]["number"] = json!(5);
    assert_eq!(fault_path(&document.to_string()), "l2[1].number");
}

#[test]
fn l1_parent_hashes_are_free() {
    let mut document = document(None);
    document["l1"][1]["parentHash"] = document["l1"][1]["hash"].clone();
    assert!(Vector::parse(document.to_string().as_bytes()).is_ok());
}

#[test]
fn a_missing_field_is_named_by_its_own_path() {
    for (object, field, path) in [
        ("", "format", "format"),
        ("", "invalidBlocks", "invalidBlocks"),
        ("/config/forks", "karst", "config.forks.karst"),
        ("/l1/1", "data", "l1[1].data"),
    ] {
        let mut document = document(None);
        let object = document.pointer_mut(object).and_then(Value::as_object_mut).expect("an object stands there");
        object.remove(field);
        assert_eq!(fault_path(&document.to_string()), path);
    }
}

#[test]
fn an_unknown_field_is_named_by_its_own_path() {
    let mut document = document(None);
    document["config"]["extra"] = json!(1);
    assert_eq!(fault_path(&document.to_string()), "config.extra");
}

#[test]
fn a_repeated_field_is_refused_at_its_second_place() {
    let text = document(None).to_string();
    let repeated = text.replacen("\"blockTime\":2", "\"blockTime\":2,\"blockTime\":2", 1);
    assert_eq!(fault_path(&repeated), "config.blockTime");
}

#[test]
fn the_first_fault_of_the_document_counts() {
    for (document, path) in [
        (r#"{"name":1,"format":2}"#, "name"),
        (r#"{"format":2,"name":1}"#, "format"),
        (r#"{"extra":0,"name":1}"#, "extra"),
        (r#"{"format":1,"invalidBlocks":[-1]}"#, "invalidBlocks[0]"),
        (r#"{"format":1,"l2":[]}"#, "l2"),
        (r#"{"format":1}"#, "name"),
    ] {
        assert_eq!(fault_path(document), path);
    }
}

#[test]
fn what_is_not_a_json_object_is_named_as_a_whole() {
    for document in ["{", "[]", "1", "{} {}", "\u{feff}{}"] {
        assert_eq!(fault_path(document), "");
    }
}
