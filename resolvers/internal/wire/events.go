package wire

import (
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Events is GraphQL over server-sent events in distinct connections: one operation a
// request, a next event for each answer, and complete at its end. What fails before
// execution comes as a next event too, since an EventSource shows no status.
type Events struct {
	HTTP
	// KeepAlive is the pause after which a comment is sent.
	KeepAlive time.Duration
	// Write bounds how long the client may take to accept one event.
	Write time.Duration
}

// Supports reports whether the request asks for events.
func (t Events) Supports(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodPost) && wantsEvents(r)
}

// Do streams one operation until it ends or the client goes. Everything is written by
// this goroutine alone, and the one that waits for answers has ended when it returns.
func (t Events) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	p, release, no := t.readParams(w, r)
	defer release()
	if no != nil {
		writeRefusal(w, r, exec, mediaJSON, no)
		return
	}
	oc, errs := exec.CreateOperationContext(r.Context(), p)
	if len(errs) == 0 {
		if no := checkMethod(r, oc.Operation.Operation, true); no != nil {
			writeRefusal(w, r, exec, mediaJSON, no)
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
			if !more {
				s.complete()
				return
			}
			s.next(answer)
		case <-alive.C:
			s.send(":\n\n")
		case <-ctx.Done():
			return
		}
	}
}

// runOperation hands on the answers of an operation, written out: gqlgen keeps the data of a
// stream's answers in one buffer. A panic becomes the last answer.
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
	// The context of a query ends with its answer, which is still to be handed on.
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

// complete has a data line, without which a browser does not fire the event.
func (s *eventStream) complete() { s.send("event: complete\ndata: \n\n") }

func (s *eventStream) send(text string) {
	if s.err != nil {
		return
	}
	// Not every writer knows deadlines (a test's does not); then the server's hold.
	_ = s.c.SetWriteDeadline(time.Now().Add(s.write))
	if _, s.err = s.w.Write([]byte(text)); s.err == nil {
		s.err = s.c.Flush()
	}
}
