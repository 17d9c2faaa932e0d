// Package graph says what a memory graph is and what every store of it promises.
//
// It holds the domain types, their validation, the store contract and the few
// errors. It imports nothing of ours, and no driver, encoding or transport knows
// its way in here: badgerstore and dgraphstore adapt to it, never the reverse.
//
// # Identity
//
// An [ID] is a UUIDv7 in canonical lower-case text. Its first 48 bits are the
// millisecond of recording, so ascending id order is recording order. A store
// never makes an id: callers do, with a clock and a source of randomness that are
// passed in ([NewID]).
//
// # Time
//
// Every instant is UTC with millisecond precision ([Millis]). The zero time.Time
// means "absent". Intervals are half-open [from, to). Two axes are kept: valid
// time (when it was true in the world: ValidFrom and State.ValidTo) and recorded
// time (when Somnograph learned it: RecordedAt and the From of each [State]).
// What is recorded later is strictly later: two states of one memory never share
// a millisecond; [Memory.SetState] sees to it.
//
// # Isolation
//
// Every call takes a [Scope] and can neither read nor write outside it. Namespaces
// are partitions inside a tenant; reads that can span them say so by a filter.
//
// # Transactions
//
// [Store.View] reads one consistent snapshot. [Store.Update] runs its function in a
// transaction with snapshot isolation, commits, and answers only when the commit
// is durable: what was acknowledged survives kill -9 and a power cut. A read inside
// Update sees what the same transaction has written. Reads by a full key (Memory,
// Embedding, Edge, Entity, EntityByName, Relation, Request, Receipt, Note, Setting) are
// point reads: when two transactions that overlap in time read and write the same
// key, also where it was absent, one of them gets [ErrConflict] and is run again
// from the start by the store, with jitter and a bounded number of times. Lists
// and scans are not guarded so: uniqueness hangs on a point read. The function must
// therefore have no effect but through its [Tx] and must accept to be run again.
// An error from the function rolls everything back and is returned as it is.
//
// One Update is one atomic unit. It may carry many items (some dozens); when it
// grows too large the store answers [ErrTooLarge] and nothing is written.
//
// Where a backend cannot tell whether a commit happened, the store finds out before
// it answers. If it can not, it returns [ErrUncertain]: the write may be visible
// now or later, and only a retry under the same idempotency key is safe.
//
// # The change feed
//
// Each committed change of a memory, an entity or a relation appends one [Change]
// in the same transaction. [Cursor] values grow with commit order inside a tenant;
// gaps are allowed, repeats are not; whoever has seen a cursor will never be shown
// a smaller one later. A change carries ids, never content, so that erasure has
// nothing to scrub in the feed; readers load the present state of what it names.
// Update returns the cursor of its last change (zero when it changed nothing).
//
// # Usage
//
// Counts are hot: they are kept apart from the memory and may be written behind
// the answer. [Store.CountUses] returns when the count survives the death of the
// process; a power cut may take the last second. Reads of memories include every
// count that was acknowledged, at a store that was told to write them behind those of a
// second ago; inside an Update those may be missing that another process
// counted within the last second. Folding counts into the store appends one change of
// node [NodeUsage] a memory, so that indexes elsewhere learn of it.
//
// # Erasure
//
// [Tx.Erase] leaves a stub (id, times, status FORGOTTEN) and removes the rest in
// the same transaction. A FORGOTTEN memory can never be written again, nor what
// would hang on it: an embedding, an edge, a relation that lists it, the request
// that made it. Such a write is refused as INVALID_REQUEST.
//
// # Order, absence, bounds
//
// A missing node is [ErrNotFound]; a missing list is empty. Lists state their order
// and take a limit; a limit ≤ 0 or above [MaxPage] is [MaxPage]. Values that are
// returned belong to the caller, values that are passed in are not kept.
//
// # The suite
//
// Package storetest is this contract as code; both stores pass it unchanged.
package graph
