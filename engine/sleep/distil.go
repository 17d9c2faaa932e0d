package sleep

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// distilAfter is the minimum time since the last use of an episode that is distilled.
const distilAfter = 7 * 24 * time.Hour

// planDistil finds memories that are older than a week, unused for a week, and repeat each other
// (planFolds), then groups the other episodes on one matter. Each group becomes one statement.
// A night distils the memories that reached this age since the previous complete deep sleep, and
// those that lost their summary since, by an erasure or a rollback, together with their group. A
// second sleep in a night distils the latter only.
func planDistil(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	fresh, err := run.freshForDistil(ctx)
	if err != nil || len(fresh) == 0 && run.checkpoint.doneRecently() {
		return nil, err
	}
	var old []*candidate
	for _, c := range run.candidates() {
		if c.Type == graph.Episodic && run.foldable(c) && run.mayDerive(c) {
			old = append(old, c)
		}
	}
	steps, repeated, err := planFolds(ctx, run, fresh)
	if err != nil {
		return nil, err
	}
	markIDs(repeated, steps)
	folds := steps
	old = slices.DeleteFunc(old, func(c *candidate) bool { return repeated[c.ID] })
	groups, err := run.groupByMatter(ctx, old, fresh)
	if err != nil {
		return nil, err
	}
	err = run.view(ctx, func(r graph.Reader) error {
		steps = slices.Clip(folds)
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

// freshForDistil returns the memories that this cycle distils, with those that belong to them.
func (run *sleepRun) freshForDistil(ctx context.Context) (map[graph.ID]bool, error) {
	var once []graph.ID
	err := run.view(ctx, func(r graph.Reader) error {
		_, err := lifecycle.ReadSetting(r, lifecycle.ReviewSetting, &once)
		return err
	})
	if err != nil {
		return nil, err
	}
	fresh := map[graph.ID]bool{}
	for _, id := range once {
		fresh[id] = true
	}
	if run.checkpoint.doneRecently() {
		return fresh, nil
	}
	for _, c := range run.candidates() {
		if run.foldable(c) && (run.checkpoint.CompleteDeepAt.IsZero() || run.checkpoint.CompleteDeepAt.Sub(lifecycle.FirstTime(c.Usage.Last, c.CreatedAt)) < distilAfter) {
			fresh[c.ID] = true
		}
	}
	return fresh, nil
}

// mayDerive reports whether a memory may become a source of a derived one. A memory without
// consent never may. A contested memory waits. Pinned, permanent and safety-critical
// memories are kept as they are. Expiring memories are excluded, because the derived memory
// would outlive them.
func (run *sleepRun) mayDerive(c *candidate) bool {
	return c.Conflict <= lifecycle.ContestedAbove && run.mayDeriveContested(c)
}

// mayDeriveContested is mayDerive for a memory whose conflict does not matter.
func (run *sleepRun) mayDeriveContested(c *candidate) bool {
	return c.Consent != graph.ConsentNone && c.ExpiresAt.IsZero() && !c.state.Core && !c.SafetyCritical && !c.Important &&
		c.state.Tier != graph.L0 && c.state.Tier != graph.L3 && c.Embedded
}

// undistilled returns the memories of a group from which no ACTIVE memory was derived.
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

// prepareDistil writes the summary of a group and embeds it. The summary says nothing that
// its sources do not say. A source is covered only if all its statements are in the
// summary, so consolidation loses nothing. A source that is not covered is kept, with an
// edge from the summary. A summary that is not shorter than the covered sources together by
// minSaved is not written.
func prepareDistil(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	if s.Key == foldKey {
		return prepareFold(ctx, run, s)
	}
	sources, err := run.activeSources(ctx, s.IDs)
	if err != nil || len(sources) < 2 {
		return derivation{}, err
	}
	summary := distil.Distil(run.distilSources(sources))
	if summary.Text == "" || len(summary.Text) > run.svc.MaxContent {
		return derivation{}, nil
	}
	d := derivation{covered: map[graph.ID]bool{}, sources: sources}
	tokens := 0
	for _, c := range summary.Sources {
		if c.Covered {
			d.covered[c.ID] = true
		}
	}
	for _, m := range sources {
		if d.covered[m.ID] {
			tokens += prompt.Count(m.Content)
		}
	}
	if len(d.covered) < 2 {
		return derivation{}, nil // it would replace fewer than two sources
	}
	text, by, err := run.shorten(ctx, sources, summary)
	if err != nil || !isCompression(prompt.Count(text), tokens) {
		return derivation{}, err
	}
	if d.memory, err = run.derive(s, graph.Semantic, text, sources); err != nil {
		return derivation{}, err
	}
	d.memory.Reason, d.memory.Subject = by, sharedSubject(sources)
	return run.embedded(ctx, d)
}

// shorten asks the language model to shorten a summary, and returns in by which model did.
// The shorter text is used only if it says what the summary says, no more and no less.
// Otherwise the summary is unchanged.
func (run *sleepRun) shorten(ctx context.Context, sources []*graph.Memory, s distil.Summary) (text, by string, err error) {
	if !run.mayAskModel() || !run.svc.Ceilings.Chat.AllowsAll(sources...) {
		return s.Text, "", nil
	}
	err = run.callModel(func() (err error) { text, err = run.svc.Chat.Summarise(ctx, []string{s.Text}, s.Words); return err })
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if err != nil {
		run.noteModelUnavailable(sources[0].ID, err)
		return s.Text, "", nil
	}
	if len(strings.Fields(text)) >= s.Words || !distil.Reworded(text, s.Text) {
		return s.Text, "", nil
	}
	return text, "shortened by " + run.svc.Chat.Name(), nil
}

// announceSummary stores a summary that replaces its sources. The sources stay ACTIVE until the
// index has the summary, so that one of them is found at any instant; applySummary replaces them
// in a later transaction.
func announceSummary(b *batch, _ plannedStep, ready any) error {
	d := ready.(derivation)
	if d.memory == nil {
		return nil
	}
	sources, err := b.replaceable(d)
	if err != nil || sources == nil {
		return err
	}
	_, err = b.putDerivation(d, sources)
	return err
}

// applySummary merges the covered sources, and earlier folds of them, into an announced summary. If a source has changed in the meantime, the summary is withdrawn.
func applySummary(b *batch, s plannedStep, ready any) error {
	d := ready.(derivation)
	id, err := b.run.derivedID(s)
	if err != nil {
		return err
	}
	if d.memory != nil {
		id = d.memory.ID
	}
	summary, err := b.Memory(id)
	if known, err := graph.Found(err); !known {
		return err
	}
	if summary.Status() != graph.Active {
		return nil
	}
	var sources []*graph.Memory
	if d.memory != nil && d.memory.Content == summary.Content {
		if sources, err = b.replaceable(d); err != nil {
			return err
		}
	}
	if sources == nil {
		summary.SetState(b.now, func(s *graph.State) { s.Status = graph.Archived })
		summary.UpdatedAt = b.now
		return b.PutMemory(summary, graph.EventArchived)
	}
	saved := -prompt.Count(summary.Content)
	var folded []graph.ID
	for _, m := range sources {
		if !d.covered[m.ID] {
			continue
		}
		if m.Status() == graph.Active {
			saved += prompt.Count(m.Content)
			folded = append(folded, m.ID)
			err = b.mergeInto(m, id)
		} else {
			err = b.moveMerged(m, id)
		}
		if err != nil {
			return err
		}
	}
	for _, old := range d.replaces {
		tokens, err := b.mergeFold(old, id)
		if err != nil {
			return err
		}
		if tokens > 0 { // it was ACTIVE
			saved += tokens
			folded = append(folded, old)
		}
	}
	b.report.Derived++
	b.report.Consolidated += len(folded)
	b.report.TokensSaved += saved
	b.did(s.Verb, id, folded...)
	return nil
}

// replaceable reads the sources of a derivation; nil if one has changed since the step was
// prepared. Text that was erased in the meantime must not survive in a summary.
func (b *batch) replaceable(d derivation) ([]*graph.Memory, error) {
	var sources []*graph.Memory
	for _, x := range d.sources {
		m, err := b.Memory(x.ID)
		if err != nil {
			return nil, err
		}
		switch {
		case m.Status() == graph.Active && !lifecycle.IsExpired(m, b.now):
			if d.covered[m.ID] && !mergeable(m) {
				return nil, nil
			}
		case m.Status() != graph.Consolidated || !slices.Contains(d.replaces, m.Consolidated):
			return nil, nil
		}
		sources = append(sources, m)
	}
	return sources, nil
}

// moveMerged moves a merged memory from one fold to the next.
func (b *batch) moveMerged(m *graph.Memory, into graph.ID) error {
	if err := b.DeleteEdge(m.ID, graph.ConsolidatedInto, m.Consolidated); err != nil {
		return err
	}
	m.Consolidated, m.UpdatedAt = into, b.now
	if err := b.PutMemory(m, graph.EventConsolidated); err != nil {
		return err
	}
	return b.PutEdge(graph.Edge{From: m.ID, Kind: graph.ConsolidatedInto, To: into, Weight: 1, At: b.now})
}

// mergeFold merges an earlier fold into a newer one, which holds what it says, and returns its
// number of tokens.
func (b *batch) mergeFold(id, into graph.ID) (tokens int, err error) {
	old, err := b.Memory(id)
	if err != nil || old.Status() != graph.Active {
		return 0, err
	}
	return prompt.Count(old.Content), b.mergeInto(old, into)
}

func idsOf(all []*graph.Memory) []graph.ID {
	ids := make([]graph.ID, len(all))
	for i, m := range all {
		ids[i] = m.ID
	}
	return ids
}

// applyDerived stores a derived memory that replaces nothing: a page or a procedure.
func applyDerived(b *batch, s plannedStep, ready any) error {
	d := ready.(derivation)
	if d.memory == nil {
		return nil
	}
	var sources []*graph.Memory
	for _, x := range d.sources {
		m, err := b.active(x.ID)
		if err != nil || m == nil {
			return err // text that was erased in the meantime must not survive in what is derived
		}
		sources = append(sources, m)
	}
	if stored, err := b.putDerivation(d, sources); err != nil || !stored {
		return err
	}
	b.report.Derived++
	b.did(s.Verb, d.memory.ID, idsOf(sources)...)
	return nil
}
