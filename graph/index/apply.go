package index

import (
	"errors"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/text"
)

// writePiece is how many memories are written under one hold of the lock.
const writePiece = 64

// apply brings the index in step with a batch.
func (t *tenant) apply(b *batch) error {
	ready := t.prepare(b.loaded)
	erased := false
	for i := 0; i < len(ready); i += writePiece {
		end := min(i+writePiece, len(ready))
		erased = t.write(b.memories[i:end], ready[i:end]) || erased
	}
	for i := 0; i < len(b.used); i += writePiece {
		end := min(i+writePiece, len(b.used))
		erased = t.count(b.used[i:end], b.usage[i:end]) || erased
	}
	a := t.preparers[0].analyser
	for i, e := range b.foundEntities {
		if e == nil {
			t.atlas.dropEntity(b.entities[i])
			erased = true
			continue
		}
		t.putEntity(a, e)
	}
	for i, r := range b.foundEdges {
		if r == nil {
			t.atlas.dropRelation(b.relations[i])
			continue
		}
		t.atlas.putRelation(newTie(r))
	}
	t.owed = t.owed || erased
	if !t.owed {
		return nil
	}
	if err := errors.Join(t.forgetSnapshot(), t.files.SyncErased()); err != nil {
		return err // and the next try begins here: what is gone from memory shows no more
	}
	t.owed = false
	return nil
}

func (t *tenant) putEntity(a *text.Analyser, e *graph.Entity) {
	tokens, _ := a.NameTokens(e.Canonical)
	e.Properties = nil // not needed here
	t.atlas.putEntity(e, tokens)
}

// prepare analyses memories on all workers; what is gone stays nil.
func (t *tenant) prepare(ms []loaded) []*prepared {
	out := make([]*prepared, len(ms))
	share := func(w, from, to int) {
		p := t.preparers[w]
		for i := from; i < to; i++ {
			if m := ms[i].memory; m != nil && m.Status() != graph.Forgotten {
				out[i] = p.prepare(m, ms[i].vector, t.textSum(m))
				out[i].doc.Embedded = out[i].doc.Embedded || t.opts.Remote != nil && m.EmbeddingModel != ""
			}
		}
	}
	workers := min(len(t.preparers), len(ms)/writePiece)
	if workers < 2 {
		share(0, 0, len(ms))
		return out
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { share(w, w*len(ms)/workers, (w+1)*len(ms)/workers) })
	}
	wg.Wait()
	return out
}

// textSum is the sum of the text that a memory is indexed by in its namespace, 0
// if it is not.
func (t *tenant) textSum(m *graph.Memory) uint64 {
	p := t.owner(m.ID)
	if p == nil || p.name != m.Namespace {
		return 0
	}
	v := p.view.Load()
	slot, d := v.find(m.ID)
	if d == nil {
		return 0
	}
	return v.chunks[slot>>slots.ChunkBits].text[slot&slots.ChunkMask].sum
}

// write puts prepared memories into their partitions and takes out those that are
// gone. It reports whether any left.
func (t *tenant) write(ids []graph.ID, ready []*prepared) (erased bool) {
	t.writing.Lock()
	defer t.writing.Unlock()
	changed := map[*partition]bool{}
	for i, id := range ids {
		at := t.owner(id)
		p := ready[i]
		if at != nil && (p == nil || at.name != p.doc.Namespace) {
			t.remove(at, id)
			changed[at] = true
			erased = true
		}
		if p == nil {
			continue
		}
		into := t.partition(p.doc.Namespace)
		p.doc.Namespace = into.name
		into.w.put(p)
		t.whereMu.Lock()
		t.where[p.doc.ID] = into
		t.whereMu.Unlock()
		changed[into] = true
	}
	for p := range changed {
		p.publish()
	}
	return erased
}

// remove takes a memory out of a partition.
func (t *tenant) remove(p *partition, id graph.ID) {
	if slot, known := p.w.lists.slot(id); known {
		p.w.drop(slot)
	}
	t.whereMu.Lock()
	delete(t.where, id)
	t.whereMu.Unlock()
}

// count replaces the usage of memories. It reports whether any was gone.
func (t *tenant) count(ids []graph.ID, ms []*graph.Memory) (erased bool) {
	t.writing.Lock()
	defer t.writing.Unlock()
	changed := map[*partition]bool{}
	for i, id := range ids {
		p := t.owner(id)
		if p == nil {
			continue
		}
		m := ms[i]
		if m == nil || m.Status() == graph.Forgotten {
			t.remove(p, id)
			changed[p], erased = true, true
		} else if slot, known := p.w.lists.slot(id); known {
			p.w.replace(slot, p.w.doc(slot).used(m.Usage))
		}
	}
	for p := range changed {
		p.publish()
	}
	return erased
}

// publish shows what was written, after a rebuild where the dead weigh too much.
func (p *partition) publish() {
	v := p.w.publish(p.name)
	if p.w.sparse() {
		p.w = p.w.rebuild(v)
		v = p.w.publish(p.name)
	}
	p.view.Store(v)
}
