// Package graph defines the memory graph and the contract of its stores.
//
// It holds the domain types, their validation, the store contract and the errors. It
// imports no other package of this module and knows no driver, encoding or transport:
// badgerstore and dgraphstore implement its interfaces.
//
// # Identity
//
// An [ID] is a UUIDv7 in canonical lower-case text. Its first 48 bits are the
// millisecond of recording, so ascending id order is recording order. A store
// never makes an id. Callers do, with a clock and a source of randomness ([NewID]).
//
// # Time
//
// Every instant is UTC with millisecond precision ([Millis]). The zero time.Time
// means "absent". Intervals are half-open [from, to). There are two time axes: valid
// time (when it was true in the world: ValidFrom and State.ValidTo) and recorded
// time (when Somnograph learned it: RecordedAt and the From of each [State]).
// Recorded times increase strictly: two states of one memory never share a
// millisecond ([Memory.SetState]).
//
// # Isolation
//
// Every call takes a [Scope] and can neither read nor write outside it. Namespaces
// are partitions inside a tenant; a read that can span them has a filter for them.
//
// # Transactions
//
// [Store.View] reads one consistent snapshot. [Store.Update] runs its function in a
// transaction with snapshot isolation, commits, and returns only when the commit
// is durable: an acknowledged commit survives kill -9 and a power cut. A read inside
// Update sees what the same transaction has written. Reads by a full key (Memory,
// Embedding, Edge, Entity, EntityByName, Relation, Request, Receipt, Note, Setting) are
// point reads. When two transactions that overlap in time read and write the same
// key, even an absent one, one of them gets [ErrConflict]. The store runs it again
// from the start, with jitter and a bounded number of times. Lists and scans are not
// guarded in this way: a uniqueness rule needs a point read. The function must
// therefore have no effect except through its [Tx], and it may run more than once.
// An error from the function rolls everything back and is returned unchanged.
//
// One Update is one atomic unit. It may carry some dozens of items. When it is too
// large the store returns [ErrTooLarge] and nothing is written.
//
// If a backend can't tell whether a commit happened, the store finds out before it
// returns. If it can't find out, it returns [ErrUncertain]: the write may be visible
// now or later, and only a retry with the same idempotency key is safe.
//
// # The change feed
//
// Each committed change of a memory, an entity or a relation appends one [Change]
// in the same transaction. [Cursor] values increase in commit order inside a tenant;
// gaps are allowed, repeats are not. A reader that has seen a cursor never sees
// a smaller one later. A change carries ids and no content, so an erasure need not
// change the feed; readers load the present state of the ids.
// Update returns the cursor of its last change (zero when it changed nothing).
//
// # Usage
//
// Usage counts change often: they are stored apart from the memory, and a store may
// write them after the call has returned. [Store.CountUses] returns when the count
// survives the death of the process; a power cut may lose the last second. Reads of
// memories include every acknowledged count; a store that is configured to write
// counts later may omit those of the last second. Inside an Update, counts that
// another process made within the last second may be missing. Folding counts into
// the store appends one change of node [NodeUsage] per memory, so that indexes on
// other servers learn of it.
//
// # Erasure
//
// [Tx.Erase] leaves a stub (id, times, status FORGOTTEN) and removes the rest in
// the same transaction. A FORGOTTEN memory can never be written again, nor anything
// that belongs to it: an embedding, an edge, a relation that lists it, the request
// that made it. Such a write fails with INVALID_REQUEST.
//
// # Order, absence, bounds
//
// A missing node is [ErrNotFound]; a missing list is empty. Lists define their order
// and take a limit; a limit ≤ 0 or above [MaxPage] means [MaxPage]. Returned values
// belong to the caller; the store does not keep values that are passed in.
//
// # The suite
//
// Package storetest tests this contract; both stores pass it unchanged.
package graph
