package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSumsAreEqualInEveryKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	for _, dim := range []int{64, 256, 384, 512, 1024, MaxSketchDims} {
		query := make([]float32, dim)
		for i := range query {
			query[i] = float32(r.NormFloat64())
		}
		turned := RotateQuery(query)
		if dim == MaxSketchDims { // the extremes
			for i := range turned.Table {
				turned.Table[i] = 127
			}
		}
		const groups = 3
		signs := make([]uint8, groups*SketchGroup*dim/8)
		for i := range signs {
			signs[i] = uint8(r.IntN(256))
		}
		sums := make([]int, groups*SketchGroup)
		for row := range sums {
			for b := range dim / 8 {
				both := signs[SketchOffset(row, dim)+b*SketchGroup]
				sums[row] += int(turned.Table[32*b+int(both&15)]) + int(turned.Table[32*b+16+int(both>>4)])
			}
		}
		for _, v := range implementations() {
			added := make([]uint16, groups*SketchGroup+1)
			added[len(added)-1] = 77
			v.sums(&turned.Table[0], &signs[0], dim/8, groups, &added[0])
			for row, sum := range sums {
				if int(added[row]) != sum {
					t.Fatalf("%s, %d dimensions: row %d has %d, want %d", v.name, dim, row, added[row], sum)
				}
			}
			if added[len(added)-1] != 77 {
				t.Fatalf("%s wrote beyond its groups", v.name)
			}
			for _, least := range []int{0, 1, slices.Min(sums), slices.Max(sums), sums[70], sums[70] + 1, 65535} {
				got := []uint64{0, 0, 0, 77}
				v.atLeast(&added[0], groups, uint16(least), &got[0])
				for row, sum := range sums {
					if is := got[row/64]>>(row%64)&1 != 0; is != (sum >= least) {
						t.Fatalf("%s, %d dimensions: row %d with %d is above %d: %v", v.name, dim, row, sum, least, is)
					}
				}
				if got[groups] != 77 {
					t.Fatalf("%s wrote beyond its groups", v.name)
				}
			}
		}
	}
}

func TestHadamardIsEqualInEveryKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x := make([]float32, 5*64)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	want := slices.Clone(x)
	for b := range 5 { // by definition: the sign is the parity of the common bits
		for i := range 64 {
			var sum float64
			for j := range 64 {
				sign := 1.0
				for both := i & j; both > 0; both &= both - 1 {
					sign = -sign
				}
				sum += sign * float64(x[64*b+j])
			}
			want[64*b+i] = float32(sum / 8)
		}
	}
	var first []float32
	for _, v := range implementations() {
		got := slices.Clone(x)
		v.hadamards(&got[0], 5)
		for i := range got {
			if math.Abs(float64(got[i]-want[i])) > 1e-5 {
				t.Fatalf("%s: value %d is %v, want %v", v.name, i, got[i], want[i])
			}
		}
		if first == nil {
			first = got
		} else if !slices.Equal(got, first) {
			t.Errorf("%s has other bits", v.name)
		}
	}
}

// The effect of a rotation, and the error of sketches, also for vectors in few dimensions or
// nearly at one point.
func TestSketchErrorIsWithinItsBound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	kinds := map[string]func(v []float32){
		"spread": func(v []float32) {
			for i := range v {
				v[i] = float32(r.NormFloat64())
			}
		},
		"few dimensions": func(v []float32) {
			for range 12 {
				v[r.IntN(len(v))] += float32(r.NormFloat64())
			}
		},
		"crowded": func(v []float32) {
			for i := range v {
				v[i] = 1 + float32(r.NormFloat64())
			}
		},
	}
	for name, draw := range kinds {
		for _, dim := range []int{256, 384, 512} {
			const n = 3000
			var sum, squares float64
			beyond := 0
			for range n {
				v, q := make([]float32, dim), make([]float32, dim)
				draw(v)
				draw(q)
				size := 1 / math.Sqrt(float64(Dot(q, q)))
				for i := range q {
					q[i] *= float32(size)
				}
				codes, signs := make([]uint8, PaddedLength(dim)), make([]uint8, dim/8)
				s := SketchCodes(codes, Quantise(v, codes), signs, make([]float32, dim))
				exact, length := float64(Dot(v, q)), float64(Dot(v, v))
				turned := RotateQuery(q)
				if now := float64(Dot(q, q)); math.Abs(now-1) > 1e-4 {
					t.Fatalf("%s: the length becomes %v", name, now)
				}
				estimate := float64(turned.Least)
				for j, both := range signs {
					estimate += float64(turned.Step) * (float64(turned.Table[32*j+int(both&15)]) + float64(turned.Table[32*j+16+int(both>>4)]))
				}
				off := (float64(s.Gain)*estimate - exact) / (float64(s.Deviation) * math.Sqrt(max(1e-9, length-exact*exact)))
				sum, squares = sum+off, squares+off*off
				if math.Abs(off) > 4 {
					beyond++
				}
			}
			if mean, sd := sum/n, math.Sqrt(squares/n); math.Abs(mean) > .25 || sd < .8 || sd > 1.15 || beyond > 3 {
				t.Errorf("%s, %d dimensions: errors are %.3f ± %.3f of what is said, %d of %d beyond four", name, dim, mean, sd, beyond, n)
			}
		}
	}
	zero := make([]uint8, 256)
	if s := SketchCodes(zero, Quantise(make([]float32, 256), zero), make([]uint8, 32), make([]float32, 256)); s != (Sketch{}) {
		t.Errorf("of nothing: %+v", s)
	}
}

func BenchmarkSums(b *testing.B) {
	const dim, groups = 512, 1563
	rows, out := make([]uint8, groups*SketchGroup*dim/8), make([]uint16, groups*SketchGroup)
	r := rand.New(rand.NewPCG(5, 4))
	for i := range rows {
		rows[i] = uint8(r.Uint64())
	}
	table := make([]uint8, 4*dim)
	for b.Loop() {
		SketchSums(table, rows, out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/groups/SketchGroup, "ns/row")
}

func BenchmarkSketchCodes(b *testing.B) {
	const dim = 512
	codes, signs, room := make([]uint8, dim), make([]uint8, dim/8), make([]float32, dim)
	r := rand.New(rand.NewPCG(5, 4))
	for i := range codes {
		codes[i] = uint8(r.IntN(255) + 1)
	}
	for b.Loop() {
		SketchCodes(codes, Quantised{Scale: 1}, signs, room)
	}
}
