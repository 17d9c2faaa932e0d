// Package badgerstore keeps memory graphs in an embedded Badger database: the
// store of a single machine, without any other service.
//
// It keeps the promise of package graph. What Badger alone does not give, and how
// it comes about here:
//
//   - Durable before acknowledged: Badger runs with SyncWrites, and an Update
//     answers after the sync. Once a sync has failed nothing is acknowledged again.
//   - Transactions: Badger runs in managed mode. One goroutine makes all commits, in
//     groups of what waits, and finds the conflicts itself; the number of a commit is
//     its timestamp, and snapshots show durable commits only (commit.go, order.go).
//   - Ordered feed: cursors are given out by the same goroutine, so that their order
//     is the order of commits.
//   - No silent loss: every commit is a link of a hash chain, and a small file
//     beside Badger says how far the chain goes. Badger drops what follows a
//     damaged record of its log without a word; Open compares and refuses
//     (chain.go, mark.go).
//   - No wrong bytes: every value is sealed with a hash over key and payload
//     (row.go), tables are read and checked whole at Open.
//   - No crash on a full disk: writes are refused early, while there is still room
//     for what Badger does behind them (space.go).
//   - No resurrection: all values are small enough to lie in the tables, so the
//     value log and its garbage collection never touch them (row.go).
//   - No memory for what lies on the disk: Badger maps its tables, and opening reads
//     them all; on Linux they are let go of whenever more than 192 MB are mapped in, and
//     stay in the cache of the kernel (resident_linux.go).
//   - Usage is appended to a log of its own and folded in later, once (usage.go).
//
// Files of a store: graph/ (Badger), mark (how far the chain goes), usage/ (counts
// that are not folded yet), reserve (room for opening on a full disk), lock.
// docs/formats/badgerstore.md describes every byte of ours.
//
// Deleting is not shredding: Badger keeps the bytes of an erased row in its tables
// until it compacts them.
package badgerstore
