package resolvers

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/hint"
)

// errorPresenter converts errors for the response. Every error gets one of the schema's codes
// in extensions.code, extensions.field if an argument is invalid, and extensions.retryAfter in
// seconds if a retry may succeed. An error without a code is INTERNAL: it is logged under an
// id, and only the id is returned.
type errorPresenter struct {
	log        *slog.Logger
	retryAfter time.Duration // for operations that were refused while waiting
	schema     *ast.Schema
	names      bool // errors may name what is in the schema

	mu     sync.Mutex
	random io.Reader // source of ids
}

// present returns the error for the response.
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
	var limited *retryLater
	if errors.As(err, &limited) {
		out.Extensions["retryAfter"] = limited.seconds
	} else if e.Code == graph.CodeRateLimited { // it was refused while waiting; later ones may be too
		out.Extensions["retryAfter"] = wholeSeconds(p.retryAfter)
	}
	if e.Code == graph.CodeInternal {
		out.Message = r.Error()
		out.Extensions["id"] = r.id
	}
	return out
}

// classify determines the code, the field and the message of an error.
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
		return graph.Errorf(graph.CodeUnavailable, "the request exceeded its deadline; a write may have been committed: retry with the same idempotency key")
	case errors.Is(err, context.Canceled):
		return graph.Errorf(graph.CodeUnavailable, "the request was cancelled")
	case isShown && refusedBeforeExecution(shown):
		return p.beforeExecution(ctx, shown)
	case isShown && argumentAt(ctx, shown.Path) != "":
		e := &graph.Error{Code: graph.CodeInvalidRequest, Field: argumentAt(ctx, shown.Path), Message: p.argumentMessage(ctx, shown)}
		e.Message = e.Sentence()
		return e
	}
	code := graph.CodeOf(err)
	return &graph.Error{Code: code, Message: defaultMessages[code]}
}

// defaultMessages are the messages of errors that have none for people.
var defaultMessages = map[graph.Code]string{
	graph.CodeMemoryNotFound:   "nothing exists with this id",
	graph.CodeLimitExceeded:    "is larger than the store allows",
	graph.CodeIntegrityFailure: "stored data is corrupt; it is not returned",
	graph.CodeUnavailable:      "the store (STORE) is unavailable; the same request may succeed later",
}

// refusedBeforeExecution reports whether parsing, validation or the coercion of variables
// failed. gqlgen marks these with its own codes.
func refusedBeforeExecution(e *gqlerror.Error) bool {
	code := e.Extensions["code"]
	return code == errcode.ValidationFailed || code == errcode.ParseFailed
}

// beforeExecution converts an error of parsing, of validation or of a variable. A variable's message
// names the value at fault by its path below the variable; a variable itself by its name.
func (p *errorPresenter) beforeExecution(ctx context.Context, shown *gqlerror.Error) *graph.Error {
	e := &graph.Error{Code: graph.CodeInvalidRequest, Message: shown.Message}
	if len(shown.Path) < 2 || shown.Path[0] != ast.PathName("variable") {
		e.Field, _ = shown.Extensions[hint.Extension].(string)
		return e
	}
	rest := shown.Path[2:]
	if e.Field = hint.Dotted(rest); len(rest) == 0 {
		e.Field = hint.Dotted(shown.Path[1:])
	}
	if graphql.HasOperationContext(ctx) {
		if op := graphql.GetOperationContext(ctx).Operation; op != nil {
			if def := op.VariableDefinitions.ForName(fmt.Sprint(shown.Path[1])); def != nil {
				e.Message = hint.Explain(p.schema, def.Type, rest, e.Message, p.names)
			}
		}
	}
	e.Message = e.Sentence()
	return e
}

// argumentMessage is the message of an error in decoding an argument, with what would be right.
func (p *errorPresenter) argumentMessage(ctx context.Context, shown *gqlerror.Error) string {
	fc := graphql.GetFieldContext(ctx)
	rest := shown.Path[len(fc.Path()):]
	if fc.Field.Field == nil || fc.Field.Definition == nil {
		return shown.Message
	}
	def := fc.Field.Definition.Arguments.ForName(fmt.Sprint(rest[0]))
	if def == nil {
		return shown.Message
	}
	return hint.Explain(p.schema, def.Type, rest[1:], shown.Message, p.names)
}

// argumentAt names the invalid argument: the part of the error's path below its field. A
// leading "input" is omitted if a name follows it.
func argumentAt(ctx context.Context, path ast.Path) string {
	fc := graphql.GetFieldContext(ctx)
	if fc == nil {
		return ""
	}
	own := len(fc.Path())
	if len(path) <= own {
		return ""
	}
	return hint.Dotted(path[own:])
}

// responsePath is the path of the field in the response; nil before execution.
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

// logHidden logs an internal error and returns the id of the log entry.
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

// loggedError is an internal error that was logged under the id.
type loggedError struct{ id string }

func (r loggedError) Error() string {
	return "internal error; see the log entry with the id " + r.id
}

// recoverPanic logs a panic with its stack and returns an error that is safe to return, because
// transports return it unchanged.
func (p *errorPresenter) recoverPanic(ctx context.Context, value any) error {
	_, stack := graph.DescribePanic(value)
	r := loggedError{p.logHidden(ctx, fmt.Errorf("panic: %v", value), "stack", stack)}
	return &gqlerror.Error{Err: r, Message: r.Error(), Extensions: map[string]any{"code": string(graph.CodeInternal), "id": r.id}}
}

// newID returns 16 random hex digits.
func (p *errorPresenter) newID() string {
	var b [8]byte
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := io.ReadFull(p.random, b[:]); err != nil {
		p.log.Error("could not generate an error id", "error", err)
	}
	return hex.EncodeToString(b[:])
}

// publicError converts the error of a batch item that was refused before the engine saw it.
func publicError(err error) *graph.Error {
	var e *graph.Error
	if errors.As(err, &e) {
		return e
	}
	code := graph.CodeOf(err)
	return &graph.Error{Code: code, Message: defaultMessages[code], Cause: err}
}
