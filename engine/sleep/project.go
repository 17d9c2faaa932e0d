package sleep

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// planProjects lists the projects that have memories of the previous month and no page for
// it yet.
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
	err := run.view(ctx, func(r graph.Reader) error {
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

// projectPageID returns the id of a project's page for the month that ended at the instant.
// A month has one page, however many sleeps run.
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
	for _, points := range [][]distil.Point{page.Decisions, page.Changes, page.Patterns, page.Questions} {
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
