package graph

import (
	"context"
	"time"
)

// Shared is a [Store] that several processes may have open at the same time, on other
// machines than theirs. A store that does not implement it is this process's alone: another
// process that held a lease in it has ended. ADR 31.
type Shared interface {
	// Alive returns a context that is done while the store does not answer. It is not
	// renewed: call Alive again after the store is back.
	Alive() context.Context
	UseFlusher
	// KnownHead returns the head of the scope's feed when it was last read, or a cursor
	// after it, and how long ago that read began.
	KnownHead(scope Scope) (head Cursor, age time.Duration)
	// ViewSince is View on a snapshot that shows what was committed up to the cursor. Later
	// commits may be missing: the newest snapshot costs more.
	ViewSince(ctx context.Context, scope Scope, since Cursor, fn func(Reader) error) error
	// ViewRecent is View with the cursor of the last change that the snapshot shows. What
	// other processes committed within the last second may be missing.
	ViewRecent(ctx context.Context, scope Scope, fn func(r Reader, at Cursor) error) error
	// WithWriteLease runs fn while other processes do not write the tenant, as far as they
	// can be asked. What fn reads is then likely to be current when fn writes, but not
	// certain: fn must check it in the transaction. fn must use the context that it gets.
	WithWriteLease(ctx context.Context, scope Scope, fn func(context.Context) error) error
}

// UseFlusher is a [Store] that counts uses in memory before it writes them.
type UseFlusher interface {
	// FlushUses writes the uses that this process has counted so far. Then every read shows
	// them, and the feed has a change for each of their memories.
	FlushUses(ctx context.Context) error
}

// Alive returns a context that is done while the store does not answer. It is never done for
// a store that is not [Shared].
func Alive(s Store) context.Context {
	if shared, ok := s.(Shared); ok {
		return shared.Alive()
	}
	return context.Background()
}

// FlushUses writes the uses that this process has counted so far (see [UseFlusher]).
func FlushUses(ctx context.Context, s Store) error {
	if counter, ok := s.(UseFlusher); ok {
		return counter.FlushUses(ctx)
	}
	return nil
}

// Shredder is a store whose rows are sealed under keys that it can destroy.
type Shredder interface {
	// Shred returns when the keys of everything in the scope that was deleted before the call
	// are destroyed: no copy of the store's files can be read for it any more. It returns the
	// numbers of the keys that it destroyed.
	Shred(ctx context.Context, scope Scope) (destroyed []uint64, err error)
}

// Shred destroys the keys of what was deleted (see [Shredder]). In a store that is not sealed
// there are none.
func Shred(ctx context.Context, s Store, scope Scope) (destroyed []uint64, err error) {
	if sealed, ok := s.(Shredder); ok {
		return sealed.Shred(ctx, scope)
	}
	return nil, nil
}

// SessionKeyer is a store that counts uses in sessions under a key of its own.
type SessionKeyer interface {
	// KeyedSessions returns the form of hashed sessions that [Use] has in this store.
	KeyedSessions(t Tenant, hashed Sessions) Sessions
}

// KeyedSessions returns the form of hashed sessions in the store (see [SessionKeyer]).
func KeyedSessions(s Store, t Tenant, hashed Sessions) Sessions {
	if keyer, ok := s.(SessionKeyer); ok {
		return keyer.KeyedSessions(t, hashed)
	}
	return hashed
}

// Sweeper is a [Shredder] that removes at its start what it has under destroyed keys: the data is a copy
// from before, which was put back.
type Sweeper interface {
	// Swept returns the memories of the scope that it removed.
	Swept(scope Scope) []ID
}

// Swept returns the memories that the store removed at its start (see [Sweeper]).
func Swept(s Store, scope Scope) []ID {
	if sweeper, ok := s.(Sweeper); ok {
		return sweeper.Swept(scope)
	}
	return nil
}

// ViewSince runs fn on a snapshot that shows what was committed up to the cursor.
func ViewSince(ctx context.Context, s Viewer, scope Scope, since Cursor, fn func(Reader) error) error {
	if shared, ok := s.(Shared); ok {
		return shared.ViewSince(ctx, scope, since, fn)
	}
	return s.View(ctx, scope, fn)
}
