package arrow

import "encoding/binary"

// flatBuilder builds a FlatBuffer from its end to its beginning, as the format intends: a
// reference points forward. An offset is counted in bytes from the end.
type flatBuilder struct{ b []byte }

type offset int

// field is an entry of a table: a number of 1, 2, 4 or 8 bytes, or a reference of 4.
type field struct {
	size   int
	value  uint64
	target offset // of the referenced object; 0 if the field is a number
}

func number(size int, value uint64) field { return field{size: size, value: value} }

func reference(at offset) field { return field{size: 4, target: at} }

// absent is a field with its default value.
var absent = field{}

func (f *flatBuilder) prepend(b []byte) offset {
	f.b = append(b, f.b...)
	return offset(len(f.b))
}

// pad inserts bytes so that the position after n more bytes is a multiple of size.
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

// vector writes a vector of references.
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

// pairVector writes a vector of structs of two 8-byte numbers.
func (f *flatBuilder) pairVector(of [][2]int64) offset {
	f.pad(16*len(of), 8)
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(of)))
	for _, p := range of {
		b = binary.LittleEndian.AppendUint64(b, uint64(p[0]))
		b = binary.LittleEndian.AppendUint64(b, uint64(p[1]))
	}
	return f.prepend(b)
}

// table writes a table with these fields in the order of their declaration.
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
	le.PutUint32(b, uint32(len(v))) // the vtable comes right before the table
	at := f.prepend(b)
	f.prepend(v)
	return at
}

// finish writes the reference to the root and returns the buffer, whose length is a multiple of
// 8.
func (f *flatBuilder) finish(root offset) []byte {
	f.pad(4, 8)
	end := len(f.b) + 4
	f.prepend(binary.LittleEndian.AppendUint32(nil, uint32(end-int(root))))
	return f.b
}
