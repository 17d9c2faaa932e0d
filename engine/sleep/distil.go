package sleep

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// distilAfter is the minimum time since the last use of an episode that is distilled.
const distilAfter = 7 * 24 * time.Hour

// planDistil groups episodes on one matter that are older than a week and unused for a
// week; each group becomes one statement. A night distils the episodes that reached this age
// since the previous complete deep sleep, together with their group.
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

// mayDerive reports whether a memory may become a source of a derived one. A memory without
// consent never may. A contested memory waits. Pinned, permanent and safety-critical
// memories are kept as they are. Expiring memories are excluded, because the derived memory
// would outlive them.
func (run *sleepRun) mayDerive(c *candidate) bool {
	return c.Consent != graph.ConsentNone && c.ExpiresAt.IsZero() && c.Conflict <= lifecycle.ContestedAbove && !c.state.Core && !c.SafetyCritical && !c.Important &&
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
// edge from the summary.
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
		return derivation{}, nil // it would replace fewer than two sources
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

// shorten asks the language model to shorten a summary, and returns in by which model did.
// The shorter text is used only if it says what the summary says, no more and no less.
// Otherwise the summary is unchanged.
func (run *sleepRun) shorten(ctx context.Context, id graph.ID, s distil.Summary) (text, by string, err error) {
	if !run.mayAskModel() {
		return s.Text, "", nil
	}
	err = run.callModel(func() (err error) { text, err = run.svc.Chat.Summarise(ctx, []string{s.Text}, s.Words); return err })
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if err != nil {
		run.noteModelUnavailable(id, err)
		return s.Text, "", nil
	}
	if len(strings.Fields(text)) >= s.Words || !distil.Reworded(text, s.Text) {
		return s.Text, "", nil
	}
	return text, "shortened by " + run.svc.Chat.Name(), nil
}

// applyDistil stores the summary and merges the covered sources into it.
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
		// A missing source cancels the step: text that was erased in the meantime must not
		// survive in its summary.
		if m == nil {
			return nil
		}
		if d.covered[m.ID] && mergeable(m) {
			covered[m.ID] = true
		}
		sources = append(sources, m)
	}
	if len(d.covered) > 0 && len(covered) < 2 {
		return nil // it would replace fewer than two sources
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
