package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// planStrengthen is the plan of N2. It lists the used memories, which gain confidence, and
// the weak memories to archive after long disuse.
func planStrengthen(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	rank, err := run.ranking(ctx)
	if err != nil {
		return nil, err
	}
	all := run.candidates()
	var steps []plannedStep
	for _, c := range all {
		// A use at the very instant of the previous sleep can have come after it.
		// reinforceByDays counts its day only once.
		since := run.checkpoint.strengthenedAt(c.ID)
		if _, ranked := rank[c.ID]; !ranked || c.Usage.Count == 0 || c.Usage.Last.Before(since) {
			continue
		}
		key := ""
		if rank[c.ID] == rankStrong && c.Usage.Last.After(since) {
			key = string(rankStrong)
		}
		steps = append(steps, plannedStep{Verb: StepStrengthen, IDs: []graph.ID{c.ID}, Key: key})
	}
	if run.checkpoint.Report.Kind == LightSleep || !run.checkpoint.archivalDue() {
		return steps, nil
	}
	if q := run.checkpoint.Deferred; q != nil && run.checkpoint.At.Sub(q.At) < minDeepInterval {
		err := run.view(ctx, func(r graph.Reader) error {
			left, err := q.steps(r)
			steps = append(steps, left...)
			return err
		})
		return steps, err
	}
	quiet, err := run.archivable(ctx, all, rank)
	if err != nil {
		return nil, err
	}
	for _, id := range quiet {
		steps = append(steps, plannedStep{Verb: StepArchive, IDs: []graph.ID{id}})
	}
	return steps, nil
}

func applyStrengthen(b *batch, s plannedStep, _ any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	if s.Verb == StepArchive {
		return b.archive(m)
	}
	before, day, raised := m.Confidence, m.ConfidenceDay, lifecycle.RaiseSalience(m)
	single, err := singleSource(b, m)
	if err != nil {
		return err
	}
	reinforceByDays(m, b.run.checkpoint.At, single)
	if s.Key == string(rankStrong) {
		m.Confidence += plasticity.Eta * max(1, b.run.checkpoint.EtaFactor) * (1 - m.Confidence)
		if single {
			m.Confidence = min(m.Confidence, max(before, plasticity.SingleSourceCap(m.Authority)))
		}
	}
	if m.Confidence == before && m.ConfidenceDay == day && !raised {
		return nil
	}
	m.UpdatedAt = b.now
	if m.Confidence > before {
		b.report.Reinforced++
		b.did(StepStrengthen, "", m.ID)
	}
	return b.PutMemory(m, graph.EventReinforced)
}

// reinforceByDays raises the confidence by one step for every UTC day of use that is not
// counted yet.
func reinforceByDays(m *graph.Memory, at time.Time, single bool) {
	for _, day := range m.Usage.Days {
		if day <= m.ConfidenceDay || day > graph.Day(at) {
			continue
		}
		m.Confidence = plasticity.Confidence(m.Confidence, plasticity.Signals{
			Salience: m.Salience * decay.RetentionAt(workspace.DecayOf(m, m.State()), at), Usage: m.Usage.Count,
			Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
		}, single)
		m.ConfidenceDay = day
	}
}

// singleSource reports whether no memory of another principal supports this one as evidence. Only
// the evidence of an adjudication counts. Memories that sleep made evidence, because they say the
// same, were written without a quorum, and so was what was written without consent.
func singleSource(r graph.Reader, m *graph.Memory) (bool, error) {
	evidence, err := r.Edges(m.ID, graph.In, graph.EvidenceFor)
	if err != nil {
		return false, err
	}
	for _, edge := range evidence {
		other, err := r.Memory(edge.From)
		if err != nil {
			return false, err
		}
		if other.Status() == graph.Consolidated && !lifecycle.WasActive(other) && other.Consent != graph.ConsentNone &&
			(m.Source == "" && other.SourceKind != m.SourceKind || !gate.SamePrincipal(other.Source, m.Source)) {
			return false, nil
		}
	}
	return true, nil
}
