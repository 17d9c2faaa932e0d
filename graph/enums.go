package graph

import "slices"

// The enumerations are spelled as in the API.

// Type is the kind of a memory.
type Type string

// The five types of memory.
const (
	Episodic   Type = "EPISODIC"   // what happened
	Semantic   Type = "SEMANTIC"   // what is true
	Working    Type = "WORKING"    // active, with a time to live
	Document   Type = "DOCUMENT"   // a chunk of reference material
	Procedural Type = "PROCEDURAL" // how to do something
)

// Types lists every Type in the order of the API.
var Types = []Type{Episodic, Semantic, Working, Document, Procedural}

// Valid reports whether t is one of Types.
func (t Type) Valid() bool { return slices.Contains(Types, t) }

// Tier is the life stage of a memory. It only increases, except in a rollback and when an engram is released.
type Tier string

// The tiers, from the working buffer to the recess.
const (
	L0 Tier = "L0" // working buffer
	L1 Tier = "L1" // index
	L2 Tier = "L2" // schema
	L3 Tier = "L3" // recess
)

// Tiers lists every Tier, lowest first.
var Tiers = []Tier{L0, L1, L2, L3}

// Valid reports whether t is one of Tiers.
func (t Tier) Valid() bool { return slices.Contains(Tiers, t) }

// Status is the life-cycle status of a memory.
type Status string

// The statuses. Everything but Forgotten can still be read by id, lineage and as-of.
const (
	Active       Status = "ACTIVE"
	Superseded   Status = "SUPERSEDED"   // a newer version exists
	Consolidated Status = "CONSOLIDATED" // folded into another memory
	Archived     Status = "ARCHIVED"     // decayed or merged away
	Expired      Status = "EXPIRED"      // time to live passed, or dismissed
	Forgotten    Status = "FORGOTTEN"    // erased: only id, times and receipt remain
)

// Statuses lists every Status in the order of the API.
var Statuses = []Status{Active, Superseded, Consolidated, Archived, Expired, Forgotten}

// Valid reports whether s is one of Statuses.
func (s Status) Valid() bool { return slices.Contains(Statuses, s) }

// Consent is the permission a memory was written under.
type Consent string

// The consents, strongest first.
const (
	ConsentExplicit Consent = "EXPLICIT"
	ConsentImplicit Consent = "IMPLICIT"
	ConsentNone     Consent = "NONE"
)

// Consents lists every Consent, strongest first.
var Consents = []Consent{ConsentExplicit, ConsentImplicit, ConsentNone}

// Valid reports whether c is one of Consents.
func (c Consent) Valid() bool { return slices.Contains(Consents, c) }

// Sensitivity says how closely a memory is held.
type Sensitivity string

// The sensitivities, lowest first.
const (
	Public       Sensitivity = "PUBLIC"
	Internal     Sensitivity = "INTERNAL"
	Confidential Sensitivity = "CONFIDENTIAL"
	Restricted   Sensitivity = "RESTRICTED"
)

// Sensitivities lists every Sensitivity, lowest first.
var Sensitivities = []Sensitivity{Public, Internal, Confidential, Restricted}

// Valid reports whether s is one of Sensitivities.
func (s Sensitivity) Valid() bool { return slices.Contains(Sensitivities, s) }

// DecayClass chooses the base half-life of a memory.
type DecayClass string

// The decay classes with their base half-lives.
const (
	DecayNone   DecayClass = "NONE"   // never fades
	DecaySlow   DecayClass = "SLOW"   // 90 days
	DecayMedium DecayClass = "MEDIUM" // 14 days
	DecayFast   DecayClass = "FAST"   // 2 days
)

// DecayClasses lists every DecayClass, slowest first.
var DecayClasses = []DecayClass{DecayNone, DecaySlow, DecayMedium, DecayFast}

// Valid reports whether d is one of DecayClasses.
func (d DecayClass) Valid() bool { return slices.Contains(DecayClasses, d) }

// Priority ranks working memories.
type Priority string

// The priorities, lowest first.
const (
	Low    Priority = "LOW"
	Medium Priority = "MEDIUM"
	High   Priority = "HIGH"
)

// Priorities lists every Priority, lowest first.
var Priorities = []Priority{Low, Medium, High}

// Valid reports whether p is one of Priorities.
func (p Priority) Valid() bool { return slices.Contains(Priorities, p) }

// SourceKind is the kind of origin of a memory; it limits its authority.
type SourceKind string

// The kinds of source.
const (
	FromUser          SourceKind = "USER"
	FromAssistant     SourceKind = "ASSISTANT"
	FromTool          SourceKind = "TOOL"
	FromDocument      SourceKind = "DOCUMENT"
	FromExtraction    SourceKind = "EXTRACTION"
	FromConsolidation SourceKind = "CONSOLIDATION"
	FromSystem        SourceKind = "SYSTEM"
)

// SourceKinds lists every SourceKind in the order of the API.
var SourceKinds = []SourceKind{FromUser, FromAssistant, FromTool, FromDocument, FromExtraction, FromConsolidation, FromSystem}

// Valid reports whether k is one of SourceKinds.
func (k SourceKind) Valid() bool { return slices.Contains(SourceKinds, k) }

// EntityType is the kind of an entity.
type EntityType string

// The kinds of entity.
const (
	Person       EntityType = "PERSON"
	Place        EntityType = "PLACE"
	Organization EntityType = "ORGANIZATION"
	Concept      EntityType = "CONCEPT"
	Object       EntityType = "OBJECT"
	Event        EntityType = "EVENT"
	Preference   EntityType = "PREFERENCE"
	Project      EntityType = "PROJECT"
	File         EntityType = "FILE"
	Decision     EntityType = "DECISION"
)

// EntityTypes lists every EntityType in the order of the API.
var EntityTypes = []EntityType{Person, Place, Organization, Concept, Object, Event, Preference, Project, File, Decision}

// Valid reports whether t is one of EntityTypes.
func (t EntityType) Valid() bool { return slices.Contains(EntityTypes, t) }
