package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/graph"
)

// recovered answers a panic with an internal error. The SDK runs handlers in goroutines of its own, where a panic would end
// the process. The log has the type of the value and not the value, which may quote the content of a memory.
func (s *Service) recovered(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				kind, stack := graph.DescribePanic(v)
				s.config.Logger.ErrorContext(ctx, "panic in an MCP message", "method", method, "type", kind, "stack", stack)
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
		}()
		return next(ctx, method, req)
	}
}
