package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// What the engine keeps of memories as the conflict scorer read them. A text never
// changes under an id, and the same neighbours are compared with write after write.
const (
	readingsBytes = 96 << 20 // of all together, about
	readingBase   = 240      // bytes of a place among them, whatever is kept there
)

// readings remembers how memories were read. It is safe for concurrent use.
type readings struct {
	mu    sync.Mutex
	kept  *simplelru.LRU[graph.ID, conflict.Packed]
	bytes int
	epoch int // counts what was forgotten: what was read before is not kept
}

func newReadings() *readings {
	r := &readings{}
	kept, err := simplelru.NewLRU(readingsBytes/readingBase, func(_ graph.ID, x conflict.Packed) { r.bytes -= readingBase + len(x) })
	if err != nil { // only a size below 1
		panic(err)
	}
	r.kept = kept
	return r
}

// get answers a reading that is kept, empty where there is none.
func (r *readings) get(id graph.ID) conflict.Packed {
	r.mu.Lock()
	defer r.mu.Unlock()
	x, _ := r.kept.Get(id)
	return x
}

// since is the epoch under which readings may be kept of what is read from now on.
func (r *readings) since() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.epoch
}

// keep takes a reading of a memory that was read from the store in the epoch.
// What is in L0 is not kept: its subject is still to come.
func (r *readings) keep(m *graph.Memory, x *conflict.Analysis, epoch int) {
	if m.State().Tier == graph.L0 {
		return
	}
	packed := x.Pack()
	r.mu.Lock()
	defer r.mu.Unlock()
	if epoch != r.epoch || r.kept.Contains(m.ID) {
		return
	}
	r.kept.Add(m.ID, packed)
	for r.bytes += readingBase + len(packed); r.bytes > readingsBytes; {
		r.kept.RemoveOldest()
	}
}

// of reads a stored memory, once.
func (r *readings) of(m *graph.Memory) conflict.Analysis {
	epoch := r.since()
	if x := r.get(m.ID); x != "" && m.State().Tier != graph.L0 {
		return x.Analysis()
	}
	x := conflict.Analyse(statementOf(m))
	r.keep(m, &x, epoch)
	return x
}

// readAll answers how the memories about drafts read, by id. What is not kept is read
// from the store, on all processors; what is no longer there is left out.
func (e *Engine) readAll(ctx context.Context, t *tenant, around [][]index.Near) (map[graph.ID]*conflict.Analysis, error) {
	read := map[graph.ID]*conflict.Analysis{}
	var known, missing []graph.ID
	var packed []conflict.Packed
	epoch := e.readings.since()
	for _, near := range around {
		for _, n := range near {
			if _, seen := read[n.Doc.ID]; seen {
				continue
			}
			read[n.Doc.ID] = nil
			var x conflict.Packed
			if present(n.Doc).Tier != graph.L0 {
				x = e.readings.get(n.Doc.ID)
			}
			if x == "" {
				missing = append(missing, n.Doc.ID)
			} else {
				known, packed = append(known, n.Doc.ID), append(packed, x)
			}
		}
	}
	unpacked := make([]conflict.Analysis, len(packed))
	inParts(len(packed), unpackShare, func(from, to int) {
		for i := from; i < to; i++ {
			unpacked[i] = packed[i].Analysis()
		}
	})
	for i, id := range known {
		read[id] = &unpacked[i]
	}
	stored := make([]*conflict.Analysis, len(missing))
	errs := make([]error, len(missing))
	inParts(len(missing), readShare, func(from, to int) {
		if from < to {
			errs[from] = e.readStored(ctx, t, missing[from:to], stored[from:to], epoch)
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i, id := range missing {
		read[id] = stored[i]
	}
	return read, nil
}

// readShare is how many texts are worth a goroutine, unpackShare how many that are kept.
const readShare, unpackShare = 8, 128

// readStored reads memories from the store and keeps what they say; nil: not there.
func (e *Engine) readStored(ctx context.Context, t *tenant, ids []graph.ID, out []*conflict.Analysis, epoch int) error {
	return t.View(ctx, func(r graph.Reader) error {
		found, err := r.Memories(ids)
		if err != nil {
			return err
		}
		for i, m := range found {
			if m != nil && m.Status() != graph.Forgotten {
				x := conflict.Analyse(statementOf(m))
				out[i] = &x
				e.readings.keep(m, &x, epoch)
			}
		}
		return nil
	})
}

// forget drops everything: an erasure leaves no word behind.
func (r *readings) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.Purge()
	r.epoch++
}

// statementOf is what the conflict scorer sees of a memory.
func statementOf(m *graph.Memory) conflict.Statement {
	return conflict.Statement{Text: m.Content, Subject: m.Subject, Predicate: m.Predicate, Object: m.Object, At: m.OccurredAt}
}
