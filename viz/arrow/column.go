package arrow

import (
	"encoding/binary"
	"math"
	"time"
)

// Numbers of the union Type in Schema.fbs.
const (
	typeInt       = 2
	typeFloat     = 3
	typeUtf8      = 5
	typeBool      = 6
	typeTimestamp = 10
)

// Column is a column of a batch in its encoded form.
type Column struct {
	name      string
	kind      uint64
	typeTable func(*flatBuilder) offset // builds the table that describes the type
	nulls     int
	rows      int
	buffers   [][]byte // validity first; empty if no row is null
}

// Texts is a column of UTF-8.
func Texts(name string, v []string) Column {
	ends := make([]byte, 4, 4*(len(v)+1))
	var bytes []byte
	for _, s := range v {
		bytes = append(bytes, s...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(bytes)))
	}
	return Column{name, typeUtf8, func(f *flatBuilder) offset { return f.table() }, 0, len(v), [][]byte{nil, ends, bytes}}
}

// Ints is a column of signed 32-bit integers.
func Ints(name string, v []int32) Column {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return Column{name, typeInt, func(f *flatBuilder) offset { return f.table(number(4, 32), number(1, 1)) }, 0, len(v), [][]byte{nil, b}}
}

// Floats is a column of 32-bit floating point numbers.
func Floats(name string, v []float32) Column {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return Column{name, typeFloat, func(f *flatBuilder) offset { return f.table(number(2, 1)) }, 0, len(v), [][]byte{nil, b}}
}

// Bools is a column of booleans.
func Bools(name string, v []bool) Column {
	return Column{name, typeBool, func(f *flatBuilder) offset { return f.table() }, 0, len(v), [][]byte{nil, packBits(v)}}
}

// Times is a column of UTC times in milliseconds; a zero time is null.
func Times(name string, v []time.Time) Column {
	b := make([]byte, 0, 8*len(v))
	there, nulls := make([]bool, len(v)), 0
	for i, t := range v {
		ms := int64(0)
		if there[i] = !t.IsZero(); there[i] {
			ms = t.UnixMilli()
		} else {
			nulls++
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(ms))
	}
	var validity []byte
	if nulls > 0 {
		validity = packBits(there)
	}
	zone := func(f *flatBuilder) offset {
		utc := f.text("UTC")
		return f.table(number(2, 1), reference(utc))
	}
	return Column{name, typeTimestamp, zone, nulls, len(v), [][]byte{validity, b}}
}

// packBits packs booleans, the lowest bit first.
func packBits(v []bool) []byte {
	b := make([]byte, (len(v)+7)/8)
	for i, x := range v {
		if x {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return b
}
