package sleep

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// clusterPhase clusters the memories of each owner. It is the first part of REM, with a plan of its
// own, because the other parts read its result. A light sleep has it if the memories of an owner have
// grown enough. Planning is the work, so what is planned is stored even if the time is spent.
var clusterPhase = phaseSpec{name: PhaseREM, plan: planClusters, apply: applyClusters, after: publishClusters, planned: true}

// clusterRound is the number of memories from which a plan of clusters ends and the other owners have a
// phase of their own, so that an interrupted sleep repeats little. A variable for tests.
var clusterRound = 20_000

// clusterStep is the Key of a step: a part of a settlement, or at last its root. It holds ids and
// numbers.
type clusterStep struct {
	Root      graph.ID         `json:"root"`
	Namespace string           `json:"namespace"`
	Before    graph.ID         `json:"before,omitempty"`
	Part      int              `json:"part"`           // number of the part, or of the parts
	Body      string           `json:"body,omitempty"` // of a part, base64; empty: this is the root
	Events    []grouping.Event `json:"events,omitempty"`
}

// maxPlannedEvents is how many events of a settlement fit into its last step.
const maxPlannedEvents = 1000

// planClusters clusters the memories of owners whose memories changed since the last time. An owner that was
// settled in this sleep is not stale any more, so a further round continues with the others. When the time is
// spent, the rest is left to the next sleep, which begins with the owner that was cut off. The report has them.
func planClusters(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	var again time.Time
	var grown map[grouping.Owner]grouping.Growth
	switch light := run.checkpoint.Report.Kind == LightSleep; {
	case light:
		var err error
		if grown, err = run.svc.groups.Grown(ctx, run.t.Tenant); err != nil {
			return nil, err
		}
	case run.checkpoint.doneRecently():
		again = run.checkpoint.CompleteDeepAt
	}
	owners := map[workspace.Circle][]*index.Doc{}
	for _, c := range run.activeMemories() {
		k := workspace.Circle{Namespace: c.Namespace, User: c.User}
		if grouping.Eligible(c.Doc, c.state) && c.Embedded && (grown == nil || grown[grouping.Owner{Namespace: k.Namespace, User: k.User}].Enough()) {
			owners[k] = append(owners[k], c.Doc)
		}
	}
	var all []grouping.SettleInput
	for _, k := range sortedCircles(owners) {
		all = append(all, grouping.SettleInput{
			Owner: grouping.Owner{Namespace: k.Namespace, User: k.User}, Docs: owners[k], At: run.checkpoint.At, Sleep: run.checkpoint.ID, Again: again,
		})
	}
	if err := run.svc.groups.LongestWaiting(ctx, run.t.Tenant, all); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	var steps []plannedStep
	clustered := 0
	for i, in := range all {
		if clustered >= clusterRound && !run.dryRun {
			run.anotherRound = true
			break
		}
		s, done, err := run.settleInTime(ctx, in)
		if err == nil && !done {
			var left []graph.ID
			left, err = run.svc.groups.Left(ctx, run.t.Tenant, all[i:])
			run.checkpoint.Report.ClustersLeft, run.checkpoint.Report.OwnersLeft = len(left), appendListed(nil, left...) // writePlan stores them
		}
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		if !done {
			break
		}
		if s == nil {
			continue
		}
		clustered += len(in.Docs)
		more, err := settleSteps(s)
		if err != nil {
			return nil, err
		}
		run.settled, steps = append(run.settled, s), append(steps, more...)
	}
	return steps, nil
}

// addClusters gives a light sleep a phase that clusters, if the memories of an owner have grown enough.
func (svc *Service) addClusters(ctx context.Context, t *tenant, c *checkpoint) error {
	if c.Report.Kind != LightSleep {
		return nil
	}
	grown, err := svc.groups.Grown(ctx, t.Tenant)
	for _, g := range grown {
		if g.Enough() {
			c.ClusterRounds = 1
		}
	}
	return err
}

// settleInTime clusters the memories of an owner in the time of the sleep. done is false if it was not enough.
func (run *sleepRun) settleInTime(ctx context.Context, in grouping.SettleInput) (s *grouping.Settlement, done bool, err error) {
	if run.checkpoint.MaxTime == 0 || run.dryRun {
		s, err = run.svc.groups.Settle(ctx, run.t.Tenant, in)
		return s, true, err
	}
	return run.svc.groups.SettleWithin(ctx, run.t.Tenant, in, run.checkpoint.MaxTime-run.timeSpent())
}

// settleSteps returns the steps that store a settlement.
func settleSteps(s *grouping.Settlement) ([]plannedStep, error) {
	parts, err := s.EncodeParts()
	if err != nil {
		return nil, err
	}
	var steps []plannedStep
	add := func(x clusterStep, ids []graph.ID) error {
		x.Root, x.Namespace, x.Before = s.ID, s.Namespace, s.Before
		key, err := json.Marshal(x)
		steps = append(steps, plannedStep{Verb: StepCluster, IDs: ids, Key: string(key)})
		return err
	}
	for i, body := range parts {
		if err := add(clusterStep{Part: i, Body: base64.RawStdEncoding.EncodeToString(body)}, nil); err != nil {
			return nil, err
		}
	}
	var medoids []graph.ID
	for _, c := range s.Clusters[:min(len(s.Clusters), maxListed)] {
		medoids = append(medoids, c.Medoid)
	}
	err = add(clusterStep{Part: len(parts), Events: s.Events[:min(len(s.Events), maxPlannedEvents)]}, medoids)
	return steps, err
}

// applyClusters stores a part of a settlement. The last step puts the settlement in force.
func applyClusters(b *batch, s plannedStep, _ any) error {
	if s.Verb != StepCluster {
		return nil // of a sleep that an earlier version of the server began
	}
	var x clusterStep
	if err := json.Unmarshal([]byte(s.Key), &x); err != nil {
		return fmt.Errorf("%w: step of a clustering: %w", graph.ErrIntegrity, err)
	}
	settlement := &grouping.Settlement{
		ID: x.Root, Namespace: x.Namespace, At: b.run.checkpoint.At, Sleep: b.run.checkpoint.ID, Before: x.Before, Events: x.Events,
	}
	if x.Body != "" {
		body, err := base64.RawStdEncoding.DecodeString(x.Body)
		if err != nil {
			return fmt.Errorf("%w: step of a clustering: %w", graph.ErrIntegrity, err)
		}
		return grouping.PutPart(b, settlement, x.Part, body)
	}
	if err := grouping.PutRoot(b, settlement, x.Part); err != nil {
		return err
	}
	b.report.Clustered++
	b.undo.Clusters = append(b.undo.Clusters, x.Root)
	b.did(StepCluster, "", s.IDs...)
	return nil
}

// publishClusters makes the new clusters visible.
func publishClusters(run *sleepRun) {
	if !run.dryRun {
		run.svc.groups.Changed(run.t.Tenant)
	}
}
