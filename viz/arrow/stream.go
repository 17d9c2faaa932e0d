package arrow

import (
	"encoding/binary"
	"fmt"
	"io"
)

// MediaType is the media type of a stream.
const MediaType = "application/vnd.apache.arrow.stream"

// Numbers of the union MessageHeader and of MetadataVersion V5.
const (
	headerSchema = 1
	headerBatch  = 3
	version5     = 4
)

const alignment = 8

// Write writes a stream: the schema, then all rows in batches of at most size rows. columns
// returns the columns of the rows from (inclusive) to (exclusive), always with the same names
// and types.
func Write(w io.Writer, rows, size int, columns func(from, to int) []Column) error {
	if rows < 0 || size < 1 {
		return fmt.Errorf("arrow: %d rows in batches of %d", rows, size)
	}
	if err := writeMessage(w, encodeSchema(columns(0, 0)), nil); err != nil {
		return err
	}
	for from := 0; from < rows; from += size {
		to := min(from+size, rows)
		c := columns(from, to)
		head, body, err := encodeBatch(c, to-from)
		if err == nil {
			err = writeMessage(w, head, body)
		}
		if err != nil {
			return err
		}
	}
	_, err := w.Write([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}) // end of stream
	return err
}

// writeMessage writes one encapsulated message: a marker, the length of its head, the head and
// the body.
func writeMessage(w io.Writer, head []byte, body [][]byte) error {
	b := binary.LittleEndian.AppendUint32(nil, 0xffffffff)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	if _, err := w.Write(append(b, head...)); err != nil {
		return err
	}
	for _, part := range body {
		if _, err := w.Write(part); err != nil {
			return err
		}
		if _, err := w.Write(make([]byte, align(len(part))-len(part))); err != nil {
			return err
		}
	}
	return nil
}

func encodeSchema(columns []Column) []byte {
	var f flatBuilder
	fields := make([]offset, len(columns))
	for i, c := range columns {
		shape := c.typeTable(&f)
		none := f.vector(nil)
		name := f.text(c.name)
		// name, nullable, type_type, type, dictionary, children
		fields[i] = f.table(reference(name), number(1, 1), number(1, c.kind), reference(shape), absent, reference(none))
	}
	s := f.table(number(2, 0), reference(f.vector(fields))) // little-endian, fields
	return f.finish(f.table(number(2, version5), number(1, headerSchema), reference(s), number(8, 0)))
}

func encodeBatch(columns []Column, rows int) (head []byte, body [][]byte, err error) {
	var nodes, buffers [][2]int64
	at := 0
	for _, c := range columns {
		if c.rows != rows {
			return nil, nil, fmt.Errorf("arrow: column %q has %d of %d rows", c.name, c.rows, rows)
		}
		nodes = append(nodes, [2]int64{int64(rows), int64(c.nulls)})
		for _, b := range c.buffers {
			buffers = append(buffers, [2]int64{int64(at), int64(len(b))})
			body = append(body, b)
			at += align(len(b))
		}
	}
	var f flatBuilder
	n, b := f.pairVector(nodes), f.pairVector(buffers)
	r := f.table(number(8, uint64(rows)), reference(n), reference(b))
	return f.finish(f.table(number(2, version5), number(1, headerBatch), reference(r), number(8, uint64(at)))), body, nil
}

func align(n int) int { return (n + alignment - 1) &^ (alignment - 1) }
