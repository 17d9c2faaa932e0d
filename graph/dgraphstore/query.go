package dgraphstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/dgraph-io/dgo/v230/protos/api"
	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// snapshot reads the database as it stood at one moment: that of its first query, or that
// which it was given. Where an alpha falls silent another one is asked about the same
// moment.
type snapshot struct {
	store *Store
	mu    sync.Mutex
	at    uint64  // timestamp of Dgraph's; 0: Dgraph says which
	hash  string  // that Dgraph wants to see with it where it knows users
	last  *member // who answered last
}

// startKey is what the moment of a snapshot goes by in a context.
type startKey struct{}

type moment struct {
	at   uint64
	hash string
}

// startAt gives a request the moment of its context, where it has none: dgo knows no other
// way to read at a moment that is known already, at another alpha or without asking Zero.
func startAt(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if r, ok := req.(*api.Request); ok && r.GetReadOnly() && r.GetStartTs() == 0 {
		if from, ok := ctx.Value(startKey{}).(moment); ok {
			r.StartTs, r.Hash = from.at, from.hash
		}
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}

func (s *Store) snapshot() *snapshot { return &snapshot{store: s} }

// ask runs a query and reads its answer. The text is one of this package's own: what
// comes from outside stands in vars.
func (v *snapshot) ask(ctx context.Context, text string, vars map[string]string, into any) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.at != 0 {
		ctx = context.WithValue(ctx, startKey{}, moment{v.at, v.hash})
	}
	if v.last != nil {
		ctx = context.WithValue(ctx, memberKey{}, v.last)
	}
	return v.store.retry(ctx, func(ctx context.Context) error {
		res, err := v.store.client(ctx).NewReadOnlyTxn().QueryWithVars(ctx, text, vars)
		if err != nil {
			return err
		}
		v.at, v.hash = res.GetTxn().GetStartTs(), res.GetTxn().GetHash()
		v.last, _ = ctx.Value(memberKey{}).(*member)
		if err := json.Unmarshal(res.GetJson(), into); err != nil {
			return fmt.Errorf("dgraphstore: read an answer: %w", err)
		}
		return nil
	})
}

// list declares n string variables that begin alike: the declaration, the list that
// names them, and what they stand for.
func list(name string, values []string, vars map[string]string) (declared, named string) {
	var d, n strings.Builder
	for i, value := range values {
		v := "$" + name + strconv.Itoa(i)
		if i > 0 {
			d.WriteString(", ")
			n.WriteString(", ")
		}
		d.WriteString(v + ": string")
		n.WriteString(v)
		vars[v] = value
	}
	return d.String(), "[" + n.String() + "]"
}

// row is what a query answers of a node.
type row struct {
	UID    string `json:"uid"`
	Key    string `json:"key"`
	Record string `json:"record"`
	Usage  string `json:"usage"`
	Uses   []struct {
		At    int64 `json:"at"`
		Times int   `json:"times"` // 0: one
	} `json:"uses"`
}

// kind is a kind of row: by which key it is found and where its record stands.
type kind struct {
	name   string // seals tell kinds apart by it
	key    string // predicate
	record string // predicate
	fields string // of a query that loads it
	facts  func(ks keyspace, key, record string) ([]fact, error)
}

func newKind(name, key, more string, facts func(keyspace, string, string) ([]fact, error)) *kind {
	record := name + ".record"
	return &kind{name: name, key: key, record: record, fields: "uid key: " + key + " record: " + record + more, facts: facts}
}

// The kinds of rows. Memories, entities and relations are found by the key of their
// node, the others by keys of their own.
var (
	memories  = newKind("memory", "node.key", " usage: memory.usage uses: ~use.of { at: use.at times: use.times }", memoryFacts)
	entities  = newKind("entity", "node.key", "", entityFacts)
	relations = newKind("relation", "node.key", "", relationFacts)
	edges     = newKind("edge", "edge.key", "", edgeFacts)
	requests  = newKind("request", "request.key", "", requestFacts)
	receipts  = newKind("receipt", "receipt.key", "", receiptFacts)
	notes     = newKind("note", "note.key", "", noteFacts)
	settings  = newKind("setting", "setting.key", "", settingFacts)
)

// sealed is the key that the record of a row is sealed with.
func sealed(kind, key string) string { return kind + " " + key }

// chunk is how many rows a query asks for at most.
const chunk = 256

// fetch reads rows by their keys; one that is missing has no UID, one that is a place
// only has no Record.
func (v *snapshot) fetch(ctx context.Context, k *kind, keys []string) (map[string]row, error) {
	found := make(map[string]row, len(keys))
	for len(keys) > 0 {
		some := keys[:min(len(keys), chunk)]
		keys = keys[len(some):]
		vars := map[string]string{}
		declared, named := list("k", some, vars)
		var answer struct{ Q []row }
		if err := v.ask(ctx, "query q("+declared+") { q(func: eq("+k.key+", "+named+")) { "+k.fields+" } }", vars, &answer); err != nil {
			return nil, err
		}
		for _, r := range answer.Q {
			if found[r.Key].UID != "" {
				return nil, broken(sealed(k.name, r.Key), "two nodes have the key")
			}
			found[r.Key] = r
		}
	}
	return found, nil
}

// by reads the rows that a value of an index leads to.
func (v *snapshot) by(ctx context.Context, k *kind, predicate, value string) ([]row, error) {
	var answer struct{ Q []row }
	err := v.ask(ctx, "query q($k: string) { q(func: eq("+predicate+", $k)) { "+k.fields+" } }", map[string]string{"$k": value}, &answer)
	return answer.Q, err
}

// hanging reads the rows whose edge of the predicate leads to the node.
func (v *snapshot) hanging(ctx context.Context, k *kind, predicate, node string) ([]row, error) {
	var answer struct {
		Q []struct{ Rows []row }
	}
	err := v.ask(ctx, "query q($k: string) { q(func: eq(node.key, $k)) { rows: ~"+predicate+" { "+k.fields+" } } }", map[string]string{"$k": node}, &answer)
	if err != nil || len(answer.Q) == 0 {
		return nil, err
	}
	return answer.Q[0].Rows, nil
}

// head is what stands at the node of a tenant.
type head struct {
	UID      string       `json:"uid"`
	At       string       `json:"at"`     // key of the last commit
	Commit   uint64       `json:"-"`      // its number
	Cursor   graph.Cursor `json:"cursor"` // of the last change
	Recorded wire.Stamp   `json:"recorded"`
	Oldest   int64        `json:"oldest"` // the earliest and the latest instant that an id of the tenant
	Newest   int64        `json:"newest"` // begins with, and how many of each there are: for walk.go
	Memories int64        `json:"memories"`
	Entities int64        `json:"entities"`
	Notes    int64        `json:"notes"`
	nearState
}

const (
	headFields = `{
	uid at: tenant.at cursor: tenant.cursor recorded: tenant.recorded oldest: tenant.oldest newest: tenant.newest
	memories: tenant.memories entities: tenant.entities notes: tenant.notes near: tenant.near filled: tenant.filled }`
	headQuery = `query q($t: string) { q(func: eq(tenant.name, $t)) ` + headFields + ` }`
)

// head reads where the tenant stands; the zero head is that of a tenant without a commit.
func (v *snapshot) head(ctx context.Context, t graph.Tenant) (head, error) {
	var answer struct{ Q []head }
	if err := v.ask(ctx, headQuery, map[string]string{"$t": string(t)}, &answer); err != nil {
		return head{}, err
	}
	return headOf(t, answer.Q)
}

// headOf reads the node of a tenant.
func headOf(t graph.Tenant, found []head) (head, error) {
	switch len(found) {
	case 0:
		return head{}, nil
	case 1:
		h := found[0]
		n, err := strconv.ParseUint(strings.TrimPrefix(h.At, string(newKeyspace(t))), 16, 64)
		if err != nil {
			return head{}, broken("tenant "+string(t), "has no commit")
		}
		h.Commit = n
		return h, nil
	}
	return head{}, broken("tenant "+string(t), "has two nodes")
}
