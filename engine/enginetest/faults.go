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

// Faults checks the invariants that hold after any sequence of writes, sleeps, rollbacks and
// erasures. It returns one line for each violation, and reads everything.
func Faults(ctx context.Context, store graph.Store, scope graph.Scope) ([]string, error) {
	var faults []string
	err := store.View(ctx, scope, func(r graph.Reader) error {
		a := &audit{r: r, all: map[graph.ID]*graph.Memory{}, chains: map[graph.ID][]*graph.Memory{}}
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			a.all[m.ID] = m
			a.chains[m.Chain] = append(a.chains[m.Chain], m)
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

// audit is a check of one snapshot.
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
			a.report(m.ID, "FORGOTTEN, but has text, entities or edges")
		}
		if _, err := a.r.Embedding(m.ID); err == nil {
			a.report(m.ID, "FORGOTTEN, but has a vector")
		}
		return nil
	}
	if err := m.Validate(); err != nil {
		a.report(m.ID, "%v", err)
	}
	if m.Checksum != graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source) {
		a.report(m.ID, "its checksum is wrong")
	}
	for i, s := range m.History[1:] {
		if !s.From.After(m.History[i].From) {
			a.report(m.ID, "its history is not in chronological order")
		}
	}
	a.checkMerge(m, edges)
	a.checkSources(m, edges)
	a.checkConflict(m, edges)
	return nil
}

// checkMerge checks the edges between a memory and the memory that it was merged into.
func (a *audit) checkMerge(m *graph.Memory, edges []graph.Edge) {
	has := func(from graph.ID, kind graph.EdgeKind, to graph.ID) bool {
		return slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.From == from && e.Kind == kind && e.To == to })
	}
	// Evidence that the gate consumed was never ACTIVE.
	evidence := !slices.ContainsFunc(m.History, func(s graph.State) bool { return s.Status == graph.Active })
	if m.Status() != graph.Consolidated {
		if m.Consolidated != "" || slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.From == m.ID && e.Kind == graph.ConsolidatedInto }) {
			a.report(m.ID, "%s, but merged into %s", m.Status(), m.Consolidated)
		}
		// A summary is archived when its sources are corrected.
		if m.Status() == graph.Archived && a.isProtected(m) && m.SourceKind != graph.FromConsolidation {
			a.report(m.ID, "archived, although it is %s", describe(m))
		}
		return
	}
	into := a.all[m.Consolidated]
	switch {
	case into == nil:
		a.report(m.ID, "merged into %q, which does not exist", m.Consolidated)
		return
	case evidence:
		return
	case into.Status() == graph.Forgotten:
		a.report(m.ID, "merged into an erased memory")
		return
	case !has(m.ID, graph.ConsolidatedInto, into.ID):
		a.report(m.ID, "merged without an edge to the memory that it was merged into")
	case has(m.ID, graph.EvidenceFor, into.ID):
		if m.Trust() == into.Trust() || !into.Trust().AtLeast(m.Trust()) {
			a.report(m.ID, "evidence with the trust %v for a memory with the trust %v", m.Trust(), into.Trust())
		}
	case !has(into.ID, graph.DerivedFrom, m.ID):
		a.report(m.ID, "merged without edges in both directions")
	case into.Trust() != m.Trust():
		a.report(m.ID, "with the trust %v, merged into a memory with the trust %v", m.Trust(), into.Trust())
	}
	if into.Namespace != m.Namespace || into.User != m.User {
		a.report(m.ID, "merged across namespaces or users")
	}
	if a.isProtected(m) {
		a.report(m.ID, "merged, although it is %s", describe(m))
	}
	if m.Consent == graph.ConsentNone {
		a.report(m.ID, "merged without consent")
	}
}

// isProtected reports whether sleep must not take a memory out of ACTIVE.
func (a *audit) isProtected(m *graph.Memory) bool {
	return m.State().Core || m.SafetyCritical || m.State().Tier == graph.L3 || m.Type == graph.Document
}

func describe(m *graph.Memory) string {
	return fmt.Sprintf("%s %s core=%v safety=%v", m.State().Tier, m.Type, m.State().Core, m.SafetyCritical)
}

// checkSources checks that no memory is trusted more than its sources.
func (a *audit) checkSources(m *graph.Memory, edges []graph.Edge) {
	for _, e := range edges {
		if e.From != m.ID || e.Kind != graph.DerivedFrom {
			continue
		}
		source := a.all[e.To]
		switch {
		case source == nil || source.Status() == graph.Forgotten:
			a.report(m.ID, "derived from %s, which is missing or erased", e.To)
			continue
		case source.Namespace != m.Namespace || source.User != m.User:
			a.report(m.ID, "derived across namespaces or users")
		case source.Consent == graph.ConsentNone:
			a.report(m.ID, "derived from a memory without consent")
		}
		// The authority of other sources may have been lowered later by a merge of their own.
		if source.Consolidated == m.ID && (m.Authority > source.Authority+1e-9 ||
			slices.Index(graph.Consents, m.Consent) < slices.Index(graph.Consents, source.Consent) ||
			slices.Index(graph.Sensitivities, m.Sensitivity) < slices.Index(graph.Sensitivities, source.Sensitivity)) {
			a.report(m.ID, "trusted more than its source %s", source.ID)
		}
	}
}

// checkConflict checks the conflict signal of ACTIVE memories.
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
		if e.Kind != graph.Contradicts || other == nil || other.Status() != graph.Active || !graph.Contests(other.User, m.User) {
			continue
		}
		ratio := 1.0
		if m.Authority > 0 {
			ratio = min(1, other.Authority/m.Authority)
		}
		want = max(want, e.Weight*ratio)
	}
	if math.Abs(m.Conflict-want) > 1e-6 {
		a.report(m.ID, "conflict %v, but its edges give %v", m.Conflict, want)
	}
}

// checkChain checks that the versions of a belief form one line.
func (a *audit) checkChain(versions []*graph.Memory) {
	slices.SortFunc(versions, func(x, y *graph.Memory) int { return x.Version - y.Version })
	forgotten, active := 0, 0
	var live []*graph.Memory
	for i, m := range versions {
		if i > 0 && m.Version == versions[i-1].Version {
			a.report(m.ID, "version %d exists twice", m.Version)
		}
		switch m.Status() {
		case graph.Forgotten:
			forgotten++
			continue
		case graph.Active:
			active++
		}
		if !a.rolledBack(m) {
			live = append(live, m)
		}
	}
	if active > 1 {
		a.report(versions[0].Chain, "%d versions are ACTIVE", active)
	}
	if forgotten == 0 && versions[len(versions)-1].Version != len(versions) {
		a.report(versions[0].Chain, "%d versions, but the last has number %d", len(versions), versions[len(versions)-1].Version)
	}
	for i, m := range live {
		before, after := graph.ID(""), graph.ID("")
		if i > 0 {
			before = live[i-1].ID
		}
		if i < len(live)-1 {
			after = live[i+1].ID
		}
		if by := a.all[m.SupersededBy]; after == "" && by != nil && m.Status() == graph.Superseded && by.Chain != m.Chain {
			after = m.SupersededBy // by a memory of another chain
		}
		if m.Supersedes != before || m.SupersededBy != after {
			a.report(m.ID, "version %d is linked to %q and %q, want %q and %q", m.Version, m.Supersedes, m.SupersededBy, before, after)
		}
		if after != "" && m.Status() != graph.Superseded {
			a.report(m.ID, "version %d is %s, although there is a later one", m.Version, m.Status())
		}
	}
}

// rolledBack reports a version of a pattern that a rollback of its sleep archived: the version before it is again as it was.
func (a *audit) rolledBack(m *graph.Memory) bool {
	before := a.all[m.Supersedes]
	return m.Pattern != nil && m.Status() == graph.Archived && before != nil && before.SupersededBy != m.ID
}

// checkRelations checks that every relation has both ends and a memory that states it.
func (a *audit) checkRelations() error {
	for x, err := range graph.AllEntities(a.r) {
		if err != nil {
			return err
		}
		for y, err := range graph.AllRelations(a.r, x.ID) {
			if err != nil {
				return err
			}
			if _, err := a.r.Entity(y.Target); err != nil {
				a.report(y.ID, "a relation without its target: %v", err)
			}
			if len(y.Memories) == 0 {
				a.report(y.ID, "a relation without memories")
			}
			for _, id := range y.Memories {
				if m := a.all[id]; m == nil || m.Status() == graph.Forgotten {
					a.report(y.ID, "a relation of %s, which is missing or erased", id)
				}
			}
		}
	}
	return nil
}

// StoredText returns everything stored for a tenant that may contain text: the digest, the
// notes and the settings.
func StoredText(ctx context.Context, store graph.Store, scope graph.Scope) (string, error) {
	state, err := Digest(ctx, store, scope)
	if err != nil {
		return "", err
	}
	lines := []string{state}
	err = store.View(ctx, scope, func(r graph.Reader) error {
		lines = lines[:1]
		for _, kind := range []graph.NoteKind{graph.NoteDecision, graph.NoteSleep, graph.NotePlan, graph.NoteUndo, graph.NoteSession, graph.NoteFeedback, graph.NoteDead, graph.NoteAside, graph.NoteDocument,
			graph.NoteConflict, graph.NoteClusters, graph.NoteClusterPart, graph.NoteClusterEvents} {
			for n, err := range graph.AllNotes(r, kind, "", false) {
				if err != nil {
					return err
				}
				text, err := json.Marshal(n)
				if err != nil {
					return err
				}
				lines = append(lines, string(text))
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
