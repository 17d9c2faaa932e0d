package session_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// BenchmarkObserve writes turns of about 40 tokens into one session of a store on disk,
// one after the other, while older turns move to L1 in the background. p50 and p95 are the
// times of one call in milliseconds. growth is the median of the last quarter of the calls
// divided by that of the first; 1 means O(1).
func BenchmarkObserve(b *testing.B) {
	store, err := badgerstore.Open(b.TempDir(), badgerstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	w := enginetest.With(b, enginetest.Options{Store: store})
	words := strings.Fields("keel harbour lantern rope tide winch barge sluice gull pier anchor berth crane hatch mast oar quay reef sail buoy")
	r := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		var text strings.Builder
		fmt.Fprintf(&text, "Turn %d:", i)
		for range 30 {
			text.WriteString(" " + words[r.IntN(len(words))])
		}
		in := engine.Observation{Session: "s", Role: "user", Text: text.String(), Consent: graph.ConsentExplicit, User: "ana"}
		began := time.Now()
		if _, err := w.Observe(b.Context(), w.Caller, in); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	median := func(d []time.Duration) float64 {
		d = slices.Sorted(slices.Values(d))
		return d[len(d)/2].Seconds() * 1000
	}
	if n := len(took) / 4; n > 0 {
		b.ReportMetric(median(took[len(took)-n:])/median(took[:n]), "growth")
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1000, "p95-ms")
}
