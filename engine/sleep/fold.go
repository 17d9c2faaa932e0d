package sleep

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	foldKey        = "fold" // Key of a step that folds repetitions
	foldNeighbours = 48     // nearest memories that a memory is compared with
	foldCosine     = 0.5    // cosine below which two memories are not compared
	// refoldShare is the share of the occurrences of a fold that must be new before it is written
	// again, so that a fold that grows every day is not written every night. A new one that is old
	// enough to be archived needs no others.
	refoldShare = 0.125
)

// foldMeta is what the meta of a fold holds.
type foldMeta struct {
	Count       int                 `json:"count"`
	Occurrences []distil.Occurrence `json:"occurrences"`
}

// foldOf returns the occurrences of a fold; nil for another memory.
func foldOf(m *graph.Memory) []distil.Occurrence {
	var x foldMeta
	if m.SourceKind != graph.FromConsolidation || len(m.Meta) == 0 || json.Unmarshal(m.Meta, &x) != nil {
		return nil
	}
	return x.Occurrences
}

// foldable reports whether a memory may become part of a fold. An episode in conflict may, if the
// fold holds the other side too; see settled.
func (run *sleepRun) foldable(c *candidate) bool {
	return (c.Type == graph.Episodic || c.Type == graph.Semantic) && c.SourceKind != graph.FromConsolidation &&
		(c.Type == graph.Episodic || c.Conflict <= lifecycle.ContestedAbove) && run.mayDeriveContested(c) && c.unusedFor(run.checkpoint.At) >= distilAfter
}

// refoldable reports whether a derived memory may be replaced by a newer fold.
func (run *sleepRun) refoldable(c *candidate) bool {
	return c.Type == graph.Semantic && c.SourceKind == graph.FromConsolidation && c.Pattern == "" && run.mayDerive(c)
}

// planFolds finds memories that repeat each other (distil.Folds), among the fresh ones and their
// neighbours. Each group becomes one step that names all sources. A fold of an earlier night that
// more repetitions have joined is written again. Groups that are still too small to save enough
// are returned in waiting.
func planFolds(ctx context.Context, run *sleepRun, fresh map[graph.ID]bool) (steps []plannedStep, waiting map[graph.ID]bool, err error) {
	var all []*candidate
	for _, c := range run.candidates() {
		if run.foldable(c) || run.refoldable(c) {
			all = append(all, c)
		}
	}
	waiting = map[graph.ID]bool{}
	steps, err = run.foldsOf(ctx, all, fresh, waiting)
	return steps, waiting, err
}

// withoutRepetitions returns the memories without those that this cycle folds after it has archived
// weak memories. A fold counts all repetitions in its range of days, so none of them is archived first.
func (run *sleepRun) withoutRepetitions(ctx context.Context, weak []graph.ID) ([]graph.ID, error) {
	if len(weak) == 0 {
		return nil, nil
	}
	fresh, err := run.freshForDistil(ctx)
	if err != nil || len(fresh) == 0 {
		return weak, err
	}
	steps, _, err := planFolds(ctx, run, fresh)
	if err != nil {
		return nil, err
	}
	folded := map[graph.ID]bool{}
	markIDs(folded, steps)
	return slices.DeleteFunc(weak, func(id graph.ID) bool { return folded[id] }), nil
}

// markIDs adds the memories of steps to a set.
func markIDs(set map[graph.ID]bool, steps []plannedStep) {
	for _, s := range steps {
		for _, id := range s.IDs {
			set[id] = true
		}
	}
}

// foldsAmong plans the folds among memories that were chosen by hand, and the folds that they join.
func (run *sleepRun) foldsAmong(ctx context.Context, chosen []*candidate, fresh map[graph.ID]bool) ([]plannedStep, error) {
	all := slices.DeleteFunc(slices.Clone(chosen), func(c *candidate) bool {
		return c.Type != graph.Episodic && c.Type != graph.Semantic || c.SourceKind == graph.FromConsolidation && !run.refoldable(c)
	})
	return run.foldsOf(ctx, all, fresh, map[graph.ID]bool{})
}

// foldsOf plans the folds of candidates with at least one fresh member, and adds repetitions that
// are not worth folding yet to waiting.
func (run *sleepRun) foldsOf(ctx context.Context, all []*candidate, fresh, waiting map[graph.ID]bool) (steps []plannedStep, err error) {
	place := map[graph.ID]int{}
	for i, c := range all {
		place[c.ID] = i
	}
	groups, err := run.neighbourhoods(ctx, all, place, fresh)
	if err != nil {
		return nil, err
	}
	err = run.view(ctx, func(r graph.Reader) error {
		steps = nil
		clear(waiting)
		for _, g := range groups {
			found, err := run.foldSteps(r, g, waiting)
			if err != nil {
				return err
			}
			steps = append(steps, found...)
		}
		return ctx.Err()
	})
	slices.SortFunc(steps, func(a, b plannedStep) int { return cmp.Compare(a.IDs[0], b.IDs[0]) })
	return steps, err
}

// neighbourhoods returns the sets of candidates that are connected to a fresh one by their
// vectors. They are of one owner and one trust.
func (run *sleepRun) neighbourhoods(ctx context.Context, all []*candidate, place map[graph.ID]int, fresh map[graph.ID]bool) ([][]*candidate, error) {
	parent := make([]int, len(all))
	for i := range parent {
		parent[i] = i
	}
	var root func(int) int
	root = func(i int) int {
		if parent[i] != i {
			parent[i] = root(parent[i])
		}
		return parent[i]
	}
	circles := map[workspace.Circle][]*candidate{}
	for _, c := range all {
		if fresh[c.ID] {
			k := workspace.Circle{Namespace: c.Namespace, User: c.User}
			circles[k] = append(circles[k], c)
		}
	}
	for _, k := range sortedCircles(circles) {
		f := index.Filter{Namespaces: []string{k.Namespace}, Users: []string{k.User}, Statuses: []graph.Status{graph.Active}}
		for part := range slices.Chunk(circles[k], neighbourBatch) {
			vectors, err := run.vectors(ctx, part)
			if err != nil {
				return nil, err
			}
			known := slices.DeleteFunc(slices.Clone(part), func(c *candidate) bool { return vectors[slices.Index(part, c)] == nil })
			vectors = slices.DeleteFunc(vectors, func(v []float32) bool { return v == nil })
			if len(known) == 0 {
				continue
			}
			run.svc.Foreground.Yield(ctx, workspace.YieldFor)
			near, err := run.svc.Index.Nearest(ctx, run.t.Scope, vectors, f, run.checkpoint.At, foldNeighbours, foldCosine)
			if err != nil {
				return nil, err
			}
			for i, found := range near {
				at := place[known[i].ID]
				for _, x := range found {
					if other, listed := place[x.Doc.ID]; listed && equalTrust(all[at], all[other]) {
						parent[root(other)] = root(at)
					}
				}
			}
		}
	}
	sets := map[int][]*candidate{}
	for i, c := range all {
		sets[root(i)] = append(sets[root(i)], c)
	}
	var out [][]*candidate
	for _, at := range slices.Sorted(maps.Keys(sets)) {
		if set := sets[at]; len(set) > 1 && slices.ContainsFunc(set, func(c *candidate) bool { return fresh[c.ID] }) {
			out = append(out, set)
		}
	}
	return out, nil
}

// equalTrust reports whether two candidates may be said in one statement: they have the same owner, project and trust.
func equalTrust(a, b *candidate) bool {
	return a.Namespace == b.Namespace && a.User == b.User && a.Project == b.Project && a.trust() == b.trust()
}

// foldSteps returns the steps that fold the repetitions of a neighbourhood, and adds those that
// are not worth folding yet to waiting.
func (run *sleepRun) foldSteps(r graph.Reader, set []*candidate, waiting map[graph.ID]bool) ([]plannedStep, error) {
	found, err := readActive(r, set)
	if err != nil {
		return nil, err
	}
	byType := map[graph.Type][]*graph.Memory{}
	for _, m := range found {
		occurrences := foldOf(m)
		switch {
		case m.SourceKind != graph.FromConsolidation:
			byType[m.Type] = append(byType[m.Type], m)
		case len(occurrences) > 0 && len(occurrences) < distil.MaxOccurrences:
			before, err := foldedInto(r, m.ID, occurrences)
			if err != nil {
				return nil, err
			}
			if len(before) == len(occurrences) {
				byType[before[0].Type] = append(byType[before[0].Type], before...)
			}
		}
	}
	var steps []plannedStep
	for _, kind := range []graph.Type{graph.Episodic, graph.Semantic} {
		byID := map[graph.ID]*graph.Memory{}
		for _, m := range byType[kind] {
			byID[m.ID] = m
		}
		folds, err := run.settledFolds(r, byType[kind])
		if err != nil {
			return nil, err
		}
		for _, f := range folds {
			if run.worthFolding(f, byID) {
				steps = append(steps, plannedStep{Verb: StepDistil, IDs: f.IDs(), Key: foldKey})
				continue
			}
			for _, id := range f.IDs() {
				waiting[id] = waiting[id] || f.Whole
			}
		}
	}
	return steps, nil
}

// settledFolds folds memories. A fold that has one side of a conflict and not the other is made
// again without its contested memories.
func (run *sleepRun) settledFolds(r graph.Reader, all []*graph.Memory) ([]distil.Fold, error) {
	byID := map[graph.ID]*graph.Memory{}
	for _, m := range all {
		byID[m.ID] = m
	}
	var out []distil.Fold
	for _, f := range distil.Folds(run.distilSources(all)) {
		fine, err := settled(r, f.IDs(), byID)
		if err != nil {
			return nil, err
		}
		if fine {
			out = append(out, f)
			continue
		}
		var rest []*graph.Memory
		for _, id := range f.IDs() {
			if byID[id].Conflict <= lifecycle.ContestedAbove {
				rest = append(rest, byID[id])
			}
		}
		out = append(out, distil.Folds(run.distilSources(rest))...)
	}
	return out, nil
}

// settled reports whether all ACTIVE memories in conflict with contested ones of a list are in it.
func settled(r graph.Reader, ids []graph.ID, byID map[graph.ID]*graph.Memory) (bool, error) {
	for _, id := range ids {
		if byID[id].Conflict <= lifecycle.ContestedAbove {
			continue
		}
		edges, err := r.Edges(id, graph.Both, graph.Contradicts)
		if err != nil {
			return false, err
		}
		for _, edge := range edges {
			other := lifecycle.OtherEnd(edge, id)
			if slices.Contains(ids, other) || edge.Weight <= lifecycle.ContestedAbove {
				continue
			}
			m, err := r.Memory(other)
			if err != nil || m.Status() == graph.Active {
				return false, err
			}
		}
	}
	return true, nil
}

// foldedInto returns the memories of these occurrences that are merged into a fold.
func foldedInto(r graph.Reader, id graph.ID, occurrences []distil.Occurrence) ([]*graph.Memory, error) {
	ids := make([]graph.ID, len(occurrences))
	for i, o := range occurrences {
		ids[i] = o.ID
	}
	found, err := graph.Undamaged(r, ids)
	return slices.DeleteFunc(found, func(m *graph.Memory) bool {
		return m == nil || m.Status() != graph.Consolidated || m.Consolidated != id
	}), err
}

// worthFolding reports whether a fold may be written: it saves enough text, enough of its sources
// are new, and it takes in each earlier fold as a whole. Facts fold only if they say the same, or
// if they are numbered reports: a fact with another value is a change and no repetition.
func (run *sleepRun) worthFolding(f distil.Fold, byID map[graph.ID]*graph.Memory) bool {
	earlier, taken := map[graph.ID]int{}, map[graph.ID]int{}
	for _, m := range byID {
		earlier[m.Consolidated]++
	}
	tokens, due := 0, false
	for _, o := range f.Occurrences {
		m := byID[o.ID]
		due = due || m.Consolidated == "" && run.checkpoint.At.Sub(lifecycle.FirstTime(m.Usage.Last, m.CreatedAt)) > importance.ArchiveAfter
		if m.Type == graph.Semantic && f.Differs && !f.Numbered {
			return false
		}
		tokens += prompt.Count(m.Content)
		taken[m.Consolidated]++
	}
	for id, n := range taken {
		if id != "" && n != earlier[id] {
			return false
		}
	}
	fresh := taken[""]
	return fresh > 0 && (due || float64(fresh) >= refoldShare*float64(len(f.Occurrences))) && isCompression(prompt.Count(f.Text), tokens)
}

// minSaved is the share of the tokens of its sources that a summary must save.
const minSaved = 0.4

// isCompression reports whether a text is enough shorter than its sources together.
func isCompression(text, sources int) bool { return float64(text) <= (1-minSaved)*float64(sources) }

// prepareFold writes the statement for memories that repeat each other, and embeds it.
func prepareFold(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	var d derivation
	byID := map[graph.ID]*graph.Memory{}
	var middle cluster.Mean
	own, err := run.derivedID(s)
	if err != nil {
		return derivation{}, err
	}
	err = run.view(ctx, func(r graph.Reader) error {
		d, middle = derivation{covered: map[graph.ID]bool{}}, cluster.Mean{}
		clear(byID)
		found, err := graph.Undamaged(r, s.IDs)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || m.Consent == graph.ConsentNone || m.Status() != graph.Active && m.Status() != graph.Consolidated {
				return nil
			}
			if d.replaces, err = addFolds(r, d.replaces, m); err != nil {
				return err
			}
			d.replaces = slices.DeleteFunc(d.replaces, func(id graph.ID) bool { return id == own }) // announced before a crash
			if m.Status() == graph.Consolidated && !slices.Contains(d.replaces, m.Consolidated) {
				return nil
			}
			d.sources = append(d.sources, m)
			d.covered[m.ID], byID[m.ID] = true, m
			if err := addVector(&middle, r, m); err != nil {
				return err
			}
		}
		fine, err := settled(r, s.IDs, byID)
		if !fine {
			d.sources = nil
		}
		return err
	})
	if err != nil || len(d.sources) < len(s.IDs) {
		return derivation{}, err
	}
	folds := distil.Folds(run.distilSources(d.sources))
	if len(folds) != 1 || len(folds[0].Occurrences) != len(d.sources) || len(folds[0].Text) > run.svc.MaxContent || !run.worthFolding(folds[0], byID) {
		return derivation{}, nil
	}
	if d.memory, err = run.derive(s, graph.Semantic, folds[0].Text, d.sources); err != nil {
		return derivation{}, err
	}
	if d.memory.Meta, err = json.Marshal(foldMeta{Count: len(folds[0].Occurrences), Occurrences: folds[0].Occurrences}); err != nil {
		return derivation{}, err
	}
	d.memory.Subject = sharedSubject(d.sources)
	if d, err = run.embedded(ctx, d); err != nil || d.memory == nil {
		return d, err
	}
	// The mean of the sources says what they have in common, without the count and the lists.
	otherModel := slices.ContainsFunc(d.sources, func(m *graph.Memory) bool { return m.EmbeddingModel != d.memory.EmbeddingModel })
	if v := middle.Unit(); len(v) == len(d.vector) && !otherModel {
		d.vector = v
	}
	return d, nil
}

// addFolds adds the ACTIVE folds that were derived from a memory to a list.
func addFolds(r graph.Reader, to []graph.ID, m *graph.Memory) ([]graph.ID, error) {
	edges, err := r.Edges(m.ID, graph.In, graph.DerivedFrom)
	if err != nil {
		return nil, err
	}
	for _, edge := range edges {
		if slices.Contains(to, edge.From) {
			continue
		}
		fold, err := r.Memory(edge.From)
		if err != nil {
			return nil, err
		}
		if fold.Status() == graph.Active && foldOf(fold) != nil {
			to = append(to, fold.ID)
		}
	}
	return to, nil
}
