package graph

import (
	"encoding/json"
	"unicode/utf8"
)

// Limits of the tool calls of a memory.
const (
	MaxToolCalls     = 64
	MaxToolCallBytes = 64 << 10 // names, arguments and results together
)

// ToolCall is one call of a tool that a turn of a conversation made. It records what a program did
// and answered: it is nobody's statement, no claims are read in it, and search does not see it.
type ToolCall struct {
	Name      string // 1 to MaxName bytes
	Arguments string // JSON; empty: unknown
	Result    string // what the tool answered; empty: nothing, or unknown
}

// ValidateToolCalls returns an *Error for the field toolCalls, or nil.
func ValidateToolCalls(calls []ToolCall) *Error {
	if len(calls) > MaxToolCalls {
		return FieldError(CodeLimitExceeded, "toolCalls", "has %d items, more than %d", len(calls), MaxToolCalls)
	}
	bytes := 0
	for i, c := range calls {
		switch {
		case c.Name == "" || len(c.Name) > MaxName:
			return FieldError(CodeInvalidRequest, "toolCalls", "the name of call %d must have 1 to %d bytes", i+1, MaxName)
		case !utf8.ValidString(c.Name) || !utf8.ValidString(c.Result):
			return FieldError(CodeInvalidRequest, "toolCalls", "call %d is not valid UTF-8", i+1)
		case c.Arguments != "" && !(json.Valid([]byte(c.Arguments)) && utf8.ValidString(c.Arguments)):
			return FieldError(CodeInvalidRequest, "toolCalls", "the arguments of call %d are not JSON", i+1)
		}
		bytes += len(c.Name) + len(c.Arguments) + len(c.Result)
	}
	if bytes > MaxToolCallBytes {
		return FieldError(CodeLimitExceeded, "toolCalls", "has %d bytes, more than %d", bytes, MaxToolCallBytes)
	}
	return nil
}
