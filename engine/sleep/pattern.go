package sleep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// What comes back again and again becomes how it is done, and a project's month becomes a
// page. SPEC section 9.

// patternReach is how many memories of one circle, the newest, are searched for what
// comes back.
const maxPatternMemories = 5000

// readable reports whether what was said may be read for what is derived.
func (run *sleepRun) readable(c *candidate) bool {
	return c.Consent != graph.ConsentNone && c.Conflict <= lifecycle.ContestedAbove && c.state.Tier != graph.L0 && c.SourceKind != graph.FromConsolidation
}

// sourceOf is a memory as distil reads it.
func (run *sleepRun) distilSource(m *graph.Memory) distil.Source {
	return distil.Source{
		ID: m.ID, Text: m.Content, At: m.OccurredAt, Speaker: m.Agent, Session: m.Session,
		Weight: m.Importance * decay.RetentionAt(workspace.DecayOf(m, m.State()), run.checkpoint.At),
	}
}

func (run *sleepRun) distilSources(all []*graph.Memory) []distil.Source {
	out := make([]distil.Source, len(all))
	for i, m := range all {
		out[i] = run.distilSource(m)
	}
	return out
}

// planPattern finds procedures in every circle that something was added to.
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
	var steps []plannedStep
	err := run.t.View(ctx, func(r graph.Reader) error {
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
			for _, p := range distil.Procedures(run.distilSources(found)) {
				there, err := hasProcedure(r, k, p)
				if err != nil {
					return err
				}
				if !there {
					// Without its name, which may quote what was said: the step finds it again
					// from its sources.
					steps = append(steps, plannedStep{Verb: StepPattern, IDs: p.Sources})
				}
			}
		}
		return ctx.Err()
	})
	return steps, err
}

func sortedCircles[V any](m map[workspace.Circle]V) []workspace.Circle {
	keys := make([]workspace.Circle, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b workspace.Circle) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.User, b.User))
	})
	return keys
}

func readActive(r graph.Reader, all []*candidate) ([]*graph.Memory, error) {
	ids := make([]graph.ID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	found, err := r.Memories(ids)
	return slices.DeleteFunc(found, func(m *graph.Memory) bool { return m == nil || m.Status() != graph.Active }), err
}

// alreadyKnown reports whether the circle has this procedure from an earlier night, or had
// it and let it go.
func hasProcedure(r graph.Reader, k workspace.Circle, p distil.Procedure) (bool, error) {
	have, err := r.ListMemories(graph.MemoryQuery{
		Namespaces: []string{k.Namespace}, Users: []string{k.User}, Subject: extract.Canonical(p.Name), Types: []graph.Type{graph.Procedural}, Limit: graph.MaxPage,
	})
	return slices.ContainsFunc(have, func(m *graph.Memory) bool { return m.SourceKind == graph.FromConsolidation }), err
}

// preparePattern writes a procedure down.
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
	return d, run.embed(ctx, &d)
}

// planProjects lists the projects whose last month is over and has no page yet.
func planProjects(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	month := time.Date(run.checkpoint.At.Year(), run.checkpoint.At.Month(), 1, 0, 0, 0, 0, time.UTC)
	before := month.AddDate(0, -1, 0)
	type project struct{ namespace, user, name string }
	members := map[project][]graph.ID{}
	var order []project
	for _, c := range run.candidates() {
		if c.Project == "" || !run.readable(c) || c.OccurredAt.Before(before) || !c.OccurredAt.Before(month) {
			continue
		}
		k := project{c.Namespace, c.User, c.Project}
		if members[k] == nil {
			order = append(order, k)
		}
		members[k] = append(members[k], c.ID)
	}
	var steps []plannedStep
	err := run.t.View(ctx, func(r graph.Reader) error {
		steps = nil
		for _, k := range order {
			id, err := projectPageID(month, k.namespace, k.user, k.name)
			if err != nil {
				return err
			}
			_, err = r.Memory(id)
			if errors.Is(err, graph.ErrNotFound) {
				steps = append(steps, plannedStep{Verb: StepSummarise, IDs: members[k], Key: before.Format("2006-01")})
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return steps, err
}

// pageOf is the id of a project's page for the month that ended at the instant: there is
// one, however often the project sleeps.
func projectPageID(ended time.Time, namespace, user, project string) (graph.ID, error) {
	return graph.DerivedID(ended, "page", namespace, user, project)
}

// prepareProject writes the page of a project's month.
func prepareProject(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	sources, err := run.activeSources(ctx, s.IDs)
	if err != nil || len(sources) == 0 {
		return derivation{}, err
	}
	month, err := time.Parse("2006-01", s.Key)
	if err != nil {
		return derivation{}, errors.Join(graph.ErrIntegrity, err)
	}
	page := distil.Project(sources[0].Project, month, run.distilSources(sources))
	if page.Text == "" || len(page.Text) > run.svc.MaxContent {
		return derivation{}, nil
	}
	var cited []*graph.Memory
	for _, points := range [][]distil.Point{page.Decisions, page.Patterns, page.Questions} {
		for _, p := range points {
			if i := slices.IndexFunc(sources, func(m *graph.Memory) bool { return m.ID == p.Source }); i >= 0 && !slices.Contains(cited, sources[i]) {
				cited = append(cited, sources[i])
			}
		}
	}
	if len(cited) == 0 {
		return derivation{}, nil
	}
	d := derivation{sources: cited}
	if d.memory, err = run.derive(s, graph.Semantic, page.Text, cited); err != nil {
		return d, err
	}
	id, err := projectPageID(month.AddDate(0, 1, 0), cited[0].Namespace, cited[0].User, cited[0].Project)
	if err != nil {
		return d, err
	}
	d.memory.ID, d.memory.Chain = id, id
	d.memory.Subject = extract.Canonical(cited[0].Project)
	return d, run.embed(ctx, &d)
}
