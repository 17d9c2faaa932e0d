package arrow

import "encoding/binary"

// flatBuilder builds one FlatBuffer from its end to its beginning, as the format is meant to be
// built: what is pointed at lies behind what points at it. A place is told as the number
// of bytes from there to the end.
type flatBuilder struct{ b []byte }

type offset int

// field is one entry of a table: a number of 1, 2, 4 or 8 bytes, or a reference of 4.
type field struct {
	size   int
	value  uint64
	target offset // of what is referred to; 0: the field is a number
}

func number(size int, value uint64) field { return field{size: size, value: value} }

func reference(at offset) field { return field{size: 4, target: at} }

// absent is a field that has its default.
var absent = field{}

func (f *flatBuilder) prepend(b []byte) offset {
	f.b = append(b, f.b...)
	return offset(len(f.b))
}

// pad makes the place behind n more bytes a multiple of size.
func (f *flatBuilder) pad(n, size int) {
	if over := (len(f.b) + n) % size; over > 0 {
		f.prepend(make([]byte, size-over))
	}
}

func (f *flatBuilder) text(s string) offset {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(s)))
	b = append(append(b, s...), 0)
	f.pad(len(b), 4)
	return f.prepend(b)
}

// vector is a vector of them.
func (f *flatBuilder) vector(of []offset) offset {
	size := 4 * (len(of) + 1)
	f.pad(size, 4)
	end := len(f.b) + size
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, size), uint32(len(of)))
	for i, p := range of {
		b = binary.LittleEndian.AppendUint32(b, uint32(end-4*(i+1)-int(p)))
	}
	return f.prepend(b)
}

// pairVector is a vector of structs of two numbers of 8 bytes.
func (f *flatBuilder) pairVector(of [][2]int64) offset {
	f.pad(16*len(of), 8)
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(of)))
	for _, p := range of {
		b = binary.LittleEndian.AppendUint64(b, uint64(p[0]))
		b = binary.LittleEndian.AppendUint64(b, uint64(p[1]))
	}
	return f.prepend(b)
}

// table is one with these fields, in the order of their declaration.
func (f *flatBuilder) table(fields ...field) offset {
	offsets := make([]int, len(fields))
	size, widest := 4, 4
	for i, x := range fields {
		if x.size == 0 {
			continue
		}
		size = (size + x.size - 1) / x.size * x.size
		offsets[i], size, widest = size, size+x.size, max(widest, x.size)
	}
	size = (size + widest - 1) / widest * widest
	f.pad(size, widest)
	start := len(f.b) + size
	le := binary.LittleEndian
	b := make([]byte, size)
	v := le.AppendUint16(nil, uint16(4+2*len(fields)))
	v = le.AppendUint16(v, uint16(size))
	for i, x := range fields {
		v = le.AppendUint16(v, uint16(offsets[i]))
		value := x.value
		if x.target > 0 {
			value = uint64(start - offsets[i] - int(x.target))
		}
		for k := range x.size {
			b[offsets[i]+k] = byte(value >> (8 * k))
		}
	}
	le.PutUint32(b, uint32(len(v))) // the list of offsets stands right before the table
	at := f.prepend(b)
	f.prepend(v)
	return at
}

// finish points at the root and answers the whole, a multiple of 8 bytes long.
func (f *flatBuilder) finish(root offset) []byte {
	f.pad(4, 8)
	end := len(f.b) + 4
	f.prepend(binary.LittleEndian.AppendUint32(nil, uint32(end-int(root))))
	return f.b
}
