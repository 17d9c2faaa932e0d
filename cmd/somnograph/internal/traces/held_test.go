package traces

import (
	"context"
	"slices"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// noted is a processor that notes the names of the spans that it gets.
type noted struct {
	sdk.SpanProcessor
	names []string
	ended []string // what was called
}

func (n *noted) OnStart(context.Context, sdk.ReadWriteSpan) {}
func (n *noted) OnEnd(s sdk.ReadOnlySpan)                   { n.names = append(n.names, s.Name()) }

func (n *noted) ForceFlush(context.Context) error { n.ended = append(n.ended, "flush"); return nil }
func (n *noted) Shutdown(context.Context) error   { n.ended = append(n.ended, "shutdown"); return nil }

// Spans reach the next processor in groups, in their order, and all of them before an export or the end.
func TestSpansAreHandedOverInGroups(t *testing.T) {
	next := &noted{}
	h := &held{SpanProcessor: next, wait: time.Hour}
	provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(h))
	tracer := provider.Tracer("test")
	end := func(name string) {
		_, s := tracer.Start(t.Context(), name)
		s.End()
	}
	for range heldSpans - 1 {
		end("a")
	}
	if len(next.names) != 0 {
		t.Fatalf("%d spans were handed over before the group was full", len(next.names))
	}
	end("b")
	if len(next.names) != heldSpans || next.names[heldSpans-1] != "b" {
		t.Fatalf("%d spans were handed over, want %d", len(next.names), heldSpans)
	}
	end("c")
	if h.timer == nil {
		t.Fatal("nothing hands over a span that waits alone")
	}
	h.handOver() // as the timer does
	if next.names[len(next.names)-1] != "c" || h.timer != nil {
		t.Fatalf("the span that waited was not handed over: %v", next.names[heldSpans:])
	}
	end("d")
	if err := provider.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	end("e")
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(next.names[heldSpans:], []string{"c", "d", "e"}) || !slices.Equal(next.ended, []string{"flush", "shutdown"}) {
		t.Errorf("handed over %v, called %v", next.names[heldSpans:], next.ended)
	}
}
