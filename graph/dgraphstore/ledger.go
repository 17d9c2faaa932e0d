package dgraphstore

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// remembered is of how many commits of a tenant a ledger keeps the marks.
const remembered = 1024

// ledgers holds a ledger a tenant.
type ledgers struct {
	mu  sync.Mutex
	all map[graph.Tenant]*ledger
}

func (l *ledgers) init() { l.all = map[graph.Tenant]*ledger{} }

func (l *ledgers) of(t graph.Tenant) *ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	led := l.all[t]
	if led == nil {
		led = &ledger{turn: make(chan struct{}, 1), wrote: map[uint64][]mark{}}
		l.all[t] = led
	}
	return led
}

// ledger knows the latest commits of a tenant. One commit of this process at a time has
// its turn with it: two that were sent at once would only abort each other.
type ledger struct {
	turn  chan struct{}
	head  head
	fresh bool              // head was true when this process last heard of it
	wrote map[uint64][]mark // by number of the commit
}

// take waits for the turn.
func (l *ledger) take(ctx context.Context) error {
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *ledger) give() { <-l.turn }

// add keeps a commit of this process, or one that was read.
func (l *ledger) add(n uint64, wrote []mark) {
	l.wrote[n] = wrote
	if len(l.wrote) <= 2*remembered {
		return
	}
	for k := range l.wrote {
		if k+remembered < n {
			delete(l.wrote, k)
		}
	}
}

// lost reports whether a commit behind base, up to head, wrote what is in reads.
func (s *Store) lost(ctx context.Context, l *ledger, ks keyspace, base, head uint64, reads map[mark]struct{}) (bool, error) {
	for n := base + 1; n <= head; n++ {
		wrote, ok := l.wrote[n]
		if !ok {
			if err := s.recall(ctx, l, ks, n, min(head, n+chunk-1)); err != nil {
				return false, err
			}
			if wrote, ok = l.wrote[n]; !ok {
				return false, broken(ks.commit(n), "a commit is missing")
			}
		}
		for _, m := range wrote {
			if _, ok := reads[m]; ok {
				return true, nil
			}
		}
	}
	return false, nil
}

// recall reads the marks of commits that this process did not make or has forgotten.
func (s *Store) recall(ctx context.Context, l *ledger, ks keyspace, from, to uint64) error {
	cs, err := s.snapshot().commits(ctx, ks, from, to)
	for _, c := range cs {
		marks, err := unmarks(ks.commit(c.number), c.Wrote)
		if err != nil {
			return err
		}
		l.add(c.number, marks)
	}
	return err
}

// marks is the text of what a commit wrote.
func marks(wrote map[mark]struct{}) (string, []mark) {
	list := make([]mark, 0, len(wrote))
	b := make([]byte, 0, 8*len(wrote))
	for m := range wrote {
		list = append(list, m)
		b = binary.BigEndian.AppendUint64(b, uint64(m))
	}
	return base64.StdEncoding.EncodeToString(b), list
}

func unmarks(key, text string) ([]mark, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%8 != 0 {
		return nil, broken(key, "not a list of marks")
	}
	list := make([]mark, 0, len(b)/8)
	for ; len(b) > 0; b = b[8:] {
		list = append(list, mark(binary.BigEndian.Uint64(b)))
	}
	return list, nil
}
