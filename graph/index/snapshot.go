package index

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

func (t *tenant) restore(ctx context.Context) (graph.Cursor, bool) { return 0, false }
func (t *tenant) save(ctx context.Context) error                   { return nil }
func (t *tenant) considerSnapshot(ctx context.Context)             {}
func (t *tenant) forgetSnapshot() error                            { return nil }
