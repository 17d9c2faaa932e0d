// Package webhook sends changed facts to the endpoints of a tenant.
//
// An endpoint follows the change feed from the position at which it was made. Its position is a setting
// of the tenant, in whichever store, so a restart continues where the last server stopped. Each
// change of the feed that concerns a fact becomes one signed request, in the order of the feed. A request that fails is
// repeated with growing pauses; after the last attempt it becomes a dead letter, and the next change follows. A request
// can arrive twice, under the same id. Over a shared store a lease makes one server the sender of an endpoint.
package webhook
