package telemetry

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/graph"
)

// Recorder receives measurements. An error code is empty for a success. Methods are quick and safe
// for concurrent use.
type Recorder interface {
	// Verb receives a call of a verb of the engine.
	Verb(verb string, took time.Duration, code graph.Code)
	// Store receives an operation of a store, such as "badger" and "commit".
	Store(store, operation string, took time.Duration, code graph.Code)
	// Channel receives the search of one channel of recall, and how many candidates it found.
	Channel(channel string, took time.Duration, candidates int)
	// Search receives how a search ended, and the parts that were unavailable to it.
	Search(found bool, degraded []string)
	// Phase receives a phase of a sleep and its items.
	Phase(phase string, took time.Duration, items int)
	// Sleep receives a sleep that ended, and whether it completed.
	Sleep(kind string, took time.Duration, completed bool)
	// Model receives a call of a model with a number of texts. Purpose is "embedder", "reranker" or
	// "chat".
	Model(purpose string, took time.Duration, texts int, failure string)
}

// Options configure a Probe. All fields may be zero.
type Options struct {
	Tracer   trace.Tracer // nil: no spans
	Recorder Recorder     // nil: no measurements
	// Content adds the texts of memories and questions to spans.
	Content bool
}

// Probe makes spans and passes measurements on. A nil Probe does nothing. Its methods are safe for
// concurrent use.
type Probe struct{ o Options }

// New makes a Probe; nil if there is nothing to do.
func New(o Options) *Probe {
	if o.Tracer == nil && o.Recorder == nil {
		return nil
	}
	return &Probe{o}
}

// Content reports whether spans have the texts of memories and questions.
func (p *Probe) Content() bool { return p != nil && p.o.Content }

// Recorder is the receiver of measurements; nil: there is none.
func (p *Probe) Recorder() Recorder {
	if p == nil {
		return nil
	}
	return p.o.Recorder
}

// Span is a span that is recorded, or the zero Span, whose methods do nothing.
type Span struct{ span trace.Span }

// SpanOf is the recorded span of a context.
func SpanOf(ctx context.Context) Span {
	if s := trace.SpanFromContext(ctx); s.IsRecording() {
		return Span{s}
	}
	return Span{}
}

// On reports whether the span is recorded. Callers check it before they compute attributes.
func (s Span) On() bool { return s.span != nil }

// Set sets attributes.
func (s Span) Set(attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.SetAttributes(attributes...)
	}
}

// Count sets how many memories the operation concerned.
func (s Span) Count(memories int) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int(MemoryCount, memories))
	}
}

// Event adds an event.
func (s Span) Event(name string, attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.AddEvent(name, trace.WithAttributes(attributes...))
	}
}

// Link links the span to another.
func (s Span) Link(to Span) {
	if s.span != nil && to.span != nil {
		s.span.AddLink(trace.Link{SpanContext: to.span.SpanContext()})
	}
}

// End ends the span with the error of its work. The text of the error stays out: it may name what
// a caller wrote.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		code := string(codeOf(err))
		s.span.SetAttributes(attribute.String(ErrorType, code))
		s.span.SetStatus(codes.Error, code)
	}
	s.span.End()
}

// Start starts a span in the trace of the context, or a new trace. It is for work that a caller or
// the server began; its steps use Step.
func (p *Probe) Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, Span) {
	if p == nil || p.o.Tracer == nil {
		return ctx, Span{}
	}
	ctx, span := p.o.Tracer.Start(ctx, name, options...)
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

// Step starts a span below a recorded span of the context. Without one it does nothing.
func (p *Probe) Step(ctx context.Context, name string) (context.Context, Span) {
	if p == nil || p.o.Tracer == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, Span{}
	}
	ctx, span := p.o.Tracer.Start(ctx, name)
	return ctx, Span{span}
}

// Past adds a span for a step that has ended, below a recorded span of the context.
func (p *Probe) Past(ctx context.Context, name string, began time.Time, took time.Duration, attributes ...attribute.KeyValue) {
	if p == nil || p.o.Tracer == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return
	}
	_, span := p.o.Tracer.Start(ctx, name, trace.WithTimestamp(began), trace.WithAttributes(attributes...))
	span.End(trace.WithTimestamp(began.Add(took)))
}

// Within returns ctx with the span of another context, for work that another goroutine does on
// behalf of a call.
func Within(ctx, from context.Context) context.Context {
	if s := trace.SpanFromContext(from); s.SpanContext().IsValid() {
		return trace.ContextWithSpan(ctx, s)
	}
	return ctx
}

// Codes of calls that their callers ended.
const (
	Cancelled graph.Code = "CANCELLED"
	TimedOut  graph.Code = "TIMEOUT"
)

// codeOf is the code of an error, empty for nil.
func codeOf(err error) graph.Code {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return TimedOut
	}
	return graph.CodeOf(err)
}
