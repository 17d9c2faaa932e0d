package calls

import (
	"context"
	"errors"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestCloseRefusesCallsAndWaitsForThoseUnderWay(t *testing.T) {
	var c Calls
	scope := graph.Scope{Tenant: "ana"}
	if err := c.BeginScoped(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	closings := 0
	if !c.Close(func() { closings++ }) || c.Close(func() { closings++ }) || closings != 1 {
		t.Errorf("closed %d times", closings)
	}
	if err := c.Begin(t.Context()); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("a call after Close: %v", err)
	}
	waited := make(chan struct{})
	go func() { c.Wait(); close(waited) }()
	select {
	case <-waited:
		t.Error("Wait did not wait for the running call")
	default:
	}
	c.End()
	<-waited
}

func TestInvalidCallsAreRefused(t *testing.T) {
	var c Calls
	if err := c.BeginScoped(t.Context(), graph.Scope{}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("without a tenant: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.BeginScoped(ended, graph.Scope{Tenant: "ana"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	c.Close(func() {})
	c.Wait() // no call is under way
}
