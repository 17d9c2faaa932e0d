package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// noted is a Recorder that notes what it receives, without times.
type noted []string

func (n *noted) add(what ...any) { *n = append(*n, fmt.Sprintln(what...)) }

func (n *noted) Verb(verb string, _ time.Duration, code graph.Code) { n.add("verb", verb, code) }
func (n *noted) Store(store, op string, _ time.Duration, code graph.Code) {
	n.add("store", store, op, code)
}
func (n *noted) Channel(channel string, _ time.Duration, candidates int) {
	n.add("channel", channel, candidates)
}
func (n *noted) Search(found bool, degraded []string) { n.add("search", found, degraded) }
func (n *noted) Phase(phase string, _ time.Duration, items int) {
	n.add("phase", phase, items)
}
func (n *noted) Sleep(kind string, _ time.Duration, completed bool) { n.add("sleep", kind, completed) }
func (n *noted) Model(purpose string, _ time.Duration, texts int, failure string) {
	n.add("model", purpose, texts, failure)
}

func TestANilProbeDoesNothing(t *testing.T) {
	p := telemetry.New(telemetry.Options{})
	if p != nil {
		t.Fatal("a probe without a tracer and a recorder is not nil")
	}
	ctx := t.Context()
	within, end := p.Verb(ctx, "default", "search")
	end(errors.New("x"))
	sleeping, ended := p.Sleep(ctx, "DEEP")
	ended(nil)
	phase, done := p.Phase(ctx, "N1")
	done(1, nil)
	if within != ctx || sleeping != ctx || phase != ctx {
		t.Error("the context changed")
	}
	if p.Store("badger") != nil || p.Recorder() != nil || p.Content() {
		t.Error("a nil probe has parts")
	}
	p.Touched(ctx, []graph.ID{"a"}, nil)
	p.Asked(ctx, "a question")
	p.Past(ctx, "step", time.Now(), time.Second)
}

func TestMeasurements(t *testing.T) {
	var n noted
	p := telemetry.New(telemetry.Options{Recorder: &n})
	_, end := p.Verb(t.Context(), "default", "search")
	end(nil)
	_, end = p.Verb(t.Context(), "default", "search")
	end(graph.Errorf(graph.CodeForbidden, "no"))
	_, end = p.Verb(t.Context(), "default", "search")
	end(fmt.Errorf("left: %w", context.Canceled))
	store := p.Store("badger")
	for _, err := range []error{nil, graph.ErrNotFound, graph.ErrUnavailable, context.Canceled} { // what a caller's work returns is no failure of the store
		_, done := store.Begin(t.Context(), graph.OperationRead)
		done(err)
	}
	_, phase := p.Phase(t.Context(), "N1")
	phase(7, nil)
	_, phase = p.Phase(t.Context(), "N2")
	phase(0, graph.ErrUnavailable) // it will run again
	_, sleep := p.Sleep(t.Context(), "DEEP")
	sleep(graph.ErrUnavailable)
	_, model := p.Model(t.Context(), "embedder", "hashed", 3)
	model("503")
	want := noted{}
	want.add("verb", "search", "")
	want.add("verb", "search", "FORBIDDEN")
	want.add("verb", "search", "CANCELLED")
	want.add("store", "badger", "read", "")
	want.add("store", "badger", "read", "")
	want.add("store", "badger", "read", "UNAVAILABLE")
	want.add("store", "badger", "read", "")
	want.add("phase", "N1", 7)
	want.add("sleep", "DEEP", false)
	want.add("model", "embedder", 3, "503")
	if !slices.Equal(n, want) {
		t.Errorf("measured\n%v, want\n%v", n, want)
	}
}

// counting is a tracer that counts the spans that it starts, none of which is recorded.
type counting struct {
	noop.Tracer
	started int
}

func (c *counting) Start(ctx context.Context, name string, o ...trace.SpanStartOption) (context.Context, trace.Span) {
	c.started++
	return c.Tracer.Start(ctx, name, o...)
}

// Steps of what is not recorded start no span: neither the upkeep of a server nor a call that was
// not sampled.
func TestStepsNeedARecordedSpan(t *testing.T) {
	tracer := &counting{}
	p := telemetry.New(telemetry.Options{Tracer: tracer})
	store := p.Store("badger")
	_, end := store.Begin(t.Context(), graph.OperationCommit)
	end(nil)
	ctx, ended := p.Verb(t.Context(), "default", "search")
	_, end = store.Begin(ctx, graph.OperationRead)
	end(nil)
	_, span := p.Step(ctx, "recall plan")
	span.End(nil)
	ended(nil)
	if tracer.started != 1 {
		t.Errorf("%d spans were started, want that of the verb only", tracer.started)
	}
}
