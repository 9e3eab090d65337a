package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

type kind int

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

// maxDepth bounds the nesting of a document, as encoding/json does.
const maxDepth = 10_000

// value is one JSON value. Unlike the values of encoding/json it keeps the members of an object in the order of the
// document, with repetitions, so that the first offending one can be named.
type value struct {
	kind    kind
	raw     []byte   // number: its digits; text: what stands between the quotes, escapes included
	items   []value  // array
	members []member // object
}

type member struct {
	name  string
	value value
}

// str gives the content of a text value.
func (v *value) str() (string, error) { return unquote(v.raw) }

func unquote(raw []byte) (string, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), nil
	}
	var s string
	err := json.Unmarshal(append(append([]byte{'"'}, raw...), '"'), &s)
	return s, err
}

// parseDocument reads one JSON text (RFC 8259). The result refers to the given bytes.
func parseDocument(input []byte) (value, error) {
	if !utf8.Valid(input) {
		return value{}, errors.New("not UTF-8")
	}
	p := parser{input: input}
	v, err := p.value(0)
	if err != nil {
		return value{}, err
	}
	p.space()
	if p.at < len(p.input) {
		return value{}, p.unexpected()
	}
	return v, nil
}

type parser struct {
	input []byte
	at    int
}

func (p *parser) unexpected() error {
	if p.at >= len(p.input) {
		return errors.New("not JSON: unexpected end")
	}
	return fmt.Errorf("not JSON: unexpected %q at byte %d", p.input[p.at], p.at)
}

func (p *parser) space() {
	for p.at < len(p.input) {
		switch p.input[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// take consumes the byte c, with white space before it, if it comes next.
func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.input) && p.input[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) (value, error) {
	if depth > maxDepth {
		return value{}, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	p.space()
	if p.at >= len(p.input) {
		return value{}, p.unexpected()
	}
	switch c := p.input[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		raw, err := p.text()
		return value{kind: text, raw: raw}, err
	case c == '-' || isDigit(c):
		return p.number()
	}
	for _, literal := range []struct {
		word string
		kind kind
	}{{"null", null}, {"true", boolean}, {"false", boolean}} {
		if bytes.HasPrefix(p.input[p.at:], []byte(literal.word)) {
			p.at += len(literal.word)
			return value{kind: literal.kind}, nil
		}
	}
	return value{}, p.unexpected()
}

func (p *parser) object(depth int) (value, error) {
	v := value{kind: object}
	p.at++
	if p.take('}') {
		return v, nil
	}
	for {
		p.space()
		raw, err := p.text()
		if err != nil {
			return v, err
		}
		name, err := unquote(raw)
		if err != nil {
			return v, err
		}
		if !p.take(':') {
			return v, p.unexpected()
		}
		content, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.members = append(v.members, member{name, content})
		if p.take('}') {
			return v, nil
		}
		if !p.take(',') {
			return v, p.unexpected()
		}
	}
}

func (p *parser) array(depth int) (value, error) {
	v := value{kind: array}
	p.at++
	if p.take(']') {
		return v, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.items = append(v.items, item)
		if p.take(']') {
			return v, nil
		}
		if !p.take(',') {
			return v, p.unexpected()
		}
	}
}

// text consumes a quoted string and gives what stands between the quotes.
func (p *parser) text() ([]byte, error) {
	if p.at >= len(p.input) || p.input[p.at] != '"' {
		return nil, p.unexpected()
	}
	p.at++
	start := p.at
	for p.at < len(p.input) {
		switch c := p.input[p.at]; {
		case c == '"':
			p.at++
			return p.input[start : p.at-1], nil
		case c < ' ':
			return nil, p.unexpected()
		case c == '\\':
			p.at++
			if err := p.escape(); err != nil {
				return nil, err
			}
		default:
			p.at++
		}
	}
	return nil, p.unexpected()
}

// escape consumes what follows a backslash.
func (p *parser) escape() error {
	if p.at >= len(p.input) || bytes.IndexByte([]byte(`"\/bfnrtu`), p.input[p.at]) < 0 {
		return p.unexpected()
	}
	p.at++
	if p.input[p.at-1] != 'u' {
		return nil
	}
	for range 4 {
		if p.at >= len(p.input) || bytes.IndexByte([]byte("0123456789abcdefABCDEF"), p.input[p.at]) < 0 {
			return p.unexpected()
		}
		p.at++
	}
	return nil
}

func (p *parser) number() (value, error) {
	start := p.at
	if p.input[p.at] == '-' {
		p.at++
	}
	if p.at < len(p.input) && p.input[p.at] == '0' {
		p.at++
	} else if !p.digits() {
		return value{}, p.unexpected()
	}
	if p.at < len(p.input) && p.input[p.at] == '.' {
		p.at++
		if !p.digits() {
			return value{}, p.unexpected()
		}
	}
	if p.at < len(p.input) && (p.input[p.at] == 'e' || p.input[p.at] == 'E') {
		p.at++
		if p.at < len(p.input) && (p.input[p.at] == '+' || p.input[p.at] == '-') {
			p.at++
		}
		if !p.digits() {
			return value{}, p.unexpected()
		}
	}
	return value{kind: number, raw: p.input[start:p.at]}, nil
}

// digits consumes as many decimal digits as there are and tells whether there was one.
func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.input) && isDigit(p.input[p.at]) {
		p.at++
	}
	return p.at > start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
