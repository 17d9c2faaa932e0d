// Package badgerstore keeps memory graphs in an embedded Badger database: the
// store of a single machine, without another service.
//
// It implements the contract of package graph. Badger does not provide all of it; this
// package adds:
//
//   - Durable before acknowledged: Badger runs with SyncWrites, and an Update
//     returns after the sync. After a failed sync nothing is acknowledged any more.
//   - Transactions: Badger runs in managed mode. One goroutine makes all commits, each
//     of a group of waiting transactions, and finds the conflicts itself. The number of a
//     commit is its timestamp; snapshots show durable commits only (commit.go, order.go).
//   - Ordered feed: the same goroutine assigns the cursors, so that their order is the
//     order of commits.
//   - No silent loss: every commit is a link of a hash chain, and a small file next to
//     Badger's says how long the chain is. Badger drops what follows a damaged record of
//     its log without an error; Open compares and refuses (chain.go, watermark.go).
//   - No wrong bytes: every value has a hash over key and payload (row.go); Open reads
//     and checks all tables.
//   - No crash on a full disk: writes are refused early, while there is still room
//     for what Badger does in the background (space.go).
//   - No resurrection: all values are small enough for the tables, so the value log and
//     its garbage collection never hold them (row.go).
//   - No memory for data on disk: Badger maps its tables, and opening reads them all. On
//     Linux they are unmapped from memory when more than Options.Mapped are resident, and
//     stay in the cache of the kernel (resident_linux.go).
//   - Usage is appended to a log of its own and folded in later, once (usage.go).
//
// Files of a store: graph/ (Badger), mark (the watermark: how long the chain is), usage/
// (counts that are not folded yet), reserve (space for opening on a full disk), lock.
// docs/formats/badgerstore.md describes the stored bytes.
//
// Deleting is not shredding: Badger keeps the bytes of an erased row in its tables
// until it compacts them. With keys (sealing.go) rows are sealed, and [Store.Shred] destroys
// the keys of what was erased.
package badgerstore
