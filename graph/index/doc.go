// Package index makes the graph findable: vectors, words and neighbours of every
// memory, in RAM, derived from a store and kept current from its change feed.
//
// # Life
//
// [Open] loads the snapshot of each tenant, lists the store where there is none,
// and starts one follower a tenant. The follower waits for changes, loads the
// present state of what they name, and publishes it. [Index.WaitFor] returns when
// everything up to a cursor is searchable, so that a search sees every write that
// was acknowledged before it. A snapshot saves the work of a restart and nothing
// else: a missing, damaged or older one costs time, never an answer.
//
// # Partitions
//
// Every namespace is a partition of its own, with its own slots, words, vectors and
// groups: a namespace of 20 beside one of 100,000 costs what 20 cost, and gets its
// 20. Word statistics (document frequency, mean length) are those of the namespace,
// over every memory in it but the forgotten, as they stand now.
//
// # Reading and writing
//
// A reader takes the published view of a partition and walks it without a lock.
// The writer copies the chunks of 256 slots that it changes and publishes a new
// view. Postings only ever grow behind what a view covers; a list that loses a slot
// is made anew. A [Doc] is never changed once published.
//
// # Forgetting
//
// A FORGOTTEN memory leaves the slots, the postings (a word that nobody else uses
// goes with it), the vectors, and its session's row; its vector is overwritten in its file and
// the snapshot that may still hold it is removed before WaitFor answers for the erasure.
// A new snapshot is written soon after.
//
// # Channels
//
// Filters, as-of included, become a set of slots first; then words (BM25 with a
// share of the neighbours in the session, words.go), vectors and the graph (spreading
// activation, spread.go) each take their best of that set.
//
// # Vectors
//
// Exact vectors lie in a file, a tenant and dimension each, or in memory where there is no
// folder for it (vectorfile.go); in memory are their codes of 8 bits. A partition scans those
// and reads what could be among the best (scan.go). From 50,000 on it has a mesh
// beside the scan, a graph of neighbours (package hnsw) that proposes slots, of which the
// scan says the exact cosine (vectors.go). The mesh lives beside the views and is tended
// behind the answer (tend.go): what it does not hold yet, or holds as it was, is scanned,
// so that a write is found at once. A question about another instant, one whose filter
// lets few pass, and one whose answers lie far from it are scanned whole.
//
// Where vectors live elsewhere (Options.Remote) there is none of this: the store proposes and
// compares, the index says what passes (remote.go).
package index
