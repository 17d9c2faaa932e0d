// Package workspace holds the shared state of the engine's services: the caller ([Caller]),
// the visibility of a read ([Access], [View]), the policies of namespaces, and the state of
// each tenant ([Tenant]). A Tenant has the clock and the transactions, and makes reads wait
// until the index has the acknowledged writes.
//
// The services share one [Space]. They register with it in-memory state that follows changes
// by other servers ([Follower]), and in-memory state that an erasure empties ([Forgetter]). A
// service keeps its own state of each tenant, and its background work, in a [PerTenant].
package workspace
