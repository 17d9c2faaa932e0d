package sleep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// patternPhase draws patterns from the clusters. It is a phase of its own, because the clusters and
// the merged memories of the same sleep must be stored before it is planned.
var patternPhase = phaseSpec{name: PhaseREM, plan: planPatterns, prepare: preparePatternMemory, apply: applyPatternMemory}

// maxPatternSources is the number of sources that a pattern is linked to; what occurs more often says
// so in its occurrences.
const maxPatternSources = 500

// maxWording is the number of sources, the newest, whose words a pattern is chosen from.
const maxWording = 128

// patternStep is the key of a step that stores a pattern. The ids of the step are those of the
// sources. It holds ids and figures, no content.
type patternStep struct {
	Kind       graph.PatternKind `json:"k"`
	Confidence float64           `json:"c"`
	HeldOut    float64           `json:"h"`
	Clusters   []graph.ID        `json:"in,omitempty"`
	Version    graph.ID          `json:"of,omitempty"` // the pattern of which it is the next version
	Contrary   bool              `json:"not,omitempty"`
	Against    int               `json:"a,omitempty"` // sources that contradict it
	More       int               `json:"m,omitempty"` // further sources that agree, beyond maxPatternSources or superseded by what agrees
	Sentence   int               `json:"s,omitempty"` // of the last source, which says it
	Ends       bool              `json:"e,omitempty"` // Version ends, and nothing replaces it
	Conflicts  []graph.ID        `json:"x,omitempty"` // patterns that it contradicts
}

// planPatterns finds the patterns of every owner with clusters, and plans a step for each that is
// new or differs from the stored one.
func planPatterns(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	if run.checkpoint.doneRecently() && run.checkpoint.Cluster == "" && run.checkpoint.Report.Clustered == 0 {
		return nil, nil
	}
	all, err := run.settledClusters(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var steps []plannedStep
	err = run.view(ctx, func(r graph.Reader) error {
		steps, run.refused, run.repeated = nil, nil, nil
		owners := map[workspace.Circle][]patterns.Cluster{}
		for _, c := range all {
			k := workspace.Circle{Namespace: c.Namespace, User: c.User}
			owners[k] = append(owners[k], c)
		}
		for _, k := range sortedCircles(owners) {
			clusters := owners[k]
			if one := run.checkpoint.Cluster; one != "" && !slices.ContainsFunc(clusters, func(c patterns.Cluster) bool { return c.ID == one }) {
				continue
			}
			run.svc.Foreground.Yield(ctx, workspace.YieldFor)
			some, err := run.patternSteps(r, k, clusters)
			if err != nil {
				return err
			}
			steps = append(steps, some...)
		}
		return ctx.Err()
	})
	return steps, err
}

// patternSteps finds the patterns of one owner.
func (run *sleepRun) patternSteps(r graph.Reader, owner workspace.Circle, clusters []patterns.Cluster) ([]plannedStep, error) {
	e, err := patterns.ReadEvidence(r, run.svc.Index, run.t.Scope, owner, clusters)
	if err != nil {
		return nil, err
	}
	if run.checkpoint.Cluster != "" {
		run.checkpoint.Report.Balance.In = e.Stored
	}
	limited := run.checkpoint.Sight != nil
	if limited {
		scope := run.t.Scope
		scope.Sight = *run.checkpoint.Sight
		e.OnlySeen(run.svc.Index, scope)
	}
	found, refused := pattern.Find(e.Sources, e.Known)
	inside := func(sources []graph.ID) bool { return true }
	if one := run.checkpoint.Cluster; one != "" { // what occurs in this cluster, counted everywhere
		inside = func(sources []graph.ID) bool {
			return slices.ContainsFunc(e.Sources, func(s pattern.Source) bool { return s.Cluster == one && slices.Contains(sources, s.ID) })
		}
	}
	run.refused = append(run.refused, slices.DeleteFunc(refused, func(x pattern.Refused) bool { return !inside(x.Sources) })...)
	known := map[graph.ID]pattern.Known{}
	for _, k := range e.Known {
		known[k.ID] = k
	}
	var steps []plannedStep
	ids := map[int]graph.ID{} // of the patterns found
	taken := map[graph.ID]bool{}
	for i, f := range found {
		if !inside(f.Sources) {
			ids[i] = f.Known
			continue
		}
		if f.Known != "" {
			if taken[f.Known] {
				continue
			}
			taken[f.Known] = true
			ids[i] = f.Known
			if limited || !f.Differs(known[f.Known]) { // a part of the evidence is no reason for a next version
				run.repeated = append(run.repeated, f.Known)
				continue
			}
		}
		sources := f.Sources[max(0, len(f.Sources)-maxPatternSources):] // the newest
		x := patternStep{
			Kind: f.Kind, Confidence: f.Confidence, HeldOut: f.HeldOut, Clusters: f.Clusters, Version: f.Known, Contrary: f.Replaces,
			Against: len(f.Against), More: f.Occurrences() - len(sources), Conflicts: f.Conflicts, Sentence: f.Sentence,
		}
		for _, j := range f.Rivals {
			if id := ids[j]; id != "" && j < i {
				x.Conflicts = append(x.Conflicts, id)
			}
		}
		slices.Sort(x.Conflicts)
		x.Conflicts = slices.DeleteFunc(slices.Compact(x.Conflicts), func(id graph.ID) bool { return id == f.Known })
		key, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		s := plannedStep{Verb: StepPattern, IDs: sources, Key: string(key)}
		if ids[i], err = run.derivedID(s); err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	for _, x := range refused {
		if x.Lapsed == "" || limited || run.checkpoint.Cluster != "" || taken[x.Lapsed] {
			continue
		}
		key, err := json.Marshal(patternStep{Kind: x.Kind, Version: x.Lapsed, Ends: true})
		if err != nil {
			return nil, err
		}
		steps = append(steps, plannedStep{Verb: StepPattern, IDs: []graph.ID{x.Lapsed}, Key: string(key)})
	}
	return steps, nil
}

// patternDerivation is a pattern before it is stored.
type patternDerivation struct {
	derivation
	step patternStep
}

// preparePatternMemory writes a pattern from its sources and embeds it.
func preparePatternMemory(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	var d patternDerivation
	if err := json.Unmarshal([]byte(s.Key), &d.step); err != nil {
		return d, errors.Join(graph.ErrIntegrity, err)
	}
	if d.step.Ends {
		return d, nil
	}
	safety := false
	err := run.view(ctx, func(r graph.Reader) error {
		found, err := graph.Undamaged(r, s.IDs)
		if err != nil {
			return err
		}
		d.sources, safety = nil, false
		for _, m := range found {
			if m == nil || !patterns.MayBeEvidence(m) {
				return nil // erased or superseded in the meantime
			}
			d.sources = append(d.sources, m)
			safety = safety || m.SafetyCritical
		}
		return nil // it names whom it is about, and ends when one of its sources is erased
	})
	if err != nil || len(d.sources) == 0 {
		return patternDerivation{}, err
	}
	sources := patterns.SourcesOf(d.sources)
	said, ok := pattern.Say(d.step.Kind, sources[max(0, len(sources)-maxWording):], s.IDs[len(s.IDs)-1], d.step.Sentence)
	if !ok || len(said.Text) > run.svc.MaxContent {
		return patternDerivation{}, nil
	}
	slices.SortStableFunc(d.sources, func(a, b *graph.Memory) int { return a.OccurredAt.Compare(b.OccurredAt) })
	kind := graph.Semantic
	if d.step.Kind == graph.Workflow {
		kind = graph.Procedural
	}
	if d.memory, err = run.derive(s, kind, said.Text, d.sources); err != nil {
		return d, err
	}
	d.memory.Claims = nil // a pattern is no evidence of its own
	d.memory.Pattern = &graph.Pattern{
		Kind: d.step.Kind, Conditions: said.Conditions, Actions: said.Actions, Confidence: d.step.Confidence, Occurrences: len(d.sources) + d.step.More, HeldOut: d.step.HeldOut,
		Clusters: d.step.Clusters, ValidatedAt: run.checkpoint.At, SafetyCritical: safety,
	}
	return d, run.embed(ctx, &d.derivation)
}

// applyPatternMemory stores a pattern, as the next version of another if it is one, and records
// the patterns that it contradicts.
func applyPatternMemory(b *batch, s plannedStep, ready any) error {
	d := ready.(patternDerivation)
	if d.step.Ends {
		m, err := b.active(d.step.Version)
		if err != nil || m == nil {
			return err
		}
		b.report.Pruned++
		b.did(StepPattern, "", m.ID)
		return lifecycle.EndPattern(b, m, "", b.now)
	}
	if d.memory == nil {
		return nil
	}
	var sources []*graph.Memory
	for _, x := range d.sources {
		m, err := b.Memory(x.ID)
		if err != nil || !patterns.MayBeEvidence(m) {
			return err // text that was erased in the meantime must not survive in what is derived
		}
		sources = append(sources, m)
	}
	m := *d.memory
	m.Pattern = d.memory.Pattern.Clone()
	var before *graph.Memory
	if d.step.Version != "" {
		var err error
		if before, err = b.Memory(d.step.Version); err != nil {
			return err
		}
		if before.Status() != graph.Active || before.Pattern == nil {
			return nil // it ended or was replaced in the meantime
		}
		if err := b.nextVersion(&m, before, d.step); err != nil {
			return err
		}
	}
	d.memory = &m
	if stored, err := b.putDerivation(d.derivation, sources); err != nil || !stored {
		return err
	}
	b.report.Derived++
	if before == nil {
		b.did(StepPattern, m.ID, idsOf(sources)...)
	} else {
		if err := lifecycle.EndPattern(b, before, m.ID, b.now); err != nil {
			return err
		}
		b.report.Consolidated++
		b.did(StepPattern, m.ID, before.ID)
	}
	return b.contradict(m.ID, d.step.Conflicts)
}

// nextVersion makes m the next version of a pattern.
func (b *batch) nextVersion(m, before *graph.Memory, s patternStep) error {
	newest, err := b.ListMemories(graph.MemoryQuery{Chain: before.Chain, Descending: true, Limit: 1})
	if err != nil {
		return err
	}
	m.Chain, m.Version, m.Supersedes = before.Chain, before.Version+1, before.ID
	if len(newest) > 0 {
		m.Version = max(m.Version, newest[0].Version+1) // a later one may have been rolled back
	}
	m.Pattern.Successes, m.Pattern.Failures = before.Pattern.Successes, before.Pattern.Failures
	m.Reason = fmt.Sprintf("it occurs in %d members, %d in the version before", m.Pattern.Occurrences, before.Pattern.Occurrences)
	if s.Contrary {
		m.Pattern.Successes, m.Pattern.Failures = 0, 0 // it says something else
		m.Reason = fmt.Sprintf("%d of %d members that speak of it say otherwise", m.Pattern.Occurrences, m.Pattern.Occurrences+s.Against)
	} else if s.Against > 0 {
		m.Reason += fmt.Sprintf("; %d contradict it", s.Against)
	}
	return nil
}

// Weights of the edges between patterns that contradict each other. Safety-critical ones are
// contested until a person decides; of others the more confident one answers.
const (
	contestedWeight = 1.0
	conflictWeight  = lifecycle.PatternConflict
)

// contradict records that a pattern contradicts others that are ACTIVE.
func (b *batch) contradict(id graph.ID, others []graph.ID) error {
	for _, other := range others {
		x, err := b.Memory(other)
		known, err := graph.Found(err)
		if err != nil {
			return err
		}
		if !known || x.Status() != graph.Active || x.Pattern == nil {
			continue
		}
		m, err := b.Memory(id)
		if err != nil {
			return err
		}
		weight := conflictWeight
		if m.Pattern.SafetyCritical || x.Pattern.SafetyCritical {
			weight = contestedWeight
		}
		if err := b.PutEdge(graph.Edge{From: id, Kind: graph.Contradicts, To: other, Weight: weight, At: b.now}); err != nil {
			return err
		}
		for _, end := range []*graph.Memory{m, x} {
			signal, err := lifecycle.ConflictSignal(b, end, end, true)
			if err != nil {
				return err
			}
			if err := lifecycle.PutSignal(b, end, signal, b.now); err != nil {
				return err
			}
		}
	}
	return nil
}

// settledClusters returns the clusters in force; in a dry run with those that it found.
func (run *sleepRun) settledClusters(ctx context.Context) ([]patterns.Cluster, error) {
	all, err := run.svc.clusters.Settled(ctx, run.t.Tenant)
	if err != nil || !run.dryRun {
		return all, err
	}
	for _, s := range run.settled {
		all = slices.DeleteFunc(all, func(c patterns.Cluster) bool { return c.Namespace == s.Namespace && c.User == s.User })
		for _, c := range s.Clusters {
			all = append(all, patterns.ClusterOf(grouping.Owner{Namespace: s.Namespace, User: s.User}, c))
		}
	}
	slices.SortFunc(all, func(a, b patterns.Cluster) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// ExtractPattern draws patterns from one cluster, as a sleep does at night, and returns the ids of
// those that it stored or found again, and the candidates that it refused. It is a consolidation by
// hand with a report, and can be rolled back like a sleep. Of a caller whose consent or sensitivity is limited
// only the memories that it sees count, and patterns that are stored already keep their version. Errors:
// MEMORY_NOT_FOUND for a cluster that is unknown or not shown, SLEEP_RUNNING during a sleep, FORBIDDEN if the cluster
// belongs to nobody and the caller may not share.
func (svc *Service) ExtractPattern(ctx context.Context, c workspace.Caller, cluster graph.ID) (made []graph.ID, refused []pattern.Refused, err error) {
	own, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, nil, err
	}
	t := svc.tenants.Of(own.Whole())
	if err := t.Current(ctx); err != nil {
		return nil, nil, err
	}
	all, err := svc.clusters.Settled(ctx, t.Tenant)
	if err != nil {
		return nil, nil, svc.PublicError(err)
	}
	at := slices.IndexFunc(all, func(x patterns.Cluster) bool { return x.ID == cluster })
	if at < 0 || !svc.shows(own.Scope, all[at]) {
		return nil, nil, graph.FieldError(graph.CodeMemoryNotFound, "cluster", "no cluster has this id")
	}
	if c.MayWriteFor(all[at].User) != nil {
		return nil, nil, graph.FieldError(graph.CodeForbidden, "cluster", "belongs to nobody: its patterns require the scope that writes what belongs to nobody")
	}
	fresh := &checkpoint{Cluster: cluster, Report: Report{Kind: ByHandSleep, Trigger: TriggerHand, BudgetKept: true}}
	if sight := own.Scope.Sight; sight.LimitsClasses() {
		fresh.Sight = &graph.Sight{Consents: sight.Consents, Sensitivity: sight.Sensitivity}
	}
	run, err := svc.start(ctx, t, fresh)
	if err != nil {
		return nil, nil, svc.PublicError(err)
	}
	if _, err := svc.wait(ctx, run); err != nil {
		return nil, nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, nil, err
	}
	made = slices.Clone(run.repeated)
	err = t.View(ctx, func(r graph.Reader) error {
		made = made[:len(run.repeated)]
		for number := range run.checkpoint.UndoNotes {
			u, err := readUndo(r, run.checkpoint.At, run.checkpoint.ID, number)
			if err != nil {
				return err
			}
			for _, s := range u.Steps {
				if s.Verb == StepPattern {
					made = append(made, s.To)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, svc.PublicError(err)
	}
	slices.Sort(made)
	return made, run.refused, nil
}

// shows reports whether a sight shows enough members of a cluster.
func (svc *Service) shows(scope graph.Scope, c patterns.Cluster) bool {
	if !scope.Sight.Owner(c.Namespace, c.User) {
		return false
	}
	seen := 0
	for _, id := range c.Members {
		if _, ok := svc.Index.Doc(scope, id); ok {
			if seen++; seen >= grouping.MinVisible {
				return true
			}
		}
	}
	return false
}
