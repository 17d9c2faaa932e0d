package index

import (
	"context"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

// BenchmarkWriteToSearchable measures the time from an acknowledged write until a search sees
// it, feed included.
func BenchmarkWriteToSearchable(b *testing.B) {
	sizes(b, func(b *testing.B, n int) {
		f := crowded(b, n)
		x := opened(b, f, Options{})
		vector := testvectors.Unit(3, benchDims)
		b.ReportAllocs()
		for b.Loop() {
			m := f.memory(epoch.Add(3_000_000*time.Minute), "a fresh note about the harbour and its boats")
			c := f.put(m, vector)
			if err := x.WaitFor(context.Background(), world, c); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		crowds.Delete(n) // others count on its size
	})
}
