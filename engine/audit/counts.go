package audit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// countKey names a row that counts calls.
type countKey struct {
	principal, verb, outcome string
	minute                   time.Time
}

// count is a row that counts calls and can still grow.
type count struct {
	id     graph.ID // of its note; empty: not written yet
	calls  int
	millis float64 // sum
	dirty  bool    // differs from its note
}

// End ends a call. If it wrote nothing, or failed, it is counted, and End returns true.
func (l *Log) End(scope graph.Scope, c *Call, err error) (counted bool) {
	if l == nil || err == nil && c.rows.Load() > 0 {
		return false
	}
	t := l.tenant(scope)
	key := countKey{c.Principal, c.Verb, outcome(err), l.Now().Truncate(time.Minute)}
	t.mu.Lock()
	n := t.counts[key]
	if n == nil {
		n = &count{}
		t.counts[key] = n
	}
	n.calls++
	n.millis += c.millis()
	n.dirty = true
	t.mu.Unlock()
	t.signal()
	return true
}

// flush writes the counts that changed, and reports whether some can still grow.
func (l *Log) flush(ctx context.Context, t *tenant) (open bool, err error) {
	type write struct {
		key countKey
		id  graph.ID
		row Row
	}
	var writes []write
	now := l.Now()
	t.mu.Lock()
	for k, n := range t.counts {
		if !n.dirty {
			continue
		}
		if n.id == "" {
			if n.id, err = l.NewID(now); err != nil {
				t.mu.Unlock()
				return true, err
			}
		}
		n.dirty = false
		writes = append(writes, write{k, n.id, Row{
			At: k.minute, Principal: k.principal, Verb: k.verb, Outcome: k.outcome, Counted: true, Count: n.calls, Millis: n.millis / float64(n.calls),
		}})
	}
	t.mu.Unlock()
	slices.SortFunc(writes, func(a, b write) int { return strings.Compare(string(a.id), string(b.id)) })
	for some := range slices.Chunk(writes, 100) {
		_, err := l.Store.Update(ctx, t.scope, func(tx graph.Tx) error {
			for _, w := range some {
				if err := putPending(tx, t.pending.Load(), w.id, w.row.At, w.row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.mu.Lock()
			for _, w := range writes {
				if n := t.counts[w.key]; n != nil {
					n.dirty = true
				}
			}
			t.mu.Unlock()
			return true, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.counts, func(k countKey, n *count) bool { return !n.dirty && minuteOver(k.minute, now) })
	return len(t.counts) > 0, nil
}

func minuteOver(minute, now time.Time) bool { return !now.Before(minute.Add(time.Minute)) }
