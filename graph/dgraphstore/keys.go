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

// keyspace makes the keys of one tenant.
type keyspace struct {
	// prefix of every key: the tenant's name and a slash, which no tenant's name contains. So no key
	// of a tenant equals a key of another one or lies between two of them.
	prefix string
	secret []byte // makes the names in keys HMACs; nil: the store is not sealed
}

func newKeyspace(t graph.Tenant) keyspace { return keyspace{prefix: string(t) + "/"} }

func (ks keyspace) String() string { return ks.prefix }

// nodeKey is the key of the node with the id: a memory, an entity, a relation.
func (ks keyspace) nodeKey(id graph.ID) string { return ks.prefix + string(id) }

// nodeKeys are the keys of the nodes with the ids.
func (ks keyspace) nodeKeys(ids []graph.ID) []string {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = ks.nodeKey(id)
	}
	return keys
}

// idSize is the length of an id, which the keys of nodes and notes end with.
const idSize = 36

// isNodeKey reports whether a key is that of a node, which has nothing between tenant and id.
func (ks keyspace) isNodeKey(key string) bool { return len(key) == len(ks.prefix)+idSize }

// commitKey is the key of the n-th commit; keys ascend with n.
func (ks keyspace) commitKey(n uint64) string { return fmt.Sprintf("%s%016x", ks.prefix, n) }

// hashedKey is the key of a name: 16 bytes of the SHA-256 over each string with its length,
// so that no key contains a long or personal string. The chance that two names share a key
// is 2⁻¹²⁸. In a sealed store it is the HMAC of that hash, so that the cluster confirms no guessed name.
func (ks keyspace) hashedKey(what string, words ...string) string {
	h := sha256.New()
	for _, w := range append([]string{what}, words...) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(w))))
		h.Write([]byte(w))
	}
	sum := h.Sum(nil)
	if ks.secret != nil {
		sum = macOf(ks.secret, sum)
	}
	return ks.prefix + hex.EncodeToString(sum[:16])
}

// noteKeyspace is the prefix of the keys of the notes of a kind.
func (ks keyspace) noteKeyspace(kind graph.NoteKind) keyspace {
	return keyspace{ks.hashedKey("note", string(kind)) + "/", ks.secret}
}

// expiryKey is the key of an instant in the index of expiry; keys ascend with the instant,
// also before 1970.
func (ks keyspace) expiryKey(t time.Time) string {
	return fmt.Sprintf("%s%016x", ks.prefix, uint64(t.UnixMilli())^1<<63)
}

// parseID returns the id that a key of the keyspace ends with.
func (ks keyspace) parseID(key string) (graph.ID, error) {
	id := graph.ID(strings.TrimPrefix(key, ks.prefix))
	if !strings.HasPrefix(key, ks.prefix) || !id.Valid() {
		return "", integrityError("key", "not an id of the tenant")
	}
	return id, nil
}

// The kinds of values in memory.by: fields that lists can filter by.
const (
	byChain     = "chain"
	bySession   = "session"
	bySubject   = "subject"
	byPending   = "pending"
	byProject   = "project"
	byUser      = "user"
	byNamespace = "namespace"
	byExternal  = "external"
)

// keyHash is a key that a transaction reads or writes, hashed to 8 bytes. Two keys share a
// hash with a chance of 2⁻⁶⁴, which costs a retry at most.
type keyHash uint64

// The kinds of keys that transactions conflict on.
const (
	onMemory      = "memory"
	onEmbedding   = "embedding"
	onEdge        = "edge"
	onEntity      = "entity"
	onName        = "name"
	onRelation    = "relation"
	onTriple      = "triple"
	onRequest     = "request"
	onReceipt     = "receipt"
	onErased      = "erased"
	onNote        = "note"
	onSetting     = "setting"
	onExternal    = "external" // giving a memory an external id reads and writes it
	onAttach      = "hang"     // whatever is attached to a memory or an entity writes it, Erase and DeleteEntity read it
	onNode        = "node"     // making a node reads and writes it
	onFold        = "fold"     // one fold of a tenant at a time
	onVectorIndex = "near"     // state of a tenant's vector index
	onShred       = "shred"    // marks of the tenant's keys, and lists of retired ones
	onSweep       = "sweep"    // removing what an older copy holds
)

func keyHashOf(what string, words ...string) keyHash {
	var d xxhash.Digest
	d.Reset()
	for _, w := range append([]string{what}, words...) {
		_, _ = d.Write(binary.BigEndian.AppendUint32(nil, uint32(len(w)))) // a Digest never fails
		_, _ = d.WriteString(w)
	}
	return keyHash(d.Sum64())
}

// idMillis is the instant that an id begins with, in milliseconds since 1970. It is 0 for
// an invalid id.
func idMillis(id graph.ID) int64 {
	b, err := id.Bytes()
	if err != nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b[:8]) >> 16)
}

// idPrefix is the prefix of the ids of an instant.
func idPrefix(ms int64) string {
	h := fmt.Sprintf("%012x", ms)
	return h[:8] + "-" + h[8:]
}
