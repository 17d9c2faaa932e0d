package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// Keys keeps the secrets of the chains, outside of the store.
type Keys interface {
	// Read returns what was last written under a name, nil if nothing was.
	Read(name string) ([]byte, error)
	// Write replaces what is kept under a name, durably and as a whole.
	Write(name string, content []byte) error
	// Damaged is the error for what is kept under a name and can't be used. It says where that is.
	Damaged(name, what string) error
	// Fill fills b with randomness that is fit for keys.
	Fill(b []byte) error
}

// DefaultKeep is how long rows are kept.
const DefaultKeep = 365 * 24 * time.Hour

// Options configure a Log. All but Keep and Log are required.
type Options struct {
	Store interface {
		graph.Viewer
		graph.Updater
	}
	Keys  Keys
	Now   func() time.Time // clock of the rows
	NewID func(at time.Time) (graph.ID, error)
	Keep  time.Duration // 0: DefaultKeep
	Log   *slog.Logger
}

// Log records calls. Its methods are safe for concurrent use. A nil Log records nothing.
type Log struct {
	Options
	mu      sync.Mutex
	tenants map[graph.Tenant]*tenant
}

// tenant is the state of a tenant in memory.
type tenant struct {
	scope    graph.Scope
	wake     chan struct{} // receives after a row was committed or counted
	mu       sync.Mutex
	counts   map[countKey]*count
	pending  atomic.Pointer[pendingKey]
	sealing  sync.Mutex // one sealer at a time; protects the chain
	chain    *chain     // nil: not read yet
	caughtUp bool       // the chain has what a crash left in the store
	pruned   time.Time  // day of the last removal of old rows
}

// New makes a Log.
func New(o Options) *Log {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Log{Options: o, tenants: map[graph.Tenant]*tenant{}}
}

func (l *Log) tenant(scope graph.Scope) *tenant {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tenants[scope.Tenant]
	if t == nil {
		t = &tenant{scope: scope.Whole(), wake: make(chan struct{}, 1), counts: map[countKey]*count{}}
		l.tenants[scope.Tenant] = t
	}
	return t
}

// pendingKey returns the key of new rows.
func (l *Log) pendingKey(ctx context.Context, t *tenant) (*pendingKey, error) {
	if k := t.pending.Load(); k != nil {
		return k, nil
	}
	t.sealing.Lock()
	defer t.sealing.Unlock()
	if err := l.open(ctx, t); err != nil {
		return nil, err
	}
	return t.pending.Load(), nil
}

// open reads the chain of a tenant, once, and finishes a replacement of its keys that was interrupted. The
// caller holds t.sealing.
func (l *Log) open(ctx context.Context, t *tenant) error {
	if t.chain != nil {
		return nil
	}
	c, err := openChain(l.Keys, t.scope)
	if err != nil {
		return err
	}
	if err := l.adoptRestore(ctx, t); err != nil {
		return fmt.Errorf("audit: take over the record of a restore: %w", err)
	}
	t.chain = c
	if c.Next != nil { // before a row is written under the key that is being replaced
		if err := l.finishRotation(ctx, t); err != nil {
			t.chain = nil
			return err
		}
		c = t.chain
	}
	t.pending.Store(&pendingKey{chain: c.Chain, key: c.Pending})
	return nil
}

// Wake returns a channel that receives after a row of the tenant was committed or counted.
func (l *Log) Wake(scope graph.Scope) <-chan struct{} { return l.tenant(scope).wake }

func (t *tenant) signal() {
	select {
	case t.wake <- struct{}{}:
	default: // already signalled
	}
}

// Update runs a transaction of a store with the rows of the calls that it serves. A transaction
// that writes nothing has no row.
func (l *Log) Update(ctx context.Context, store graph.Updater, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if l == nil {
		return store.Update(ctx, scope, fn)
	}
	t := l.tenant(scope)
	key, err := l.pendingKey(ctx, t)
	if err != nil {
		return 0, err
	}
	call := From(ctx)
	if call == nil {
		call = NewCall(Server, Upkeep)
	}
	var parts []*part
	cursor, err := store.Update(ctx, scope, func(tx graph.Tx) error {
		r := &recorder{Tx: tx, call: call}
		var outer graph.Tx = r
		if ahead, ok := tx.(graph.Expecter); ok {
			outer = expecting{r, ahead}
		}
		if err := fn(outer); err != nil {
			return err
		}
		parts = r.parts
		at := l.Now()
		for _, p := range parts {
			if err := l.put(tx, key, at, p.row(at)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(parts) == 0 {
		return cursor, err
	}
	for _, p := range parts {
		p.call.rows.Add(1)
	}
	t.signal()
	return cursor, nil
}

// Begin writes a row with the outcome [Begun], durably, for a call that changes what no transaction of the
// tenant holds, such as the API keys and tenants of the server. Whatever happens later, the call has
// a row. If it returns an error the call must not go on.
func (l *Log) Begin(ctx context.Context, scope graph.Scope, c *Call) error {
	if l == nil {
		return nil
	}
	t := l.tenant(scope)
	key, err := l.pendingKey(ctx, t)
	if err != nil {
		return err
	}
	_, err = l.Store.Update(ctx, t.scope, func(tx graph.Tx) error {
		at := l.Now()
		return l.put(tx, key, at, Row{At: at, Principal: c.Principal, Verb: c.Verb, Outcome: Begun, Count: 1, Millis: c.millis()})
	})
	if err == nil {
		t.signal()
	}
	return err
}

// put writes a row that is not sealed yet.
func (l *Log) put(tx graph.Tx, key *pendingKey, at time.Time, row Row) error {
	id, err := l.NewID(at)
	if err != nil {
		return err
	}
	return putPending(tx, key, id, at, row)
}

// pendingKey authenticates rows that are not sealed yet.
type pendingKey struct {
	chain string
	key   []byte
}

// pending is a row that is not sealed yet, as the Data of its note.
type pending struct {
	Chain string `json:"chain"`
	MAC   []byte `json:"mac"`
	Row   Row    `json:"row"`
}

func putPending(tx graph.Tx, key *pendingKey, id graph.ID, at time.Time, row Row) error {
	text, err := json.Marshal(row)
	if err != nil {
		return err
	}
	data, err := json.Marshal(pending{Chain: key.chain, MAC: mac(key.key, []byte(id), text), Row: row})
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteAudit, ID: id, At: at, Data: data})
}

// authentic reports whether the row was written with the key.
func (p *pending) authentic(key []byte, id graph.ID) bool {
	text, err := json.Marshal(p.Row)
	return err == nil && equal(p.MAC, mac(key, []byte(id), text))
}

// ownRow returns a row of the chain that is not sealed yet; false: it is of another chain, or was not written with the key. A note whose
// bytes are those that putPending writes is authentic before its row is decoded: nobody can have changed how it is read. Another one is
// read as Verify reads it.
func (c *chain) ownRow(n *graph.Note) (Row, bool) {
	var raw struct {
		Chain string          `json:"chain"`
		MAC   []byte          `json:"mac"`
		Row   json.RawMessage `json:"row"`
	}
	if json.Unmarshal(n.Data, &raw) == nil && raw.Chain == c.Chain && equal(raw.MAC, mac(c.Pending, []byte(n.ID), raw.Row)) {
		var row Row
		if text, err := json.Marshal(raw); err == nil && bytes.Equal(text, n.Data) {
			return row, json.Unmarshal(raw.Row, &row) == nil
		}
	}
	var p pending
	if strictjson.DecodeExact(n.Data, &p) != nil || p.Chain != c.Chain || !p.authentic(c.Pending, n.ID) {
		return Row{}, false
	}
	return p.Row, true
}

// outcome of a call.
func outcome(err error) string {
	switch {
	case err == nil:
		return OK
	case errors.Is(err, context.Canceled):
		return "CANCELLED"
	}
	return string(graph.CodeOf(err))
}
