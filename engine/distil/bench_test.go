package distil

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// groups draws groups of two to sixteen sources as sleep would find them.
func groups(n int) [][]Source {
	r := rand.New(rand.NewPCG(11, 11))
	out := make([][]Source, n)
	for g := range out {
		for i := range 2 + r.IntN(15) {
			var text []string
			for range 1 + r.IntN(3) {
				text = append(text, corpus[r.IntN(len(corpus)-1)])
			}
			out[g] = append(out[g], Source{ID: graph.ID(fmt.Sprintf("m%d-%d", g, i)), Text: strings.Join(text, " "), Speaker: "Mara", Weight: r.Float64(), At: said.Add(time.Duration(r.IntN(500)) * time.Hour), Session: fmt.Sprint(i / 3)})
		}
	}
	return out
}

func BenchmarkDistil1000Groups(b *testing.B) {
	all := groups(1000)
	b.ReportAllocs()
	covered, sources := 0, 0
	for b.Loop() {
		covered, sources = 0, 0
		for _, g := range all {
			for _, c := range Distil(g).Sources {
				sources++
				if c.Covered {
					covered++
				}
			}
		}
	}
	b.ReportMetric(float64(covered)/float64(sources), "covered")
}

func BenchmarkProcedures1000Sources(b *testing.B) {
	var in []Source
	for _, g := range groups(120) {
		in = append(in, g...)
	}
	in = in[:1000]
	for b.Loop() {
		Procedures(in)
	}
}
