// Command op-node answers holodiff's vectors with the traces of op-node's derivation pipeline.
//
// It speaks the adapter protocol of docs/protocol.md on standard input and output. See README.md for what it drives.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

func main() {
	whole := flag.Bool("assembled", false, "derive through op-node's own assembled pipeline, without recorders")
	channels := flag.Bool("channels", false, "answer channel data and a limit with the hashes of its batches")
	milliseconds := flag.Int("bench", 0, "measure each vector for about this many milliseconds")
	flag.Parse()
	if flag.NArg() > 0 || *milliseconds < 0 || *whole && *milliseconds > 0 {
		flag.Usage()
		os.Exit(2)
	}
	// The run itself is sequential; the second thread is for the garbage collector, which has little to do, as each
	// vector's memory is small and dies at once.
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(400)
	// Vectors made to exhaust memory are another matter: above this, collecting matters more than speed.
	debug.SetMemoryLimit(2 << 30)

	var err error
	if *channels {
		err = readChannels(os.Stdin, os.Stdout)
	} else if *milliseconds > 0 {
		err = measure(os.Stdin, os.Stdout, time.Duration(*milliseconds)*time.Millisecond)
	} else if *whole {
		err = converse(os.Stdin, os.Stdout, assembled)
	} else {
		err = converse(os.Stdin, os.Stdout, recorded)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// errorLine answers a line that is not a valid vector.
type errorLine struct {
	Error struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	} `json:"error"`
}

func newErrorLine(err *schemaError) (line errorLine) {
	line.Error.Path, line.Error.Message = err.path, err.message
	return line
}

// converse answers each vector as soon as it is read.
func converse(from io.Reader, to io.Writer, derive derivation) error {
	if err := writeLine(to, newHandshake()); err != nil {
		return err
	}
	return eachLine(from, func(line []byte) error {
		v, err := parseVector(line)
		if err != nil {
			return writeLine(to, newErrorLine(err))
		}
		return writeLine(to, derive(v))
	})
}

// measure reads all vectors before it benches the first one.
func measure(from io.Reader, to io.Writer, duration time.Duration) error {
	if err := writeLine(to, newHandshake()); err != nil {
		return err
	}
	var answers []func() any
	if err := eachLine(from, func(line []byte) error {
		v, err := parseVector(line)
		answers = append(answers, func() any {
			if err != nil {
				return newErrorLine(err)
			}
			return bench(v, duration)
		})
		return nil
	}); err != nil {
		return err
	}
	for _, answer := range answers {
		if err := writeLine(to, answer()); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls f with each line that is not blank, also the last one if it lacks its line feed. The line is f's
// to keep.
func eachLine(from io.Reader, f func(line []byte) error) error {
	reader := bufio.NewReaderSize(from, 1<<16)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line := bytes.TrimSpace(line); len(line) > 0 {
			if err := f(line); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// writeLine writes one line of JSON at once, without a buffer that could hold it back.
func writeLine(to io.Writer, answer any) error {
	line, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = to.Write(append(line, '\n'))
	return err
}
