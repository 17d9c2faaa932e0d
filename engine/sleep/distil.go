package sleep

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Episodes about one matter become one statement of what is true. SPEC section 9.
//
// What is distilled says nothing that its sources do not say, and a source is folded into
// it only where all that it states is in it: nothing is lost by consolidation. What is
// not covered stays as it is, with the way to what was derived from it.

const (
	distilAfter       = 7 * 24 * time.Hour // age of an episode, and how long it was not used
	derivedImportance = 0.9                // of the highest importance among the sources
	groupNeighbours   = 24                 // nearest that an episode may be grouped with
)

// planDistil groups the episodes of more than a week ago that are about one matter. A
// night distils what has come of age since the one before, with what it belongs to.
func planDistil(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	if run.checkpoint.doneRecently() {
		return nil, nil
	}
	var old []*candidate
	fresh := map[graph.ID]bool{}
	var once []graph.ID
	err := run.t.View(ctx, func(r graph.Reader) error {
		_, err := lifecycle.ReadSetting(r, lifecycle.ReviewSetting, &once)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, id := range once {
		fresh[id] = true
	}
	for _, c := range run.candidates() {
		if c.Type != graph.Episodic || !run.mayDerive(c) || c.unusedFor(run.checkpoint.At) < distilAfter {
			continue
		}
		old = append(old, c)
		if run.checkpoint.CompleteDeepAt.IsZero() || run.checkpoint.CompleteDeepAt.Sub(lifecycle.FirstTime(c.Usage.Last, c.CreatedAt)) < distilAfter {
			fresh[c.ID] = true
		}
	}
	groups, err := run.groupByMatter(ctx, old, fresh)
	if err != nil {
		return nil, err
	}
	var steps []plannedStep
	err = run.t.View(ctx, func(r graph.Reader) error {
		steps = nil
		for _, g := range groups {
			left, err := undistilled(r, g)
			if err != nil {
				return err
			}
			if len(left) > 1 {
				steps = append(steps, plannedStep{Verb: StepDistil, IDs: left})
			}
		}
		return nil
	})
	return steps, err
}

// distils reports whether a memory may become a part of what is derived: what was said
// without consent never is, what stands in conflict waits, and what is pinned, permanent
// or a matter of safety stays itself. What has an end must not live on in what has none.
func (run *sleepRun) mayDerive(c *candidate) bool {
	return c.Consent != graph.ConsentNone && c.ExpiresAt.IsZero() && c.Conflict <= lifecycle.ContestedAbove && !c.state.Core && !c.SafetyCritical && !c.Important &&
		c.state.Tier != graph.L0 && c.state.Tier != graph.L3 && c.Embedded
}

// groups are the ids of memories about one matter that have a fresh one among them.
func (run *sleepRun) groupByMatter(ctx context.Context, all []*candidate, fresh map[graph.ID]bool) ([][]graph.ID, error) {
	vectors, err := run.vectors(ctx, all)
	if err != nil {
		return nil, err
	}
	items := make([]cluster.Episode, len(all))
	place := map[graph.ID]int{}
	for i, c := range all {
		items[i] = cluster.Episode{ID: c.ID, Vector: vectors[i], Entities: c.Entities, Owner: c.Namespace + "\x00" + c.User, At: c.OccurredAt}
		place[c.ID] = i
	}
	near := make(neighbourLists, len(all))
	for part := range slices.Chunk(all, neighbourBatch) {
		// One look serves those that stand together in one circle.
		for from := 0; from < len(part); {
			to := from
			for to < len(part) && part[to].Namespace == part[from].Namespace && part[to].User == part[from].User {
				to++
			}
			if err := run.findNeighbours(ctx, part[from:to], items, place, fresh, near); err != nil {
				return nil, err
			}
			from = to
		}
	}
	var out [][]graph.ID
	for _, g := range cluster.Episodes(items, near, cluster.EpisodeDefaults()) {
		var ids []graph.ID
		any := false
		for _, i := range g.Members {
			ids = append(ids, all[i].ID)
			any = any || fresh[all[i].ID]
		}
		if any {
			out = append(out, ids)
		}
	}
	return out, nil
}

// look finds who stands near the fresh among some memories of one circle.
func (run *sleepRun) findNeighbours(ctx context.Context, part []*candidate, items []cluster.Episode, place map[graph.ID]int, fresh map[graph.ID]bool, into neighbourLists) error {
	var vectors [][]float32
	var at []int
	for _, c := range part {
		if fresh[c.ID] {
			if v := items[place[c.ID]].Vector; v != nil { // else it was erased since
				vectors, at = append(vectors, v), append(at, place[c.ID])
			}
		}
	}
	if len(vectors) == 0 {
		return nil
	}
	f := index.Filter{Namespaces: []string{part[0].Namespace}, Users: []string{part[0].User}, Statuses: []graph.Status{graph.Active}}
	run.svc.Foreground.Yield(ctx, workspace.YieldFor)
	near, err := run.svc.Index.Nearest(ctx, run.t.Scope, vectors, f, run.checkpoint.At, groupNeighbours, cluster.EpisodeDefaults().EntityCosine)
	if err != nil {
		return err
	}
	for i, found := range near {
		for _, x := range found {
			if p, known := place[x.Doc.ID]; known && p != at[i] {
				into[at[i]] = append(into[at[i]], p)
				into[p] = append(into[p], at[i])
			}
		}
	}
	return nil
}

// kin says who stands near whom.
type neighbourLists [][]int

// Near answers the neighbours of one.
func (k neighbourLists) Near(i int) []int { return k[i] }

// undistilled are the memories of a group that nothing ACTIVE was derived from yet.
func undistilled(r graph.Reader, ids []graph.ID) ([]graph.ID, error) {
	var left []graph.ID
	for _, id := range ids {
		edges, err := r.Edges(id, graph.In, graph.DerivedFrom)
		if err != nil {
			return nil, err
		}
		used := false
		for _, edge := range edges {
			m, err := r.Memory(edge.From)
			if err != nil {
				return nil, err
			}
			used = used || m.Status() == graph.Active
		}
		if !used {
			left = append(left, id)
		}
	}
	return left, nil
}

// derivation is a memory that is about to be derived.
type derivation struct {
	memory  *graph.Memory // nil: there is nothing to derive
	vector  []float32     // nil: the embedder is away
	covered map[graph.ID]bool
	sources []*graph.Memory // that it was written from: it may hold words of each
}

// prepareDistil writes the summary of a group and embeds it.
func prepareDistil(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	sources, err := run.activeSources(ctx, s.IDs)
	if err != nil || len(sources) < 2 {
		return derivation{}, err
	}
	summary := distil.Distil(run.distilSources(sources))
	if summary.Text == "" || len(summary.Text) > run.svc.MaxContent {
		return derivation{}, nil
	}
	d := derivation{covered: map[graph.ID]bool{}, sources: sources}
	covered := 0
	for _, c := range summary.Sources {
		if c.Covered {
			d.covered[c.ID] = true
			covered++
		}
	}
	if covered < 2 {
		return derivation{}, nil // it would stand beside its sources, not for them
	}
	text, by, err := run.shorten(ctx, sources[0].ID, summary)
	if err != nil {
		return derivation{}, err
	}
	if d.memory, err = run.derive(s, graph.Semantic, text, sources); err != nil {
		return d, err
	}
	d.memory.Reason = by
	for _, m := range sources {
		if m.Subject != "" && !slices.ContainsFunc(sources, func(x *graph.Memory) bool { return x.Subject != m.Subject }) {
			d.memory.Subject = m.Subject
		}
	}
	return d, run.embed(ctx, &d)
}

// shorter has the language model shorten a summary, and says in by that it did. What it
// writes counts only where it is shorter and says what the summary says, no more and no
// less; else the summary stays as it is.
func (run *sleepRun) shorten(ctx context.Context, id graph.ID, s distil.Summary) (text, by string, err error) {
	if !run.mayAskModel() {
		return s.Text, "", nil
	}
	err = run.callModel(func() (err error) { text, err = run.svc.Chat.Summarise(ctx, []string{s.Text}, s.Words); return err })
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if err != nil {
		run.noteModelAway(id, err)
		return s.Text, "", nil
	}
	if len(strings.Fields(text)) >= s.Words || !distil.Reworded(text, s.Text) {
		return s.Text, "", nil
	}
	return text, "shortened by " + run.svc.Chat.Name(), nil
}

// sources reads those of the ids that are still ACTIVE, by time.
func (run *sleepRun) activeSources(ctx context.Context, ids []graph.ID) ([]*graph.Memory, error) {
	var sources []*graph.Memory
	err := run.t.View(ctx, func(r graph.Reader) error {
		found, err := r.Memories(ids)
		sources = slices.DeleteFunc(found, func(m *graph.Memory) bool {
			return m == nil || m.Status() != graph.Active || m.Consent == graph.ConsentNone
		})
		return err
	})
	slices.SortStableFunc(sources, func(a, b *graph.Memory) int { return a.OccurredAt.Compare(b.OccurredAt) })
	return sources, err
}

// embed gives what is derived its vector. Without an embedder it waits for one, like any
// other memory.
func (run *sleepRun) embed(ctx context.Context, d *derivation) error {
	vectors, err := run.svc.Embedder.Embed(ctx, []string{d.memory.Content}, models.Passage)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		run.svc.Log.Warn("[SLEEP] what was derived waits for its embedding", "id", d.memory.ID, "error", err)
		return nil
	}
	d.vector, d.memory.EmbeddingModel = vectors[0], run.svc.Embedder.Name()
	return nil
}

// derive begins a memory that says what follows from others: theirs is the owner, the least trust
// and the most that any of them matters. Its id follows from the step, so that a step
// that is run again makes nothing twice.
func (run *sleepRun) derive(s plannedStep, kind graph.Type, text string, sources []*graph.Memory) (*graph.Memory, error) {
	parts := []string{string(run.checkpoint.ID), string(s.Verb), s.Key}
	for _, id := range s.IDs {
		parts = append(parts, string(id))
	}
	id, err := graph.DerivedID(run.checkpoint.At, parts...)
	if err != nil {
		return nil, err
	}
	first := sources[0]
	m := &graph.Memory{
		ID: id, Chain: id, Version: 1, Namespace: first.Namespace, User: first.User, Project: first.Project,
		Type: kind, Content: text, DecayClass: lifecycle.DecayClassOf(kind),
		Authority: first.Authority, Consent: first.Consent, Sensitivity: first.Sensitivity, ValidFrom: first.ValidFrom,
		SourceKind: graph.FromConsolidation, Source: string(run.checkpoint.ID), CreatedAt: run.checkpoint.At, AnchorAt: run.checkpoint.At, RecordedAt: run.checkpoint.At,
	}
	m.Checksum = graph.Sum(text, m.CreatedAt, m.SourceKind, m.Source)
	lowerTrust(m, sources...)
	for _, x := range sources {
		left := decay.RetentionAt(workspace.DecayOf(x, x.State()), run.checkpoint.At)
		m.Salience = max(m.Salience, x.Salience*left)
		m.Importance = max(m.Importance, derivedImportance*x.Importance)
		m.Criticality = max(m.Criticality, x.Criticality)
		m.Confidence += x.Confidence / float64(len(sources))
		m.OccurredAt = lifecycle.Later(m.OccurredAt, x.OccurredAt)
		if x.Project != m.Project {
			m.Project = ""
		}
		for _, entity := range x.Entities {
			if !slices.Contains(m.Entities, entity) && len(m.Entities) < graph.MaxEntities {
				m.Entities = append(m.Entities, entity)
			}
		}
	}
	m.Confidence = min(m.Confidence, plasticity.SingleSourceCap(m.Authority))
	return m, nil
}

// applyDistil writes what was derived and folds what it covers into it.
func applyDistil(b *batch, s plannedStep, ready any) error {
	d := ready.(derivation)
	if d.memory == nil {
		return nil
	}
	var sources []*graph.Memory
	covered := map[graph.ID]bool{}
	for _, x := range d.sources {
		m, err := b.active(x.ID)
		if err != nil {
			return err
		}
		// One that has left takes the ground away: what was erased meanwhile must not live
		// on in what was written from it.
		if m == nil {
			return nil
		}
		if d.covered[m.ID] && mergeable(m) {
			covered[m.ID] = true
		}
		sources = append(sources, m)
	}
	if len(d.covered) > 0 && len(covered) < 2 {
		return nil // it would stand beside its sources, not for them
	}
	d.covered = covered
	folded, saved, err := b.putDerivation(d, sources)
	if err != nil {
		return err
	}
	b.report.Consolidated += len(folded)
	b.report.TokensSaved += saved
	b.did(s.Verb, d.memory.ID, folded...)
	return nil
}

// derived writes a memory with the way to its sources, and folds those that it covers.
func (b *batch) putDerivation(d derivation, sources []*graph.Memory) (folded []graph.ID, saved int, err error) {
	m := *d.memory
	if _, err := b.Memory(m.ID); err == nil {
		return nil, 0, nil // this step was carried out before
	} else if !errors.Is(err, graph.ErrNotFound) {
		return nil, 0, err
	}
	if m.Entities, err = existingEntities(b, m.Entities); err != nil {
		return nil, 0, err
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil {
		return nil, 0, err
	}
	lifecycle.BindPolicy(&m, p)
	m.History = nil
	m.UpdatedAt = b.now
	m.SetState(b.now, func(s *graph.State) {
		s.Status, s.Tier = graph.Active, graph.L1
		if m.Type == graph.Semantic {
			s.Tier = graph.L2 // what is derived as a fact starts there
		}
	})
	if err := b.PutMemory(&m, graph.EventCreated); err != nil {
		return nil, 0, err
	}
	if d.vector != nil {
		if err := b.PutEmbedding(m.ID, d.vector); err != nil {
			return nil, 0, err
		}
	}
	b.pending = b.pending || d.vector == nil
	b.report.Derived++
	saved = -prompt.Count(m.Content)
	slices.SortFunc(sources, func(x, y *graph.Memory) int { return cmp.Compare(x.ID, y.ID) })
	for _, source := range sources {
		if d.covered[source.ID] {
			saved += prompt.Count(source.Content)
			folded = append(folded, source.ID)
			if err := b.mergeInto(source, m.ID); err != nil {
				return nil, 0, err
			}
			continue
		}
		if err := b.PutEdge(graph.Edge{From: m.ID, Kind: graph.DerivedFrom, To: source.ID, Weight: 1, At: b.now}); err != nil {
			return nil, 0, err
		}
	}
	return folded, saved, nil
}

// known are those of the entities that still exist.
func existingEntities(r graph.Reader, ids []graph.ID) ([]graph.ID, error) {
	var left []graph.ID
	for _, id := range ids {
		_, err := r.Entity(id)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		left = append(left, id)
	}
	return left, nil
}
