package wire

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// Events is GraphQL over server-sent events in distinct connections mode: one operation for
// each request, a next event for each response, and complete at the end. Errors before
// execution also come as next events, because an EventSource hides the status.
type Events struct {
	HTTP
	// KeepAlive is the interval of comments.
	KeepAlive time.Duration
	// Write is the maximum time for the client to accept one event.
	Write time.Duration
}

// Supports reports whether the request asks for events.
func (t Events) Supports(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodPost) && wantsEvents(r)
}

// Do streams one operation until it ends or the client disconnects. Only this goroutine writes.
// The goroutine that waits for responses has ended when Do returns.
func (t Events) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	p, release, rejected := t.readParams(w, r)
	defer release()
	if rejected != nil {
		writeRefusal(w, r, exec, mediaJSON, rejected)
		return
	}
	oc, errs := exec.CreateOperationContext(r.Context(), p)
	if len(errs) == 0 {
		if rejected := checkMethod(r, oc.Operation.Operation, true); rejected != nil {
			writeRefusal(w, r, exec, mediaJSON, rejected)
			return
		}
	}
	s := &eventStream{w: w, c: http.NewResponseController(w), write: t.Write}
	h := w.Header()
	h.Set("Content-Type", mediaEvents+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no")
	s.send(":\n\n")
	if len(errs) > 0 {
		s.next(encodeResponse(exec.DispatchError(graphql.WithOperationContext(r.Context(), oc), errs), false))
		s.complete()
		return
	}

	ctx, cancel := context.WithCancel(r.Context())
	answers := make(chan []byte)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(answers)
		runOperation(ctx, exec, oc, answers)
	}()
	defer func() { cancel(); <-ended }()

	alive := time.NewTicker(t.KeepAlive)
	defer alive.Stop()
	for s.err == nil {
		select {
		case answer, more := <-answers:
			if !more || isOver(ctx) {
				s.end(ctx, exec)
				return
			}
			s.next(answer)
		case <-alive.C:
			s.send(":\n\n")
		case <-ctx.Done():
			s.end(ctx, exec)
			return
		}
	}
}

// end completes the stream. If the credential of the caller has ended, the last response says so. A client that
// has disconnected gets nothing.
func (s *eventStream) end(ctx context.Context, exec graphql.GraphExecutor) {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, ErrUnauthorized):
		err := graph.Errorf(graph.CodeUnauthenticated, "the credential has ended: it expired or was revoked")
		s.next(encodeResponse(exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)}), false))
	case cause != nil:
		return
	}
	s.complete()
}

// runOperation sends the encoded responses of an operation. They are encoded at once because
// gqlgen reuses the buffer of a stream's data. A panic becomes the last response.
func runOperation(ctx context.Context, exec graphql.GraphExecutor, oc *graphql.OperationContext, answers chan<- []byte) {
	deliver := func(resp *graphql.Response) bool {
		select {
		case answers <- encodeResponse(resp, true):
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if p := recover(); p != nil {
			deliver(exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(oc.Recover(ctx, p))}))
		}
	}()
	// The context of a query ends with its response, before the response is delivered.
	respond, opCtx := exec.DispatchOperation(ctx, oc)
	for resp := respond(opCtx); resp != nil; resp = respond(opCtx) {
		if !deliver(resp) {
			return
		}
	}
}

// eventStream writes events; after an error it writes nothing more.
type eventStream struct {
	w     http.ResponseWriter
	c     *http.ResponseController
	write time.Duration
	err   error
}

func (s *eventStream) next(answer []byte) { s.send("event: next\ndata: " + string(answer) + "\n\n") }

// complete includes a data line, because browsers ignore events without one.
func (s *eventStream) complete() { s.send("event: complete\ndata: \n\n") }

func (s *eventStream) send(text string) {
	if s.err != nil {
		return
	}
	// Some writers (in tests) don't support deadlines; then those of the server apply.
	_ = s.c.SetWriteDeadline(time.Now().Add(s.write))
	if _, s.err = s.w.Write([]byte(text)); s.err == nil {
		s.err = s.c.Flush()
	}
}
