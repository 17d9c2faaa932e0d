package erasure

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxEntities is the largest number of entities that one name may mean in an erasure.
const maxEntities = 200

// findEntities sets the entities of a job: that with the id, or those with the name that the
// caller may see.
func (svc *Service) findEntities(ctx context.Context, t *tenant, c workspace.Caller, job *erasureJob, entity string) error {
	if entity == "" {
		return nil
	}
	canonical := extract.Canonical(entity)
	if canonical == "" {
		return graph.FieldError(graph.CodeInvalidRequest, "entity", "names nothing")
	}
	err := t.View(ctx, func(r graph.Reader) (err error) {
		job.Entities = nil
		if id := graph.ID(entity); id.Valid() {
			e, err := r.Entity(id)
			if errors.Is(err, graph.ErrNotFound) || err == nil && !c.Sees(e.Namespace, e.User) {
				return graph.FieldError(graph.CodeMemoryNotFound, "entity", "no entity has this id")
			}
			job.Entities = []graph.ID{id}
			return err
		}
		job.Entities, err = named(r, canonical, job.Namespaces, func(e *graph.Entity) bool { return c.Sees(e.Namespace, e.User) })
		return err
	})
	switch {
	case err != nil:
		return err
	case len(job.Entities) == 0:
		return graph.FieldError(graph.CodeMemoryNotFound, "entity", "no entity has this name; memories that only say it are forgotten by their ids")
	case len(job.Entities) > maxEntities:
		return graph.FieldError(graph.CodeLimitExceeded, "entity", "names more than %d entities: name a namespace too, or an id", maxEntities)
	}
	return nil
}

// named lists the entities with a canonical name, ascending.
func named(r graph.Reader, canonical string, namespaces []string, selects func(*graph.Entity) bool) (ids []graph.ID, err error) {
	for after := graph.ID(""); ; {
		page, err := r.ListEntities(graph.EntityQuery{Namespaces: namespaces, NamePrefix: canonical, After: after, Limit: graph.MaxPage})
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			if e.Canonical == canonical && selects(e) {
				ids = append(ids, e.ID)
			}
		}
		if len(page) < graph.MaxPage {
			return ids, nil
		}
		after = page[len(page)-1].ID
	}
}

// nextMentions lists the next memories that mention one of the entities of the job, or say its name.
func (j *erasureJob) nextMentions(r graph.Reader, after graph.ID) ([]*graph.Memory, error) {
	var ids []graph.ID
	for _, e := range j.Entities {
		some, err := r.Mentions(e, after, pageSize)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	at, found := slices.BinarySearch(j.Saying, after)
	if found {
		at++
	}
	ids = append(ids, j.Saying[at:min(at+pageSize, len(j.Saying))]...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return r.Memories(ids[:min(len(ids), pageSize)])
}

// mentionsLeft counts the memories that mention the user or an entity of the job, are about it or say the id of the user,
// are not erased, and are visible to who asks.
func (svc *Service) mentionsLeft(t *tenant, r graph.Reader, sight graph.Sight, job *erasureJob, erased map[graph.ID]bool) (int, error) {
	entities := slices.Clone(job.Entities)
	left := map[graph.ID]bool{}
	if name := extract.Canonical(job.User); name != "" {
		ids, err := named(r, name, nil, func(*graph.Entity) bool { return true })
		if err != nil {
			return 0, err
		}
		entities = append(entities, ids...)
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{Subject: name}) {
			if err != nil {
				return 0, err
			}
			if !erased[m.ID] && m.Status() != graph.Forgotten {
				left[m.ID] = true
			}
		}
	}
	saying, err := svc.sayingUser(t, r, job.User)
	if err != nil {
		return 0, err
	}
	for _, id := range saying {
		if !erased[id] {
			left[id] = true
		}
	}
	for _, e := range entities {
		for after := graph.ID(""); ; {
			ids, err := r.Mentions(e, after, graph.MaxPage)
			if err != nil {
				return 0, err
			}
			for _, id := range ids {
				if !erased[id] {
					left[id] = true
				}
			}
			if len(ids) < graph.MaxPage {
				break
			}
			after = ids[len(ids)-1]
		}
	}
	if sight.Whole() {
		return len(left), nil
	}
	n := 0
	for ids := range slices.Chunk(slices.Collect(maps.Keys(left)), graph.MaxPage) {
		found, err := graph.Undamaged(r, ids)
		if err != nil {
			return 0, err
		}
		for _, m := range found {
			if m != nil && sight.Memory(m) {
				n++
			}
		}
	}
	return n, nil
}
