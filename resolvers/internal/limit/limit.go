// Package limit limits the cost of a request before it is executed.
//
// The shape of a document is measured after parsing and before validation, because validation
// can take quadratic time. A valid operation is measured by the size of its response, with
// lists multiplied, and by the size of the arguments of each field. An exceeded limit is
// LIMIT_EXCEEDED.
package limit

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/somnograph/somnograph/graph"
)

// Limits are the limits of one request.
type Limits struct {
	Document   int // bytes of the query document
	Tokens     int // of the document
	Selections int // maximum in one selection set
	Fields     int // of an operation, with fragments expanded
	Depth      int // of an operation, with fragments expanded
	Aliases    int // of an operation, with fragments expanded
	RootFields int // of an operation
	Directives int // in the document
	Cost       int // of an operation, see Cost
	EventCost  int // of one event of a subscription
	Ordinary   int // bytes of the arguments of an ordinary root field
	Bulk       int // bytes of the arguments of a batch field
}

// init registers the codes of errors before execution; gqlgen's WebSocket transport sends these
// in another message.
func init() {
	errcode.RegisterErrorType(string(graph.CodeLimitExceeded), errcode.KindProtocol)
	errcode.RegisterErrorType(string(graph.CodeInvalidRequest), errcode.KindProtocol)
	errcode.RegisterErrorType(string(graph.CodeRateLimited), errcode.KindProtocol)
}

// Default are the default limits.
func Default() Limits {
	return Limits{
		Document: 64 << 10, Tokens: 2000, Selections: 200, Fields: 1000, Depth: 12, Aliases: 30, RootFields: 20,
		Directives: 50, Cost: 60_000, EventCost: 5000, Ordinary: 64 << 10, Bulk: 40 << 20,
	}
}

// batchFields are the root fields that accept large arguments.
var batchFields = map[string]bool{"rememberMany": true, "observePast": true, "ingest": true}

// Guard enforces the limits. It is a gqlgen extension.
type Guard struct {
	Limits
	// Introspection allows __schema and __type.
	Introspection bool
	// Documents caches documents that passed; they are not measured again.
	Documents graphql.Cache[*ast.QueryDocument]
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
} = (*Guard)(nil)

// ExtensionName is the name of the extension in gqlgen.
func (g *Guard) ExtensionName() string { return "Limits" }

// Validate accepts every schema.
func (g *Guard) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters checks the strings of the document and measures it before validation. Documents with syntax
// errors are left to the executor, which reports them.
func (g *Guard) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if len(p.Query) > g.Document {
		return exceeded("the query document has %d bytes, more than %d: pass values as variables", len(p.Query), g.Document)
	}
	if _, known := g.Documents.Get(ctx, p.Query); known {
		return nil
	}
	if err := checkLiterals(p.Query); err != nil {
		return err
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: p.Query}, g.Tokens)
	switch {
	case err == nil:
		return g.checkShape(doc)
	case strings.Contains(err.Error(), "exceeded token limit"): // the parser has no error value for it
		return exceeded("the query document has more than %d tokens", g.Tokens)
	}
	return nil
}

// MutateOperationContext measures the valid operation with its variables.
func (g *Guard) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if cost := Cost(oc.Operation, oc.Variables); cost > g.Cost {
		return exceeded("the operation costs %d, more than %d: request fewer items", cost, g.Cost)
	} else if cost > g.EventCost && oc.Operation.Operation == ast.Subscription {
		return exceeded("an event costs %d, more than %d: request fewer items", cost, g.EventCost)
	}
	for _, f := range rootFields(oc.Operation.SelectionSet) {
		maxBytes := g.Ordinary
		if batchFields[f.Name] {
			maxBytes = g.Bulk
		}
		if n := valueSize(f.ArgumentMap(oc.Variables)); n > maxBytes {
			return exceeded("%s was given %d bytes, more than %d", f.Name, n, maxBytes)
		}
	}
	return nil
}

// IsBatch reports whether the operation has batch fields only, so that its variables may be
// large. A document with syntax errors is not a batch.
func (l Limits) IsBatch(document, operation string) bool {
	if len(document) > l.Document {
		return false
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: document}, l.Tokens)
	if err != nil {
		return false
	}
	op := doc.Operations.ForName(operation)
	if op == nil {
		return false
	}
	for _, s := range op.SelectionSet {
		if f, ok := s.(*ast.Field); !ok || !batchFields[f.Name] {
			return false
		}
	}
	return len(op.SelectionSet) > 0
}

func exceeded(format string, args ...any) *gqlerror.Error {
	return refuse(graph.CodeLimitExceeded, format, args...)
}

func refuse(code graph.Code, format string, args ...any) *gqlerror.Error {
	e := graph.Errorf(code, format, args...)
	return &gqlerror.Error{Err: e, Message: e.Message, Extensions: map[string]any{"code": string(code)}}
}
