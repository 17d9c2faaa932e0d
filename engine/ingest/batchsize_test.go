package ingest

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/workspace"
)

// A transaction takes fewer memories with long texts, so that the other writes of the tenant do not wait long for it.
func TestLongTextsMakeSmallerBatches(t *testing.T) {
	for _, c := range []struct{ inputs, bytes, want int }{
		{0, 0, 0}, {1, 10, 1}, {100, 100, 100}, {1000, 100, workspace.MaxBatch}, {1000, 4096, workspace.MaxBatchBytes / 4096},
		{5, workspace.MaxBatchBytes, 1}, {5, workspace.MaxBatchBytes + 1, 1}, {3, workspace.MaxBatchBytes / 3, 3},
	} {
		in := make([]RememberInput, c.inputs)
		for i := range in {
			in[i].Content = strings.Repeat("x", c.bytes)
		}
		if got := batchSize(in); got != c.want {
			t.Errorf("%d texts of %d bytes: %d, want %d", c.inputs, c.bytes, got, c.want)
		}
	}
}
