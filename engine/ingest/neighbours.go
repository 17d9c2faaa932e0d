package ingest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	subjectLimit = 16 // newest beliefs on the same subject
	sharedNames  = 8  // names of a draft that are looked up
	sharedCommon = 64 // mentions above which a name is too common to point at anything
	sharedEach   = 4  // newest that mention one name
	sharedLimit  = 12 // that share a name, rare names first
)

// Neighbour is an ACTIVE memory that stands near a draft.
type Neighbour struct {
	existingMemory
	cosine float64
}

// Existing is what a write asks of a memory that was there before it.
type existingMemory struct {
	ID, Chain     graph.ID
	user, session string
	kind          graph.Type
	consent       graph.Consent
	Tier          graph.Tier
	occurredAt    time.Time
	authority     float64
	analysis      *conflict.Analysis
}

// existingOf is what is asked of a memory.
func existingFromMemory(m *graph.Memory, x *conflict.Analysis) existingMemory {
	return existingMemory{m.ID, m.Chain, m.User, m.Session, m.Type, m.Consent, m.State().Tier, m.OccurredAt, m.Authority, x}
}

// existingAs is what is asked of a memory that the index knows.
func existingFromDoc(d *index.Doc, x *conflict.Analysis) existingMemory {
	return existingMemory{d.ID, d.Chain, d.User, d.Session, d.Type, d.Consent, workspace.StateOf(d).Tier, d.OccurredAt, d.Authority, x}
}

// neighbours finds, for each draft, the ACTIVE memories that it must be compared
// with: the nearest by meaning, the newest on the same subject, and the newest that share
// a name with it. The index finds them; the store is asked for texts that were not read
// lately.
func (svc *Service) neighbours(ctx context.Context, t *tenant, drafts []*Draft, now time.Time) ([][]Neighbour, error) {
	found := make([][]Neighbour, len(drafts))
	if !slices.ContainsFunc(drafts, func(d *Draft) bool { return !d.enters() }) {
		return found, nil // a turn is compared when it leaves L0
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	groups := map[workspace.Circle][]int{}
	for i, d := range drafts {
		if d.Vector != nil {
			k := workspace.Circle{Namespace: d.Memory.Namespace, User: d.Memory.User, Everyone: d.allOwners}
			groups[k] = append(groups[k], i)
		}
	}
	nearest := make([][]index.Near, len(drafts))
	for k, members := range groups {
		vectors := make([][]float32, len(members))
		for j, i := range members {
			vectors[j] = drafts[i].Vector
		}
		near, err := svc.Index.Nearest(ctx, t.Scope, vectors, k.Filter(), now, workspace.NeighbourLimit, workspace.NeighbourFloor)
		if err != nil {
			return nil, err
		}
		for j, i := range members {
			nearest[i] = near[j]
		}
	}
	candidates := make([][]index.Near, len(drafts))
	mentions := nameMentions{}
	for i, d := range drafts {
		if !d.enters() {
			candidates[i] = svc.candidateDocs(t, d, nearest[i], mentions)
		}
	}
	if err := svc.fillCosines(ctx, t, drafts, candidates); err != nil {
		return nil, err
	}
	analyses, err := svc.analysesOf(ctx, t, candidates)
	if err != nil {
		return nil, err
	}
	for i := range candidates {
		found[i] = make([]Neighbour, 0, len(candidates[i]))
		for _, n := range candidates[i] {
			if x := analyses[n.Doc.ID]; x != nil {
				found[i] = append(found[i], Neighbour{existingFromDoc(n.Doc, x), max(0, n.Cosine)})
			}
		}
	}
	return found, nil
}

// unknown is the cosine of a neighbour that was not found by it.
const unknownCosine = -2

// likeness fills in the cosines of neighbours that were not found by them, 0 where one of
// the two has no vector.
func (svc *Service) fillCosines(ctx context.Context, t *tenant, drafts []*Draft, candidates [][]index.Near) error {
	var docs []*index.Doc
	var to []*index.Near
	var of []*Draft
	for i, near := range candidates {
		for j := range near {
			if n := &near[j]; n.Cosine == unknownCosine {
				docs, to, of = append(docs, n.Doc), append(to, n), append(of, drafts[i])
			}
		}
	}
	vectors, err := svc.Index.Vectors(ctx, t.Scope, docs)
	if err != nil {
		return err
	}
	for i, n := range to {
		n.Cosine = clampedCosine(vectors[i], of[i].Vector)
	}
	return nil
}

// around are the memories about a draft, each once: nearest by id, then by subject, then
// by name. Those that were found by subject or name have an unknown cosine.
func (svc *Service) candidateDocs(t *tenant, d *Draft, nearest []index.Near, mentions nameMentions) []index.Near {
	out := slices.SortedFunc(slices.Values(nearest), func(a, b index.Near) int { return cmp.Compare(a.Doc.ID, b.Doc.ID) })
	out = slices.DeleteFunc(out, func(n index.Near) bool { return workspace.StateOf(n.Doc).Status != graph.Active })
	add := func(docs []*index.Doc) {
		for _, x := range docs {
			if workspace.StateOf(x).Status != graph.Active || !d.allOwners && !workspace.SameOwner(d.Memory.User, x.User) || slices.ContainsFunc(out, func(n index.Near) bool { return n.Doc.ID == x.ID }) {
				continue
			}
			out = append(out, index.Near{Doc: x, Cosine: unknownCosine})
		}
	}
	if d.Memory.Subject != "" {
		add(svc.Index.MemoriesBySubject(t.Scope, d.Memory.Namespace, d.Memory.Subject, subjectLimit))
	}
	add(mentions.docsSharing(svc.Index, t.Scope, d))
	return out
}

// name is an entity as a memory may be linked to it.
type entityName struct{ namespace, user, canonical string }

// mentions are the newest memories that mention a name with how many do; looked up once
// for the drafts of one transaction.
type nameMentions map[entityName]mentionList

type mentionList struct {
	newest []*index.Doc // newest first
	total  int
}

// of looks up the mentions of one name.
func (k nameMentions) lookUp(x workspace.Index, sc graph.Scope, n entityName) mentionList {
	found, known := k[n]
	if !known {
		// A draft is linked to the first of the owners that has the name.
		docs, all := x.MemoriesMentioning(sc, n.namespace, workspace.Owners(n.user), n.canonical, sharedCommon)
		found = mentionList{docs[:min(sharedEach, len(docs))], all}
		k[n] = found
	}
	return found
}

// sharing are the newest memories that share a name with a draft. A rare name says more:
// it comes first, and one that everything mentions says nothing.
func (k nameMentions) docsSharing(x workspace.Index, sc graph.Scope, d *Draft) []*index.Doc {
	var found []mentionList
	for _, canonical := range d.names() {
		if m := k.lookUp(x, sc, entityName{d.Memory.Namespace, d.Memory.User, canonical}); m.total > 0 && m.total <= sharedCommon {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b mentionList) int { return cmp.Compare(a.total, b.total) })
	var docs []*index.Doc
	for _, m := range found {
		for _, doc := range m.newest {
			if len(docs) < sharedLimit && !slices.ContainsFunc(docs, func(o *index.Doc) bool { return o.ID == doc.ID }) {
				docs = append(docs, doc)
			}
		}
	}
	return docs
}

// names are the canonical names of a draft, its statement's first.
func (d *Draft) names() []string {
	var names []string
	add := func(canonical string) {
		if canonical != "" && len(canonical) <= graph.MaxName && len(names) < sharedNames && !slices.Contains(names, canonical) {
			names = append(names, canonical)
		}
	}
	add(extract.Canonical(d.Statement.Subject))
	if len(d.Statement.Object) <= maxObjectName {
		add(extract.Canonical(d.Statement.Object))
	}
	for _, n := range d.Named {
		add(n.Canonical)
	}
	return names
}

// dot is the cosine of two unit vectors, clamped at 0; 0 where either is missing.
func clampedCosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	return max(0, index.Cosine(a, b))
}
