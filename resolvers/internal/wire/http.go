package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// HTTP is GraphQL over HTTP: queries by GET, queries and mutations by POST. A request that
// fails before execution has no data. Its status is 200 as application/json and 400 as
// application/graphql-response+json. A rate-limited request has status 429 with Retry-After in
// both, for intermediaries that do not read the body.
type HTTP struct {
	Sizes
	// Enter waits until there is room for a large body of so many bytes, and holds it until leave is called. An error is the answer.
	Enter func(ctx context.Context, bytes int64) (leave func(), err error)
	// Large reports why a request may send no large body; nil: it may.
	Large func(ctx context.Context) *graph.Error
	// Paced ends reads of a large body that comes too slowly, with os.ErrDeadlineExceeded.
	Paced func(w http.ResponseWriter, body io.Reader) io.Reader
}

// Challenge is the header WWW-Authenticate of a response with status 401.
const Challenge = `Bearer realm="somnograph"`

var errNoAnswer = errors.New("wire: the operation returned no response")

// Supports accepts every request that no other transport accepts. An offer to upgrade to
// another protocol than WebSocket is ignored, as HTTP allows.
func (t HTTP) Supports(*http.Request) bool { return true }

// Do serves one request.
func (t HTTP) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	media := accepted(r)
	if media == "" {
		media = mediaJSON
		writeRefusal(w, r, exec, media, refuse(http.StatusNotAcceptable, graph.CodeInvalidRequest, "responses are %s or %s", mediaGraphQL, mediaJSON))
		return
	}
	p, release, rejected := t.readParams(w, r)
	defer release()
	if rejected != nil {
		writeRefusal(w, r, exec, media, rejected)
		return
	}
	oc, errs := exec.CreateOperationContext(r.Context(), p)
	if len(errs) > 0 {
		status := http.StatusOK
		if media == mediaGraphQL {
			status = http.StatusBadRequest
		}
		if after := retryAfter(errs); after != "" {
			w.Header().Set("Retry-After", after)
			status = http.StatusTooManyRequests
		}
		writeResponse(w, media, status, exec.DispatchError(graphql.WithOperationContext(r.Context(), oc), errs), false)
		return
	}
	if rejected := checkMethod(r, oc.Operation.Operation, false); rejected != nil {
		writeRefusal(w, r, exec, media, rejected)
		return
	}
	respond, ctx := exec.DispatchOperation(r.Context(), oc)
	resp := respond(ctx)
	if resp == nil { // the client disconnected, or the deadline passed before the start
		resp = exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(cmp.Or(ctx.Err(), errNoAnswer))})
	}
	status := http.StatusOK
	if after := retryAfter(resp.Errors); after != "" && resp.Data == nil { // it was refused before any field
		w.Header().Set("Retry-After", after)
		status = http.StatusTooManyRequests
	}
	writeResponse(w, media, status, resp, status == http.StatusOK)
}

// retryAfter returns the seconds after which a rate-limited request may be repeated; "" for
// other errors.
func retryAfter(errs gqlerror.List) string {
	for _, e := range errs {
		if after, limited := e.Extensions["retryAfter"]; limited {
			return fmt.Sprint(after)
		}
	}
	return ""
}

// readParams reads the request. release ends what it holds of the room for large bodies.
func (t HTTP) readParams(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, func(), *refusal) {
	release := func() {}
	switch {
	case r.Method == http.MethodGet:
		p, rejected := t.fromURL(r)
		return p, release, rejected
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		return nil, release, refuse(http.StatusMethodNotAllowed, graph.CodeInvalidRequest, "the method must be GET or POST")
	case !isJSON(r):
		return nil, release, refuse(http.StatusUnsupportedMediaType, graph.CodeInvalidRequest, "the body must be application/json in UTF-8")
	case r.ContentLength > t.Bulk:
		return nil, release, refuse(http.StatusRequestEntityTooLarge, graph.CodeLimitExceeded, "the body has more than %d bytes", t.Bulk)
	}
	body, release, err := t.readBody(w, r)
	if err != nil {
		return nil, release, unread(err, t.Bulk)
	}
	p, rejected := t.fromBody(r, body)
	return p, release, rejected
}

// readBody reads a body. A large one is read when there is room for it, and one of unknown size up to where it becomes large before.
// release ends what it holds of that room.
func (t HTTP) readBody(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	release = func() {}
	from, need := http.MaxBytesReader(w, r.Body, t.Bulk), r.ContentLength
	if need <= t.Ordinary {
		body, err = io.ReadAll(io.LimitReader(from, t.Ordinary+1))
		if err != nil || int64(len(body)) <= t.Ordinary {
			return body, release, err
		}
		need = t.Bulk
	}
	if refused := t.Large(r.Context()); refused != nil {
		return nil, release, refused
	}
	if release, err = t.Enter(r.Context(), need); err != nil {
		return nil, func() {}, err
	}
	rest, err := io.ReadAll(t.Paced(w, from))
	return append(body, rest...), release, err
}

// unread is the refusal of a request whose body was not read, or not to its end.
func unread(err error, most int64) *refusal {
	var large *http.MaxBytesError
	var known *graph.Error
	switch {
	case errors.As(err, &large):
		return refuse(http.StatusRequestEntityTooLarge, graph.CodeLimitExceeded, "the body has more than %d bytes", most)
	case errors.As(err, &known) && known.Code == graph.CodeUnauthenticated: // the credential ended while the body was sent
		return &refusal{http.StatusUnauthorized, known}
	case errors.As(err, &known) && known.Code == graph.CodeLimitExceeded:
		return &refusal{http.StatusRequestEntityTooLarge, known}
	case errors.As(err, &known) && known.Code == graph.CodeUnavailable:
		return &refusal{http.StatusServiceUnavailable, known}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, graph.CodeInvalidRequest, "the body arrived too slowly")
	}
	return refuse(http.StatusBadRequest, graph.CodeInvalidRequest, "the body could not be read")
}

// checkMethod refuses an operation that the method or the transport does not support.
func checkMethod(r *http.Request, op ast.Operation, streams bool) *refusal {
	switch {
	case op == ast.Mutation && r.Method == http.MethodGet:
		return refuse(http.StatusMethodNotAllowed, graph.CodeInvalidRequest, "a GET can't change anything: use POST")
	case op == ast.Subscription && !streams:
		return refuse(http.StatusBadRequest, graph.CodeInvalidRequest, "subscriptions require WebSocket (graphql-transport-ws) or text/event-stream")
	}
	return nil
}

// writeRefusal writes an error response for a request without an operation.
func writeRefusal(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, media string, rejected *refusal) {
	if rejected.status == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
		w.Header().Set("Allow", http.MethodPost)
	}
	if rejected.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", Challenge)
	}
	writeResponse(w, media, rejected.status, exec.DispatchError(r.Context(), gqlerror.List{gqlerror.Wrap(rejected.err)}), false)
}

// writeResponse writes a response; data is included only if something was executed.
func writeResponse(w http.ResponseWriter, media string, status int, resp *graphql.Response, executed bool) {
	h := w.Header()
	h.Set("Content-Type", media+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// An error means that the client disconnected; there is nobody to report it to.
	_, _ = w.Write(encodeResponse(resp, executed))
}

// encodeResponse encodes the response as JSON. The data is JSON already and is copied.
func encodeResponse(resp *graphql.Response, executed bool) []byte {
	var out []byte
	part := func(name string, value []byte) {
		sep := byte(',')
		if len(out) == 0 {
			sep = '{'
		}
		out = append(append(append(out, sep, '"'), name...), '"', ':')
		out = append(out, value...)
	}
	if len(resp.Errors) > 0 {
		part("errors", mustMarshal(resp.Errors))
	}
	if executed {
		data := []byte(resp.Data)
		if len(data) == 0 {
			data = []byte("null")
		}
		part("data", data)
	}
	if len(resp.Extensions) > 0 {
		part("extensions", mustMarshal(resp.Extensions))
	}
	return append(out, '}')
}

// mustMarshal encodes a value of known type, which does not fail.
func mustMarshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// Upgrades reports whether the request asks for a WebSocket.
func Upgrades(r *http.Request) bool { return Sockets{}.Supports(r) }

// Streams reports whether the request asks for a WebSocket or an event stream.
func Streams(r *http.Request) bool { return Upgrades(r) || Events{}.Supports(r) }

// Refuse writes one error as the response, without an operation.
func Refuse(w http.ResponseWriter, r *http.Request, status int, err *gqlerror.Error) {
	writeResponse(w, cmp.Or(accepted(r), mediaJSON), status, &graphql.Response{Errors: gqlerror.List{err}}, false)
}
