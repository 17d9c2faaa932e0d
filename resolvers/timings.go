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

// samplesPerField is how many last answers of an operation are measured by.
const samplesPerField = 1024

// timings keeps how long the fields of Query and Mutation take. Their names are those of
// the schema, so there are never more rings than it has fields.
type timings struct {
	now func() time.Time // a clock for durations

	mu      sync.Mutex
	samples map[string]*sampleRing
}

// sampleRing holds the last durations of one operation.
type sampleRing struct {
	count int
	last  []time.Duration
}

func newTimings(now func() time.Time) *timings {
	return &timings{now: now, samples: map[string]*sampleRing{}}
}

func (t *timings) ExtensionName() string                   { return "Timings" }
func (t *timings) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptRootField measures from the call of a resolver to the end of its answer, with
// all that hangs on it.
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

// report is what was measured, the most called operation first.
func (t *timings) report() []*gql.OperationTiming {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []*gql.OperationTiming{}
	for name, r := range t.samples {
		sorted := slices.Sorted(slices.Values(r.last))
		// The nearest rank: at least the share p of the answers took no longer.
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
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	if !c.Admin {
		return nil, graph.Errorf(graph.CodeForbidden, "the figures are of all tenants; they ask for the right to administer")
	}
	return r.timings.report(), nil
}
