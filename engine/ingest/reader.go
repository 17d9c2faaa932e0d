package ingest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// After a write was acknowledged, a language model may read its text and add entities and
// relations that the rules missed. It changes neither the text of the memory, nor its
// subject, nor its authority.

// maxUnread is the capacity of the queue of memories for the model. While it is full, new
// memories are only analysed by rule.
const maxUnread = 1024

// queueForReader queues new memories for the model, except those without consent.
func (svc *Service) queueForReader(t *tenant, written []writtenMemory) {
	if svc.reader == nil {
		return
	}
	for _, f := range written {
		if f.memory.Consent == graph.ConsentNone {
			continue
		}
		select {
		case t.unread <- f.memory.ID:
		default:
			return // the queue is full
		}
	}
}

// runReader passes queued memories to the model until Close.
func (svc *Service) runReader(t *tenant) {
	if svc.reader == nil {
		return
	}
	for {
		select {
		case <-svc.Ctx.Done():
			return
		case id := <-t.unread:
			if err := svc.readWithModel(audit.As(svc.Ctx, "readClaims"), t, id); err != nil && svc.Ctx.Err() == nil {
				svc.Log.Warn("[WRITE] the language model could not extract facts; those of the rules remain", "id", id, "error", err)
			}
		}
	}
}

// readWithModel passes a memory to the model and links what the model found.
func (svc *Service) readWithModel(ctx context.Context, t *tenant, id graph.ID) error {
	var m *graph.Memory
	err := t.View(ctx, func(r graph.Reader) (err error) { m, err = r.Memory(id); return err })
	if err != nil || m.Status() != graph.Active || !svc.Ceilings.Chat.Allows(m) {
		return err
	}
	found, err := svc.reader.Read(ctx, m.Content)
	if err != nil || len(found.Entities)+len(found.Relations) == 0 && found.Statement == nil {
		return err
	}
	return t.Update(ctx, func(tx graph.Tx) error {
		m, err := tx.Memory(id)
		if err != nil || m.Status() != graph.Active {
			return err
		}
		s := &WriteTx{svc: svc, t: t, Tx: tx, Now: t.Now()}
		return s.linkExtraction(m, found)
	})
}

// linkExtraction links a memory to the entities and relations that the model found, in
// addition to those of the rules.
func (s *WriteTx) linkExtraction(m *graph.Memory, found models.Extraction) error {
	before := len(m.Entities)
	mention := func(name string, kind graph.EntityType) (graph.ID, error) {
		id, _, err := s.entity(m, extract.Entity{Name: name, Canonical: extract.Canonical(name), Type: kind})
		if err != nil || id == "" || slices.Contains(m.Entities, id) {
			return id, err
		}
		if len(m.Entities) == graph.MaxEntities {
			return "", nil
		}
		m.Entities = append(m.Entities, id)
		return id, nil
	}
	for _, x := range found.Entities {
		if _, err := mention(x.Name, graph.EntityType(x.Type)); err != nil {
			return err
		}
	}
	triples := found.Relations
	if st := found.Statement; st != nil && len(st.Object) <= maxObjectName {
		triples = append(slices.Clone(triples), *st)
	}
	for _, x := range triples {
		source, err := mention(x.Subject, extract.TypeOf(x.Subject))
		if err != nil {
			return err
		}
		target, err := mention(x.Object, extract.TypeOf(x.Object))
		if err != nil {
			return err
		}
		if source == "" || target == "" || source == target {
			continue
		}
		if err := s.relateOnce(m, source, strings.ReplaceAll(x.Predicate, " ", "_"), target); err != nil {
			return err
		}
	}
	if len(m.Entities) == before {
		return nil
	}
	m.UpdatedAt = s.Now
	return s.Tx.PutMemory(m, graph.EventUpdated)
}

// relateOnce writes a relation, unless the memory is already a source of it.
func (s *WriteTx) relateOnce(m *graph.Memory, source graph.ID, predicate string, target graph.ID) error {
	r, err := s.Tx.Relation(source, predicate, target)
	switch {
	case err == nil && slices.Contains(r.Memories, m.ID):
		return nil
	case err != nil && !errors.Is(err, graph.ErrNotFound):
		return err
	}
	_, err = s.relate(m, source, predicate, target)
	return err
}
