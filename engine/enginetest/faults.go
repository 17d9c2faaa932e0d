package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// Faults lists what no history of writes, sleeps, rollbacks and erasures may leave in a
// tenant, one line each; none means that memory is sound. It reads everything.
func Faults(ctx context.Context, store graph.Store, scope graph.Scope) ([]string, error) {
	var faults []string
	err := store.View(ctx, scope, func(r graph.Reader) error {
		a := &audit{r: r, all: map[graph.ID]*graph.Memory{}, chains: map[graph.ID][]*graph.Memory{}}
		err := eachMemory(r.ListMemories, func(m *graph.Memory) error {
			a.all[m.ID] = m
			a.chains[m.Chain] = append(a.chains[m.Chain], m)
			return nil
		})
		if err != nil {
			return err
		}
		for _, m := range a.all {
			if err := a.checkMemory(m); err != nil {
				return err
			}
		}
		for _, versions := range a.chains {
			a.checkChain(versions)
		}
		if err := a.checkRelations(); err != nil {
			return err
		}
		faults = a.faults
		return nil
	})
	slices.Sort(faults)
	return faults, err
}

// audit is a look at one snapshot.
type audit struct {
	r      graph.Reader
	all    map[graph.ID]*graph.Memory
	chains map[graph.ID][]*graph.Memory
	faults []string
}

func (a *audit) report(id graph.ID, format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf("%s: "+format, append([]any{id}, args...)...))
}

func (a *audit) checkMemory(m *graph.Memory) error {
	edges, err := a.r.Edges(m.ID, graph.Both)
	if err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		if m.Content != "" || m.Checksum != "" || m.User != "" || m.Subject != "" || m.Meta != nil || len(m.Entities) > 0 || len(edges) > 0 {
			a.report(m.ID, "FORGOTTEN, and holds words, entities or edges")
		}
		if _, err := a.r.Embedding(m.ID); err == nil {
			a.report(m.ID, "FORGOTTEN, and has a vector")
		}
		return nil
	}
	if err := m.Validate(); err != nil {
		a.report(m.ID, "%v", err)
	}
	if m.Checksum != graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source) {
		a.report(m.ID, "its checksum does not fit")
	}
	for i, s := range m.History[1:] {
		if !s.From.After(m.History[i].From) {
			a.report(m.ID, "its history goes backwards")
		}
	}
	a.checkMerge(m, edges)
	a.checkSources(m, edges)
	a.checkConflict(m, edges)
	return nil
}

// checkMerge checks the way from a memory to what it was folded into.
func (a *audit) checkMerge(m *graph.Memory, edges []graph.Edge) {
	has := func(from graph.ID, kind graph.EdgeKind, to graph.ID) bool {
		return slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.From == from && e.Kind == kind && e.To == to })
	}
	// Evidence that the gate took in never stood by itself.
	evidence := !slices.ContainsFunc(m.History, func(s graph.State) bool { return s.Status == graph.Active })
	if m.Status() != graph.Consolidated {
		if m.Consolidated != "" || slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.From == m.ID && e.Kind == graph.ConsolidatedInto }) {
			a.report(m.ID, "%s, and folded into %s", m.Status(), m.Consolidated)
		}
		// A summary goes with the correction of what it was made from.
		if m.Status() == graph.Archived && a.isProtected(m) && m.SourceKind != graph.FromConsolidation {
			a.report(m.ID, "archived, though it is %s", describe(m))
		}
		return
	}
	into := a.all[m.Consolidated]
	switch {
	case into == nil:
		a.report(m.ID, "folded into %q, which is not there", m.Consolidated)
		return
	case evidence:
		return
	case into.Status() == graph.Forgotten:
		a.report(m.ID, "folded into what was erased")
		return
	case !has(m.ID, graph.ConsolidatedInto, into.ID) || !has(into.ID, graph.DerivedFrom, m.ID):
		a.report(m.ID, "folded without edges both ways")
	}
	if into.Namespace != m.Namespace || into.User != m.User {
		a.report(m.ID, "folded across a namespace or a user")
	}
	if a.isProtected(m) {
		a.report(m.ID, "folded, though it is %s", describe(m))
	}
	if m.Consent == graph.ConsentNone {
		a.report(m.ID, "folded without consent")
	}
}

// isProtected reports whether no sleep may take a memory out of ACTIVE.
func (a *audit) isProtected(m *graph.Memory) bool {
	return m.State().Core || m.SafetyCritical || m.State().Tier == graph.L3 || m.Type == graph.Document
}

func describe(m *graph.Memory) string {
	return fmt.Sprintf("%s %s core=%v safety=%v", m.State().Tier, m.Type, m.State().Core, m.SafetyCritical)
}

// checkSources checks that nothing is trusted more than what it was derived from.
func (a *audit) checkSources(m *graph.Memory, edges []graph.Edge) {
	for _, e := range edges {
		if e.From != m.ID || e.Kind != graph.DerivedFrom {
			continue
		}
		source := a.all[e.To]
		switch {
		case source == nil || source.Status() == graph.Forgotten:
			a.report(m.ID, "derived from what is gone, %s", e.To)
			continue
		case source.Namespace != m.Namespace || source.User != m.User:
			a.report(m.ID, "derived across a namespace or a user")
		case source.Consent == graph.ConsentNone:
			a.report(m.ID, "derived from what was said without consent")
		}
		// What was not folded may have been lowered since, by a fold of its own.
		if source.Consolidated == m.ID && (m.Authority > source.Authority+1e-9 ||
			slices.Index(graph.Consents, m.Consent) < slices.Index(graph.Consents, source.Consent) ||
			slices.Index(graph.Sensitivities, m.Sensitivity) < slices.Index(graph.Sensitivities, source.Sensitivity)) {
			a.report(m.ID, "trusted more than its source %s", source.ID)
		}
	}
}

// checkConflict checks the conflict signal of what is ACTIVE, SPEC section 4.
func (a *audit) checkConflict(m *graph.Memory, edges []graph.Edge) {
	if m.Status() != graph.Active {
		return
	}
	want := 0.0
	for _, e := range edges {
		other := a.all[e.From]
		if e.From == m.ID {
			other = a.all[e.To]
		}
		if e.Kind != graph.Contradicts || other == nil || other.Status() != graph.Active {
			continue
		}
		ratio := 1.0
		if m.Authority > 0 {
			ratio = min(1, other.Authority/m.Authority)
		}
		want = max(want, e.Weight*ratio)
	}
	if math.Abs(m.Conflict-want) > 1e-6 {
		a.report(m.ID, "conflict %v, and its edges say %v", m.Conflict, want)
	}
}

// checkChain checks that the versions of a belief are in a line, with one end.
func (a *audit) checkChain(versions []*graph.Memory) {
	slices.SortFunc(versions, func(x, y *graph.Memory) int { return x.Version - y.Version })
	forgotten, active := 0, 0
	var live []*graph.Memory
	for i, m := range versions {
		if i > 0 && m.Version == versions[i-1].Version {
			a.report(m.ID, "there are two of version %d", m.Version)
		}
		switch m.Status() {
		case graph.Forgotten:
			forgotten++
			continue
		case graph.Active:
			active++
		}
		live = append(live, m)
	}
	if active > 1 {
		a.report(versions[0].Chain, "%d versions are ACTIVE", active)
	}
	if forgotten == 0 && versions[len(versions)-1].Version != len(versions) {
		a.report(versions[0].Chain, "%d versions, the last is number %d", len(versions), versions[len(versions)-1].Version)
	}
	for i, m := range live {
		before, behind := graph.ID(""), graph.ID("")
		if i > 0 {
			before = live[i-1].ID
		}
		if i < len(live)-1 {
			behind = live[i+1].ID
		}
		if m.Supersedes != before || m.SupersededBy != behind {
			a.report(m.ID, "version %d stands between %q and %q, not %q and %q", m.Version, m.Supersedes, m.SupersededBy, before, behind)
		}
		if behind != "" && m.Status() != graph.Superseded {
			a.report(m.ID, "version %d is %s, and there is a later one", m.Version, m.Status())
		}
	}
}

// checkRelations checks that every relation has its ends and somebody who says so.
func (a *audit) checkRelations() error {
	for after := graph.ID(""); ; {
		entities, err := a.r.ListEntities(graph.EntityQuery{After: after, Limit: graph.MaxPage})
		if err != nil {
			return err
		}
		for _, x := range entities {
			after = x.ID
			relations, err := a.r.Relations(x.ID, graph.Out, "", graph.MaxPage)
			if err != nil {
				return err
			}
			for _, y := range relations {
				if _, err := a.r.Entity(y.Target); err != nil {
					a.report(y.ID, "a relation without its target: %v", err)
				}
				if len(y.Memories) == 0 {
					a.report(y.ID, "a relation that nobody says")
				}
				for _, id := range y.Memories {
					if m := a.all[id]; m == nil || m.Status() == graph.Forgotten {
						a.report(y.ID, "a relation that %s said, which is gone", id)
					}
				}
			}
		}
		if len(entities) < graph.MaxPage {
			return nil
		}
	}
}

// StoredText writes down everything that is stored of a tenant in which a word could stand:
// the digest, and the notes and settings beside it.
func StoredText(ctx context.Context, store graph.Store, scope graph.Scope) (string, error) {
	state, err := Digest(ctx, store, scope)
	if err != nil {
		return "", err
	}
	lines := []string{state}
	err = store.View(ctx, scope, func(r graph.Reader) error {
		lines = lines[:1]
		for _, kind := range []graph.NoteKind{graph.NoteDecision, graph.NoteSleep, graph.NotePlan, graph.NoteUndo, graph.NoteSession, graph.NoteFeedback, graph.NoteDead, graph.NoteAside} {
			for after := graph.ID(""); ; {
				notes, err := r.Notes(kind, after, false, graph.MaxPage)
				if err != nil {
					return err
				}
				for _, n := range notes {
					text, err := json.Marshal(n)
					if err != nil {
						return err
					}
					lines = append(lines, string(text))
					after = n.ID
				}
				if len(notes) < graph.MaxPage {
					break
				}
			}
		}
		for _, name := range []string{"sleep.cycle", "sleep.last", "sleep.rollback", "sleep.reasons", "sleep.again", "forget.job"} {
			if text, err := r.Setting(name); err == nil {
				lines = append(lines, name+" "+string(text))
			}
		}
		return nil
	})
	return strings.Join(lines, "\n"), err
}
