package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/graph"
)

// publicError returns an error as the client may see it: the code, the argument at fault and a
// sentence. An error without a code is logged under an id, and only the id is told.
func (s *Service) publicError(ctx context.Context, what string, err error) *graph.Error {
	var known *graph.Error
	switch {
	case errors.As(err, &known) && known.Code != graph.CodeInternal:
		return known
	case errors.Is(err, context.DeadlineExceeded):
		return graph.Errorf(graph.CodeUnavailable, "the call exceeded its deadline; a write may have been committed: recall it before you repeat it")
	case errors.Is(err, context.Canceled):
		return graph.Errorf(graph.CodeUnavailable, "the call was cancelled")
	}
	if code := graph.CodeOf(err); code != graph.CodeInternal {
		return graph.Errorf(code, "%s", messages[code])
	}
	raw := make([]byte, 8)
	rand.Read(raw) // never fails
	id := hex.EncodeToString(raw)
	s.config.Logger.ErrorContext(ctx, "an MCP call failed", "id", id, "call", what, "error", err)
	return graph.Errorf(graph.CodeInternal, "internal error %s", id)
}

// messages are the sentences of errors that have none for people.
var messages = map[graph.Code]string{
	graph.CodeMemoryNotFound:   "nothing exists with this id",
	graph.CodeLimitExceeded:    "is larger than the store allows",
	graph.CodeIntegrityFailure: "stored data is corrupt; it is not returned",
	graph.CodeUnavailable:      "the store is unavailable; the same call may succeed later",
}

// failed is the result of a call that failed. Models read it, so that they can correct the call.
func failed(err *graph.Error) *sdk.CallToolResult {
	r := said("%s", err.Error())
	r.IsError = true
	return r
}

// said is a result of one text.
func said(format string, a ...any) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf(format, a...)}}}
}
