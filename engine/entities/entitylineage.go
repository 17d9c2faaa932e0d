package entities

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/english"
)

// maxLineageMemories is the maximum number of memories that a lineage of an entity is made of: the
// first that mention it, and as many that have a claim about its name, the last.
const maxLineageMemories = 20_000

// EntityEventKind says what happened to an entity.
type EntityEventKind string

// The kinds of events.
const (
	EntityCreated   EntityEventKind = "CREATED"   // it was first named
	EntityMentioned EntityEventKind = "MENTIONED" // a memory mentions it
	EntityRelated   EntityEventKind = "RELATED"   // a relation to another entity was first stated
	EntityRenamed   EntityEventKind = "RENAMED"   // a memory says that it has another name, or had
	EntityMerged    EntityEventKind = "MERGED"    // a memory says that it merged with another
	EntitySplit     EntityEventKind = "SPLIT"     // a memory says that it was split, or came from a split
	EntityRevised   EntityEventKind = "REVISED"   // a memory that mentions it was superseded
	EntityFolded    EntityEventKind = "FOLDED"    // a memory that mentions it was merged into another
)

// EntityEventKinds lists every EntityEventKind in the order of the API.
var EntityEventKinds = []EntityEventKind{
	EntityCreated, EntityMentioned, EntityRelated, EntityRenamed, EntityMerged, EntitySplit, EntityRevised, EntityFolded,
}

// EntityLineageInput asks how an entity came to be what it is.
type EntityLineageInput struct {
	ID     graph.ID
	Kinds  []EntityEventKind // any of; empty: all
	Access workspace.Access  // without a valid instant
	First  int               // 0: 200
	Offset int
}

// EntityEvent is one entry of the lineage of an entity.
type EntityEvent struct {
	Kind      EntityEventKind
	At        time.Time       // when it was recorded
	Memory    *workspace.View // the memory that says so, or to which it happened; nil for CREATED
	Successor *workspace.View // of REVISED and FOLDED: the memory in its place; nil if it is hidden
	Other     *EntityView     // the other entity, if there is one and it is visible
	Name      string          // the other name, as written; of CREATED the entity's own
	Predicate string          // of RELATED, RENAMED, MERGED and SPLIT
	Inverse   bool            // the entity is the object of the predicate, not its subject

	other, successor graph.ID
}

// EntityLineage returns the history of an entity, oldest first: its mentions, relations, changes of
// name, mergers and splits that memories tell of, and what became of the memories that mention it.
// It is read anew from the memories, so that erased ones are in no lineage.
func (svc *Service) EntityLineage(ctx context.Context, c workspace.Caller, in EntityLineageInput) ([]EntityEvent, error) {
	first, err := workspace.PageSize("first", in.First, 200)
	switch {
	case err != nil:
		return nil, err
	case !in.ID.Valid():
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	case in.Offset < 0 || in.Offset > maxOffset:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "offset", "must be 0 to %d", maxOffset)
	case !in.Access.AsOf.Valid.IsZero():
		return nil, graph.FieldError(graph.CodeInvalidRequest, "asOf.valid", "can't limit a lineage, which is a history of the recorded time")
	}
	for _, k := range in.Kinds {
		if !slices.Contains(EntityEventKinds, k) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "kinds", "must be among %v", EntityEventKinds)
		}
	}
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	l := &entityLineage{svc: svc, t: t, c: c, a: in.Access, now: svc.Now()}
	var page []EntityEvent
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		l.events = nil
		if err := l.read(ctx, r, in.ID); err != nil {
			return err
		}
		page = l.page(in.Kinds, in.Offset, first)
		return l.complete(r, page)
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	for _, e := range page {
		svc.Verify(ctx, c.Scope(), e.Memory, e.Successor)
	}
	return page, svc.addOthers(ctx, c, page)
}

// addOthers reads the other entities of a page.
func (svc *Service) addOthers(ctx context.Context, c workspace.Caller, page []EntityEvent) error {
	var ids []graph.ID
	for _, e := range page {
		if e.other != "" {
			ids = append(ids, e.other)
		}
	}
	found, err := svc.EntitiesByID(ctx, c, ids)
	for i := range page {
		if at := slices.Index(ids, page[i].other); at >= 0 && err == nil {
			page[i].Other = found[at]
		}
	}
	return err
}

// entityLineage reads the lineage of one entity.
type entityLineage struct {
	svc    *Service
	t      *workspace.Tenant
	c      workspace.Caller
	a      workspace.Access
	now    time.Time
	entity *graph.Entity
	events []EntityEvent
}

func (l *entityLineage) read(ctx context.Context, r graph.Reader, id graph.ID) (err error) {
	l.entity, err = r.Entity(id)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	if err != nil || l.entity.FirstSeen.After(l.a.Instant(l.now)) {
		return graph.FieldError(graph.CodeMemoryNotFound, "id", "no entity has this id")
	}
	l.add(EntityEvent{Kind: EntityCreated, At: l.entity.FirstSeen, Name: l.entity.Name})
	ids, err := l.memories(r)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, claimPage) {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := graph.Undamaged(r, some)
		if err != nil {
			return err
		}
		for _, m := range found {
			if v := workspace.Visible(m, l.c, l.a, l.now); v != nil && v.State.Status != graph.Forgotten {
				l.addMemory(v)
			}
		}
	}
	return l.addRelations(r)
}

// memories returns the ids of the memories that the lineage is made of, ascending: those that
// mention the entity, and those that say something of its name although it was not linked there.
func (l *entityLineage) memories(r graph.Reader) (ids []graph.ID, err error) {
	for after := graph.ID(""); len(ids) < maxLineageMemories; after = ids[len(ids)-1] {
		some, err := r.Mentions(l.entity.ID, after, graph.MaxPage)
		if err != nil {
			return nil, err
		}
		if ids = append(ids, some...); len(some) < graph.MaxPage {
			break
		}
	}
	own := map[string]bool{} // by user: whether the name is an entity of theirs
	for _, d := range l.svc.Index.MemoriesClaiming(l.t.Scope, []string{l.entity.Namespace}, claimkey.Subject(l.entity.Canonical), l.mayName, maxLineageMemories) {
		if d.User != l.entity.User {
			if _, known := own[d.User]; !known {
				_, err := r.EntityByName(l.entity.Namespace, d.User, l.entity.Canonical)
				if own[d.User], err = graph.Found(err); err != nil {
					return nil, err
				}
			}
		}
		if d.User == l.entity.User || !own[d.User] {
			ids = append(ids, d.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// mayName reports whether a memory that has the name of the entity may mean the entity: one of the
// same user, or of anybody if the entity belongs to nobody.
func (l *entityLineage) mayName(d *index.Doc) bool {
	return l.entity.User == "" || l.entity.User == d.User
}

// add adds an event that was recorded by the read's instant.
func (l *entityLineage) add(e EntityEvent) {
	// A read of the present sees what was recorded a few milliseconds in the future.
	if l.a.AsOf.Recorded.IsZero() || !e.At.After(l.a.AsOf.Recorded) {
		l.events = append(l.events, e)
	}
}

// addMemory adds what a memory that mentions the entity says of it, and what became of the memory.
func (l *entityLineage) addMemory(v *workspace.View) {
	l.add(EntityEvent{Kind: EntityMentioned, At: v.RecordedAt, Memory: v})
	for i, s := range v.History {
		switch {
		case i > 0 && s.Status == v.History[i-1].Status:
		case s.Status == graph.Superseded:
			l.add(EntityEvent{Kind: EntityRevised, At: s.From, Memory: v, successor: v.Memory.SupersededBy})
		case s.Status == graph.Consolidated:
			l.add(EntityEvent{Kind: EntityFolded, At: s.From, Memory: v, successor: v.Memory.Consolidated})
		}
	}
	for _, x := range v.Claims(l.now) {
		kind, is := identityChange(x.State.Predicate)
		if !is || !x.Assertion || x.State.Negated {
			continue
		}
		e := EntityEvent{Kind: kind, At: later(x.State.From, v.RecordedAt), Memory: v, Predicate: x.State.Predicate}
		switch {
		case l.isCalled(claimkey.Names(v.Memory, x.State.Subject)...):
			e.Name = x.State.Object
		case l.isCalled(namesIn(x.State.Object)...):
			e.Name, e.Inverse = x.State.Subject, true
		}
		if e.Name != "" {
			l.add(e)
		}
	}
}

// later returns the later of two instants.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// isCalled reports whether one of the names is that of the entity.
func (l *entityLineage) isCalled(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return extract.Canonical(n) == l.entity.Canonical })
}

// namesIn returns a text, and the names that it lists: "Core and Edge" is Core, and Edge.
func namesIn(text string) []string {
	names := []string{text}
	for part := range strings.SplitSeq(strings.ReplaceAll(text, " and ", ","), ",") {
		if part = strings.TrimSpace(part); part != "" && part != text {
			names = append(names, part)
		}
	}
	return names
}

// namePredicate is the name of the predicate that gives a name, in the table of the reader.
var namePredicate = reader.Predicate("is called")

// identityWords are the words of predicates that tell of a change of identity, by lemma.
var identityWords = map[string]EntityEventKind{
	english.Lemma("renamed"): EntityRenamed,
	english.Lemma("known"):   EntityRenamed,
	english.Lemma("merged"):  EntityMerged,
	english.Lemma("split"):   EntitySplit,
	english.Lemma("spun"):    EntitySplit,
}

// identityChange returns the kind of change that a predicate tells of, if it tells of one.
func identityChange(predicate string) (EntityEventKind, bool) {
	if reader.Predicate(predicate) == namePredicate {
		return EntityRenamed, true
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(predicate), func(r rune) bool { return r == ' ' || r == '_' || r == '-' }) {
		if kind, is := identityWords[english.Lemma(word)]; is {
			return kind, true
		}
	}
	return "", false
}

// addRelations adds the relations of the entity.
func (l *entityLineage) addRelations(r graph.Reader) error {
	all, err := r.Relations(l.entity.ID, graph.Both, "", graph.MaxPage)
	if err != nil {
		return err
	}
	for _, rel := range all {
		if read, err := asRead(r, rel, l.c, l.a, l.now); err != nil {
			return err
		} else if read == nil {
			continue
		}
		e := EntityEvent{Kind: EntityRelated, At: rel.RecordedAt, Predicate: rel.Predicate, other: rel.Target, Inverse: rel.Source != l.entity.ID}
		if e.Inverse {
			e.other = rel.Source
		}
		found, err := graph.Undamaged(r, rel.Memories)
		if err != nil {
			return err
		}
		for _, m := range found {
			if v := workspace.Visible(m, l.c, l.a, l.now); v != nil && v.State.Status != graph.Forgotten {
				e.Memory = v
				break
			}
		}
		l.add(e)
	}
	return nil
}

// page returns a page of the events of the kinds, in the order of their instants.
func (l *entityLineage) page(kinds []EntityEventKind, offset, first int) []EntityEvent {
	events := l.events
	if len(kinds) > 0 {
		events = slices.DeleteFunc(events, func(e EntityEvent) bool { return !slices.Contains(kinds, e.Kind) })
	}
	id := func(e EntityEvent) graph.ID {
		if e.Memory == nil {
			return ""
		}
		return e.Memory.ID
	}
	slices.SortStableFunc(events, func(a, b EntityEvent) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(slices.Index(EntityEventKinds, a.Kind), slices.Index(EntityEventKinds, b.Kind)),
			cmp.Compare(id(a), id(b)), cmp.Compare(a.other, b.other))
	})
	from := min(offset, len(events))
	return events[from:min(from+first, len(events))]
}

// complete reads the other entities and the successors of a page.
func (l *entityLineage) complete(r graph.Reader, page []EntityEvent) error {
	wanted := map[graph.ID]bool{}
	for _, e := range page {
		if e.successor != "" {
			wanted[e.successor] = true
		}
	}
	ids := slices.Sorted(maps.Keys(wanted))
	found, err := graph.Undamaged(r, ids)
	if err != nil {
		return err
	}
	views := map[graph.ID]*workspace.View{}
	for _, m := range found {
		if m != nil && m.Status() != graph.Forgotten {
			views[m.ID] = workspace.Visible(m, l.c, l.a, l.now)
		}
	}
	for i := range page {
		e := &page[i]
		e.Successor = views[e.successor]
		if e.other != "" || e.Name == "" || e.Kind == EntityCreated {
			continue
		}
		if e.other, err = l.named(r, e.Name); err != nil {
			return err
		}
	}
	return nil
}

// named returns the id of the entity with a name; empty: none.
func (l *entityLineage) named(r graph.Reader, name string) (graph.ID, error) {
	for _, owner := range workspace.Owners(l.entity.User) {
		x, err := r.EntityByName(l.entity.Namespace, owner, extract.Canonical(name))
		if known, err := graph.Found(err); err != nil {
			return "", err
		} else if known {
			return x.ID, nil
		}
	}
	return "", nil
}
