package workspace

import (
	"context"
	"errors"

	"github.com/somnograph/somnograph/graph"
)

// ErrClosing is the error of work that begins after Close.
var ErrClosing = graph.Errorf(graph.CodeUnavailable, "the server is shutting down")

// PublicError returns the client-facing error of a failed call.
func (ws *Space) PublicError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return ws.ItemError(err)
}

// NotFound converts a store's ErrNotFound to the API error.
func NotFound(err error) error {
	if errors.Is(err, graph.ErrNotFound) {
		return &graph.Error{Code: graph.CodeMemoryNotFound, Field: "id", Message: "no memory has this id", Cause: err}
	}
	return err
}

// ItemError returns the client-facing error of one item.
func (ws *Space) ItemError(err error) *graph.Error {
	var shown *graph.Error
	if errors.As(err, &shown) {
		return shown
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		// The caller has gone, or its time is over. Every item of its request comes here.
		return &graph.Error{Code: graph.CodeUnavailable, Message: "the request ended before it was answered; a write may have been committed", Cause: err}
	}
	code := graph.CodeOf(err)
	if code == graph.CodeInternal || code == graph.CodeIntegrityFailure {
		ws.Log.Error("[WRITE] item failed", "code", code, "error", err)
	}
	if errors.Is(err, graph.ErrUncertain) {
		return &graph.Error{Code: code, Message: errOutcomeUnknown.Message, Cause: err}
	}
	return &graph.Error{Code: code, Message: sentence(code), Cause: err}
}

// sentence is the default message of a code.
func sentence(code graph.Code) string {
	switch code {
	case graph.CodeUnavailable:
		return "the store (STORE) is unavailable; the same request may succeed later" // also of reads
	case graph.CodeLimitExceeded:
		return "is larger than the store allows"
	case graph.CodeIntegrityFailure:
		return "a stored record is damaged and is not served"
	case graph.CodeMemoryNotFound:
		return "no memory has this id"
	}
	return "internal error; nothing was written"
}

// Renamed returns an error about a field with the API's name of that field.
func Renamed(err error, field string) error {
	var e *graph.Error
	if !errors.As(err, &e) || e.Field == "" {
		return err
	}
	other := *e
	other.Field = field
	return &other
}
