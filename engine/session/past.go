package session

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// PastTurn is the result of one turn of ObservePast. If Error is set, the rest is empty.
type PastTurn struct {
	Memory   *workspace.View
	Replayed bool // it was there already: its key was used before, or it was observed when it was said
	Error    *graph.Error
}

// clockSkew is how far the clock of the program that recorded a turn may be ahead.
const clockSkew = time.Hour

// ObservePast adds at most workspace.MaxMany turns of conversations that are over, as the import of
// a chat history does. Each is written into L1 at once, with what is read in it, as a turn that left
// L0, and returns when it is durable. OccurredAt is required: it is when the turn was said, and what
// is true is ordered by it, so a late arrival enters as past. It is recorded now, and decay and
// time to live run from now. A session without turns of its own is recorded as ended with its last
// turn. Past turns count no uses, and a task that they name is open only if its
// lifecycle.TaskTTL after the last turn of its session in this call is not over. A turn that was
// observed when it was said is recognised and not written again.
//
// Each turn is atomic: a faulty one fails alone. The returned error means that the whole call
// failed.
func (svc *Service) ObservePast(ctx context.Context, c workspace.Caller, in []Observation) ([]PastTurn, error) {
	if len(in) > workspace.MaxMany {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "input", "has %d items, more than %d", len(in), workspace.MaxMany)
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := svc.load(ctx, t); err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	out := make([]PastTurn, 0, len(in))
	for len(in) > 0 {
		some := in[:aloneTurns(in)]
		results, err := svc.observePast(ctx, c, t, some)
		if err != nil {
			return nil, svc.PublicError(workspace.AsTimeout(err))
		}
		in, out = in[len(some):], append(out, results...)
	}
	if err := svc.storeTasks(ctx, t, tasksOfPast(out, t.Now())); err != nil {
		return nil, svc.PublicError(err)
	}
	return out, nil
}

// aloneTurns returns the number of turns, at least one and at most workspace.MaxBatch, before the first that may say something together
// with one of them: that one is stored first.
func aloneTurns(in []Observation) int {
	type conversation struct{ namespace, user, session string }
	before := map[conversation]bool{}
	for i, x := range in[:min(len(in), workspace.MaxBatch)] {
		k := conversation{x.Namespace, x.User, x.Session}
		if before[k] && ingest.MayComplete(&graph.Memory{Content: x.Text, SourceKind: roles[x.Role], Session: x.Session}) {
			return i
		}
		before[k] = true
	}
	return min(len(in), workspace.MaxBatch)
}

// observePast adds one batch. Turns whose keys were used before are not analysed again.
func (svc *Service) observePast(ctx context.Context, c workspace.Caller, t *tenant, in []Observation) ([]PastTurn, error) {
	out := make([]PastTurn, len(in))
	consents, err := svc.defaultConsents(ctx, t, in)
	if err != nil {
		return nil, err
	}
	entering := make([]*ingest.Draft, len(in))
	now := t.Now()
	for i, x := range in {
		entering[i], out[i].Error = svc.checkPast(c, x, consents, now)
	}
	err = t.View(ctx, func(r graph.Reader) error {
		for i, d := range entering {
			if d == nil {
				continue
			}
			earlier, err := d.Earlier(r)
			if err != nil || earlier == nil {
				if errors.Is(err, workspace.ErrKeyReused) {
					out[i], err = PastTurn{Error: workspace.ErrKeyReused}, nil
				}
				if err != nil {
					return err
				}
				continue
			}
			m, err := r.Memory(earlier.Result)
			if err != nil {
				return err
			}
			out[i] = PastTurn{Memory: workspace.NewView(m, workspace.Access{}, now), Replayed: true}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var places []int
	for i, x := range out {
		if x.Error == nil && x.Memory == nil {
			places = append(places, i)
		}
	}
	drafts := make([]*ingest.Draft, len(places))
	workspace.ParallelChunks(len(places), 16, func(from, to int) {
		for at := from; at < to; at++ {
			x := entering[places[at]]
			d := svc.analyseTurn(x.Memory)
			d.Item, d.Keyed, d.Sight = &pastItem{svc: svc, buffer: t.buffer}, x.Keyed, x.Sight
			drafts[at] = d
		}
	})
	if err := svc.completePast(ctx, t, drafts); err != nil {
		return nil, err
	}
	if len(drafts) == 0 {
		return out, nil
	}
	svc.ingest.Embed(ctx, drafts)
	results, err := svc.ingest.Submit(ctx, t.Tenant, drafts)
	if err != nil {
		return nil, err
	}
	svc.ingest.EngraveSuccessors(ctx, t.Tenant, results)
	for i, r := range results {
		if r.Error != nil && r.Error.Code == graph.CodeUnavailable {
			return nil, r.Error
		}
		out[places[i]] = PastTurn{Memory: r.Memory, Replayed: r.Replayed, Error: r.Error}
		if item, ok := drafts[i].Item.(*pastItem); ok && item.plain != nil && r.Error == nil && !r.Replayed {
			out[places[i]].Memory = workspace.NewView(item.turn, workspace.Access{}, now)
		}
	}
	return out, nil
}

// completePast replaces the drafts of the turns that say something together with turns before them, which are stored, by those of the whole
// statements.
func (svc *Service) completePast(ctx context.Context, t *tenant, drafts []*ingest.Draft) error {
	return t.View(ctx, func(r graph.Reader) error {
		for i, d := range drafts {
			item := d.Item.(*pastItem)
			plain := d
			if item.plain != nil {
				plain = item.plain // the view runs again
			}
			x, err := ingest.Complete(r, plain.Memory, plain.Memory.OccurredAt)
			if err != nil {
				return err
			}
			if item.plain, drafts[i] = nil, plain; x == nil {
				continue
			}
			whole := svc.analyseCompleted(plain.Memory, x)
			whole.Item, whole.Keyed, whole.Sight = item, plain.Keyed, plain.Sight
			item.plain, drafts[i] = plain, whole
		}
		return nil
	})
}

// defaultConsents returns the default consent of each namespace in which a turn names none.
func (svc *Service) defaultConsents(ctx context.Context, t *tenant, in []Observation) (map[string]graph.Consent, error) {
	consents := map[string]graph.Consent{}
	for _, x := range in {
		if _, known := consents[x.Namespace]; known || x.Consent != "" {
			continue
		}
		consent, err := svc.ingest.DefaultConsent(ctx, t.Tenant, x.Namespace)
		if err != nil {
			return nil, err
		}
		consents[x.Namespace] = consent
	}
	return consents, nil
}

// checkPast validates one turn and drafts it without an analysis.
func (svc *Service) checkPast(c workspace.Caller, in Observation, consents map[string]graph.Consent, now time.Time) (*ingest.Draft, *graph.Error) {
	defaulted := in.Consent == ""
	if defaulted {
		in.Consent = consents[in.Namespace]
	}
	switch {
	case in.OccurredAt.IsZero():
		return nil, graph.FieldError(graph.CodeInvalidRequest, "occurredAt", "is required for a past turn")
	case in.OccurredAt.After(now.Add(clockSkew)):
		return nil, graph.FieldError(graph.CodeInvalidRequest, "occurredAt", "is in the future")
	}
	d, _, fault := svc.draftObservation(c, in)
	if fault != nil {
		return nil, fault
	}
	d.Memory.ConsentDefaulted = defaulted
	return d, nil
}

// pastItem stores a turn of a conversation that is over.
type pastItem struct {
	svc    *Service
	buffer *sessionBuffer
	plain  *ingest.Draft // of a turn that says something together with an earlier one, the draft of what was said; nil: it stands alone
	turn   *graph.Memory // that turn, as it was stored
}

// Enters reports that the turn does not enter L0.
func (item *pastItem) Enters() bool { return false }

// Store writes the turn into L1, unless it was observed when it was said.
func (item *pastItem) Store(s *ingest.WriteTx, d *ingest.Draft, near []ingest.Neighbour) (ingest.RememberResult, error) {
	p, err := s.Policy(d.Memory.Namespace)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	if err := lifecycle.Admits(p, d.Memory.Consent); err != nil {
		return ingest.RememberResult{Error: item.svc.ItemError(err)}, nil
	}
	left := departuresOf(s, item.buffer)
	said := d
	if item.plain != nil {
		said = item.plain
	}
	known, err := left.findObserved(s, said)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	if known != nil {
		r := ingest.RememberResult{Memory: workspace.NewView(known, workspace.Access{}, s.Now), Replayed: true}
		return r, s.KeepAnswer(d, known.ID, r)
	}
	m, err := s.NewMemory(said)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	left.countImported(m)
	var r ingest.RememberResult
	if item.plain != nil {
		r, err = settleCompleted(s, item.buffer, d, item.plain, m, near, graph.EventCreated)
		item.turn = m
	} else {
		r, err = settleTurn(s, item.buffer, d, m, near, graph.EventCreated)
	}
	if err != nil {
		return ingest.RememberResult{}, err
	}
	return r, s.KeepAnswer(d, m.ID, r)
}

// Bounds for recognising a turn that was observed when it was said.
const (
	liveWithin = time.Minute      // from when it was said to when it was recorded
	sameWithin = 15 * time.Minute // between the two times: a transcript has the begin of an answer, a hook its end
)

// findObserved returns the turn that the conversation of a past turn has already because it was observed when
// it was said, for example by a hook of the agent whose transcript is imported; nil: it has none that
// the caller sees.
func (d *departures) findObserved(s *ingest.WriteTx, past *ingest.Draft) (*graph.Memory, error) {
	m := past.Memory
	k := workspace.ConversationOf(m)
	turns, read := d.observed[k]
	if !read {
		x, err := loadSession(s.Tx, k)
		if err != nil {
			return nil, err
		}
		if x != nil && (x.EndedAt.IsZero() || x.Turns > x.Imported) {
			for turn, err := range graph.AllMemories(s.Tx, graph.MemoryQuery{Undamaged: true, Namespaces: []string{k.Namespace}, Session: k.Session}) {
				if err != nil {
					return nil, err
				}
				if turn.User == k.User && turn.Status() != graph.Forgotten && turn.RecordedAt.Sub(turn.OccurredAt).Abs() <= liveWithin {
					turns = append(turns, turn)
				}
			}
		}
		d.observed[k] = turns
	}
	for _, turn := range turns {
		if past.Sight.Memory(turn) && turn.SourceKind == m.SourceKind && turn.OccurredAt.Sub(m.OccurredAt).Abs() <= sameWithin && sameTurn(m.Content, turn.Content) {
			return turn, nil
		}
	}
	return nil, nil
}

// sameTurn reports whether a turn of a transcript is an observed one. A hook sends the last paragraph of
// a long answer, and cuts what is too long.
func sameTurn(transcript, observed string) bool {
	transcript, observed = strings.TrimSpace(transcript), strings.TrimSpace(observed)
	if begin, cut := strings.CutSuffix(observed, "…"); cut && begin != "" && strings.HasPrefix(transcript, begin) {
		return true
	}
	return observed != "" && strings.HasSuffix(transcript, observed)
}

// tasksOfPast returns the tasks that turns name and whose time after the last turn of their session
// is not over at now.
func tasksOfPast(turns []PastTurn, now time.Time) []taskInTurn {
	ended := map[workspace.Conversation]time.Time{}
	for _, x := range turns {
		if x.Memory != nil {
			k := workspace.ConversationOf(x.Memory.Memory)
			ended[k] = lifecycle.Later(ended[k], x.Memory.OccurredAt)
		}
	}
	named := map[workspace.Conversation]map[string]bool{}
	var found []taskInTurn
	for _, x := range turns {
		if x.Memory == nil || x.Memory.Status() == graph.Forgotten || x.Memory.Consent == graph.ConsentNone {
			continue
		}
		k := workspace.ConversationOf(x.Memory.Memory)
		if !ended[k].Add(lifecycle.TaskTTL).After(now) {
			continue
		}
		if named[k] == nil {
			named[k] = map[string]bool{}
		}
		tasks := tasksOf(x.Memory.Memory, false)
		for i, task := range tasks[:min(len(tasks), lifecycle.MaxTurnTasks)] {
			text := extract.Canonical(task.Text)
			found = append(found, taskInTurn{turn: x.Memory.Memory, index: i, task: task, repeated: named[k][text], ended: ended[k], needs: true})
			named[k][text] = true
		}
	}
	return found
}
