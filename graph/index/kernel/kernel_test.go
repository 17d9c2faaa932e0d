package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestDotIsCorrectInEveryKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 300; n++ {
		a, b := make([]float32, n), make([]float32, n)
		var want, size float64
		for i := range a {
			a[i], b[i] = r.Float32()*2-1, r.Float32()*2-1
			want += float64(a[i]) * float64(b[i])
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		for _, v := range implementations() {
			if got := float64(v.dot(&a[0], &b[0], n)); math.Abs(got-want) > 1e-6*(1+size) {
				t.Errorf("%s, %d dimensions: got %g, want %g", v.name, n, got, want)
			}
		}
		if got := float64(Dot(a, b)); math.Abs(got-want) > 1e-6*(1+size) {
			t.Errorf("Dot, %d dimensions: got %g, want %g", n, got, want)
		}
	}
}

func TestDotReadsOnlyItsVectors(t *testing.T) {
	for n := 1; n <= 130; n++ {
		a := make([]float32, n+64)
		for i := n; i < len(a); i++ {
			a[i] = float32(math.NaN())
		}
		for _, v := range implementations() {
			if got := v.dot(&a[0], &a[0], n); got != 0 {
				t.Errorf("%s, %d dimensions: read beyond the end: %g", v.name, n, got)
			}
		}
	}
	if Dot(nil, nil) != 0 {
		t.Error("no dimensions have no product")
	}
}

func TestRowsAreEqualInEveryKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, stride := range []int{64, 128, 384, 512, 1024, 8192} {
		for _, n := range []int{1, 2, 3, 4, 5, 8, 31} {
			query, codes := make([]int8, stride), make([]uint8, stride*n)
			for i := range query {
				query[i] = int8(r.IntN(255) - 127)
			}
			for i := range codes {
				codes[i] = uint8(r.IntN(256))
			}
			if n == 5 { // the extremes
				for i := range query {
					query[i] = 127
				}
				for i := range codes {
					codes[i] = uint8(255 * (i / stride % 2))
				}
			}
			want := make([]int32, n)
			for i := range want {
				for j, q := range query {
					want[i] += int32(q) * (int32(codes[i*stride+j]) - ZeroCode)
				}
			}
			check := func(who string, got []int32) {
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s, stride %d, row %d of %d: got %d, want %d", who, stride, i, n, got[i], want[i])
					}
				}
				if got[n] != 77 {
					t.Fatalf("%s wrote beyond its rows", who)
				}
			}
			for _, v := range implementations() {
				out := make([]int32, n+1)
				out[n] = 77
				v.rows(&query[0], &codes[0], stride, n, Bias(query), &out[0])
				check(v.name, out)
			}
			out := make([]int32, n+1)
			out[n] = 77
			CodeProducts(query, Bias(query), codes, out[:n])
			check("Rows", out)
		}
	}
}

func TestRowsRefuseAnUnpaddedQuery(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a query of 3 was taken")
		}
	}()
	CodeProducts(make([]int8, 3), 0, make([]uint8, 3), make([]int32, 1))
}

func TestPaddedIsTheNextMultiple(t *testing.T) {
	for dim, want := range map[int]int{0: 0, 1: 64, 64: 64, 65: 128, 384: 384, 400: 448} {
		if got := PaddedLength(dim); got != want {
			t.Errorf("Padded(%d) = %d, want %d", dim, got, want)
		}
	}
}

func TestBestKernelIsChosen(t *testing.T) {
	all := implementations()
	if Name() != all[len(all)-1].name {
		t.Errorf("got %s", Name())
	}
}

func BenchmarkDot(b *testing.B) {
	for _, n := range []int{384, 512} {
		x := make([]float32, n)
		for _, v := range implementations() {
			b.Run(fmt.Sprintf("%s/%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					v.dot(&x[0], &x[0], n)
				}
			})
		}
	}
}

func BenchmarkRows(b *testing.B) {
	const n = 256
	for _, stride := range []int{384, 512} {
		query, codes, out := make([]int8, stride), make([]uint8, stride*n), make([]int32, n)
		for _, v := range implementations() {
			b.Run(fmt.Sprintf("%s/%d", v.name, stride), func(b *testing.B) {
				b.SetBytes(int64(len(codes)))
				for b.Loop() {
					v.rows(&query[0], &codes[0], stride, n, 0, &out[0])
				}
			})
		}
	}
}

// Bias returns the bias of a query for CodeProducts.
func Bias(query []int8) int32 {
	var sum int32
	for _, q := range query {
		sum += int32(q)
	}
	return -ZeroCode * sum
}
