package library_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// timedEmbedder counts the time that embedding takes.
type timedEmbedder struct {
	models.Embedder
	spent atomic.Int64
}

func (e *timedEmbedder) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	began := time.Now()
	defer func() { e.spent.Add(int64(time.Since(began))) }()
	return e.Embedder.Embed(ctx, texts, kind)
}

// logbook makes a Markdown file of six sections.
func logbook(r *rand.Rand, i int) string {
	names, places := strings.Fields("Heron Stork Crane Ibis Osprey Merlin Kestrel Egret Plover Curlew"), strings.Fields("harbour loft quay orchard mill bridge yard meadow")
	var b strings.Builder
	fmt.Fprintf(&b, "# Logbook %d\n", i)
	for k := range 6 {
		fmt.Fprintf(&b, "\n## Flight %d\n\n", k)
		for range 3 + r.IntN(12) {
			fmt.Fprintf(&b, "%s %d rests at the %s with %d metres of line. ", names[r.IntN(len(names))], r.IntN(99), places[r.IntN(len(places))], 3+r.IntN(60))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// BenchmarkIngest stores 1,000 Markdown files in an empty store on disk, one after the other, and
// then the same files again, which must write nothing.
func BenchmarkIngest(b *testing.B) {
	const files = 1000
	for b.Loop() {
		b.StopTimer()
		store, err := badgerstore.Open(b.TempDir(), badgerstore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		embedder := &timedEmbedder{Embedder: hashed.New()}
		w := enginetest.With(b, enginetest.Options{Store: store, Embedder: embedder})
		r := rand.New(rand.NewPCG(1, 2))
		texts := make([]string, files)
		for i := range texts {
			texts[i] = logbook(r, i)
		}
		run := func() (took time.Duration, written int) {
			began := time.Now()
			for i, text := range texts {
				written += ingest(b, w, fmt.Sprintf("log/%04d.md", i), text).Written
			}
			return time.Since(began), written
		}
		b.StartTimer()
		took, written := run()
		b.StopTimer()
		share := float64(embedder.spent.Load()) / float64(took)
		again, none := run()
		if none != 0 || written == 0 || active(b, w) != written {
			b.Fatalf("%d chunks written, %d by the second run, %d ACTIVE", written, none, active(b, w))
		}
		b.ReportMetric(files/took.Seconds(), "files/s")
		b.ReportMetric(float64(written)/took.Seconds(), "chunks/s")
		b.ReportMetric(100*share, "%embedder")
		b.ReportMetric(files/again.Seconds(), "unchanged/s")
		b.Cleanup(func() { _ = store.Close() })
		b.StartTimer()
	}
}
