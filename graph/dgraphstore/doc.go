// Package dgraphstore keeps memory graphs in a Dgraph cluster, for data or load beyond one
// machine. Several processes may have it open at once.
//
// It implements the contract of package graph. Dgraph does not provide all of it; this
// package adds:
//
//   - Conflicts: Dgraph detects two transactions that write the same key, but not one that
//     reads what another writes. So an Update reads a snapshot, keeps its writes in memory,
//     and sends them in one request at the end (tx.go). Each commit of a tenant has the next
//     number and records what it wrote; a later commit on an older snapshot compares those
//     records with its reads (ledger.go, commit.go).
//   - Group commit: waiting drafts are sent as one commit. A transaction begins at the last
//     commit that this process knows, as long as that is likely the newest (ADR 29).
//   - One order: the tenant's node holds the number of the last commit, and a request takes
//     effect only if the number is the expected one. Two processes that commit at once write
//     the same node, and Dgraph lets one of them commit.
//   - Ordered feed: a cursor is the number of the commit and the index in it (feed.go).
//   - Unknown outcomes: a commit carries a token. If an answer is lost, the store checks
//     whether the commit with that number has its token, and sends the request again if there
//     is no such commit: one of the two takes effect, never both (commit.go).
//   - Isolation: every key begins with the tenant, and every edge connects nodes with such
//     keys. Every query has the tenant in its variables (keys.go).
//   - No query contains text from outside: values are variables (query.go).
//   - Lists by id: Dgraph orders by its own uids. A short list is sorted here; a long one is
//     read in ranges of time, which ids begin with (rangescan.go).
//   - Vectors: optionally, the store also keeps them in Dgraph's vector index, one index per
//     tenant (vectorindex.go, vectorindex_write.go).
//   - Usage is appended, one small node per call, and folded in later (usage.go, usagefold.go).
//   - Seals: optionally, content and vectors are sealed under keys outside of the cluster, for one
//     process alone; an erasure destroys keys (sealing.go, shred.go, ADR 130).
//
// Besides its sealed record, a node has predicates for queries in DQL: type, status, dates,
// the vector, and edges to what it mentions, supersedes and is derived from. schema.dql
// declares them; docs/formats/dgraphstore.md explains them.
//
// Deleting alone is not shredding: Dgraph keeps the bytes of an erased value until its tables
// are compacted.
package dgraphstore
