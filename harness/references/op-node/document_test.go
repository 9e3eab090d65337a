package main

import (
	"encoding/json"
	"testing"
)

// texts are JSON and near misses.
var texts = []string{
	``, ` `, `null`, `nul`, `nulls`, `true`, `false`, `x`, `{}`, `{ }`, `[]`, `[ ]`, `[1,]`, `[,1]`, `[1 2]`, `[1`, `{"a":1,}`,
	`{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":[{"b":[[]]}]} `, "\t{\r\n}", `{}{}`, `"`, `"a`, `"a"`, `"\"`, `"\""`,
	`"\u00e9"`, `"\u00e"`, `"\ud800"`, `"\x41"`, "\"a\nb\"", "\"\xff\"", `0`, `-0`, `-`, `01`, `1.`, `.5`, `1.5`, `1e5`, `1e`, `1E+05`,
	`1e-`, `+1`, `0x10`, `12345678901234567890123`, "\ufeff{}",
}

func TestDocumentIsJSON(t *testing.T) {
	for _, text := range texts {
		checkDocument(t, text)
	}
}

func FuzzDocument(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(checkDocument)
}

// checkDocument compares with encoding/json, which accepts text that is not UTF-8 where this parser does not.
func checkDocument(t *testing.T, text string) {
	_, err := parseDocument([]byte(text))
	wanted := json.Valid([]byte(text))
	if text == "\"\xff\"" || err != nil && err.Error() == "not UTF-8" {
		wanted = false
	}
	if (err == nil) != wanted {
		t.Errorf("%q: valid is %t, got error %v", text, wanted, err)
	}
}
