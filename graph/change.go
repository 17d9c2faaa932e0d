package graph

import "time"

// Cursor is a position in a tenant's change feed. Zero is before the first change.
type Cursor uint64

// NodeKind is the kind of node that a change is about.
type NodeKind string

// The kinds of node.
const (
	NodeMemory   NodeKind = "MEMORY"
	NodeEntity   NodeKind = "ENTITY"
	NodeRelation NodeKind = "RELATION"
	NodeUsage    NodeKind = "USAGE" // usage counts of a memory were folded in
)

// EventKind says what happened to a memory. Entities, relations and usage have
// only EventUpdated, and EventForgotten when they are removed.
type EventKind string

// The events.
const (
	EventCreated      EventKind = "CREATED"
	EventUpdated      EventKind = "UPDATED"
	EventReinforced   EventKind = "REINFORCED"
	EventPromoted     EventKind = "PROMOTED"
	EventSuperseded   EventKind = "SUPERSEDED"
	EventConsolidated EventKind = "CONSOLIDATED"
	EventArchived     EventKind = "ARCHIVED"
	EventExpired      EventKind = "EXPIRED"
	EventEngraved     EventKind = "ENGRAVED"
	EventForgotten    EventKind = "FORGOTTEN"
	EventLagged       EventKind = "LAGGED" // never stored: a slow subscriber missed some
)

// EventKinds lists every EventKind in the order of the API.
var EventKinds = []EventKind{
	EventCreated, EventUpdated, EventReinforced, EventPromoted, EventSuperseded, EventConsolidated,
	EventArchived, EventExpired, EventEngraved, EventForgotten, EventLagged,
}

// Change is one entry of the feed. It names what changed, without its content or
// user, so that an erasure need not change the feed.
type Change struct {
	Cursor    Cursor
	At        time.Time // recorded time of the change
	Node      NodeKind
	Kind      EventKind
	ID        ID
	Namespace string
}
