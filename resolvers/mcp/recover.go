package mcp

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// recovered answers a panic with an internal error. The SDK runs handlers in goroutines of its own, where a panic would end
// the process. The log has the type of the value and not the value, which may quote the content of a memory.
func (s *Service) recovered(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				s.config.Logger.ErrorContext(ctx, "panic in an MCP message", "method", method, "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
		}()
		return next(ctx, method, req)
	}
}
