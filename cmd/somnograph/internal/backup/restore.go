package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
)

// Sizes of a transaction of a restore.
const (
	batchLines = 100
	batchBytes = 384 << 10
)

// writers is how many transactions a restore has at the same time.
const writers = 4

// Restore writes an empty store from a backup.
type Restore struct {
	Reader *Reader
	Store  graph.Store
	// Erased tests whether a memory was erased, whatever the backup says; nil: none was. Such
	// memories are written without content; the engine erases them, and what was derived from them,
	// before a server answers.
	Erased func(graph.Scope, graph.ID) bool
	// Engrave puts a permanent memory into the recess; nil: there is none.
	Engrave func(context.Context, graph.Scope, *graph.Memory, []float32) error
	// Exact keeps the cursors of webhooks, which name places in the feed of the former store.
	Exact    bool
	Progress func(done, total int) // lines; nil: nobody looks
}

// Restored says what a restore wrote.
type Restored struct {
	At       time.Time // of the boundary
	Memories int
	Lines    int
	Withheld int // memories without content, because they were erased
	Files    map[string][]byte
}

// Run writes the store as it was at a point.
func (x *Restore) Run(ctx context.Context, p *Point) (*Restored, error) {
	if err := x.wantEmpty(ctx); err != nil {
		return nil, err
	}
	w := &restoring{Restore: x, point: p, stubs: map[graph.Tenant][]stub{}, done: Restored{At: p.At, Files: map[string][]byte{}}}
	for _, h := range p.headers {
		w.total += h.Lines
	}
	var err error
	if w.last, err = x.Reader.lastTouches(ctx, p); err != nil {
		return nil, err
	}
	for _, kinds := range [][]graph.RowKind{{graph.RowEntity}, {graph.RowMemory}, {graph.RowRelation, graph.RowNote, graph.RowReceipt}} {
		if err := w.pass(ctx, kinds); err != nil {
			return nil, err
		}
	}
	if err := w.erase(ctx); err != nil {
		return nil, err
	}
	// Settings are last: webhooks go on from the end of the feed.
	if err := w.pass(ctx, []graph.RowKind{graph.RowSetting}); err != nil {
		return nil, err
	}
	return &w.done, graph.FlushUses(ctx, x.Store)
}

// wantEmpty returns an error if the store holds anything.
func (x *Restore) wantEmpty(ctx context.Context) error {
	tenants, err := x.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range append(tenants, graph.ServerScope().Tenant) {
		err := x.Store.View(ctx, graph.Scope{Tenant: t}, func(r graph.Reader) error {
			at, err := r.LastRecorded()
			if err == nil && !at.IsZero() {
				err = errors.New("the store is not empty: a backup can be restored into an empty store only")
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// touchedRow names a row of a tenant.
type touchedRow struct {
	tenant graph.Tenant
	row    graph.Row
}

// lastTouches returns the number of the last object with each row that is in a segment.
func (r *Reader) lastTouches(ctx context.Context, p *Point) (map[touchedRow]int, error) {
	last := map[touchedRow]int{}
	for i, h := range p.headers {
		if h.Full {
			continue
		}
		_, lines, _, err := r.object(ctx, p.in, i+1, "?")
		if err != nil {
			return nil, err
		}
		err = eachLine(lines, func(t graph.Tenant, b []byte) error {
			row, err := rowOf(b)
			if err == nil && row.Kind != "" {
				last[touchedRow{t, row}] = i + 1
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("segment %s: %w", objectName(p.Generation, i+1), err)
		}
	}
	return last, nil
}

// eachLine calls each for the lines of rows, with their tenant.
func eachLine(lines []byte, each func(t graph.Tenant, b []byte) error) error {
	var tenant graph.Tenant
	for len(lines) > 0 {
		b, rest, _ := bytes.Cut(lines, []byte{'\n'})
		lines = rest
		if bytes.HasPrefix(b, []byte(`{"tenant":`)) {
			var x special
			if err := json.Unmarshal(b, &x); err != nil {
				return err
			}
			tenant = x.Tenant
			continue
		}
		if err := each(tenant, b); err != nil {
			return err
		}
	}
	return nil
}

// rowOf is the row of a line; without a kind if it has none.
func rowOf(b []byte) (graph.Row, error) {
	if bytes.HasPrefix(b, []byte(`{"file":`)) {
		return graph.Row{}, nil
	}
	if bytes.HasPrefix(b, []byte(`{"gone":`)) {
		var x special
		err := json.Unmarshal(b, &x)
		if err != nil || x.Gone == nil {
			return graph.Row{}, errors.Join(errDamaged, err)
		}
		return graph.Row{Kind: x.Gone.Kind, ID: x.Gone.ID, Name: x.Gone.Name}, nil
	}
	l, err := transfer.Decode(b)
	return l.Row(), err
}

// kindOf is the kind of the row of a line, by its beginning; empty: a line that is no row.
func kindOf(b []byte) graph.RowKind {
	begin, _, _ := bytes.Cut(b, []byte(`":`))
	kind := graph.RowKind(strings.ToUpper(strings.TrimPrefix(string(begin), `{"`)))
	if slices.Contains(rowOrder, kind) {
		return kind
	}
	return ""
}

// restoring is a restore under way.
type restoring struct {
	*Restore
	point *Point
	last  map[touchedRow]int
	total int
	heads map[graph.Tenant]graph.Cursor

	mu    sync.Mutex
	done  Restored
	stubs map[graph.Tenant][]stub
}

// stub is a FORGOTTEN memory.
type stub struct {
	id graph.ID
	at time.Time
}

// batch is lines of one tenant in one object.
type batch struct {
	tenant graph.Tenant
	object int
	full   bool
	lines  [][]byte
	size   int
}

// pass writes the rows of some kinds.
func (w *restoring) pass(ctx context.Context, kinds []graph.RowKind) error {
	settings := slices.Contains(kinds, graph.RowSetting)
	if settings { // the feed is complete but for them
		if err := w.readHeads(ctx); err != nil {
			return err
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	batches := make(chan *batch)
	for range writers {
		g.Go(func() error {
			for b := range batches {
				switch err := w.write(ctx, b); {
				case errors.Is(err, graph.ErrUnavailable): // the store, not the segment
					return err
				case err != nil:
					return fmt.Errorf("segment %s: %w", objectName(w.point.Generation, b.object), err)
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(batches)
		for i, h := range w.point.headers {
			if !h.hasKind(kinds...) && !settings {
				continue
			}
			if err := w.split(ctx, i+1, h.Full, kinds, settings, batches); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// split splits the lines of an object into batches. With files it also keeps the files.
func (w *restoring) split(ctx context.Context, n int, full bool, kinds []graph.RowKind, files bool, batches chan<- *batch) error {
	_, lines, _, err := w.Reader.object(ctx, w.point.in, n, "?")
	if err != nil {
		return err
	}
	b := &batch{object: n, full: full}
	send := func() error {
		if len(b.lines) == 0 {
			return nil
		}
		select {
		case batches <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
		b = &batch{object: n, full: full}
		return nil
	}
	err = eachLine(lines, func(t graph.Tenant, line []byte) error {
		if files && bytes.HasPrefix(line, []byte(`{"file":`)) {
			return w.keepFile(line)
		}
		if !slices.Contains(kinds, kindOf(line)) {
			return nil
		}
		if t != b.tenant || len(b.lines) >= batchLines || b.size >= batchBytes {
			if err := send(); err != nil {
				return err
			}
		}
		b.tenant, b.lines, b.size = t, append(b.lines, line), b.size+len(line)
		return nil
	})
	if err != nil {
		return err
	}
	return send()
}

func (w *restoring) keepFile(line []byte) error {
	var x special
	if err := json.Unmarshal(line, &x); err != nil || x.File == nil {
		return errors.Join(errDamaged, err)
	}
	w.done.Files[x.File.Name] = x.File.Data
	return nil
}

// readHeads reads the heads of the feeds, with which webhooks go on.
func (w *restoring) readHeads(ctx context.Context) error {
	w.heads = map[graph.Tenant]graph.Cursor{}
	tenants, err := w.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		if w.heads[t], err = w.Store.Head(ctx, graph.Scope{Tenant: t}); err != nil {
			return err
		}
	}
	return nil
}

// write decodes a batch and writes those of its lines that no later segment replaces.
func (w *restoring) write(ctx context.Context, b *batch) error {
	scope := graph.Scope{Tenant: b.tenant}
	var lines []transfer.Line
	for _, text := range b.lines {
		l, err := transfer.Decode(text)
		if err != nil {
			return err
		}
		row := l.Row()
		if last, again := w.last[touchedRow{b.tenant, row}]; again && last != b.object {
			continue
		}
		if !w.Exact && row.Kind == graph.RowSetting && strings.HasPrefix(row.Name, webhookPrefix) {
			if l, err = w.moveWebhook(b.tenant, text); err != nil {
				return err
			}
		}
		if id, at, gone := l.Stub(); gone {
			w.mu.Lock()
			w.stubs[b.tenant] = append(w.stubs[b.tenant], stub{id, at})
			w.mu.Unlock()
		} else if w.Erased != nil && l.Withhold(func(id graph.ID) bool { return w.Erased(scope, id) }) {
			w.mu.Lock()
			w.done.Withheld++
			w.mu.Unlock()
		}
		lines = append(lines, l)
	}
	if err := w.put(ctx, scope, lines); err != nil {
		return err
	}
	if err := transfer.Uses(lines, func(ids []graph.ID, use graph.Use) error { return w.Store.CountUses(ctx, scope, ids, use) }); err != nil {
		return err
	}
	if err := w.engrave(ctx, scope, lines); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done.Lines += len(b.lines)
	for _, l := range lines {
		if l.Row().Kind == graph.RowMemory {
			w.done.Memories++
		}
	}
	if w.Progress != nil {
		w.Progress(w.done.Lines, w.total)
	}
	return nil
}

// put writes lines in one transaction, or in several if they are too many for one.
func (w *restoring) put(ctx context.Context, scope graph.Scope, lines []transfer.Line) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := w.Store.Update(ctx, scope, func(tx graph.Tx) error {
		for _, l := range lines {
			if err := l.Put(tx); err != nil {
				return fmt.Errorf("%s %s%s: %w", l.Row().Kind, l.Row().Name, l.Row().ID, err)
			}
		}
		return nil
	})
	if errors.Is(err, graph.ErrTooLarge) && len(lines) > 1 {
		half := len(lines) / 2
		if err := w.put(ctx, scope, lines[:half]); err != nil {
			return err
		}
		return w.put(ctx, scope, lines[half:])
	}
	return err
}

// engrave puts the permanent memories of a batch into the recess.
func (w *restoring) engrave(ctx context.Context, scope graph.Scope, lines []transfer.Line) error {
	if w.Engrave == nil {
		return nil
	}
	for _, l := range lines {
		m, vector, err := l.Live()
		if err != nil {
			return err
		}
		if m == nil || m.State().Tier != graph.L3 || w.Erased != nil && w.Erased(scope, m.ID) {
			continue
		}
		if err := w.Engrave(ctx, scope, m, vector); err != nil {
			return fmt.Errorf("engrave memory %s: %w", m.ID, err)
		}
	}
	return nil
}

// erase turns the placeholders of FORGOTTEN memories into stubs.
func (w *restoring) erase(ctx context.Context) error {
	for t, all := range w.stubs {
		for some := range slices.Chunk(all, 32) {
			_, err := w.Store.Update(ctx, graph.Scope{Tenant: t}, func(tx graph.Tx) error {
				for _, s := range some {
					if err := tx.Erase(s.id, s.at); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("erase: %w", err)
			}
		}
	}
	return nil
}

// webhookPrefix begins the names of the settings with the progress of webhooks.
const webhookPrefix = "webhook."

// moveWebhook moves the progress of a webhook to the end of the feed, whose cursors are new.
func (w *restoring) moveWebhook(t graph.Tenant, text []byte) (transfer.Line, error) {
	var l struct {
		Setting struct {
			Name  string
			Value []byte
		} `json:"setting"`
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return transfer.Line{}, err
	}
	var progress map[string]json.RawMessage
	if err := json.Unmarshal(l.Setting.Value, &progress); err != nil {
		return transfer.Line{}, err
	}
	cursor, err := json.Marshal(w.heads[t])
	if err != nil {
		return transfer.Line{}, err
	}
	progress["cursor"] = cursor
	delete(progress, "leaseUntil")
	if l.Setting.Value, err = json.Marshal(progress); err != nil {
		return transfer.Line{}, err
	}
	b, err := json.Marshal(l)
	if err != nil {
		return transfer.Line{}, err
	}
	return transfer.Decode(b)
}
