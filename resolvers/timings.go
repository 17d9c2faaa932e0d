package resolvers

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// samplesPerField is the number of recent durations kept for each field.
const samplesPerField = 1024

// timings measures the duration of the fields of Query and Mutation. Its size is bounded by the
// number of fields in the schema.
type timings struct {
	now func() time.Time // a clock for durations

	mu      sync.Mutex
	samples map[string]*sampleRing
}

// sampleRing holds the last durations of one field.
type sampleRing struct {
	count int
	last  []time.Duration
}

func newTimings(now func() time.Time) *timings {
	return &timings{now: now, samples: map[string]*sampleRing{}}
}

func (t *timings) ExtensionName() string                   { return "Timings" }
func (t *timings) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptRootField measures from the call of the resolver to the end of its response,
// including nested fields.
func (t *timings) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := graphql.GetRootFieldContext(ctx)
	if field == nil || field.Object == "Subscription" {
		return next(ctx)
	}
	began := t.now()
	answer := next(ctx)
	t.record(field.Field.Name, t.now().Sub(began))
	return answer
}

func (t *timings) record(name string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.samples[name]
	if r == nil {
		r = &sampleRing{}
		t.samples[name] = r
	}
	if len(r.last) < samplesPerField {
		r.last = append(r.last, took)
	} else {
		r.last[r.count%samplesPerField] = took
	}
	r.count++
}

// report returns the measurements, the most frequent operation first.
func (t *timings) report() []*gql.OperationTiming {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []*gql.OperationTiming{}
	for name, r := range t.samples {
		sorted := slices.Sorted(slices.Values(r.last))
		// Nearest-rank percentile.
		at := func(percent int) float64 {
			return float64(sorted[(len(sorted)*percent+99)/100-1].Microseconds()) / 1000
		}
		out = append(out, &gql.OperationTiming{Name: name, Count: r.count, P50Ms: at(50), P95Ms: at(95), P99Ms: at(99), MaxMs: at(100)})
	}
	slices.SortFunc(out, func(a, b *gql.OperationTiming) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func (r queryResolver) Performance(ctx context.Context) ([]*gql.OperationTiming, error) {
	if !caller(ctx).Admin {
		return nil, graph.Errorf(graph.CodeForbidden, "requires administrator rights, because the figures cover all tenants")
	}
	return r.timings.report(), nil
}
