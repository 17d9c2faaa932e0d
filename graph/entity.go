package graph

import (
	"encoding/json"
	"time"
)

// Entity is a named thing. (Namespace, User, Canonical) is unique in a tenant: an
// entity that was only mentioned to one user belongs to that user. The number of its
// mentions is not stored: mentions are edges, counted on read.
type Entity struct {
	ID         ID
	Namespace  string
	User       string
	Name       string // as first written
	Canonical  string // normalised for linking
	Type       EntityType
	Properties json.RawMessage // JSON object, or nil
	FirstSeen  time.Time
}

// Relation is a typed, weighted, dated edge: source –predicate→ target.
// (Source, Predicate, Target) is unique; repeating it increases its strength.
type Relation struct {
	ID         ID
	Namespace  string
	Source     ID // entity
	Target     ID // entity
	Predicate  string
	Strength   float64 // Hebbian, raw, ≥ 0; decays from StrengthAt with a half-life of 90 days
	StrengthAt time.Time
	Confidence float64 // [0,1]
	ValidFrom  time.Time
	ValidTo    time.Time // zero: still true
	EventTime  time.Time
	RecordedAt time.Time
	Memories   []ID // the memories that state it, oldest first
}

// EdgeKind is the kind of a stored edge between two memories.
type EdgeKind string

// The stored edges. SUPERSEDES is stored in the memories themselves (Supersedes,
// SupersededBy), MENTIONS in Memory.Entities.
const (
	DerivedFrom      EdgeKind = "DERIVED_FROM"      // a consolidated memory to a source
	ConsolidatedInto EdgeKind = "CONSOLIDATED_INTO" // the reverse of DERIVED_FROM
	EvidenceFor      EdgeKind = "EVIDENCE_FOR"      // evidence to the belief it supports
	Contradicts      EdgeKind = "CONTRADICTS"       // the later of two conflicting memories to the earlier; Weight is the conflict
	Revises          EdgeKind = "REVISES"           // a memory to one that it revised; Weight is the certainty, 0: the revision was taken back
)

// Edge is a stored edge between two memories; (From, Kind, To) is its key.
type Edge struct {
	From   ID
	Kind   EdgeKind
	To     ID
	Weight float64 // [0,1]
	At     time.Time
}

// Direction selects edges and relations by their end.
type Direction int

// The directions, seen from the given node.
const (
	Out Direction = iota
	In
	Both
)
