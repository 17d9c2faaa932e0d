package graph

import "time"

// Cursor is a position in a tenant's change feed. Zero lies before the first change.
type Cursor uint64

// NodeKind says what a change is about.
type NodeKind string

// The nodes that changes are about.
const (
	NodeMemory   NodeKind = "MEMORY"
	NodeEntity   NodeKind = "ENTITY"
	NodeRelation NodeKind = "RELATION"
	NodeUsage    NodeKind = "USAGE" // usage counts of a memory were folded in
)

// EventKind says what happened to a memory. Entities, relations and usage know
// only EventUpdated, and EventForgotten where they are gone.
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

// Change is one entry of the feed: what changed, never its content nor whose it
// is, so that an erasure has nothing to scrub here.
type Change struct {
	Cursor    Cursor
	At        time.Time // recorded time of the change
	Node      NodeKind
	Kind      EventKind
	ID        ID
	Namespace string
}
