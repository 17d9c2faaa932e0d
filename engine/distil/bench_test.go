package distil

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// groups draws groups of two to sixteen sources, as sleep finds them.
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
	out := make([]Summary, len(all))
	for b.Loop() {
		for i, g := range all {
			out[i] = Distil(g)
		}
	}
	covered, sources, lost, facts, before, after := 0, 0, 0, 0, 0, 0
	for i, g := range all {
		after += out[i].Words
		for _, s := range g {
			facts += len(KeyFacts(s))
			before += len(strings.Fields(s.Text))
		}
		for _, c := range out[i].Sources {
			sources++
			lost += len(c.Lost)
			if c.Covered {
				covered++
			}
		}
	}
	b.ReportMetric(float64(covered)/float64(sources), "covered")
	b.ReportMetric(1-float64(lost)/float64(facts), "facts-in-text")
	b.ReportMetric(float64(after)/float64(before), "words-left")
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
