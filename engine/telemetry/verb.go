package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/somnograph/somnograph/graph"
)

// Verb begins a call of a verb. end ends it with its error.
func (p *Probe) Verb(ctx context.Context, tenant graph.Tenant, verb string) (within context.Context, end func(error)) {
	if p == nil {
		return ctx, func(error) {}
	}
	name, operation := verb, Operation(verb)
	if operation != "" {
		name = operation
	}
	began := time.Now()
	ctx, span := p.Start(ctx, name)
	if span.On() {
		of := []attribute.KeyValue{
			attribute.String(VerbName, verb), attribute.String(MemoryStoreID, string(tenant)), attribute.String(OperationName, operation), attribute.String(ProviderName, Provider),
		}
		if operation == "" {
			of = of[:2]
		}
		span.Set(of...)
	}
	return ctx, func(err error) {
		span.End(err)
		if p.o.Recorder != nil {
			p.o.Recorder.Verb(verb, time.Since(began), codeOf(err))
		}
	}
}

// Record is a memory in the attribute MemoryRecords, as the conventions' JSON schema
// gen-ai-memory-records.json has it.
type Record struct {
	ID      graph.ID `json:"id,omitempty"`
	Content string   `json:"content"`
	Score   *float64 `json:"score,omitempty"`
}

// Touched adds to the span of a verb which memories it wrote or found. records is called only if
// spans have content; nil: there are no texts.
func (p *Probe) Touched(ctx context.Context, ids []graph.ID, records func() []Record) {
	span := SpanOf(ctx)
	if p == nil || !span.On() {
		return
	}
	span.Set(attribute.Int(MemoryCount, len(ids)))
	if len(ids) == 1 {
		span.Set(attribute.String(MemoryRecordID, string(ids[0])))
	}
	if !p.o.Content || records == nil {
		return
	}
	if raw, err := json.Marshal(records()); err == nil {
		span.Set(attribute.String(MemoryRecords, string(raw)))
	}
}

// Asked adds the question of a search to the span of its verb, if spans have content.
func (p *Probe) Asked(ctx context.Context, question string) {
	if p.Content() {
		SpanOf(ctx).Set(attribute.String(MemoryQuery, question))
	}
}

// Sleep begins a sleep in the trace of ctx. end ends it with the error that interrupted it.
func (p *Probe) Sleep(ctx context.Context, kind string) (within context.Context, end func(error)) {
	if p == nil {
		return ctx, func(error) {}
	}
	began := time.Now()
	ctx, span := p.Start(ctx, "sleep "+kind)
	return ctx, func(err error) {
		span.End(err)
		if p.o.Recorder != nil {
			p.o.Recorder.Sleep(kind, time.Since(began), err == nil)
		}
	}
}

// Phase begins a phase of a sleep. end ends it with its items and its error.
func (p *Probe) Phase(ctx context.Context, phase string) (within context.Context, end func(items int, err error)) {
	if p == nil {
		return ctx, func(int, error) {}
	}
	began := time.Now()
	ctx, span := p.Step(context.WithValue(ctx, withoutReads{}, true), "sleep phase "+phase)
	return ctx, func(items int, err error) {
		span.Set(attribute.Int(PhaseItems, items))
		span.End(err)
		if p.o.Recorder != nil && err == nil {
			p.o.Recorder.Phase(phase, time.Since(began), items)
		}
	}
}

// withoutReads is the key of contexts whose reads of a store make no spans: a sleep makes too many.
type withoutReads struct{}

// storeObserver implements graph.Observer.
type storeObserver struct {
	probe *Probe
	store string
	names map[string]string // of spans, by operation
}

// Store observes a store of a name, such as "badger". Operations outside of a recorded span make no
// spans of their own. It returns nil for a nil Probe.
func (p *Probe) Store(name string) graph.Observer {
	if p == nil {
		return nil
	}
	o := &storeObserver{p, name, map[string]string{}}
	for _, op := range graph.StoreOperations {
		o.names[op] = name + " " + op
	}
	return o
}

// Begin implements graph.Observer.
func (o *storeObserver) Begin(ctx context.Context, operation string) (context.Context, func(error)) {
	began := time.Now()
	var span Span
	if operation != graph.OperationRead || ctx.Value(withoutReads{}) == nil {
		ctx, span = o.probe.Step(ctx, o.names[operation])
	}
	return ctx, func(err error) {
		span.End(failed(err))
		if r := o.probe.o.Recorder; r != nil {
			r.Store(o.store, operation, time.Since(began), codeOf(failed(err)))
		}
	}
}

// failed is err if it is a failure of a store, nil if the caller's work in a transaction returned it,
// for example because something was not found.
func failed(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	switch codeOf(err) {
	case graph.CodeUnavailable, graph.CodeInternal, graph.CodeIntegrityFailure:
		return err
	}
	return nil
}

// Model implements models.Observer.
func (p *Probe) Model(ctx context.Context, purpose, model string, texts int) (context.Context, func(failure string)) {
	began := time.Now()
	operation := modelOperations[purpose]
	ctx, span := p.Step(ctx, operation+" "+model)
	if span.On() {
		span.Set(attribute.String(OperationName, operation), attribute.String(RequestModel, model), attribute.Int(TextCount, texts))
	}
	return ctx, func(failure string) {
		if failure != "" {
			span.Set(attribute.String(ErrorType, failure))
		}
		span.End(nil)
		if r := p.Recorder(); r != nil {
			r.Model(purpose, time.Since(began), texts, failure)
		}
	}
}

// modelOperations are the operations of the conventions by the purpose of a model. They have none
// for reranking.
var modelOperations = map[string]string{"embedder": "embeddings", "reranker": "rerank", "chat": "chat"}
