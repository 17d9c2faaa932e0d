package dgraphstore

import (
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// The functions below encode and decode the record of each kind of row. A decoder gets the
// keyspace of the tenant, the key of the row and its record.

func encodeMemory(key string, m *graph.Memory) (string, error) {
	r, err := wire.MemoryOf(m)
	if err != nil {
		return "", err
	}
	return encode(sealKey("memory", key), r)
}

// decodeMemory decodes a memory, without its usage.
func decodeMemory(ks keyspace, key, text string) (*graph.Memory, error) {
	id, row, err := decodeNode[wire.Memory](ks, "memory", key, text)
	if err != nil {
		return nil, err
	}
	m, err := row.Memory(id)
	if err != nil {
		return nil, integrityError(sealKey("memory", key), err.Error())
	}
	return m, nil
}

// decodeNode decodes the row of a node, whose key ends with its id.
func decodeNode[R any](ks keyspace, kind, key, text string) (id graph.ID, row R, err error) {
	if id, err = ks.parseID(key); err == nil {
		err = decode(sealKey(kind, key), text, &row)
	}
	return id, row, err
}

func encodeEntity(key string, e *graph.Entity) (string, error) {
	return encode(sealKey("entity", key), wire.EntityOf(e))
}

func decodeEntity(ks keyspace, key, text string) (*graph.Entity, error) {
	id, row, err := decodeNode[wire.Entity](ks, "entity", key, text)
	if err != nil {
		return nil, err
	}
	return row.Entity(id), nil
}

func encodeRelation(key string, r *graph.Relation) (string, error) {
	source, err := wire.UUID("source", r.Source)
	if err != nil {
		return "", err
	}
	target, err := wire.UUID("target", r.Target)
	if err != nil {
		return "", err
	}
	row, err := wire.RelationOf(r)
	if err != nil {
		return "", err
	}
	return encode(sealKey("relation", key), &relationRow{Source: source[:], Relation: row, Target: target[:]})
}

func decodeRelation(ks keyspace, key, text string) (*graph.Relation, error) {
	id, row, err := decodeNode[relationRow](ks, "relation", key, text)
	if err != nil {
		return nil, err
	}
	return row.Relation.Relation(id, wire.ID(row.Source), wire.ID(row.Target)), nil
}

// tripleKey is the key of the unique triple of a relation.
func tripleKey(ks keyspace, source graph.ID, predicate string, target graph.ID) string {
	return ks.hashedKey("triple", string(source), predicate, string(target))
}

func edgeKey(ks keyspace, from graph.ID, kind graph.EdgeKind, to graph.ID) string {
	return ks.hashedKey("edge", string(from), string(kind), string(to))
}

func encodeEdge(key string, e graph.Edge) (string, error) {
	from, err := wire.UUID("from", e.From)
	if err != nil {
		return "", err
	}
	to, err := wire.UUID("to", e.To)
	if err != nil {
		return "", err
	}
	return encode(sealKey("edge", key), &edgeRow{From: from[:], Kind: string(e.Kind), To: to[:], Weight: e.Weight, At: wire.StampOf(e.At)})
}

func decodeEdge(_ keyspace, key, text string) (*graph.Edge, error) {
	var row edgeRow
	if err := decode(sealKey("edge", key), text, &row); err != nil {
		return nil, err
	}
	return &graph.Edge{From: wire.ID(row.From), Kind: graph.EdgeKind(row.Kind), To: wire.ID(row.To), Weight: row.Weight, At: row.At.Time()}, nil
}

func encodeRequest(key string, q graph.Request) (string, error) {
	row, err := wire.RequestOf(q)
	if err != nil {
		return "", err
	}
	return encode(sealKey("request", key), row)
}

func decodeRequest(_ keyspace, key, text string) (*graph.Request, error) {
	var row wire.Request
	if err := decode(sealKey("request", key), text, &row); err != nil {
		return nil, err
	}
	return row.Request(), nil
}

func encodeReceipt(key string, r graph.Receipt) (string, error) {
	return encode(sealKey("receipt", key), wire.ReceiptOf(r))
}

func decodeReceipt(ks keyspace, key, text string) (*graph.Receipt, error) {
	id, row, err := decodeNode[wire.Receipt](ks, "receipt", key, text)
	if err != nil {
		return nil, err
	}
	return row.Receipt(id), nil
}

func encodeNote(key string, n *graph.Note) (string, error) {
	named, err := wire.IDList("memories", n.Memories)
	if err != nil {
		return "", err
	}
	return encode(sealKey("note", key), &noteRow{Kind: string(n.Kind), ID: string(n.ID), Namespace: n.Namespace, Memories: named, At: wire.StampOf(n.At), Data: n.Data})
}

func decodeNote(_ keyspace, key, text string) (*graph.Note, error) {
	var row noteRow
	if err := decode(sealKey("note", key), text, &row); err != nil {
		return nil, err
	}
	return &graph.Note{
		Kind: graph.NoteKind(row.Kind), ID: graph.ID(row.ID), Namespace: row.Namespace,
		Memories: wire.IDs(row.Memories), At: row.At.Time(), Data: row.Data,
	}, nil
}

func decodeSetting(_ keyspace, key, text string) ([]byte, error) {
	return unseal(sealKey("setting", key), text)
}

func encodeUsage(key string, u graph.Usage) (string, error) {
	return encode("usage "+key, &usageRow{Count: u.Count, Days: u.Days, Last: wire.StampOf(u.Last), Since: u.Since, Sessions: u.Sessions})
}

func decodeUsage(key, text string) (u graph.Usage, err error) {
	if text == "" {
		return u, nil
	}
	var row usageRow
	if err := decode("usage "+key, text, &row); err != nil {
		return u, err
	}
	return graph.Usage{Count: row.Count, Days: row.Days, Last: row.Last.Time(), Since: row.Since, Sessions: row.Sessions}, nil
}
