package frame

import (
	"encoding/binary"
	"fmt"
)

// Sizes of the layout in bytes.
const (
	headerSize = 64
	entrySize  = 24
	alignment  = 8
)

var magic = [4]byte{'S', 'G', 'V', 'F'}

// elementType is the element type of a column.
type elementType uint8

// The element types. Elements wider than a byte are stored as byte planes.
const (
	kindU8 elementType = iota + 1
	kindU16
	kindU32
	kindF32
	kindF64
)

func (k elementType) size() int {
	switch k {
	case kindU16:
		return 2
	case kindU32, kindF32:
		return 4
	case kindF64:
		return 8
	}
	return 1
}

// column is a named array in its encoded form.
type column struct {
	name string // at most 8 ASCII bytes
	kind elementType
	data []byte
}

// transpose turns rows of width bytes into columns. Elements of width bytes become byte planes: first
// the lowest bytes of all elements, then the next. Adjacent bytes in a plane are similar, so
// planes compress better than elements. Transposed with their number as the width, planes become
// elements again.
func transpose(in []byte, width int) []byte {
	out := make([]byte, 0, len(in))
	for c := range width {
		for i := c; i < len(in); i += width {
			out = append(out, in[i])
		}
	}
	return out
}

func u8Column(name string, v []uint8) column { return column{name, kindU8, v} }

// element is a type of elements that are wider than a byte.
type element interface {
	uint16 | uint32 | float32 | float64
}

func numberColumn[T element](name string, v []T) column {
	kind := kindOf[T]()
	raw, _ := binary.Append(make([]byte, 0, kind.size()*len(v)), binary.LittleEndian, v) // never fails for these types
	return column{name, kind, transpose(raw, kind.size())}
}

func kindOf[T element]() elementType {
	switch any(*new(T)).(type) {
	case uint16:
		return kindU16
	case uint32:
		return kindU32
	case float32:
		return kindF32
	}
	return kindF64
}

// layOut writes header, directory and columns.
func layOut(header [headerSize]byte, columns []column) []byte {
	size := headerSize + entrySize*len(columns)
	for _, c := range columns {
		size = align(size) + len(c.data)
	}
	out := make([]byte, 0, align(size))
	out = append(out, header[:]...)
	at := headerSize + entrySize*len(columns)
	for _, c := range columns {
		at = align(at)
		var e [entrySize]byte
		copy(e[:8], c.name)
		e[8] = byte(c.kind)
		binary.LittleEndian.PutUint32(e[12:], uint32(len(c.data)/c.kind.size()))
		binary.LittleEndian.PutUint32(e[16:], uint32(at))
		binary.LittleEndian.PutUint32(e[20:], uint32(len(c.data)))
		out = append(out, e[:]...)
		at += len(c.data)
	}
	for _, c := range columns {
		out = append(out, make([]byte, align(len(out))-len(out))...)
		out = append(out, c.data...)
	}
	out = append(out, make([]byte, align(len(out))-len(out))...)
	binary.LittleEndian.PutUint32(out[20:], uint32(len(out)))
	return out
}

func align(n int) int { return (n + alignment - 1) &^ (alignment - 1) }

// readDirectory reads the directory of a frame and checks its bounds.
func readDirectory(b []byte) (map[string]column, error) {
	if size := binary.LittleEndian.Uint32(b[20:]); uint64(size) != uint64(len(b)) {
		return nil, fmt.Errorf("frame: %d of %d bytes", len(b), size)
	}
	n := int(binary.LittleEndian.Uint16(b[6:]))
	if len(b) < headerSize+n*entrySize {
		return nil, fmt.Errorf("frame: %d bytes are too few for a directory of %d columns", len(b), n)
	}
	columns := make(map[string]column, n)
	for i := range n {
		e := b[headerSize+i*entrySize:]
		name := string(e[:8])
		for len(name) > 0 && name[len(name)-1] == 0 {
			name = name[:len(name)-1]
		}
		k := elementType(e[8])
		if k < kindU8 || k > kindF64 {
			return nil, fmt.Errorf("frame: column %q has the unknown element type %d", name, k)
		}
		count := uint64(binary.LittleEndian.Uint32(e[12:]))
		from, size := uint64(binary.LittleEndian.Uint32(e[16:])), uint64(binary.LittleEndian.Uint32(e[20:]))
		if from%alignment != 0 || from+size > uint64(len(b)) || count*uint64(k.size()) != size {
			return nil, fmt.Errorf("frame: column %q lies outside the frame", name)
		}
		columns[name] = column{name, k, b[from : from+size]}
	}
	return columns, nil
}
