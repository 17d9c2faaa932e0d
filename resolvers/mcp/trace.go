package mcp

import (
	"context"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traced makes a span for each message, by the conventions of OpenTelemetry for MCP servers. It
// continues the trace that the message names in its _meta, and then links to the trace of the HTTP
// request, which may carry several messages. Arguments and results are not recorded.
func (s *Service) traced(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		name, attributes := method, []attribute.KeyValue{attribute.String("mcp.method.name", method)}
		if call, ok := req.GetParams().(*sdk.CallToolParamsRaw); ok && call != nil && isTool(call.Name) {
			name += " " + call.Name
			attributes = append(attributes, attribute.String("gen_ai.tool.name", call.Name), attribute.String("gen_ai.operation.name", "execute_tool"))
		}
		options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}
		if remote := named(ctx, req); remote.IsValid() {
			if outer := trace.SpanContextFromContext(ctx); outer.IsValid() {
				options = append(options, trace.WithLinks(trace.Link{SpanContext: outer}))
			}
			ctx = trace.ContextWithRemoteSpanContext(ctx, remote)
		}
		ctx, span := s.config.Tracer.Start(ctx, name, append(options, trace.WithAttributes(attributes...))...)
		defer span.End()
		result, err := next(ctx, method, req)
		failure := ""
		if answer, ok := result.(*sdk.CallToolResult); ok && answer != nil && answer.IsError {
			failure = "tool_error"
		}
		if err != nil {
			failure = "protocol_error"
		}
		if failure != "" {
			span.SetAttributes(attribute.String("error.type", failure))
			span.SetStatus(codes.Error, failure)
		}
		return result, err
	}
}

// named is the span that a message names in its _meta.
func named(ctx context.Context, req sdk.Request) trace.SpanContext {
	params := req.GetParams()
	if params == nil || reflect.ValueOf(params).IsNil() { // a message without parameters
		return trace.SpanContext{}
	}
	meta, carrier := params.GetMeta(), propagation.MapCarrier{}
	for _, key := range (propagation.TraceContext{}).Fields() {
		if value, ok := meta[key].(string); ok {
			carrier[key] = value
		}
	}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(trace.ContextWithSpanContext(ctx, trace.SpanContext{}), carrier))
}

// isTool reports whether a tool exists. The name of another is what a client wrote.
func isTool(name string) bool {
	for i := range tools {
		if tools[i].name == name {
			return true
		}
	}
	return false
}
