package ingest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	subjectLimit = 16 // newest beliefs on the same subject
	sharedNames  = 8  // names of a draft that are searched
	sharedCommon = 64 // mentions above which a name is too common to be significant
	sharedEach   = 4  // newest memories with one name
	sharedLimit  = 12 // memories with a shared name, rare names first
	slotKeys     = 16 // slots of a draft that are searched
	slotEach     = 4  // memories with a claim in one slot, the last written ones
	illEach      = 64 // memories that say what somebody has who recovered, the last written ones
	endedEach    = 8  // memories that say what a draft ends, the last written ones
)

// Neighbour is an ACTIVE memory that is similar or related to a draft.
type Neighbour struct {
	existingMemory
	cosine float64
	far    bool // it is below workspace.NeighbourFloor; only the relation model compares it
}

// farFloor is the cosine from which the nearest memories are compared by the relation model: two
// statements of one matter often share one word with content, "mother" or "staging".
const farFloor = 0.25

// nearby returns the neighbours that are not far.
func nearby(all []Neighbour) []Neighbour {
	return slices.DeleteFunc(slices.Clone(all), func(n Neighbour) bool { return n.far })
}

// existingMemory holds the attributes of a stored memory that a write needs.
type existingMemory struct {
	ID, Chain     graph.ID
	user, session string
	kind          graph.Type
	trust         graph.Trust
	Tier          graph.Tier
	occurredAt    time.Time
	analysis      *conflict.Analysis
	said          *reader.Prepared
}

// OccurredAt returns the event time of the memory.
func (m *existingMemory) OccurredAt() time.Time { return m.occurredAt }

// existingFromMemory returns the attributes of a memory from the store.
func existingFromMemory(m *graph.Memory, x *conflict.Analysis, said *reader.Prepared) existingMemory {
	return existingMemory{m.ID, m.Chain, m.User, m.Session, m.Type, m.Trust(), m.State().Tier, m.OccurredAt, x, said}
}

// existingFromDoc returns the attributes of a memory from the index.
func existingFromDoc(d *index.Doc, x *reading) existingMemory {
	return existingMemory{d.ID, d.Chain, d.User, d.Session, d.Type, graph.Trust{Authority: d.Authority, Consent: d.Consent, Sensitivity: d.Sensitivity}, workspace.StateOf(d).Tier, d.OccurredAt, x.analysis, x.said}
}

// neighbours finds, for each draft, the ACTIVE memories that it must be compared with: the
// nearest by meaning, the newest on the same subject, those with a claim in the same slot,
// the newest that share a name with it, those that say what it ends, and those that tell an earlier age. The index finds them. The store is read for texts whose analysis is not cached.
func (svc *Service) neighbours(ctx context.Context, t *tenant, drafts []*Draft, now time.Time) (found [][]Neighbour, err error) {
	defer func() { // it runs in the goroutine of the writer; nothing is written yet
		if p := recover(); p != nil {
			found, err = nil, graph.Recovered(svc.Log, p)
		}
	}()
	found = make([][]Neighbour, len(drafts))
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
		near, err := svc.Index.Nearest(ctx, t.Scope, vectors, k.Filter(), now, workspace.NeighbourLimit, farFloor)
		if err != nil {
			return nil, err
		}
		for j, i := range members {
			nearest[i] = near[j]
		}
	}
	candidates := make([][]index.Near, len(drafts))
	far := make([]int, len(drafts))
	mentions := nameMentions{}
	for i, d := range drafts {
		if !d.enters() {
			candidates[i], far[i] = svc.candidateDocs(t, d, nearest[i], mentions)
		}
	}
	if err := svc.fillCosines(ctx, t, drafts, candidates); err != nil {
		return nil, err
	}
	readings, err := svc.readingsOf(ctx, t, candidates)
	if err != nil {
		return nil, err
	}
	for i := range candidates {
		found[i] = make([]Neighbour, 0, len(candidates[i]))
		for j, n := range candidates[i] {
			if x := readings[n.Doc.ID]; x != nil {
				found[i] = append(found[i], Neighbour{existingFromDoc(n.Doc, x), max(0, n.Cosine), j >= len(candidates[i])-far[i]})
			}
		}
	}
	return found, nil
}

// unknownCosine marks a neighbour that was found by subject or name.
const unknownCosine = -2

// fillCosines sets the unknown cosines. A pair without two vectors gets 0.
func (svc *Service) fillCosines(ctx context.Context, t *tenant, drafts []*Draft, candidates [][]index.Near) error {
	var docs []*index.Doc
	var targets []*index.Near
	var draftOf []*Draft
	for i, near := range candidates {
		for j := range near {
			if n := &near[j]; n.Cosine == unknownCosine {
				docs, targets, draftOf = append(docs, n.Doc), append(targets, n), append(draftOf, drafts[i])
			}
		}
	}
	vectors, err := svc.Index.Vectors(ctx, t.Scope, docs)
	if err != nil {
		return err
	}
	for i, n := range targets {
		n.Cosine = clampedCosine(vectors[i], draftOf[i].Vector)
	}
	return nil
}

// candidateDocs returns the memories to compare with a draft, each once: the nearest in
// order of id, then those by subject, by slot, by name and by what the draft ends, and last the far ones. far is the number
// of these. All but the nearest have unknownCosine.
func (svc *Service) candidateDocs(t *tenant, d *Draft, nearest []index.Near, mentions nameMentions) (out []index.Near, far int) {
	out = slices.SortedFunc(slices.Values(nearest), func(a, b index.Near) int { return cmp.Compare(a.Doc.ID, b.Doc.ID) })
	out = slices.DeleteFunc(out, func(n index.Near) bool {
		return workspace.StateOf(n.Doc).Status != graph.Active || n.Doc.Pattern != "" || // a pattern is revised by a sleep alone
			otherProject(d.Memory.Project, n.Doc.Project)
	})
	distant := slices.Clone(out)
	distant = slices.DeleteFunc(distant, func(n index.Near) bool { return n.Cosine >= workspace.NeighbourFloor })
	out = slices.DeleteFunc(out, func(n index.Near) bool { return n.Cosine < workspace.NeighbourFloor })
	add := func(docs []*index.Doc) {
		for _, x := range docs {
			if workspace.StateOf(x).Status != graph.Active || x.Pattern != "" || otherProject(d.Memory.Project, x.Project) || !d.allOwners && !workspace.SameOwner(d.Memory.User, x.User) || slices.ContainsFunc(out, func(n index.Near) bool { return n.Doc.ID == x.ID }) {
				continue
			}
			out = append(out, index.Near{Doc: x, Cosine: unknownCosine})
		}
	}
	if d.Memory.Subject != "" {
		add(svc.Index.MemoriesBySubject(t.Scope, d.Memory.Namespace, d.Memory.Subject, subjectLimit))
	}
	mine := func(x *index.Doc) bool {
		return workspace.StateOf(x).Status == graph.Active && (d.allOwners || workspace.SameOwner(d.Memory.User, x.User))
	}
	for _, key := range append(d.slots(), d.matters...) {
		add(svc.Index.MemoriesClaiming(t.Scope, []string{d.Memory.Namespace}, key, mine, slotEach))
	}
	for _, key := range d.illnesses() {
		add(svc.Index.MemoriesClaiming(t.Scope, []string{d.Memory.Namespace}, key, mine, illEach))
	}
	add(mentions.docsSharing(svc.Index, t.Scope, d))
	if d.said != nil {
		for _, words := range slices.Concat(d.said.Ended(), d.said.Outgrown(), d.said.CalledOff(), d.said.Lifted()) {
			add(svc.saying(t, d.Memory.Namespace, words, mine))
		}
	}
	for _, n := range distant {
		if !slices.ContainsFunc(out, func(o index.Near) bool { return o.Doc.ID == n.Doc.ID }) {
			out = append(out, n)
			far++
		}
	}
	return out, far
}

// saying returns the last written memories of a namespace that have every word of a text and that keep accepts.
func (svc *Service) saying(t *tenant, namespace, words string, keep func(*index.Doc) bool) (docs []*index.Doc) {
	for _, id := range slices.Backward(svc.Index.MemoriesSaying(t.Scope, []string{namespace}, words)) {
		if x, ok := svc.Index.Doc(t.Scope, id); ok && keep(x) {
			docs = append(docs, x)
		}
		if len(docs) == endedEach {
			break
		}
	}
	return docs
}

// otherProject reports whether two memories belong to two projects: what is so in one says nothing
// about the other. A memory without a project is compared with those of all projects.
func otherProject(a, b string) bool { return a != "" && b != "" && a != b }

// entityName identifies an entity by namespace, user and canonical name.
type entityName struct{ namespace, user, canonical string }

// nameMentions caches the mentions of names for the drafts of one transaction.
type nameMentions map[entityName]mentionList

// mentionList holds the newest memories that mention a name, and the number of all.
type mentionList struct {
	newest []*index.Doc // newest first
	total  int
}

// lookUp returns the mentions of one name.
func (k nameMentions) lookUp(x workspace.Index, sc graph.Scope, n entityName) mentionList {
	found, known := k[n]
	if !known {
		// A draft is linked to the first owner that has the name.
		docs, all := x.MemoriesMentioning(sc, n.namespace, workspace.Owners(n.user), n.canonical, sharedCommon)
		found = mentionList{docs[:min(sharedEach, len(docs))], all}
		k[n] = found
	}
	return found
}

// docsSharing returns the newest memories that share a name with a draft, those with rare
// names first. A name above sharedCommon mentions is ignored.
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

// names returns the canonical names of a draft, those of its statement first.
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

// slots returns the keys of the slots that the claims of a draft are in, at most slotKeys.
func (d *Draft) slots() []uint64 {
	var keys []uint64
	for i := range d.Memory.Claims {
		s := d.Memory.Claims[i].State()
		if key := claimkey.Claim(s.Subject, s.Predicate, s.Object); s.Subject != "" && len(keys) < slotKeys && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// illnesses returns the keys of the slots of the illnesses from which a draft may tell a recovery without a name.
func (d *Draft) illnesses() (keys []uint64) {
	if d.said == nil || !d.said.Recovers() {
		return nil
	}
	for i := range d.Memory.Claims {
		for _, predicate := range [...]string{"has", "suffers from"} {
			if subject := d.Memory.Claims[i].State().Subject; subject != "" && len(keys) < slotKeys {
				keys = append(keys, claimkey.Slot(subject, predicate))
			}
		}
	}
	return keys
}

// clampedCosine returns the cosine of two unit vectors, at least 0. It is 0 if either is
// missing.
func clampedCosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	return max(0, index.Cosine(a, b))
}
