package wire

import "github.com/somnograph/somnograph/graph"

// Entity is a graph.Entity, without its id.
type Entity struct {
	Namespace  string `cbor:"1,keyasint"`
	User       string `cbor:"2,keyasint,omitempty"`
	Name       string `cbor:"3,keyasint,omitempty"`
	Canonical  string `cbor:"4,keyasint"`
	Type       string `cbor:"5,keyasint,omitempty"`
	Properties []byte `cbor:"6,keyasint,omitempty"`
	FirstSeen  Stamp  `cbor:"7,keyasint,omitempty"`
}

// EntityOf is the stored form of an entity.
func EntityOf(e *graph.Entity) *Entity {
	return &Entity{
		Namespace: e.Namespace, User: e.User, Name: e.Name, Canonical: e.Canonical, Type: string(e.Type),
		Properties: e.Properties, FirstSeen: StampOf(e.FirstSeen),
	}
}

// Entity converts a stored entity.
func (r *Entity) Entity(id graph.ID) *graph.Entity {
	e := &graph.Entity{
		ID: id, Namespace: r.Namespace, User: r.User, Name: r.Name, Canonical: r.Canonical,
		Type: graph.EntityType(r.Type), FirstSeen: r.FirstSeen.Time(),
	}
	if len(r.Properties) > 0 {
		e.Properties = r.Properties
	}
	return e
}

// Relation is a graph.Relation, without its id and its ends, by which each store finds it in
// its own way.
type Relation struct {
	Namespace  string  `cbor:"2,keyasint"`
	Predicate  string  `cbor:"3,keyasint"`
	Strength   float64 `cbor:"4,keyasint,omitempty"`
	StrengthAt Stamp   `cbor:"5,keyasint,omitempty"`
	Confidence float64 `cbor:"6,keyasint,omitempty"`
	ValidFrom  Stamp   `cbor:"7,keyasint,omitempty"`
	ValidTo    Stamp   `cbor:"8,keyasint,omitempty"`
	EventTime  Stamp   `cbor:"9,keyasint,omitempty"`
	RecordedAt Stamp   `cbor:"10,keyasint,omitempty"`
	Memories   []byte  `cbor:"11,keyasint,omitempty"` // ids, 16 bytes each
}

// RelationOf is the stored form of a relation. It fails if an id of its memories is invalid.
func RelationOf(r *graph.Relation) (Relation, error) {
	memories, err := IDList("memories", r.Memories)
	return Relation{
		Namespace: r.Namespace, Predicate: r.Predicate, Strength: r.Strength, StrengthAt: StampOf(r.StrengthAt),
		Confidence: r.Confidence, ValidFrom: StampOf(r.ValidFrom), ValidTo: StampOf(r.ValidTo),
		EventTime: StampOf(r.EventTime), RecordedAt: StampOf(r.RecordedAt), Memories: memories,
	}, err
}

// Relation converts a stored relation.
func (r *Relation) Relation(id, source, target graph.ID) *graph.Relation {
	return &graph.Relation{
		ID: id, Source: source, Target: target, Namespace: r.Namespace, Predicate: r.Predicate,
		Strength: r.Strength, StrengthAt: r.StrengthAt.Time(), Confidence: r.Confidence,
		ValidFrom: r.ValidFrom.Time(), ValidTo: r.ValidTo.Time(), EventTime: r.EventTime.Time(),
		RecordedAt: r.RecordedAt.Time(), Memories: IDs(r.Memories),
	}
}

// Request is a graph.Request.
type Request struct {
	Key    string `cbor:"1,keyasint"`
	Digest string `cbor:"2,keyasint,omitempty"`
	Result []byte `cbor:"3,keyasint,omitempty"`
	Before []byte `cbor:"4,keyasint,omitempty"`
	Answer []byte `cbor:"5,keyasint,omitempty"`
	At     Stamp  `cbor:"6,keyasint,omitempty"`
}

// RequestOf is the stored form of a request. It fails if an id in it is invalid.
func RequestOf(q graph.Request) (*Request, error) {
	result, err := IDBytes("result", q.Result)
	if err != nil {
		return nil, err
	}
	before, err := IDBytes("before", q.Before)
	if err != nil {
		return nil, err
	}
	return &Request{Key: q.Key, Digest: q.Digest, Result: result, Before: before, Answer: q.Answer, At: StampOf(q.At)}, nil
}

// Request converts a stored request.
func (r *Request) Request() *graph.Request {
	q := &graph.Request{Key: r.Key, Digest: r.Digest, Result: ID(r.Result), Before: ID(r.Before), At: r.At.Time()}
	if len(r.Answer) > 0 {
		q.Answer = r.Answer
	}
	return q
}

// Receipt is a graph.Receipt, without its id.
type Receipt struct {
	Status      string `cbor:"1,keyasint"`
	Count       int    `cbor:"2,keyasint,omitempty"`
	Hash        string `cbor:"3,keyasint,omitempty"`
	RequestedAt Stamp  `cbor:"4,keyasint,omitempty"`
	CompletedAt Stamp  `cbor:"5,keyasint,omitempty"`
	Anonymised  int    `cbor:"6,keyasint,omitempty"`
	Owner       string `cbor:"7,keyasint,omitempty"`
}

// ReceiptOf is the stored form of a receipt.
func ReceiptOf(r graph.Receipt) *Receipt {
	return &Receipt{
		Status: string(r.Status), Count: r.Count, Hash: r.Hash,
		RequestedAt: StampOf(r.RequestedAt), CompletedAt: StampOf(r.CompletedAt), Anonymised: r.Anonymised, Owner: r.Owner,
	}
}

// Receipt converts a stored receipt.
func (r *Receipt) Receipt(id graph.ID) *graph.Receipt {
	return &graph.Receipt{
		ID: id, Status: graph.DeletionStatus(r.Status), Count: r.Count, Hash: r.Hash,
		RequestedAt: r.RequestedAt.Time(), CompletedAt: r.CompletedAt.Time(), Anonymised: r.Anonymised, Owner: r.Owner,
	}
}

// Change is a graph.Change, without its cursor.
type Change struct {
	At        Stamp  `cbor:"1,keyasint"`
	Node      string `cbor:"2,keyasint"`
	Kind      string `cbor:"3,keyasint"`
	ID        []byte `cbor:"4,keyasint"`
	Namespace string `cbor:"5,keyasint,omitempty"`
}

// ChangeOf is the stored form of a change that happened at an instant.
func ChangeOf(c graph.Change, at Stamp) (*Change, error) {
	id, err := UUID("id", c.ID)
	if err != nil {
		return nil, err
	}
	return &Change{At: at, Node: string(c.Node), Kind: string(c.Kind), ID: id[:], Namespace: c.Namespace}, nil
}

// Change converts a stored change.
func (r *Change) Change(cursor graph.Cursor) graph.Change {
	return graph.Change{
		Cursor: cursor, At: r.At.Time(), Node: graph.NodeKind(r.Node), Kind: graph.EventKind(r.Kind), ID: ID(r.ID), Namespace: r.Namespace,
	}
}
