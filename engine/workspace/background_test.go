package workspace

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A panic in a part is raised by the caller, after all parts, with its own stack.
func TestParallelChunksRaisePanics(t *testing.T) {
	for _, faulty := range []int{0, 99} {
		var calls atomic.Int64
		func() {
			defer func() {
				kind, stack := graph.DescribePanic(recover())
				if kind != "string" || !strings.Contains(stack, "brokenPart") {
					t.Errorf("item %d: type %q, stack %s", faulty, kind, stack)
				}
			}()
			ParallelChunks(100, 1, func(from, to int) {
				calls.Add(int64(to - from))
				if from <= faulty && faulty < to {
					brokenPart()
				}
			})
		}()
		if calls.Load() != 100 {
			t.Errorf("item %d: %d items", faulty, calls.Load())
		}
	}
}

func brokenPart() { panic("the fault of a test") }
