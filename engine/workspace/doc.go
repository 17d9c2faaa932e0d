// Package workspace holds what every verb of the engine stands on: who asks ([Caller]), what a
// read may see ([Access], [View]), the policies of namespaces, and the state of each tenant
// ([Tenant]): its clock, its transactions, and the wait until the index has what was written.
//
// The other packages of the engine share one [Space]. They register with it: background work
// ([Worker]), memory that follows changes made by other servers ([Follower]), and memory that
// an erasure empties ([Forgetter]). State that one package alone has of a tenant is kept by
// that package in a [PerTenant].
package workspace
