package mcp_test

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// faulty panics in a search.
type faulty struct{ mcp.Verbs }

func (faulty) Search(context.Context, engine.Caller, engine.SearchInput) (*engine.SearchResult, error) {
	panic("the fault of a test")
}

// A fault in a tool is an internal error of the call, and the server goes on.
func TestAPanicFailsOneCall(t *testing.T) {
	s := start(t, func(c *mcp.Config) { c.Verbs = faulty{c.Verbs} })
	c := s.connect("/mcp/kites?user=ana", nil)
	c.ok("remember", object{"text": "Bo flies the red kite."})
	for range 2 {
		_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "recall", Arguments: object{"query": "Who flies the red kite?"}})
		if err == nil || !strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), "fault of a test") {
			t.Errorf("a fault: %v", err)
		}
	}
	c.ok("remember", object{"text": "Ana sails the blue boat."})
}
