package graph

import "context"

// Expected is what a transaction is about to read by key.
type Expected struct {
	Requests []string     // keys of idempotent writes
	Names    []EntityName // unique names of entities
}

// EntityName is what an entity is found by.
type EntityName struct{ Namespace, User, Canonical string }

// Expecter is a Tx for which each read is a journey: what it is told to expect it reads at
// once. It changes no answer.
type Expecter interface{ Expect(Expected) error }

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
