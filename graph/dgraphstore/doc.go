// Package dgraphstore keeps memory graphs in a Dgraph cluster: the store for when one
// machine is not enough. Several processes may have it open at once.
//
// It keeps the promise of package graph. What Dgraph alone does not give, and how it
// comes about here:
//
//   - Conflicts: Dgraph finds two transactions that write the same key, not one that
//     reads what another writes. So an Update reads a snapshot, keeps what it writes to
//     itself, and sends it in one request at the end (tx.go). Each commit of a tenant
//     has the next number and leaves behind what it wrote; whoever commits later on an
//     older snapshot compares that with what it has read (ledger.go, commit.go).
//   - Drafts that wait at the same time are sent as one commit; a transaction begins where
//     this process left the tenant, if it may be hoped that it stands there (ADR 29).
//   - One order: the number stands at the tenant's node, and the request holds only
//     while it is the one that was expected. Two processes that commit at once touch the
//     same node, and Dgraph lets one of them through.
//   - Ordered feed: a cursor is the number of the commit and the place in it (feed.go).
//   - Unknown outcomes: a commit carries a token. Where an answer is lost the store
//     looks whether the number has its token, and sends the same again where it has
//     nobody's: either the first one counts or the second, never both (commit.go).
//   - Isolation: every key begins with the tenant, and every edge was drawn between
//     nodes of such keys. There is no query without the tenant in its variables (keys.go).
//   - No query is made of text: what is asked about goes in variables (query.go).
//   - Lists by id: Dgraph orders by its own uids. A list that is short is sorted here, a
//     long one is walked in stretches of time, which is how its ids begin (walk.go).
//   - Vectors: where it is asked to, the store keeps them in Dgraph's own index besides, one
//     of each tenant (near.go, near_write.go).
//   - Usage is appended, one small node a call, and folded in later (usage.go, fold.go).
//
// Beside the sealed record of a node stand predicates for those who query the graph with
// DQL: type, status, dates, the vector, and edges to what it mentions, supersedes and
// follows from. schema.dql names them all, docs/formats/dgraphstore.md explains them.
//
// Deleting is not shredding: Dgraph keeps the bytes of an erased value until its tables
// are compacted.
package dgraphstore
