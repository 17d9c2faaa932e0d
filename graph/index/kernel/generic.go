package kernel

import "unsafe"

// implementation is one implementation of the kernels.
type implementation struct {
	name string
	dot  func(a, b *float32, n int) float32
	rows func(query *int8, codes *uint8, stride, n int, bias int32, out *int32)

	dots  func(query *float32, rows *unsafe.Pointer, n, count int, out *float32)
	codes func(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32)

	sums      func(table, rows *uint8, bytes, groups int, out *uint16)
	atLeast   func(sums *uint16, groups int, least uint16, out *uint64)
	hadamards func(x *float32, blocks int)
}

// dotGo is dot in plain Go.
func dotGo(a, b *float32, n int) float32 {
	x, y := unsafe.Slice(a, n), unsafe.Slice(b, n)
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= n; i += 4 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
		s2 += x[i+2] * y[i+2]
		s3 += x[i+3] * y[i+3]
	}
	for ; i < n; i++ {
		s0 += x[i] * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// rowsGo is rows in plain Go.
func rowsGo(query *int8, codes *uint8, stride, n int, bias int32, out *int32) {
	q := unsafe.Slice(query, stride)
	all := unsafe.Slice(codes, stride*n)
	for i, o := 0, unsafe.Slice(out, n); i < n; i++ {
		row := all[i*stride : (i+1)*stride]
		var s0, s1 int32
		for j := 0; j+2 <= len(row) && j+2 <= len(q); j += 2 {
			s0 += int32(q[j]) * int32(row[j])
			s1 += int32(q[j+1]) * int32(row[j+1])
		}
		o[i] = s0 + s1 + bias
	}
}

// dotsGo is dots in plain Go.
func dotsGo(query *float32, rows *unsafe.Pointer, n, count int, out *float32) {
	o := unsafe.Slice(out, count)
	for i, row := range unsafe.Slice(rows, count) {
		o[i] = dotGo(query, (*float32)(row), n)
	}
}

// codesGo is codes in plain Go.
func codesGo(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32) {
	o := unsafe.Slice(out, count)
	for i, row := range unsafe.Slice(rows, count) {
		rowsGo(query, (*uint8)(row), stride, 1, bias, &o[i])
	}
}

// sumsGo is sums in plain Go.
func sumsGo(table, rows *uint8, bytes, groups int, out *uint16) {
	t := unsafe.Slice(table, 32*bytes)
	all := unsafe.Slice(rows, SketchGroup*bytes*groups)
	for i, o := 0, unsafe.Slice(out, SketchGroup*groups); i < len(o); i++ {
		at, sum := SketchOffset(i, 8*bytes), uint16(0)
		for b := range bytes {
			signs := all[at+b*SketchGroup]
			sum += uint16(t[32*b+int(signs&15)]) + uint16(t[32*b+16+int(signs>>4)])
		}
		o[i] = sum
	}
}

// atLeastGo is atLeast in plain Go.
func atLeastGo(sums *uint16, groups int, least uint16, out *uint64) {
	all, o := unsafe.Slice(sums, SketchGroup*groups), unsafe.Slice(out, groups)
	for g := range o {
		o[g] = 0
		for r, sum := range all[SketchGroup*g : SketchGroup*g+SketchGroup] {
			if sum >= least {
				o[g] |= 1 << r
			}
		}
	}
}

// hadamardsGo transforms blocks of 64 values in plain Go.
func hadamardsGo(x *float32, blocks int) {
	for all := unsafe.Slice(x, 64*blocks); len(all) > 0; all = all[64:] {
		b := (*[64]float32)(all)
		for h := 1; h < 64; h *= 2 {
			for i := 0; i < 64; i += 2 * h {
				for j := i; j < i+h; j++ {
					b[j&63], b[(j+h)&63] = b[j&63]+b[(j+h)&63], b[j&63]-b[(j+h)&63]
				}
			}
		}
		for i := range b {
			b[i] *= 1.0 / 8
		}
	}
}
