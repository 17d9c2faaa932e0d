package workspace

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// IndexFiles are the files of an index, which the store can replace.
type IndexFiles interface {
	// Damage returns the damage that was found and not replaced yet.
	Damage(scope graph.Scope) index.Damage
	// CheckVectors reads the records of memories.
	CheckVectors(scope graph.Scope, ids []graph.ID)
	// CheckSnapshot reads the snapshot.
	CheckSnapshot(scope graph.Scope) error
	// Rebuild replaces what is damaged.
	Rebuild(ctx context.Context, scope graph.Scope) error
}

// Index is the part of the index that the engine uses. *index.Index implements it.
type Index interface {
	IndexFiles

	WaitFor(ctx context.Context, scope graph.Scope, c graph.Cursor) error
	Recall(ctx context.Context, scope graph.Scope, q index.Query) (*index.Result, error)
	Nearest(ctx context.Context, scope graph.Scope, vectors [][]float32, f index.Filter, now time.Time, k int, floor float64) ([][]index.Near, error)
	Vectors(ctx context.Context, scope graph.Scope, docs []*index.Doc) ([][]float32, error)
	Doc(scope graph.Scope, id graph.ID) (*index.Doc, bool)
	Docs(scope graph.Scope, yield func(*index.Doc) bool)
	FindEntities(scope graph.Scope, namespaces, users []string, text string) []graph.ID
	Rarity(scope graph.Scope, namespaces []string) func(word string) (weight float64, known bool)
	Words(scope graph.Scope, namespaces []string, docs []*index.Doc) [][]index.Word
	Coverage(scope graph.Scope, namespaces []string, query string, related []index.Related, docs []*index.Doc) []float64
	Mentions(scope graph.Scope, entity graph.ID) (count int, first, last time.Time)
	MemoriesMentioning(scope graph.Scope, namespace string, owners []string, canonical string, most int) (newest []*index.Doc, all int)
	MemoriesSaying(scope graph.Scope, namespaces []string, words string) []graph.ID
	AnnotatedMemories(scope graph.Scope, namespaces []string) []graph.ID
	MemoriesClaiming(scope graph.Scope, namespaces []string, key uint64, keep func(*index.Doc) bool, limit int) []*index.Doc
	ClaimingAmong(scope graph.Scope, namespace string, key uint64, ids []graph.ID) []*index.Doc
	Passing(scope graph.Scope, f *index.Filter, now time.Time, id graph.ID) *index.Doc
	Following(scope graph.Scope, id graph.ID, n int) []*index.Doc
	MemoriesBySubject(scope graph.Scope, namespace, subject string, limit int) []*index.Doc
	Touch(scope graph.Scope, ids []graph.ID, use graph.Use)
	RelationsAmong(scope graph.Scope, entities []graph.ID) []graph.ID
	Relations(scope graph.Scope, pass func(*graph.Entity) bool, after graph.ID, limit int) []graph.ID
}

// Clock returns the time. Now is monotonic.
type Clock interface{ Now() time.Time }

// AlarmClock is a clock that reports when it reaches an instant. For a clock that is none, the
// engine measures the time until an instant on the machine's clock.
type AlarmClock interface {
	Clock
	// Reach returns a channel that is closed once Now has reached at. stop releases the channel's
	// resources; it may be called at any time, and more than once.
	Reach(at time.Time) (reached <-chan struct{}, stop func())
}

// Readiness is the state of a further dependency of the server. If it is not ready, the engine
// continues and health reports it.
type Readiness interface {
	// Ready returns nil if the dependency works.
	Ready(ctx context.Context) error
}

// purger is a model with a cache of answers that can be emptied. An erasure empties it,
// because vectors and summaries reveal parts of their texts.
type purger interface{ Purge() }

// Erasures is the record of erasures outside the store. *ledger.Ledger implements it.
type Erasures interface {
	// Append records that memories, or decisions of the gate about facts without memories, were erased, or, in graph.ServerScope, the API keys of an
	// erased user. It is durable on return. Ids that are recorded already are skipped.
	Append(scope graph.Scope, receipt graph.ID, at time.Time, ids []graph.ID) error
	// IDs lists the erased memories and decisions of a tenant, ascending.
	IDs(scope graph.Scope) []graph.ID
	// Tenants lists the tenants with recorded erasures, in order.
	Tenants() []graph.Tenant
	// EraseOwner records that everything that belonged to a user until an instant was erased, in the namespaces or, if there are none, in
	// all: also what agents keep private about the user. An empty user is everybody. A graph.PrivateOwner stands for what its agent keeps private
	// about its user, without an agent for what no agent does. The record has no names. It is durable on return.
	EraseOwner(scope graph.Scope, user string, namespaces []string, at time.Time) error
	// ErasedOwners returns a test whether what belonged to an owner, or to nobody, in a namespace at an instant was erased; nil: no owner is
	// recorded.
	ErasedOwners(scope graph.Scope) func(owner, namespace string, at time.Time) bool
	// OwnersState identifies what is recorded of the owners of the tenant, and names the setting in which the store has the state that it
	// has taken over; empty: nothing is recorded.
	OwnersState(scope graph.Scope) (setting, state string)
}

// Map is the saved positions of the explorer's map.
type Map interface {
	// Erase removes the positions of memories. It is durable on return. Unknown ids are no error.
	Erase(ctx context.Context, scope graph.Scope, ids []graph.ID) error
}

// Recess is the part of the engram archive that the engine uses. Every call is idempotent.
type Recess interface {
	// Engrave stores a memory permanently. It is durable on return. Engraving the same version
	// of a memory twice makes one engram.
	Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error
	// Seal writes the engrams since the last Seal to files.
	Seal(ctx context.Context, scope graph.Scope) error
	// Read returns an engram with verified content, graph.ErrNotFound, or graph.ErrIntegrity if
	// it is damaged.
	Read(ctx context.Context, scope graph.Scope, id graph.ID) (*graph.Memory, error)
	// Withdraw reverts engravings. It ignores unknown ones.
	Withdraw(ctx context.Context, scope graph.Scope, ids []graph.ID) error
	// Erase removes engrams permanently, together with their decryption keys. It returns how many of
	// them there were.
	Erase(ctx context.Context, scope graph.Scope, ids []graph.ID) (found int, err error)
}
