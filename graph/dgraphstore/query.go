package dgraphstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dgraph-io/dgo/v230/protos/api"
	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// snapshot reads the database at one timestamp: that of its first query, or a given one. If
// an alpha does not answer, another one is asked at the same timestamp.
type snapshot struct {
	store     *Store
	mu        sync.Mutex
	readTs    uint64 // Dgraph's timestamp; 0: Dgraph chooses
	hash      string // Dgraph requires it with the timestamp under access control
	lastAlpha *alpha // the alpha that answered last
}

// readPointContextKey is the context key of the timestamp of a snapshot.
type readPointContextKey struct{}

type readPoint struct {
	readTs uint64
	hash   string
}

// setReadPoint sets the timestamp of a request from its context. dgo has no other way to
// read at a known timestamp at another alpha, or without asking a zero.
func setReadPoint(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if r, ok := req.(*api.Request); ok && r.GetReadOnly() && r.GetStartTs() == 0 {
		if from, ok := ctx.Value(readPointContextKey{}).(readPoint); ok {
			r.StartTs, r.Hash = from.readTs, from.hash
		}
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}

func (s *Store) newSnapshot() *snapshot { return &snapshot{store: s} }

// runQuery runs a query and decodes its result. The text is a constant of this package; values
// from outside are in vars.
func (snap *snapshot) runQuery(ctx context.Context, text string, vars map[string]string, into any) error {
	snap.mu.Lock()
	defer snap.mu.Unlock()
	if snap.readTs != 0 {
		ctx = context.WithValue(ctx, readPointContextKey{}, readPoint{snap.readTs, snap.hash})
	}
	if snap.lastAlpha != nil {
		ctx = context.WithValue(ctx, alphaContextKey{}, snap.lastAlpha)
	}
	return snap.store.retry(ctx, func(ctx context.Context) error {
		res, err := snap.store.clientFor(ctx).NewReadOnlyTxn().QueryWithVars(ctx, text, vars)
		if err != nil {
			return err
		}
		snap.readTs, snap.hash = res.GetTxn().GetStartTs(), res.GetTxn().GetHash()
		snap.lastAlpha, _ = ctx.Value(alphaContextKey{}).(*alpha)
		if err := json.Unmarshal(res.GetJson(), into); err != nil {
			return fmt.Errorf("dgraphstore: decode a response: %w", err)
		}
		return nil
	})
}

// variables declares string variables with a common prefix. It returns the declaration and
// the list that names them, and sets their values in vars.
func variables(name string, values []string, vars map[string]string) (declared, named string) {
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = "$" + name + strconv.Itoa(i)
		vars[names[i]] = value
	}
	if len(names) > 0 {
		declared = strings.Join(names, ": string, ") + ": string"
	}
	return declared, "[" + strings.Join(names, ", ") + "]"
}

// row is a node in the result of a query.
type row struct {
	UID    string    `json:"uid"`
	Key    string    `json:"key"`
	Record string    `json:"record"`
	Usage  string    `json:"usage"`
	Uses   []useNode `json:"uses"`
	// VectorKey is the sealed text of the number of the key of a memory's vector.
	VectorKey string `json:"vkey"`

	number uint64 // of the key that the record is sealed with; 0: it is not sealed
}

// useNode is a node of uses that are not folded yet.
type useNode struct {
	At       int64  `json:"at"`
	Times    int    `json:"times"` // 0: one
	Sessions string `json:"sessions"`
}

// usage is the usage that the node adds to each of its memories. key names them in an error.
func (n useNode) usage(key string) (graph.Usage, error) {
	sessions, err := wire.ParseSessions(n.Sessions)
	if err != nil {
		return graph.Usage{}, integrityError(key, err.Error())
	}
	u := graph.Usage{}.With(graph.Use{At: wire.Stamp(n.At).Time(), Sessions: sessions})
	u.Count = max(1, n.Times)
	return u, nil
}

// rowKind is a kind of row: the key that finds it and how its record is stored.
type rowKind struct {
	name   string // part of the seal, so that kinds differ
	key    string // predicate
	fields string // of a query that loads it
	facts  func(ks keyspace, key, record string) ([]fact, error)
}

// decoder decodes the record of a row.
type decoder[T any] func(ks keyspace, key, record string) (T, error)

func newKind[T any](name, key, more string, decode decoder[T], add func(*factCollector, keyspace, string, T)) *rowKind {
	return &rowKind{name: name, key: key, fields: "uid key: " + key + " record: " + name + ".record" + more, facts: factsOf(name, decode, add)}
}

// The kinds of rows. Memories, entities and relations are found by the key of their
// node, the others by keys of their own.
var (
	memories  = newKind("memory", "node.key", " vkey: memory.vector_key usage: memory.usage uses: ~use.of { at: use.at times: use.times sessions: use.sessions }", decodeMemory, memoryFacts)
	entities  = newKind("entity", "node.key", "", decodeEntity, entityFacts)
	relations = newKind("relation", "node.key", "", decodeRelation, relationFacts)
	edges     = newKind("edge", "edge.key", "", decodeEdge, edgeFacts)
	requests  = newKind("request", "request.key", "", decodeRequest, requestFacts)
	receipts  = newKind("receipt", "receipt.key", "", decodeReceipt, receiptFacts)
	notes     = newKind("note", "note.key", "", decodeNote, noteFacts)
	settings  = newKind("setting", "setting.key", "", decodeSetting, settingFacts)
)

// sealKey is the key that the record of a row is sealed with.
func sealKey(kind, key string) string { return kind + " " + key }

// queryChunk is how many rows one query reads at most.
const queryChunk = 256

// fetchRows reads rows by their keys. A missing row has no UID; a bare node has no Record.
func (r *reader) fetchRows(kind *rowKind, keys []string) (map[string]row, error) {
	found := make(map[string]row, len(keys))
	for some := range slices.Chunk(keys, queryChunk) {
		vars := map[string]string{}
		declared, named := variables("k", some, vars)
		var answer struct{ Q []row }
		if err := r.runQuery(r.ctx, "query q("+declared+") { q(func: eq("+kind.key+", "+named+")) { "+kind.fields+" } }", vars, &answer); err != nil {
			return nil, err
		}
		if err := r.openRows(kind, answer.Q); err != nil {
			return nil, err
		}
		for _, storedRow := range answer.Q {
			if found[storedRow.Key].UID != "" {
				return nil, integrityError(sealKey(kind.name, storedRow.Key), "two nodes have the key")
			}
			found[storedRow.Key] = storedRow
		}
	}
	return found, nil
}

// rowsByIndex reads the rows with a value of an indexed predicate.
func (r *reader) rowsByIndex(kind *rowKind, predicate, value string) ([]row, error) {
	var answer struct{ Q []row }
	err := r.runQuery(r.ctx, "query q($k: string) { q(func: eq("+predicate+", $k)) { "+kind.fields+" } }", map[string]string{"$k": value}, &answer)
	if err != nil {
		return nil, err
	}
	return answer.Q, r.openRows(kind, answer.Q)
}

// rowsByEdge reads the rows whose edge of the predicate leads to the node.
func (r *reader) rowsByEdge(kind *rowKind, predicate, node string) ([]row, error) {
	var answer struct {
		Q []struct{ Rows []row }
	}
	err := r.runQuery(r.ctx, "query q($k: string) { q(func: eq(node.key, $k)) { rows: ~"+predicate+" { "+kind.fields+" } } }", map[string]string{"$k": node}, &answer)
	if err != nil || len(answer.Q) == 0 {
		return nil, err
	}
	return answer.Q[0].Rows, r.openRows(kind, answer.Q[0].Rows)
}

// tenantHead is the content of the node of a tenant.
type tenantHead struct {
	UID      string       `json:"uid"`
	At       string       `json:"at"`     // key of the last commit
	Commit   uint64       `json:"-"`      // its number
	Cursor   graph.Cursor `json:"cursor"` // of the last change
	Recorded wire.Stamp   `json:"recorded"`
	Oldest   int64        `json:"oldest"` // the earliest and the latest instant of the tenant's ids,
	Newest   int64        `json:"newest"` // and the number of each kind: for range scans
	Memories int64        `json:"memories"`
	Entities int64        `json:"entities"`
	Notes    int64        `json:"notes"`
	vectorIndexState
	ringMark
}

const (
	headFields = `{
	uid at: tenant.at cursor: tenant.cursor recorded: tenant.recorded oldest: tenant.oldest newest: tenant.newest
	memories: tenant.memories entities: tenant.entities notes: tenant.notes near: tenant.near filled: tenant.filled
	sealed: tenant.sealed generation: tenant.generation first: tenant.first }`
	headQuery = `query q($t: string) { q(func: eq(tenant.name, $t)) ` + headFields + ` }`
)

// readHead reads the head of a tenant; it is zero for a tenant without a commit.
func (snap *snapshot) readHead(ctx context.Context, t graph.Tenant) (tenantHead, error) {
	var answer struct{ Q []tenantHead }
	if err := snap.runQuery(ctx, headQuery, map[string]string{"$t": string(t)}, &answer); err != nil {
		return tenantHead{}, err
	}
	return parseHead(t, answer.Q)
}

// parseHead parses the node of a tenant.
func parseHead(t graph.Tenant, found []tenantHead) (tenantHead, error) {
	switch len(found) {
	case 0:
		return tenantHead{}, nil
	case 1:
		head := found[0]
		n, err := strconv.ParseUint(strings.TrimPrefix(head.At, newKeyspace(t).prefix), 16, 64)
		if err != nil {
			return tenantHead{}, integrityError("tenant "+string(t), "has no commit")
		}
		head.Commit = n
		return head, nil
	}
	return tenantHead{}, integrityError("tenant "+string(t), "has two nodes")
}
