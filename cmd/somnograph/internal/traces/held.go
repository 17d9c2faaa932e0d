package traces

import (
	"cmp"
	"context"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

const (
	heldSpans = 64          // spans that are handed over together
	heldFor   = time.Second // how long a span waits for others, unless another time is set
)

// held hands the spans that end to the next processor in groups. The batch processor of the SDK wakes a goroutine for each span that
// it gets. A search ends more than ten spans, and waking a thread takes longer than making a span.
type held struct {
	sdk.SpanProcessor               // the next one
	wait              time.Duration // how long a span waits for others; 0: heldFor

	handing sync.Mutex // held while spans are passed on, in their order

	mu    sync.Mutex
	spans []sdk.ReadOnlySpan
	timer *time.Timer // hands over; nil: no span waits
}

// OnEnd takes a span that ended.
func (h *held) OnEnd(s sdk.ReadOnlySpan) {
	if !s.SpanContext().IsSampled() {
		return
	}
	h.mu.Lock()
	h.spans = append(h.spans, s)
	if h.timer == nil {
		h.timer = time.AfterFunc(cmp.Or(h.wait, heldFor), h.handOver)
	}
	full := len(h.spans) >= heldSpans
	h.mu.Unlock()
	if full {
		h.handOver()
	}
}

// handOver passes the spans that wait to the next processor.
func (h *held) handOver() {
	h.handing.Lock()
	defer h.handing.Unlock()
	h.mu.Lock()
	spans := h.spans
	h.spans = nil
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
	h.mu.Unlock()
	for _, s := range spans {
		h.SpanProcessor.OnEnd(s)
	}
}

// ForceFlush exports every span that has ended.
func (h *held) ForceFlush(ctx context.Context) error {
	h.handOver()
	return h.SpanProcessor.ForceFlush(ctx)
}

// Shutdown exports every span that has ended. Those that end later are dropped.
func (h *held) Shutdown(ctx context.Context) error {
	h.handOver()
	return h.SpanProcessor.Shutdown(ctx)
}
