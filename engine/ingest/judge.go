package ingest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	maxJudged    = 3 // beliefs that one adjudication asks the model about
	judgeTimeout = 2 * time.Second
)

// opinion is a judgement on a belief with a certain text.
type opinion struct {
	workspace.Judgement
	checksum string
}

// opinions asks the model, before a decision, about the beliefs that the rules are
// undecided on, the decisive ones first. It waits 2 s in total. degraded means that the
// model was not available, and that the rules decide the rest.
func (svc *Service) opinions(ctx context.Context, c workspace.Caller, t *tenant, d *Draft) (found map[graph.ID]opinion, degraded bool, err error) {
	if svc.Chat == nil {
		return nil, false, nil
	}
	now := t.Now()
	near, err := svc.neighbours(ctx, t, []*Draft{d}, now)
	if err != nil {
		return nil, false, err
	}
	type doubt struct {
		belief *graph.Memory
		rules  float64
		weight float64
	}
	var doubts []doubt
	err = t.View(ctx, func(r graph.Reader) error {
		doubts = nil
		s := &WriteTx{svc: svc, t: t, Now: now}
		beliefs, scores, err := s.beliefs(ctx, c, r, d, near[0])
		for i, m := range beliefs {
			if svc.Ceilings.Chat.AllowsAll(m, d.Memory) && workspace.Undecided(scores[i].Conflict, d.analysis, svc.Readings.Read(t.Scope.Tenant, m)) {
				doubts = append(doubts, doubt{m, scores[i].Conflict, max(scores[i].Conflict, scores[i].Similarity)})
			}
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(doubts, func(a, b doubt) int { return cmp.Compare(b.weight, a.weight) })
	within, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	found = map[graph.ID]opinion{}
	for _, x := range doubts[:min(len(doubts), maxJudged)] {
		j, err := svc.Judge(within, x.belief.Content, d.Memory.Content, x.rules)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil {
			svc.Log.WarnContext(ctx, "[RECONSOLIDATE] the language model can't be reached; the rules decide", "id", x.belief.ID, "error", err)
			return found, true, nil
		}
		found[x.belief.ID] = opinion{j, x.belief.Checksum}
	}
	return found, false, nil
}
