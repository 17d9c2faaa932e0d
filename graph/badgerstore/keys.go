package badgerstore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// Every kind of row is declared here, once. Rows of a tenant begin with its name and a
// zero byte, which no tenant's name contains; rows of the store begin with the zero byte.
// So a tenant is one range of keys.
//
// In the keys, id is the 16 bytes of a UUID, n and cursor are 8 bytes big-endian,
// and name is 16 bytes of a hash, in a sealed store of an HMAC (see names.go): no key contains a
// long or personal string. Every value is sealed (see seal); the comments below describe its
// payload. docs/formats/badgerstore.md has examples.
const (
	// Rows of the store.
	rowSchema     = 'v' // 0 v                     → version of the layout, 4 bytes: 00 00 00 01
	rowCommit     = 'c' // 0 c n mod commitRingSize → commit n: n, cursor, digest, chain (see chain.go)
	rowTenant     = 't' // 0 t tenant              → nothing: the tenant holds data
	rowNamesCheck = 'H' // 0 H                 → check of the secret of the names, 16 bytes
	rowFolded     = 'u' // 0 u                     → position in the usage log up to which counts are folded, 8 bytes

	// Nodes and edges of a tenant.
	rowMemory    = 'm' // T m id                  → wire.Memory, CBOR; user meta 1 marks a FORGOTTEN stub
	rowEmbedding = 'v' // T v id                  → float32 little-endian, 4 bytes a dimension
	rowUsage     = 'u' // T u id                  → usageRow, CBOR
	rowEdgeOut   = 'o' // T o from kind(16) to    → edgeRow, CBOR
	rowEdgeIn    = 'i' // T i to kind(16) from    → nothing
	rowEntity    = 'e' // T e id                  → wire.Entity, CBOR
	rowNamed     = 'n' // T n name(ns,user,canon) → id of the entity
	rowRelation  = 'r' // T r source name target  → relationRow, CBOR
	rowTriple    = 'k' // T k id                  → source name target of the relation

	// Rows that belong to them.
	rowMention      = 'N' // T N entity memory           → nothing
	rowRelationOut  = 'O' // T O entity relation         → nothing: entity is the source
	rowRelationIn   = 'I' // T I entity relation         → nothing: entity is the target
	rowSays         = 'S' // T S memory relation         → nothing: the memory states the relation
	rowAttached     = 'h' // T h memory or entity        → nothing: something was attached to it (see attach, attachToEntity)
	rowRequest      = 'q' // T q name(key)               → wire.Request, CBOR
	rowRequestOf    = 'Q' // T Q id name(key)            → nothing: the request made the memory, receipt or decision
	rowReceipt      = 'd' // T d id                      → wire.Receipt, CBOR
	rowErased       = 'D' // T D receipt id              → nothing
	rowNote         = 'j' // T j name(kind) id           → noteRow, CBOR
	rowNoted        = 'J' // T J memory name(kind) id    → nothing: the note names the memory
	rowExternal     = 'X' // T X name(ns,external)       → never present: transactions that give a memory this external id conflict on it
	rowSetting      = 's' // T s name(setting)           → the value
	rowChange       = 'f' // T f cursor                  → wire.Change, CBOR
	rowJournal      = 'R' // T R commit(8) part(2)       → rows that the commit touched and its changes do not name, CBOR (see journal.go)
	rowLastRecorded = 'l' // T l                         → latest recorded instant, milliseconds, 8 bytes
	rowIndex        = 'x' // T x index value(16) memory  → nothing: see the indexes below
	rowEntityIndex  = 'y' // T y name(ns) entity         → nothing
	rowFlush        = 'F' // 0 F                         → never for long: see rewriteTables
	rowRetired      = 'w' // T w number                  → numbers of keys to destroy, 8 bytes each (see sealing.go)
	rowGeneration   = 'g' // T g                         → keyring.Mark (see sealing.go), 8 bytes a number
	rowSealed       = 'W' // T W                         → nothing: every row with content is sealed
	rowNames        = 'H' // T H                         → namePhase, 1 byte
	rowPart         = 'z' // T z key-after-T part        → further bytes of a value above maxValue (see row.go)
)

// Rows whose names are HMACs. Otherwise they are as those without "Keyed".
const (
	rowNamedKeyed       = 'E' // T E name(ns,user,canon)
	rowRelationKeyed    = 'G' // T G source name target
	rowTripleKeyed      = 'K' // T K id
	rowRequestKeyed     = 'p' // T p name(key)
	rowRequestOfKeyed   = 'P' // T P memory name(key)
	rowExternalKeyed    = 'Z' // T Z name(ns,external)
	rowSettingKeyed     = 'a' // T a name(setting)
	rowIndexKeyed       = 'L' // T L index value(16) memory
	rowEntityIndexKeyed = 'Y' // T Y name(ns) entity
)

// The indexes that ListMemories can use. The value is a name, an id, or 16 zero bytes;
// that of byExpiry is the instant in 8 bytes and 8 zero bytes.
const (
	bySession   = 's'
	byChain     = 'c'
	bySubject   = 'b'
	byExpiry    = 'e'
	byPending   = 'w'
	byProject   = 'p'
	byUser      = 'u'
	byNamespace = 'n'
	byExternal  = 'x'
)

// key is a key in Badger.
type key []byte

// storeKey is the key of a row of the whole store.
func storeKey(row byte, tail ...byte) key {
	return append(key{0, row}, tail...)
}

// keyspace makes the keys of one tenant.
type keyspace []byte

func newKeyspace(t graph.Tenant) keyspace { return append([]byte(t), 0) }

// rowKey is a key of the tenant, made of parts.
func (s keyspace) rowKey(row byte, parts ...[]byte) key {
	n := len(s) + 1
	for _, p := range parts {
		n += len(p)
	}
	k := make(key, 0, n)
	k = append(k, s...)
	k = append(k, row)
	for _, p := range parts {
		k = append(k, p...)
	}
	return k
}

// partKey is the key of further bytes of the value at k.
func (s keyspace) partKey(k key, number int) key {
	return s.rowKey(rowPart, k[len(s):], binary.BigEndian.AppendUint16(nil, uint16(number)))
}

// nameHash is the form of strings in a key without a secret: 16 bytes of the SHA-256 over each with
// its length. The chance that two names share one is 2⁻¹²⁸.
func nameHash(words ...string) [16]byte {
	h := sha256.New()
	var n [4]byte
	for _, w := range words {
		binary.BigEndian.PutUint32(n[:], uint32(len(w)))
		h.Write(n[:])
		h.Write([]byte(w))
	}
	return [16]byte(h.Sum(nil)[:16])
}

// kindKey is the form of an edge kind in a key: its name, hashed.
func kindKey(k graph.EdgeKind) [16]byte { return nameHash(string(k)) }

// lastID returns the id that a key ends with.
func lastID(k []byte) (graph.ID, error) {
	if len(k) < 16 {
		return "", fmt.Errorf("%w: a key of %d bytes does not end with an id", graph.ErrIntegrity, len(k))
	}
	return graph.IDFromBytes([16]byte(k[len(k)-16:])), nil
}

func be64(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }
