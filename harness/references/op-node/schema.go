package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// maxInteger is the bound of all numbers: below it every integer is exact in a double.
const maxInteger = 1 << 53

// schemaError says which value of a document is not as the format wants it.
type schemaError struct {
	// path leads to the value, as in `l1[3].data[1]`; empty for the document itself.
	path    string
	message string
}

func (e *schemaError) Error() string { return e.path + ": " + e.message }

// under is the same error seen from the owner of the value: a member's name or an index in brackets is put in front.
func (e *schemaError) under(step string) *schemaError {
	switch {
	case e.path == "":
		e.path = step
	case strings.HasPrefix(e.path, "["):
		e.path = step + e.path
	default:
		e.path = step + "." + e.path
	}
	return e
}

func refuse(format string, args ...any) *schemaError {
	return &schemaError{message: fmt.Sprintf(format, args...)}
}

// read takes one value over into what it was made for.
type read func(v *value) *schemaError

// field is one member that an object must have.
type field struct {
	name string
	read read
}

// fields reads an object that has exactly the given members, in any order. A missing member is noticed at the end
// of the object, after every fault inside it.
func fields(v *value, schema ...field) *schemaError {
	if v.kind != object {
		return refuse("expected an object")
	}
	seen := make([]bool, len(schema))
members:
	for i := range v.members {
		m := &v.members[i]
		for j := range schema {
			if schema[j].name != m.name {
				continue
			}
			if seen[j] {
				return refuse("given twice").under(m.name)
			}
			seen[j] = true
			if err := schema[j].read(&m.value); err != nil {
				return err.under(m.name)
			}
			continue members
		}
		return refuse("unknown field").under(m.name)
	}
	for j := range schema {
		if !seen[j] {
			return refuse("missing").under(schema[j].name)
		}
	}
	return nil
}

// each reads the items of an array one after the other.
func each(v *value, item func(i int, v *value) *schemaError) *schemaError {
	if v.kind != array {
		return refuse("expected an array")
	}
	for i := range v.items {
		if err := item(i, &v.items[i]); err != nil {
			return err.under("[" + strconv.Itoa(i) + "]")
		}
	}
	return nil
}

func integer(to *uint64) read {
	return func(v *value) *schemaError {
		if v.kind != number {
			return refuse("expected an integer")
		}
		n, err := strconv.ParseUint(string(v.raw), 10, 64)
		if err != nil || n >= maxInteger {
			return refuse("expected an integer from 0 to 2^53 - 1, got %.40s", v.raw)
		}
		*to = n
		return nil
	}
}

// activation reads a fork's activation time; null, for never, gives nil.
func activation(to **uint64) read {
	return func(v *value) *schemaError {
		if v.kind == null {
			*to = nil
			return nil
		}
		if v.kind != number {
			return refuse("expected an integer or null")
		}
		*to = new(uint64)
		return integer(*to)(v)
	}
}

func name(to *string) read {
	return func(v *value) *schemaError {
		if v.kind != text {
			return refuse("expected a string")
		}
		s, err := v.str()
		if err != nil {
			return refuse("%v", err)
		}
		*to = s
		return nil
	}
}

func hash(to *common.Hash) read {
	return func(v *value) *schemaError {
		b, ok := decodeHex(v)
		if !ok || len(b) != common.HashLength {
			return refuse("expected 0x and 64 lower-case hex digits")
		}
		*to = common.Hash(b)
		return nil
	}
}

// byteStrings reads an array of byte strings of any length.
func byteStrings(to *[]hexutil.Bytes) read {
	return func(v *value) *schemaError {
		*to = make([]hexutil.Bytes, 0, len(v.items))
		return each(v, func(_ int, v *value) *schemaError {
			b, ok := decodeHex(v)
			if !ok {
				return refuse("expected 0x and an even number of lower-case hex digits")
			}
			*to = append(*to, b)
			return nil
		})
	}
}

// decodeHex gives the bytes of 0x and an even number of lower-case hex digits.
func decodeHex(v *value) ([]byte, bool) {
	if v.kind != text || len(v.raw)%2 != 0 || len(v.raw) < 2 || v.raw[0] != '0' || v.raw[1] != 'x' {
		return nil, false
	}
	digits := v.raw[2:]
	b := make([]byte, len(digits)/2)
	for i := range b {
		high, low := nibbles[digits[2*i]], nibbles[digits[2*i+1]]
		if high|low > 0xf {
			return nil, false
		}
		b[i] = high<<4 | low
	}
	return b, true
}

// nibbles gives the value of a lower-case hex digit, and 0xff for every other byte.
var nibbles = func() (table [256]byte) {
	for i := range table {
		table[i] = 0xff
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = byte(i)
	}
	return table
}()
