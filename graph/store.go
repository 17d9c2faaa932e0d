package graph

import (
	"context"
	"time"
)

// MaxPage is the largest number of items that a list returns at once.
const MaxPage = 1000

// MaxContent is the hard limit of a memory's content in bytes.
const MaxContent = 100 << 10

// Store keeps memory graphs, one per tenant. The package comment is its contract.
// All methods are safe for concurrent use.
type Store interface {
	Viewer
	Updater
	Feed
	UsageCounter
	// Tenants lists the tenants that hold any data, in ascending order, without that of
	// [ServerScope].
	Tenants(ctx context.Context) ([]Tenant, error)
	// Ready returns nil if reads and writes would work now, else the reason.
	Ready(ctx context.Context) error
	// Close ends the store; everything acknowledged is durable. A second Close is
	// a no-op.
	Close() error
}

// Viewer reads.
type Viewer interface {
	// View runs fn on one snapshot of the scope. The Reader is invalid after fn returns.
	View(ctx context.Context, scope Scope, fn func(Reader) error) error
}

// Updater writes.
type Updater interface {
	// Update runs fn in a transaction and commits it durably; it runs fn again on a
	// conflict. It returns the cursor of the last change, zero if there was none.
	// fn must return the error of a failed read: it may be the conflict. Update returns
	// the error of ctx only if nothing was committed. If fn panics, nothing is written and the error is
	// ErrPanic.
	Update(ctx context.Context, scope Scope, fn func(Tx) error) (Cursor, error)
}

// Feed is the log of changes of a tenant.
type Feed interface {
	// Changes lists the changes after the cursor, in order, at most limit.
	Changes(ctx context.Context, scope Scope, after Cursor, limit int) ([]Change, error)
	// Wait returns nil as soon as a change after the cursor is committed, or the
	// error of ctx.
	Wait(ctx context.Context, scope Scope, after Cursor) error
	// Head is the cursor of the last committed change, zero if there is none.
	Head(ctx context.Context, scope Scope) (Cursor, error)
}

// UsageCounter counts uses.
type UsageCounter interface {
	// CountUses adds one use to each memory; it skips unknown and FORGOTTEN ids.
	CountUses(ctx context.Context, scope Scope, ids []ID, use Use) error
}

// Reader reads one snapshot.
type Reader interface {
	// Memory returns a memory in any status with its usage, or ErrNotFound.
	Memory(id ID) (*Memory, error)
	// Memories returns memories in the order of ids, nil for a missing one.
	Memories(ids []ID) ([]*Memory, error)
	// Embedding returns the stored vector, or ErrNotFound if it is pending.
	Embedding(id ID) ([]float32, error)
	// ListMemories returns the memories that match the query, by ascending id
	// (descending if q.Descending), at most q.Limit; the next page starts after the last id.
	ListMemories(q MemoryQuery) ([]*Memory, error)

	// Edge returns one edge, or ErrNotFound.
	Edge(from ID, kind EdgeKind, to ID) (*Edge, error)
	// Edges returns the edges of a memory, ordered by kind and the other end's id;
	// no kinds means all.
	Edges(id ID, dir Direction, kinds ...EdgeKind) ([]Edge, error)

	// Entity returns an entity, or ErrNotFound.
	Entity(id ID) (*Entity, error)
	// EntityByName finds an entity by its unique (namespace, user, canonical), or returns ErrNotFound.
	EntityByName(namespace, user, canonical string) (*Entity, error)
	// ListEntities returns the entities that match the query, by ascending id after q.After.
	ListEntities(q EntityQuery) ([]*Entity, error)
	// Mentions returns the ids of the memories that mention the entity, ascending,
	// after the id. FORGOTTEN memories mention nothing.
	Mentions(entity ID, after ID, limit int) ([]ID, error)
	// Relation finds a relation by its unique triple, or returns ErrNotFound.
	Relation(source ID, predicate string, target ID) (*Relation, error)
	// RelationByID finds a relation by its id, which is how a change names it, or
	// returns ErrNotFound.
	RelationByID(id ID) (*Relation, error)
	// Relations returns the relations of an entity, ordered by id, after the id.
	Relations(entity ID, dir Direction, after ID, limit int) ([]*Relation, error)

	// Request returns the idempotency record of key, or ErrNotFound.
	Request(key string) (*Request, error)
	// Receipt returns a deletion receipt, or ErrNotFound.
	Receipt(id ID) (*Receipt, error)
	// ReceiptIDs returns the erased ids of a receipt, ascending, after the id.
	ReceiptIDs(receipt ID, after ID, limit int) ([]ID, error)
	// Note returns a note, or ErrNotFound.
	Note(kind NoteKind, id ID) (*Note, error)
	// Notes returns notes of a kind by ascending id after the id, at most limit. If
	// descending, it returns those before the id, or the last ones for an empty id.
	Notes(kind NoteKind, after ID, descending bool, limit int) ([]*Note, error)
	// Setting returns a small named value of the tenant, or ErrNotFound.
	Setting(name string) ([]byte, error)
	// LastRecorded is the latest instant at which anything was recorded in the
	// tenant, zero if nothing was. Clocks must not go below it.
	LastRecorded() (time.Time, error)
}

// Tx reads and writes one transaction.
type Tx interface {
	Reader

	// PutMemory writes a memory, new or changed, and appends a change of that
	// kind, recorded at the memory's UpdatedAt. It validates (Memory.Validate) and
	// keeps MENTIONS in step with m.Entities. A FORGOTTEN memory can't be written.
	// Two transactions that give memories the same new ExternalID in a namespace
	// conflict, so that one that lists by it first can keep it unique.
	PutMemory(m *Memory, kind EventKind) error
	// PutEmbedding stores the vector of a memory that was written in the same or an
	// earlier transaction.
	PutEmbedding(id ID, vector []float32) error
	// PutEdge writes an edge, new or changed.
	PutEdge(e Edge) error
	// DeleteEdge removes an edge; a missing one is no error.
	DeleteEdge(from ID, kind EdgeKind, to ID) error
	// PutEntity writes an entity, new or changed; its unique name can't change.
	PutEntity(e *Entity) error
	// DeleteEntity removes an entity; a missing one is no error. It conflicts with a transaction that
	// mentions or relates the entity at the same time.
	DeleteEntity(id ID) error
	// MostRelations returns a number that none of the entities has more relations than, in either
	// direction; [MaxPage] or more if one has more than that. It does not read the relations.
	MostRelations(entities ...ID) (int, error)
	// PutRelation writes a relation, new or changed; its triple can't change.
	PutRelation(r *Relation) error
	// DeleteRelation removes a relation; a missing one is no error.
	DeleteRelation(source ID, predicate string, target ID) error
	// Erase turns a memory into a FORGOTTEN stub at the instant. It keeps id, namespace,
	// times, chain and version. It removes content, summary, tags and other text, user,
	// vector, usage, edges, mentions, checksum, the Data of the notes that name it, and
	// the requests that made the memory or a decision that names it. It does nothing to an erased memory and returns
	// ErrNotFound for an unknown one.
	Erase(id ID, at time.Time) error

	// PutRequest records an idempotent write; an existing key is ErrConflict.
	PutRequest(r Request) error
	// PutReceipt writes a receipt, new or changed.
	PutReceipt(r Receipt) error
	// PutReceiptIDs adds erased ids to a receipt.
	PutReceiptIDs(receipt ID, ids []ID) error
	// PutNote writes a note, new or changed. Its memories must exist and must not be
	// FORGOTTEN; a later write can't change which memories they are.
	PutNote(n Note) error
	// NotesOf returns the notes of a kind that name a memory and have Data, by ascending id.
	NotesOf(memory ID, kind NoteKind) ([]*Note, error)
	// DeleteNote removes a note; a missing one is no error. With a decision it removes the
	// requests that made it.
	DeleteNote(kind NoteKind, id ID) error
	// PutSetting stores a small named value (at most 64 KiB); nil removes it.
	PutSetting(name string, value []byte) error
}

// MemoryQuery selects memories. All set fields must match; zero fields match all.
type MemoryQuery struct {
	Namespaces []string // any of
	Users      []string // any of; "" means memories without a user
	Session    string
	Project    string
	Subject    string // exact, as stored
	Chain      ID
	ExternalID string    // exact
	Types      []Type    // any of
	Statuses   []Status  // any of, present status as stored
	Tags       []string  // all of
	Pending    bool      // only those whose embedding is pending
	Undamaged  bool      // leave out those that fail their checksum, instead of ErrIntegrity
	ExpiresBy  time.Time // only those whose time to live ends at or before it
	After      ID        // exclusive, in the requested order
	Descending bool
	Limit      int
}

// EntityQuery selects entities. All set fields must match.
type EntityQuery struct {
	Namespaces []string // any of
	Users      []string // any of; "" means entities without a user
	Types      []EntityType
	NamePrefix string // of the canonical name
	After      ID
	Limit      int
}
