package index

import (
	"errors"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/text"
)

// writeBatchSize is how many memories are written under one hold of the lock.
const writeBatchSize = 64

// applyBatch applies a batch of changes to the index.
func (t *tenant) applyBatch(b *changeBatch) error {
	ready := t.prepareAll(b.loaded)
	erased := false
	for i := 0; i < len(ready); i += writeBatchSize {
		end := min(i+writeBatchSize, len(ready))
		erased = t.writePrepared(b.memories[i:end], ready[i:end]) || erased
	}
	for i := 0; i < len(b.used); i += writeBatchSize {
		end := min(i+writeBatchSize, len(b.used))
		erased = t.applyUsage(b.used[i:end], b.usage[i:end]) || erased
	}
	a := t.preparers[0].analyser
	for i, e := range b.foundEntities {
		if e == nil {
			t.entities.dropEntity(b.entities[i])
			erased = true
			continue
		}
		t.putEntity(a, e)
	}
	for i, r := range b.foundRelations {
		if r == nil {
			t.entities.dropRelation(b.relations[i])
			continue
		}
		t.entities.putRelation(newRelation(r))
	}
	t.erasurePending = t.erasurePending || erased
	if !t.erasurePending {
		return nil
	}
	if err := errors.Join(t.forgetSnapshot(), t.files.SyncErased()); err != nil {
		return err // the next attempt carries out the erasure on disk: erasurePending stays set
	}
	t.erasurePending = false
	return nil
}

func (t *tenant) putEntity(a *text.Analyser, e *graph.Entity) {
	tokens, _ := a.NameTokens(e.Canonical)
	e.Properties = nil // the index does not use them
	t.entities.putEntity(e, tokens)
}

// prepareAll analyses memories with all workers. The result of a missing or forgotten memory is
// nil.
func (t *tenant) prepareAll(ms []loadedMemory) []*prepared {
	out := make([]*prepared, len(ms))
	share := func(w, from, to int) {
		p := t.preparers[w]
		for i := from; i < to; i++ {
			if m := ms[i].memory; m != nil && m.Status() != graph.Forgotten {
				out[i] = p.prepare(m, ms[i].vector, t.indexedTextHash(m))
				out[i].doc.Embedded = out[i].doc.Embedded || t.opts.Remote != nil && m.EmbeddingModel != ""
			}
		}
	}
	workers := min(len(t.preparers), len(ms)/writeBatchSize)
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

// indexedTextHash returns the hash of the text under which a memory is indexed in its namespace,
// 0 if it is not indexed there.
func (t *tenant) indexedTextHash(m *graph.Memory) uint64 {
	p := t.partitionOf(m.ID)
	if p == nil || p.name != m.Namespace {
		return 0
	}
	v := p.view.Load()
	slot, d := v.find(m.ID)
	if d == nil {
		return 0
	}
	return v.chunks[slot>>slots.ChunkBits].terms[slot&slots.ChunkMask].textHash
}

// writePrepared puts prepared memories into their partitions and removes those that are gone. It
// reports whether it removed any.
func (t *tenant) writePrepared(ids []graph.ID, ready []*prepared) (erased bool) {
	t.writeMu.Lock()
	defer t.writeMu.Unlock()
	changed := map[*partition]bool{}
	for i, id := range ids {
		at := t.partitionOf(id)
		p := ready[i]
		if at != nil && (p == nil || at.name != p.doc.Namespace) {
			t.removeMemory(at, id)
			changed[at] = true
			erased = true
		}
		if p == nil {
			continue
		}
		into := t.partitionFor(p.doc.Namespace)
		p.doc.Namespace = into.name
		into.writer.put(p)
		t.partitionByIDMu.Lock()
		t.partitionByID[p.doc.ID] = into
		t.partitionByIDMu.Unlock()
		changed[into] = true
	}
	for p := range changed {
		p.publish()
	}
	return erased
}

// removeMemory removes a memory from a partition.
func (t *tenant) removeMemory(p *partition, id graph.ID) {
	if slot, known := p.writer.postings.slotOf(id); known {
		p.writer.remove(slot)
	}
	t.partitionByIDMu.Lock()
	delete(t.partitionByID, id)
	t.partitionByIDMu.Unlock()
}

// applyUsage replaces the usage of memories. It reports whether any was gone.
func (t *tenant) applyUsage(ids []graph.ID, ms []*graph.Memory) (erased bool) {
	t.writeMu.Lock()
	defer t.writeMu.Unlock()
	changed := map[*partition]bool{}
	for i, id := range ids {
		p := t.partitionOf(id)
		if p == nil {
			continue
		}
		m := ms[i]
		if m == nil || m.Status() == graph.Forgotten {
			t.removeMemory(p, id)
			changed[p], erased = true, true
		} else if slot, known := p.writer.postings.slotOf(id); known {
			p.writer.replaceDoc(slot, p.writer.doc(slot).withUsage(m.Usage))
		}
	}
	for p := range changed {
		p.publish()
	}
	return erased
}

// publish makes the writes visible, after a rebuild if too many slots are dead.
func (p *partition) publish() {
	v := p.writer.publish(p.name)
	if p.writer.needsRebuild() {
		p.writer = p.writer.rebuild(v)
		v = p.writer.publish(p.name)
	}
	p.view.Store(v)
}
