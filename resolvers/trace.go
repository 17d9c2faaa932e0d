package resolvers

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/graph"
)

// spans makes a span for each operation and for its root fields and resolvers. It records neither
// the document nor the variables, which hold texts.
type spans struct{ tracer trace.Tracer }

// maxResolverSpans is the number of nested resolvers of an operation that get a span. A list has
// one for each item and field.
const maxResolverSpans = 64

// resolverCount counts the nested resolvers of an operation.
type resolverCount struct{ n atomic.Int64 }

type resolverCountKey struct{}

func (spans) ExtensionName() string                   { return "Spans" }
func (spans) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation traces an operation until its response is complete; a subscription until it
// has begun.
func (x spans) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	kind := oc.Operation.Operation
	ctx, span := x.tracer.Start(continued(ctx, oc), string(kind), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("graphql.operation.type", string(kind)), attribute.String("graphql.operation.name", oc.OperationName)))
	if !span.IsRecording() {
		return next(ctx)
	}
	count := &resolverCount{}
	ctx = context.WithValue(ctx, resolverCountKey{}, count)
	respond := next(ctx)
	if kind == ast.Subscription {
		span.End()
		return respond
	}
	return func(ctx context.Context) *graphql.Response {
		response := respond(ctx)
		if span.IsRecording() {
			if response != nil && len(response.Errors) > 0 {
				code, _ := response.Errors[0].Extensions["code"].(string)
				span.SetAttributes(attribute.String("error.type", code))
				span.SetStatus(codes.Error, code)
			}
			if over := count.n.Load() - maxResolverSpans; over > 0 {
				span.SetAttributes(attribute.Int64("somnograph.graphql.resolvers_without_span", over))
			}
			span.End()
		}
		return response
	}
}

// continued returns ctx in the trace of the operation: that of its HTTP request, or of a WebSocket
// the one that the extensions of the operation name, or else the headers of its upgrade.
func continued(ctx context.Context, oc *graphql.OperationContext) context.Context {
	if trace.SpanContextFromContext(ctx).IsValid() {
		return ctx
	}
	named := propagation.MapCarrier{}
	for _, key := range (propagation.TraceContext{}).Fields() {
		if value, ok := oc.Extensions[key].(string); ok {
			named[key] = value
		}
	}
	if within := (propagation.TraceContext{}).Extract(ctx, named); trace.SpanContextFromContext(within).IsValid() {
		return within
	}
	headers := oc.Headers
	if headers == nil {
		headers = http.Header{}
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(headers))
}

// InterceptRootField traces a field of Query or Mutation with everything below it.
func (x spans) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := graphql.GetRootFieldContext(ctx)
	if field == nil || field.Field.ObjectDefinition == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return next(ctx)
	}
	ctx, span := x.tracer.Start(ctx, field.Field.ObjectDefinition.Name+"."+field.Field.Name)
	defer span.End()
	return next(ctx)
}

// InterceptField traces a nested field that has a resolver of its own.
func (x spans) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || !field.IsResolver || field.Parent == nil || field.Parent.Parent == nil {
		return next(ctx)
	}
	count, _ := ctx.Value(resolverCountKey{}).(*resolverCount)
	if count == nil || count.n.Add(1) > maxResolverSpans {
		return next(ctx)
	}
	ctx, span := x.tracer.Start(ctx, field.Object+"."+field.Field.Name)
	answer, err := next(ctx)
	if err != nil {
		code := string(graph.CodeOf(err))
		span.SetAttributes(attribute.String("error.type", code))
		span.SetStatus(codes.Error, code)
	}
	span.End()
	return answer, err
}
