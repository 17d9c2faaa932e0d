package dgraphstore

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// keyspace begins every key of one tenant: its name and a slash, which no tenant's name
// holds. So a key of one can't be a key of another, nor lie between two of them.
type keyspace string

func newKeyspace(t graph.Tenant) keyspace { return keyspace(t) + "/" }

// node is the key of what has the id: a memory, an entity, a relation.
func (ks keyspace) node(id graph.ID) string { return string(ks) + string(id) }

// idSize is the length of an id, which the keys of nodes and notes end with.
const idSize = 36

// ofNode reports whether a key is that of a node, which has nothing between tenant and id.
func (ks keyspace) ofNode(key string) bool { return len(key) == len(ks)+idSize }

// commit is the key of the n-th commit; keys ascend with n.
func (ks keyspace) commit(n uint64) string { return fmt.Sprintf("%s%016x", ks, n) }

// name is the key of what goes by strings: 16 bytes of the SHA-256 over each with its
// length, so that long and personal strings never stand in a key. Two names that differ
// never share one in practice (2⁻¹²⁸ a pair).
func (ks keyspace) name(what string, words ...string) string {
	h := sha256.New()
	for _, w := range append([]string{what}, words...) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(w))))
		h.Write([]byte(w))
	}
	return string(ks) + hex.EncodeToString(h.Sum(nil)[:16])
}

// notes begins the keys of the notes of a kind.
func (ks keyspace) notes(kind graph.NoteKind) keyspace {
	return keyspace(ks.name("note", string(kind)) + "/")
}

// expiry is the key of an instant in the index of expiry; keys ascend with the instant,
// from before 1970 on.
func (ks keyspace) expiry(t time.Time) string {
	return fmt.Sprintf("%s%016x", ks, uint64(t.UnixMilli())^1<<63)
}

// id reads the id that a key of the keyspace ends with.
func (ks keyspace) id(key string) (graph.ID, error) {
	id := graph.ID(strings.TrimPrefix(key, string(ks)))
	if !strings.HasPrefix(key, string(ks)) || !id.Valid() {
		return "", broken("key", "not an id of the tenant")
	}
	return id, nil
}

// What memory.by may hold: the value of a field that lists can ask for.
const (
	byChain     = "chain"
	bySession   = "session"
	bySubject   = "subject"
	byPending   = "pending"
	byProject   = "project"
	byUser      = "user"
	byNamespace = "namespace"
)

// A mark stands for a key that a transaction reads or writes, hashed to 8 bytes. Two
// keys share one so rarely (2⁻⁶⁴ a pair) that it costs a retry at most.
type mark uint64

// The keys that transactions meet at.
const (
	onMemory    = "memory"
	onEmbedding = "embedding"
	onEdge      = "edge"
	onEntity    = "entity"
	onName      = "name"
	onRelation  = "relation"
	onTriple    = "triple"
	onRequest   = "request"
	onReceipt   = "receipt"
	onErased    = "erased"
	onNote      = "note"
	onSetting   = "setting"
	onHang      = "hang" // what is hung on a memory writes it, Erase reads it
	onNode      = "node" // whoever makes a node reads that there was none, and writes it
	onFold      = "fold" // one fold of a tenant at a time
	onNear      = "near" // where the vectors of a tenant are indexed
)

func markOf(what string, words ...string) mark {
	var d xxhash.Digest
	d.Reset()
	for _, w := range append([]string{what}, words...) {
		_, _ = d.Write(binary.BigEndian.AppendUint32(nil, uint32(len(w)))) // a Digest never fails
		_, _ = d.WriteString(w)
	}
	return mark(d.Sum64())
}

// millisOf is the instant that an id begins with, in milliseconds since 1970. It is 0
// where id is none.
func millisOf(id graph.ID) int64 {
	b, err := id.Bytes()
	if err != nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b[:8]) >> 16)
}

// idPrefix is how the ids of an instant begin.
func idPrefix(ms int64) string {
	h := fmt.Sprintf("%012x", ms)
	return h[:8] + "-" + h[8:]
}
