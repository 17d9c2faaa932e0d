package sleep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxPatternMemories is the number of newest memories of a circle that are searched for
// repeated steps.
const maxPatternMemories = 5000

// planPattern finds procedures, which are steps that repeat, in every circle with new
// memories.
func planPattern(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	if run.checkpoint.doneRecently() {
		return nil, nil
	}
	circles, fresh := map[workspace.Circle][]*candidate{}, map[workspace.Circle]bool{}
	for _, c := range run.candidates() {
		if (c.Type == graph.Episodic || c.Type == graph.Procedural) && run.readable(c) {
			k := workspace.Circle{Namespace: c.Namespace, User: c.User}
			circles[k] = append(circles[k], c)
			fresh[k] = fresh[k] || c.CreatedAt.After(run.checkpoint.CompleteDeepAt)
		}
	}
	clusters, err := run.settledClusters(ctx)
	if err != nil {
		return nil, err
	}
	var steps []plannedStep
	err = run.view(ctx, func(r graph.Reader) error {
		steps = nil
		for _, k := range sortedCircles(circles) {
			if !fresh[k] || len(circles[k]) < distil.Repeats {
				continue
			}
			newest := circles[k][max(0, len(circles[k])-maxPatternMemories):]
			found, err := readActive(r, newest)
			if err != nil {
				return err
			}
			stored, err := patterns.Stored(r, run.svc.Index, run.t.Scope, k)
			if err != nil {
				return err
			}
			procedures := distil.Procedures(run.distilSources(found))
			if len(procedures) == 0 {
				continue
			}
			done := pattern.RepetitionsIn(patterns.SourcesOf(found))
			for _, p := range procedures {
				there, err := hasProcedure(r, k, p)
				if err != nil {
					return err
				}
				known := slices.ContainsFunc(stored, func(m *graph.Memory) bool {
					return m.Pattern.Kind == graph.Workflow && m.Status() != graph.Archived && pattern.SameWorkflow(m.Pattern.Actions, p.Steps)
				})
				confidence, heldOut, holds := done.Check(p)
				if there || known || !holds {
					continue
				}
				// The plan omits the name, which may quote a memory. The step derives
				// it again from the sources.
				key, err := json.Marshal(patternStep{Kind: graph.Workflow, Confidence: confidence, HeldOut: heldOut, Clusters: patterns.ClustersOf(clusters, p.Sources)})
				if err != nil {
					return err
				}
				steps = append(steps, plannedStep{Verb: StepPattern, IDs: p.Sources, Key: string(key)})
			}
		}
		return ctx.Err()
	})
	return steps, err
}

func sortedCircles[V any](m map[workspace.Circle]V) []workspace.Circle {
	return slices.SortedFunc(maps.Keys(m), func(a, b workspace.Circle) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.User, b.User))
	})
}

func readActive(r graph.Reader, all []*candidate) ([]*graph.Memory, error) {
	ids := make([]graph.ID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	found, err := graph.Undamaged(r, ids)
	return slices.DeleteFunc(found, func(m *graph.Memory) bool { return m == nil || m.Status() != graph.Active }), err
}

// hasProcedure reports whether an earlier night stored this procedure in the circle,
// whatever its status is now.
func hasProcedure(r graph.Reader, k workspace.Circle, p distil.Procedure) (bool, error) {
	have, err := r.ListMemories(graph.MemoryQuery{
		Namespaces: []string{k.Namespace}, Users: []string{k.User}, Subject: extract.Canonical(p.Name), Types: []graph.Type{graph.Procedural}, Limit: graph.MaxPage,
	})
	return slices.ContainsFunc(have, func(m *graph.Memory) bool { return m.SourceKind == graph.FromConsolidation }), err
}

// preparePattern writes a procedure and embeds it.
func preparePattern(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	sources, err := run.activeSources(ctx, s.IDs)
	if err != nil || len(sources) < distil.Repeats {
		return derivation{}, err
	}
	found := distil.Procedures(run.distilSources(sources))
	if len(found) == 0 || len(found[0].Text) > run.svc.MaxContent {
		return derivation{}, nil
	}
	p := found[0]
	d := derivation{sources: sources}
	if d.memory, err = run.derive(s, graph.Procedural, p.Text, sources); err != nil {
		return d, err
	}
	meta, err := json.Marshal(map[string]any{"name": p.Name, "trigger": p.Trigger, "steps": p.Steps})
	if err != nil {
		return d, err
	}
	d.memory.Subject, d.memory.Meta = extract.Canonical(p.Name), meta
	if len(p.Steps) > 1 { // a rule is one step
		var x patternStep
		if s.Key == "" { // derived again after an erasure
			x.Confidence, x.HeldOut, _ = pattern.RepetitionsIn(patterns.SourcesOf(sources)).Check(p)
		} else if err := json.Unmarshal([]byte(s.Key), &x); err != nil {
			return d, errors.Join(graph.ErrIntegrity, err)
		}
		d.memory.Pattern = pattern.WorkflowOf(p, len(sources), x.Confidence, x.HeldOut)
		d.memory.Pattern.ValidatedAt, d.memory.Pattern.Clusters = run.checkpoint.At, x.Clusters
		d.memory.Pattern.SafetyCritical = slices.ContainsFunc(sources, func(m *graph.Memory) bool { return m.SafetyCritical })
	}
	return d, run.embed(ctx, &d)
}

// readable reports whether a memory may be read to derive another.
func (run *sleepRun) readable(c *candidate) bool {
	return c.Consent != graph.ConsentNone && c.Conflict <= lifecycle.ContestedAbove && c.state.Tier != graph.L0 && c.SourceKind != graph.FromConsolidation
}
