package resolvers

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// errorPresenter turns errors into what may be shown: every one carries one of the schema's
// codes in extensions.code, extensions.field where an argument is at fault, and
// extensions.retryAfter in seconds where the same would be answered later. What
// has no code of its own is INTERNAL: it is logged under an id, and only the id is shown.
type errorPresenter struct {
	log        *slog.Logger
	retryAfter time.Duration // that is admitted

	mu     sync.Mutex
	random io.Reader // for ids
}

// present is the error as the answer carries it.
func (p *errorPresenter) present(ctx context.Context, err error) *gqlerror.Error {
	out := &gqlerror.Error{Path: responsePath(ctx, err)}
	var shown *gqlerror.Error
	if errors.As(err, &shown) {
		out.Locations = shown.Locations
	}
	e := p.classify(ctx, err)
	var r loggedError
	if e.Code == graph.CodeInternal && !errors.As(err, &r) {
		r = loggedError{p.logHidden(ctx, err)}
	}
	out.Message, out.Extensions = e.Message, map[string]any{"code": string(e.Code)}
	if e.Field != "" {
		out.Extensions["field"] = e.Field
	}
	var late *retryLater
	if errors.As(err, &late) {
		out.Extensions["retryAfter"] = late.seconds
	} else if e.Code == graph.CodeRateLimited { // it waited until its time was up, and those behind it may do so
		out.Extensions["retryAfter"] = wholeSeconds(p.retryAfter)
	}
	if e.Code == graph.CodeInternal {
		out.Message = r.Error()
		out.Extensions["id"] = r.id
	}
	return out
}

// classify finds the code, the field and the sentence of an error.
func (p *errorPresenter) classify(ctx context.Context, err error) *graph.Error {
	var known *graph.Error
	var shown *gqlerror.Error
	isShown := errors.As(err, &shown)
	switch {
	case errors.As(err, &known):
		e := &graph.Error{Code: known.Code, Field: known.Field, Message: known.Message}
		if e.Field == "" && isShown {
			e.Field = argumentAt(ctx, shown.Path)
		}
		e.Message = e.Sentence()
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return graph.Errorf(graph.CodeUnavailable, "took longer than a request may; a write may still have been committed: ask again under the same idempotency key")
	case errors.Is(err, context.Canceled):
		return graph.Errorf(graph.CodeUnavailable, "the request was given up")
	case isShown && refusedBeforeExecution(shown):
		return &graph.Error{Code: graph.CodeInvalidRequest, Field: variableAt(shown.Path), Message: shown.Message}
	case isShown && argumentAt(ctx, shown.Path) != "":
		return &graph.Error{Code: graph.CodeInvalidRequest, Field: argumentAt(ctx, shown.Path), Message: shown.Message}
	}
	code := graph.CodeOf(err)
	return &graph.Error{Code: code, Message: defaultMessages[code]}
}

// defaultMessages is what a code says where the error itself is not for people.
var defaultMessages = map[graph.Code]string{
	graph.CodeMemoryNotFound:   "there is nothing with this id",
	graph.CodeLimitExceeded:    "is larger than the store can take",
	graph.CodeIntegrityFailure: "stored bytes are not what was written; they are not served",
	graph.CodeUnavailable:      "the store (STORE) can't do this now; the same request may work later",
}

// refusedBeforeExecution reports whether parsing, validation or the coercion of variables
// refused the request, which gqlgen says in codes of its own.
func refusedBeforeExecution(e *gqlerror.Error) bool {
	code := e.Extensions["code"]
	return code == errcode.ValidationFailed || code == errcode.ParseFailed
}

// variableAt names the place inside the variables: "variable", the variable's name and
// what lies below; a lone variable goes by its own name.
func variableAt(path ast.Path) string {
	if len(path) < 2 || path[0] != ast.PathName("variable") {
		return ""
	}
	if len(path) == 2 {
		return dotted(path[1:])
	}
	return dotted(path[2:])
}

// argumentAt names the argument at fault: what the path of an error has beyond that of
// its field. An argument called input goes without saying where a name follows it.
func argumentAt(ctx context.Context, path ast.Path) string {
	fc := graphql.GetFieldContext(ctx)
	if fc == nil {
		return ""
	}
	own := len(fc.Path())
	if len(path) <= own {
		return ""
	}
	rest := path[own:]
	if len(rest) > 1 && rest[0] == ast.PathName("input") {
		if _, named := rest[1].(ast.PathName); named {
			rest = rest[1:]
		}
	}
	return dotted(rest)
}

func dotted(path ast.Path) string {
	words := make([]string, len(path))
	for i, p := range path {
		words[i] = fmt.Sprint(p)
	}
	return strings.Join(words, ".")
}

// responsePath is the path of the field in the answer; none before execution.
func responsePath(ctx context.Context, err error) ast.Path {
	if fc := graphql.GetFieldContext(ctx); fc != nil {
		return fc.Path()
	}
	var shown *gqlerror.Error
	if errors.As(err, &shown) && !refusedBeforeExecution(shown) {
		return shown.Path
	}
	return nil
}

// logHidden logs an error that may not be shown and answers the id it is logged under.
func (p *errorPresenter) logHidden(ctx context.Context, err error, more ...any) string {
	id := p.newID()
	attrs := append([]any{"id", id, "error", err}, more...)
	if graphql.HasOperationContext(ctx) {
		if op := graphql.GetOperationContext(ctx).Operation; op != nil {
			attrs = append(attrs, "operation", op.Name)
		}
	}
	if path := responsePath(ctx, err); path != nil {
		attrs = append(attrs, "path", path.String())
	}
	p.log.ErrorContext(ctx, "request failed", attrs...)
	return id
}

// loggedError is an error that was logged; only its id is known any more.
type loggedError struct{ id string }

func (r loggedError) Error() string {
	return "something went wrong in the server; its log has the id " + r.id
}

// recoverPanic turns a panic into an error that can be shown as it is: transports do so. The
// stack is only logged.
func (p *errorPresenter) recoverPanic(ctx context.Context, value any) error {
	r := loggedError{p.logHidden(ctx, fmt.Errorf("panic: %v", value), "stack", string(debug.Stack()))}
	return &gqlerror.Error{Err: r, Message: r.Error(), Extensions: map[string]any{"code": string(graph.CodeInternal), "id": r.id}}
}

// newID is 16 hex digits.
func (p *errorPresenter) newID() string {
	var b [8]byte
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := io.ReadFull(p.random, b[:]); err != nil {
		p.log.Error("no randomness for the id of an error", "error", err)
	}
	return hex.EncodeToString(b[:])
}

// publicError is the error of one item in a batch that was refused before the engine saw it.
func publicError(err error) *graph.Error {
	var e *graph.Error
	if errors.As(err, &e) {
		return e
	}
	code := graph.CodeOf(err)
	return &graph.Error{Code: code, Message: defaultMessages[code], Cause: err}
}
