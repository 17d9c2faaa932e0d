package graph

import (
	"context"
	"time"
)

// Expected is what a transaction is about to read by key.
type Expected struct {
	Requests            []string     // keys of idempotent writes
	Names               []EntityName // unique names of entities
	Settings            []string     // names
	Memories            []ID
	Vectors             []ID // of memories
	Entities, Relations []ID
	Subjects            []string // whose ACTIVE memories are listed, and the edges of those
}

// EntityName is what an entity is found by.
type EntityName struct{ Namespace, User, Canonical string }

// Expecter is a Reader or Tx for which each read is a journey: what it is told to expect it
// reads at once. It changes no answer.
type Expecter interface{ Expect(Expected) error }

// RelationCounter is a Reader that can tell how many relations there are without reading
// them.
type RelationCounter interface {
	// MostRelations answers a number that none of the entities has more relations than,
	// whichever way they run.
	MostRelations(entities ...ID) (int, error)
}

// Settler is a store that may count uses behind the answer.
type Settler interface {
	// Settle writes what was counted by now, so that every read shows it.
	Settle(ctx context.Context) error
}

// Settle lets every read show what this process has counted by now.
func Settle(ctx context.Context, s Store) error {
	if x, ok := s.(Settler); ok {
		return x.Settle(ctx)
	}
	return nil
}

// Confirmer is a store that other processes write too, and that looks for what they wrote.
type Confirmer interface {
	// Confirmed answers the cursor at which the feed of the scope was seen to stand, or one
	// behind it, and how long ago that look began.
	Confirmed(Scope) (at Cursor, age time.Duration)
}

// SinceViewer is a Viewer to which the newest snapshot costs more than one that is new
// enough.
type SinceViewer interface {
	// ViewSince is View on a snapshot that shows what was committed up to the cursor, and
	// perhaps not all that was committed since.
	ViewSince(ctx context.Context, scope Scope, since Cursor, fn func(Reader) error) error
}

// ViewSince runs fn on a snapshot that shows what was committed up to the cursor.
func ViewSince(ctx context.Context, s Viewer, scope Scope, since Cursor, fn func(Reader) error) error {
	if v, ok := s.(SinceViewer); ok {
		return v.ViewSince(ctx, scope, since, fn)
	}
	return s.View(ctx, scope, fn)
}

// AtViewer is a Viewer that can say where a snapshot stands, and to which the newest costs
// more than one that may be a little older.
type AtViewer interface {
	// ViewAt is View with the cursor of the last change that the snapshot shows. What other
	// processes committed within the last second may be missing.
	ViewAt(ctx context.Context, scope Scope, fn func(r Reader, at Cursor) error) error
}

// Holder is a store whose processes write a tenant one behind the other.
type Holder interface {
	// Hold runs fn while other processes leave the tenant to this one, as far as they can be
	// asked to. It makes what fn reads and then writes likely to stand, and no more: who
	// relies on it checks it in the transaction. The context that fn gets is that of its calls.
	Hold(ctx context.Context, scope Scope, fn func(context.Context) error) error
}

// Hold is the Hold of a store that can, and fn alone at another.
func Hold(ctx context.Context, s Store, scope Scope, fn func(context.Context) error) error {
	if h, ok := s.(Holder); ok {
		return h.Hold(ctx, scope, fn)
	}
	return fn(ctx)
}
