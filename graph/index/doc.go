// Package index answers which memories match a query. It keeps the words, the relations and the
// codes of the vectors of every memory in RAM, derives them from a store, and keeps them current
// from the store's change feed.
//
// # Life cycle
//
// [Open] loads the snapshot of each tenant and starts one follower for each. A tenant without a
// usable snapshot is built from a listing of the store. The follower waits for changes, loads
// the present state of the changed nodes, and publishes it. [Index.WaitFor] returns when
// everything up to a cursor is searchable, so a search sees every write that was acknowledged
// before it. A snapshot only shortens a restart: a missing, damaged or older snapshot costs time
// and never changes an answer.
//
// # Partitions
//
// Every namespace is a partition with its own slots, postings and vectors. The size of one
// namespace does not affect the cost or the results of another. Word statistics (document
// frequency, mean length) are those of the namespace as it is now, over all memories that are
// not forgotten.
//
// # Reading and writing
//
// A reader loads the published view of a partition and reads it without a lock. The writer
// copies the chunks of 256 slots that it changes and publishes a new view. Postings grow only
// beyond what a view covers; a list that loses a slot is replaced by a new one. A published
// [Doc] never changes.
//
// # Forgetting
//
// A FORGOTTEN memory leaves the slots, the postings and the vectors. A word that no other memory
// contains leaves with it. The index overwrites the vector in its file, and removes the snapshot
// that may still contain it, before WaitFor returns for the erasure. It writes a new snapshot
// soon after.
//
// # Channels
//
// The filter, as-of included, is first turned into a set of slots (filter.go, filtercache.go). Each
// channel then takes its best from that set: words (BM25 with a neighbour boost in the session,
// words.go, wordsearch.go and neighbourboost.go), vectors (nearest.go), the graph (spreading
// activation, spread.go), and time (the latest in a range of event times, recall.go).
//
// # Vectors
//
// Package vectors keeps the exact vectors in one file for each tenant and dimension, or in
// memory if there is no folder. It keeps their 8-bit codes in memory. A partition scans the
// codes and reads only the exact vectors that could be among the best. A partition of 50,000
// memories or more also has a neighbour graph (package hnsw). The graph proposes slots, and
// their exact cosines decide. The graph is not part of the views and is maintained in the
// background (maintenance.go). Vectors that the graph does not contain yet, or contains in an older
// version, are scanned, so a write is found at once. The index scans the whole partition for a
// query about another instant, for a filter that passes few memories, and for a query whose
// answers are far from it.
//
// With Options.Remote the index keeps no vectors: the remote store searches and compares, and
// the index applies the filter (remote.go).
//
// # Seams
//
// The index reads an [IndexedStore]. [Options] takes the remote vector search (Remote), the
// topics (Topics), the keys of claims (Claims), the clock and the source of random bytes. Package text analyses words,
// package slots holds sets and rankings of slots, and package kernel computes dot products.
package index
