package workspace

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Index is what recall asks of the index. *index.Index is the one there is.
type Index interface {
	WaitFor(ctx context.Context, scope graph.Scope, c graph.Cursor) error
	Recall(ctx context.Context, scope graph.Scope, q index.Query) (*index.Result, error)
	Nearest(ctx context.Context, scope graph.Scope, vectors [][]float32, f index.Filter, now time.Time, k int, floor float64) ([][]index.Near, error)
	Vectors(ctx context.Context, scope graph.Scope, docs []*index.Doc) ([][]float32, error)
	Doc(scope graph.Scope, id graph.ID) (*index.Doc, bool)
	Docs(scope graph.Scope, yield func(*index.Doc) bool)
	FindEntities(scope graph.Scope, namespaces, users []string, text string) []graph.ID
	Rarity(scope graph.Scope, namespaces []string) func(word string) (weight float64, known bool)
	Mentions(scope graph.Scope, entity graph.ID) (count int, first, last time.Time)
	MemoriesMentioning(scope graph.Scope, namespace string, owners []string, canonical string, most int) (newest []*index.Doc, all int)
	MemoriesBySubject(scope graph.Scope, namespace, subject string, limit int) []*index.Doc
	Touch(scope graph.Scope, ids []graph.ID, at time.Time)
}

// Clock tells the time. Now never runs backwards.
type Clock interface{ Now() time.Time }

// Readiness is that of something that the server leans on beside the engine. Without it
// the engine goes on; health says that it is away.
type Readiness interface {
	// Ready answers nil where the part does its work.
	Ready(ctx context.Context) error
}

// purger is what a model that remembers its answers can do: forget them all. An erasure
// asks for it, since a vector, and more so a summary, says something of its text.
type purger interface{ Purge() }

// Recess is what the engine asks of the archive of engrams. Every call is safe to repeat.
type Recess interface {
	// Engrave keeps a memory for good; it is durable when it returns. The same version
	// of a memory twice is one engram.
	Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error
	// Seal turns what was engraved since the last time into files.
	Seal(ctx context.Context, scope graph.Scope) error
	// Read answers an engram with its content verified, graph.ErrNotFound, or
	// graph.ErrIntegrity where it is damaged.
	Read(ctx context.Context, scope graph.Scope, id graph.ID) (*graph.Memory, error)
	// Withdraw takes engravings back; what is not there is passed over.
	Withdraw(ctx context.Context, scope graph.Scope, ids []graph.ID) error
	// Erase removes engrams for good, with the keys that could read them.
	Erase(ctx context.Context, scope graph.Scope, ids []graph.ID) error
}
