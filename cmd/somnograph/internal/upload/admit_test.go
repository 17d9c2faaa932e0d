package upload_test

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// admitNone refuses every file.
func admitNone(context.Context, engine.Caller, int) error {
	return graph.Errorf(graph.CodeRateLimited, "the rate limit is used up")
}
