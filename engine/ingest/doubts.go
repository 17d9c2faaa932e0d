package ingest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// After a write was acknowledged, a language model is asked about the earlier statements that the new one may replace, if the reading
// is unsure of it. Its answer raises the certainty of the reading by a bounded amount, so that it never decides alone (ADR 194).

// doubt is a later statement that may replace an earlier one.
type doubt struct {
	later, earlier graph.ID
	certainty      float64 // of the reading, at least reader.Rivals
}

const (
	maxDoubts    = 3    // earlier statements of one statement about which the model is asked, the surest first
	maxUnsettled = 1024 // capacity of the queue; while it is full, the statements stay rivals
	doubtTimeout = 30 * time.Second
	agrees       = 0.75 // least score of the model, see models.Chat, from which it takes the one for a contradiction of the other
	modelReading = 3    // logit by which the certainty rises if the model is entirely sure: it says so 20 times as often of what is replaced as of others
)

// noteDoubts collects the doubts of a statement until the end of the transaction.
func (s *WriteTx) noteDoubts(x Relations, m *graph.Memory) {
	if m.Status() != graph.Active {
		return
	}
	slices.SortStableFunc(x.doubts, func(a, b doubt) int { return cmp.Compare(b.certainty, a.certainty) })
	for _, d := range x.doubts[:min(len(x.doubts), maxDoubts)] {
		d.later = m.ID
		s.doubts = append(s.doubts, d)
	}
}

// queueDoubts queues the doubts of a commit for the model.
func (svc *Service) queueDoubts(t *tenant, doubts []doubt) {
	for _, d := range doubts {
		select {
		case t.doubts <- d:
		default:
			return // the queue is full
		}
	}
}

// runDoubts asks the model about queued doubts until Close.
func (svc *Service) runDoubts(t *tenant) {
	if svc.Chat == nil {
		return
	}
	for {
		select {
		case <-svc.Ctx.Done():
			return
		case d := <-t.doubts:
			if err := svc.settleDoubt(audit.As(svc.Ctx, "judgeRivals"), t, d); err != nil && svc.Ctx.Err() == nil {
				svc.Log.Warn("[WRITE] the language model could not compare two statements; both stand", "id", d.later, "other", d.earlier, "error", err)
			}
		}
	}
}

// settleDoubt asks the model whether the later statement contradicts the earlier one. If it does, and the certainty of the reading rises to
// that of a revision, the later one revises the earlier one, as if its speaker had repeated it.
func (svc *Service) settleDoubt(ctx context.Context, t *tenant, d doubt) error {
	var later, earlier *graph.Memory
	err := t.View(ctx, func(r graph.Reader) (err error) {
		if later, err = r.Memory(d.later); err == nil {
			earlier, err = r.Memory(d.earlier)
		}
		return err
	})
	if known, err := graph.Found(err); !known {
		return err
	}
	if later.Status() != graph.Active || earlier.Status() != graph.Active || !svc.Ceilings.Chat.AllowsAll(later, earlier) || later.Consent == graph.ConsentNone || earlier.Consent == graph.ConsentNone {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, doubtTimeout)
	defer cancel()
	said, err := svc.Chat.Contradiction(within, earlier.Content, later.Content)
	certainty := min(0.99, 1/(1+(1-d.certainty)/d.certainty*math.Exp(-modelReading*(2*said-1))))
	if err != nil || said < agrees || certainty < reader.Revises {
		return err
	}
	var done Relations
	err = t.Update(ctx, func(tx graph.Tx) error {
		s := &WriteTx{svc: svc, t: t, Tx: tx, Now: t.Now()}
		done, err = s.judged(later, earlier, certainty)
		return err
	})
	if err == nil && len(done.Revised) > 0 {
		svc.EngraveSuccessors(ctx, t.Tenant, []RememberResult{{Memory: &workspace.View{Memory: later}, Revised: done.IDs()}})
	}
	return err
}

// judged makes a statement revise an earlier one, with a certainty that the model has raised. It returns nothing if the texts are others than
// the model has read, or if the rules of revision forbid it by now.
func (s *WriteTx) judged(later, earlier *graph.Memory, certainty float64) (x Relations, err error) {
	m, err := s.Tx.Memory(later.ID)
	if known, err := graph.Found(err); !known {
		return x, err
	}
	other, err := s.lastActive(earlier.ID)
	if err != nil || other == nil || m.Status() != graph.Active || m.Checksum != later.Checksum || other.Checksum != earlier.Checksum {
		return x, err
	}
	rules, err := s.Policy(m.Namespace)
	if err != nil {
		return x, err
	}
	r, ok, err := s.pairOf(rules, s.statementOf(m), s.statementOf(other), certainty)
	if err != nil || !ok {
		return x, err
	}
	x.Revised = []Revision{r}
	return x, s.confirm(x, m)
}
