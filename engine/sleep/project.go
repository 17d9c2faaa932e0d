package sleep

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// planProjects lists the projects that have memories of the previous month and no page for
// it yet, or only pages that rollbacks withdrew.
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
			_, written, err := projectPage(r, month, k.namespace, k.user, k.name)
			if err != nil {
				return err
			}
			if !written {
				steps = append(steps, plannedStep{Verb: StepSummarise, IDs: members[k], Key: before.Format("2006-01")})
			}
		}
		return nil
	})
	return steps, err
}

// projectPage returns the id of the page of a project's month that no rollback has withdrawn, and
// whether it was written.
func projectPage(r graph.Reader, ended time.Time, namespace, user, project string) (id graph.ID, written bool, err error) {
	for n := 1; n <= lifecycle.MaxPages; n++ {
		if id, err = lifecycle.PageID(ended, namespace, user, project, n); err != nil {
			return "", false, err
		}
		m, err := r.Memory(id)
		if known, err := graph.Found(err); !known {
			return id, false, err
		}
		if withdrawn, err := withdrawnByRollback(r, m); err != nil || !withdrawn {
			return id, true, err
		}
	}
	return id, true, nil
}

// withdrawnByRollback reports whether a memory that a sleep derived is ARCHIVED because the sleep was
// rolled back.
func withdrawnByRollback(r graph.Reader, m *graph.Memory) (bool, error) {
	report := graph.ID(m.Source)
	if m.Status() != graph.Archived || !report.Valid() {
		return false, nil
	}
	note, err := r.Note(graph.NoteSleep, report)
	if known, err := graph.Found(err); !known {
		return false, err
	}
	stored, err := readReport(note)
	if err != nil {
		return false, err
	}
	return stored.revertedIn(m.Namespace), nil
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
	err = run.view(ctx, func(r graph.Reader) (err error) {
		d.memory.ID, _, err = projectPage(r, month.AddDate(0, 1, 0), cited[0].Namespace, cited[0].User, cited[0].Project)
		return err
	})
	if err != nil {
		return d, err
	}
	d.memory.Chain = d.memory.ID
	d.memory.Subject = extract.Canonical(cited[0].Project)
	return d, run.embed(ctx, &d)
}
