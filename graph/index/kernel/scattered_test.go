package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestDotsEqualDotOfEachRow(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{1, 7, 8, 15, 16, 31, 64, 100, 384, 391} {
		for count := range 9 {
			query := make([]float32, n)
			for i := range query {
				query[i] = r.Float32() - 0.5
			}
			rows, want := make([]unsafe.Pointer, count), make([]float32, count)
			for i := range rows {
				row := make([]float32, n)
				for j := range row {
					row[j] = r.Float32() - 0.5
				}
				rows[i] = unsafe.Pointer(&row[0])
				want[i] = dotGo(&query[0], &row[0], n)
			}
			check := func(who string, got []float32) {
				for i := range want {
					if d := got[i] - want[i]; d > 1e-4 || d < -1e-4 {
						t.Fatalf("%s, %d dimensions, row %d of %d: got %g, want %g", who, n, i, count, got[i], want[i])
					}
				}
				if got[count] != 77 {
					t.Fatalf("%s wrote beyond its rows", who)
				}
			}
			for _, v := range implementations() {
				out := make([]float32, count+1)
				out[count] = 77
				if count > 0 {
					v.dots(&query[0], &rows[0], n, count, &out[0])
				}
				check(v.name, out)
			}
			out := make([]float32, count+1)
			out[count] = 77
			DotsAt(query, rows, out)
			check("Dots", out)
		}
	}
}

func TestCodesEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for _, stride := range []int{64, 384, 512} {
		for count := range 12 {
			query, all := make([]int8, stride), make([]uint8, stride*max(1, count))
			for i := range query {
				query[i] = int8(r.IntN(255) - 127)
			}
			for i := range all {
				all[i] = uint8(r.IntN(256))
			}
			rows, want := make([]unsafe.Pointer, count), make([]int32, count)
			for i := range rows {
				at := count - 1 - i // not consecutive
				rows[i] = unsafe.Pointer(&all[at*stride])
				rowsGo(&query[0], &all[at*stride], stride, 1, Bias(query), &want[i])
			}
			check := func(who string, got []int32) {
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s, stride %d, row %d of %d: got %d, want %d", who, stride, i, count, got[i], want[i])
					}
				}
				if got[count] != 77 {
					t.Fatalf("%s wrote beyond its rows", who)
				}
			}
			for _, v := range implementations() {
				out := make([]int32, count+1)
				out[count] = 77
				if count > 0 {
					v.codes(&query[0], &rows[0], stride, count, Bias(query), &out[0])
				}
				check(v.name, out)
			}
			out := make([]int32, count+1)
			out[count] = 77
			CodeProductsAt(query, Bias(query), rows, out)
			check("Codes", out)
		}
	}
}

func TestCodesRefuseAnUnpaddedQuery(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a query of 3 was taken")
		}
	}()
	row := make([]uint8, 3)
	CodeProductsAt(make([]int8, 3), 0, []unsafe.Pointer{unsafe.Pointer(&row[0])}, make([]int32, 1))
}

// BenchmarkScattered compares batches of 24 rows from a set larger than the caches.
func BenchmarkScattered(b *testing.B) {
	const dim, n, batch = 384, 200_000, 24
	vectors, packed := make([]float32, dim*n), make([]uint8, dim*n)
	query, asked := make([]float32, dim), make([]int8, dim)
	r := rand.New(rand.NewPCG(8, 3))
	rows, out, ints := make([]unsafe.Pointer, batch), make([]float32, batch), make([]int32, batch)
	for _, v := range implementations() {
		b.Run(fmt.Sprintf("floats/%s", v.name), func(b *testing.B) {
			for b.Loop() {
				for i := range rows {
					rows[i] = unsafe.Pointer(&vectors[r.IntN(n)*dim])
				}
				v.dots(&query[0], &rows[0], dim, batch, &out[0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
		})
		b.Run(fmt.Sprintf("codes/%s", v.name), func(b *testing.B) {
			for b.Loop() {
				for i := range rows {
					rows[i] = unsafe.Pointer(&packed[r.IntN(n)*dim])
				}
				v.codes(&asked[0], &rows[0], dim, batch, 0, &ints[0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
		})
	}
	b.Run("floats/alone", func(b *testing.B) {
		for b.Loop() {
			for i := range out {
				at := r.IntN(n) * dim
				out[i] = Dot(query, vectors[at:at+dim])
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
	})
}
