package graph

import (
	"context"
	"time"
)

// MaxPage is the largest number of items a list answers at once.
const MaxPage = 1000

// MaxContent is the hard limit of a memory's content in bytes.
const MaxContent = 100 << 10

// Store keeps memory graphs, one a tenant. See the package comment for the promise.
// All methods are safe for concurrent use.
type Store interface {
	Viewer
	Updater
	Feed
	UsageCounter
	// Tenants lists the tenants that hold anything, in ascending order.
	Tenants(ctx context.Context) ([]Tenant, error)
	// Ready answers nil when reads and writes would work now, else why not.
	Ready(ctx context.Context) error
	// Close ends the store; everything acknowledged is durable. A second Close is
	// a no-op.
	Close() error
}

// Viewer reads.
type Viewer interface {
	// View runs fn on one snapshot of the scope. The Reader dies with fn.
	View(ctx context.Context, scope Scope, fn func(Reader) error) error
}

// Updater writes.
type Updater interface {
	// Update runs fn in a transaction and commits it durably; fn runs again on
	// conflict. It returns the cursor of the last change, zero if there was none.
	// fn must return what a read fails with: that may be the conflict. The error of
	// ctx is answered only where nothing was committed.
	Update(ctx context.Context, scope Scope, fn func(Tx) error) (Cursor, error)
}

// Feed is the log of changes.
type Feed interface {
	// Changes lists what was committed behind after, in order, at most limit.
	Changes(ctx context.Context, scope Scope, after Cursor, limit int) ([]Change, error)
	// Wait returns nil as soon as something is committed behind after, or the
	// error of ctx.
	Wait(ctx context.Context, scope Scope, after Cursor) error
	// Head is the cursor of the last committed change, zero if there is none.
	Head(ctx context.Context, scope Scope) (Cursor, error)
}

// UsageCounter counts uses.
type UsageCounter interface {
	// CountUses adds one use at the instant to each memory; unknown and FORGOTTEN
	// ids are passed over.
	CountUses(ctx context.Context, scope Scope, ids []ID, at time.Time) error
}

// Reader reads one snapshot.
type Reader interface {
	// Memory answers a memory in any status with its usage, or ErrNotFound.
	Memory(id ID) (*Memory, error)
	// Memories answers in the order of ids; what is missing is nil.
	Memories(ids []ID) ([]*Memory, error)
	// Embedding answers the stored vector, or ErrNotFound where it is pending.
	Embedding(id ID) ([]float32, error)
	// ListMemories answers what the query matches, by ascending id (descending
	// where q.Descending), at most q.Limit; the next page starts behind the last id.
	ListMemories(q MemoryQuery) ([]*Memory, error)

	// Edge answers one edge, or ErrNotFound.
	Edge(from ID, kind EdgeKind, to ID) (*Edge, error)
	// Edges answers the edges of a memory, ordered by kind and the other end's id;
	// no kinds means all.
	Edges(id ID, dir Direction, kinds ...EdgeKind) ([]Edge, error)

	// Entity answers an entity, or ErrNotFound.
	Entity(id ID) (*Entity, error)
	// EntityByName answers by the unique (namespace, user, canonical), or ErrNotFound.
	EntityByName(namespace, user, canonical string) (*Entity, error)
	// ListEntities answers entities by ascending id behind after.
	ListEntities(q EntityQuery) ([]*Entity, error)
	// Mentions answers the ids of memories that mention the entity, ascending,
	// behind after. FORGOTTEN memories mention nothing.
	Mentions(entity ID, after ID, limit int) ([]ID, error)
	// Relation answers a relation by its unique triple, or ErrNotFound.
	Relation(source ID, predicate string, target ID) (*Relation, error)
	// RelationByID answers a relation by its id, or ErrNotFound. A change names
	// relations so.
	RelationByID(id ID) (*Relation, error)
	// Relations answers relations of an entity, ordered by id, behind after.
	Relations(entity ID, dir Direction, after ID, limit int) ([]*Relation, error)

	// Request answers the idempotency record of key, or ErrNotFound.
	Request(key string) (*Request, error)
	// Receipt answers a deletion receipt, or ErrNotFound.
	Receipt(id ID) (*Receipt, error)
	// ReceiptIDs answers the erased ids of a receipt, ascending, behind after.
	ReceiptIDs(receipt ID, after ID, limit int) ([]ID, error)
	// Note answers a note, or ErrNotFound.
	Note(kind NoteKind, id ID) (*Note, error)
	// Notes answers notes of a kind by ascending id behind after (descending: before
	// it; an empty after is the end asked from), at most limit.
	Notes(kind NoteKind, after ID, descending bool, limit int) ([]*Note, error)
	// Setting answers a small named value of the tenant, or ErrNotFound.
	Setting(name string) ([]byte, error)
	// LastRecorded is the latest instant at which anything was recorded in the
	// tenant, zero if nothing was. No clock may run behind it.
	LastRecorded() (time.Time, error)
}

// Tx reads and writes one transaction.
type Tx interface {
	Reader

	// PutMemory writes a memory, new or changed, and appends a change of that
	// kind, recorded at the memory's UpdatedAt. It validates (Memory.Validate) and
	// keeps MENTIONS in step with m.Entities. A FORGOTTEN memory can't be written.
	PutMemory(m *Memory, kind EventKind) error
	// PutEmbedding stores the vector of a memory that is written in the same or an
	// earlier transaction.
	PutEmbedding(id ID, vector []float32) error
	// PutEdge writes an edge, new or changed.
	PutEdge(e Edge) error
	// DeleteEdge removes an edge; a missing one is no error.
	DeleteEdge(from ID, kind EdgeKind, to ID) error
	// PutEntity writes an entity, new or changed; its unique name can't change.
	PutEntity(e *Entity) error
	// DeleteEntity removes an entity; a missing one is no error.
	DeleteEntity(id ID) error
	// PutRelation writes a relation, new or changed; its triple can't change.
	PutRelation(r *Relation) error
	// DeleteRelation removes a relation; a missing one is no error.
	DeleteRelation(source ID, predicate string, target ID) error
	// Erase turns a memory into a FORGOTTEN stub at the instant: id, namespace,
	// times, chain and version stay; content, words about it, user, vector,
	// usage, edges, mentions, checksum, the requests that made it and the Data of the
	// notes that name it go. An erased memory is left as it is; an unknown one is
	// ErrNotFound.
	Erase(id ID, at time.Time) error

	// PutRequest records an idempotent write; an existing key is ErrConflict.
	PutRequest(r Request) error
	// PutReceipt writes a receipt, new or changed.
	PutReceipt(r Receipt) error
	// PutReceiptIDs adds erased ids to a receipt.
	PutReceiptIDs(receipt ID, ids []ID) error
	// PutNote writes a note, new or changed. The memories it names must exist and not
	// be FORGOTTEN; they can't change later.
	PutNote(n Note) error
	// DeleteNote removes a note; a missing one is no error.
	DeleteNote(kind NoteKind, id ID) error
	// PutSetting stores a small named value (at most 64 KiB); nil removes it.
	PutSetting(name string, value []byte) error
}

// MemoryQuery selects memories; what is set must all hold, what is zero holds for all.
type MemoryQuery struct {
	Namespaces []string // any of
	Users      []string // any of; "" in the list stands for memories without a user
	Session    string
	Project    string
	Subject    string // exact, as stored
	Chain      ID
	Types      []Type    // any of
	Statuses   []Status  // any of, present status as stored
	Tags       []string  // all of
	Pending    bool      // only those whose embedding is pending
	ExpiresBy  time.Time // only those with a time to live that ends at or before it
	After      ID        // behind this id in the order asked for
	Descending bool
	Limit      int
}

// EntityQuery selects entities; what is set must all hold.
type EntityQuery struct {
	Namespaces []string // any of
	Users      []string // any of; "" stands for entities without a user
	Types      []EntityType
	NamePrefix string // of the canonical name
	After      ID
	Limit      int
}
