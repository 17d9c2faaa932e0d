package ingest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/dialogue"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Bounds of what a text is completed with.
const (
	memoriesBefore = 8                // memories among which the statement is that a text completes
	completedSoon  = 10 * time.Minute // from a statement to what completes it, outside of a session
	completedTurns = time.Hour        // the same in a session
	longestPart    = 100              // bytes of a text that completes another one
)

// correctedCertainty is the certainty, [0,1], with which a correction of a word ("Sorry, I meant 10.") revises the statement before it.
const correctedCertainty = 0.9

// Completion is what a text of a user says together with the memory before it: "Sorry, I meant 10." corrects a value of what the user
// said, "yes" answers the question of the assistant.
type Completion struct {
	Text     string        // the whole statement
	Before   graph.ID      // the memory directly before the text
	Earlier  *graph.Memory // the memory whose words it takes: that one, or the statement that it was completed to
	Corrects bool          // it corrects a value of Earlier; otherwise it answers
}

// MayComplete reports whether the text of a turn may say something together with the turn before it, by its form.
func MayComplete(before, m *graph.Memory) bool {
	switch {
	case !mayComplete(m) || before == nil:
		return false
	case before.SourceKind == graph.FromAssistant:
		_, ok := dialogue.Answered(before.Content, m.Content)
		return ok
	}
	_, ok := dialogue.Correction(m.Content)
	return ok && before.SourceKind == graph.FromUser
}

// mayComplete reports whether a text may say something only together with what was said before it.
func mayComplete(m *graph.Memory) bool {
	return m.SourceKind == graph.FromUser && m.Consent != graph.ConsentNone && !m.Stated && m.Procedure == nil && len(m.Content) <= longestPart
}

// Complete returns what a turn says together with the memory directly before it in its conversation; nil: it stands alone. m is stored
// already, or has no id yet. at is when it was said.
func Complete(r graph.Reader, m *graph.Memory, at time.Time) (*Completion, error) {
	if !mayComplete(m) {
		return nil, nil
	}
	if _, corrects := dialogue.Correction(m.Content); !corrects && m.Session == "" {
		return nil, nil
	}
	before, err := before(r, m)
	if err != nil || before == nil || before.Consent == graph.ConsentNone || before.User != m.User || before.Project != m.Project {
		return nil, err
	}
	within := completedTurns
	if m.Session == "" {
		within = completedSoon
	}
	if said := lifecycle.FirstTime(before.OccurredAt, before.RecordedAt); at.Before(said) || at.Sub(said) > within {
		return nil, nil
	}
	x := &Completion{Before: before.ID, Earlier: before}
	ok := false
	switch {
	case before.SourceKind == graph.FromAssistant && m.Session != "":
		x.Text, ok = dialogue.Answered(before.Content, m.Content)
	case before.SourceKind == graph.FromUser && workspace.SameSpeaker(before, m):
		repair, repairs := dialogue.Correction(m.Content)
		if !repairs {
			return nil, nil
		}
		if x.Earlier, err = completed(r, before); err != nil || !correctable(x.Earlier) {
			return nil, err
		}
		x.Corrects = true
		x.Text, ok = dialogue.Corrected(x.Earlier.Content, repair)
	}
	if !ok {
		return nil, nil
	}
	return x, nil
}

// before returns the memory directly before a turn: in its session, whoever speaks; outside of sessions the last one of its user. nil:
// there is none. Tasks and completed statements, which nobody spoke, are passed over.
func before(r graph.Reader, m *graph.Memory) (*graph.Memory, error) {
	q := graph.MemoryQuery{Undamaged: true, Namespaces: []string{m.Namespace}, Session: m.Session, After: m.ID, Descending: true, Limit: memoriesBefore}
	if m.Session == "" {
		q.Users = []string{m.User}
	}
	all, err := r.ListMemories(q)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		spoken := x.Status() != graph.Forgotten && !lifecycle.IsTask(x) && !lifecycle.MadeOfOthers(x)
		if m.Session == "" {
			spoken = spoken && x.SourceKind == graph.FromUser
		}
		if !spoken {
			continue
		}
		turn, _, err := lifecycle.CompletedFrom(r, x)
		if err != nil {
			return nil, err
		}
		if turn == "" {
			if m.Session == "" && x.Session != "" {
				return nil, nil
			}
			return x, nil
		}
	}
	return nil, nil
}

// completed returns the ACTIVE statement that a turn makes together with an earlier one, or else the turn.
func completed(r graph.Reader, turn *graph.Memory) (*graph.Memory, error) {
	if turn.Status() != graph.Expired {
		return turn, nil
	}
	derived, err := r.Edges(turn.ID, graph.In, graph.DerivedFrom)
	if err != nil {
		return nil, err
	}
	for _, e := range derived {
		m, err := r.Memory(e.From)
		if known, err := graph.Found(err); err != nil {
			return nil, err
		} else if !known || m.Status() != graph.Active {
			continue
		}
		if by, _, err := lifecycle.CompletedFrom(r, m); err != nil || by == turn.ID {
			return m, err
		}
	}
	return turn, nil
}

// correctable reports whether a statement holds as it was said: it is ACTIVE, and no part of it has ended.
func correctable(m *graph.Memory) bool {
	return m.Status() == graph.Active && m.SourceKind == graph.FromUser && m.Consent != graph.ConsentNone && !m.Stated && m.Procedure == nil && m.Pattern == nil &&
		m.Type != graph.Document && m.State().ValidTo.IsZero() && m.SupersededBy == "" &&
		!slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
			st := c.State()
			return st.RevisedBy != "" || st.Withdrawn || st.Corrected || !st.ValidTo.IsZero()
		})
}

// Trust returns the trust of the statement that a turn makes: the least of both. The authority of an answer is that of the user.
func (x *Completion) Trust(turn *graph.Memory) graph.Trust {
	t := turn.Trust().Least(x.Earlier.Trust())
	if !x.Corrects {
		t.Authority = turn.Authority
	}
	return t
}

// Complete makes a draft, analysed as the whole statement, a draft of that statement.
func (d *Draft) Complete(x *Completion) {
	d.completion = x
	m := d.Memory
	t := x.Trust(m)
	m.Authority, m.Consent, m.Sensitivity = t.Authority, t.Consent, t.Sensitivity
	m.Confidence = min(m.Confidence, (1+m.Authority)/2)
	m.ConsentDefaulted = m.ConsentDefaulted || x.Earlier.ConsentDefaulted
}

// Stands reports whether a draft still says what it says together with the earlier memory, as the transaction reads it. A correction has
// to revise that memory. buffered says that it may be in L0.
func (s *WriteTx) Stands(d *Draft, buffered bool) (bool, error) {
	x := d.completion
	m, err := s.Tx.Memory(x.Earlier.ID)
	if known, err := graph.Found(err); !known {
		return false, err
	}
	if m.Status() == graph.Forgotten || m.Content != x.Earlier.Content || m.Trust() != x.Earlier.Trust() || !buffered && lifecycle.InBuffer(m) {
		return false, nil
	}
	if !x.Corrects {
		return true, nil
	}
	if !correctable(m) {
		return false, nil
	}
	_, revises, err := s.correction(d, d.Memory, m)
	return revises, err
}

// correction returns the revision of the statement that a draft corrects. ok reports whether the rules allow it.
func (s *WriteTx) correction(d *Draft, m, corrected *graph.Memory) (x Revision, ok bool, err error) {
	if isEpisode(corrected) || d.said == nil {
		return x, false, nil
	}
	if undone, err := s.takenBack(m.ID, corrected.ID); undone || err != nil {
		return x, false, err
	}
	rules, err := s.Policy(m.Namespace)
	if err != nil {
		return x, false, err
	}
	earlier, later := s.statementOf(corrected), statement{m, d.said, &d.analysis}
	r := relationOf(later.said, earlier.said, false)
	r.Kind, r.Certainty = reader.Corrected, max(r.Certainty, correctedCertainty)
	x = Revision{memory: corrected, certainty: r.Certainty, kind: r.Kind}
	return x, s.revises(rules, later, earlier, r, r.Certainty), nil
}

// relateCorrected makes the statement of a correction revise the statement that it corrects.
func (s *WriteTx) relateCorrected(out *Relations, d *Draft, m *graph.Memory, seen map[graph.ID]bool) error {
	if d.completion == nil || !d.completion.Corrects {
		return nil
	}
	corrected, err := s.Tx.Memory(d.completion.Earlier.ID)
	if err != nil {
		return err
	}
	x, ok, err := s.correction(d, m, corrected)
	if err != nil || !ok {
		return err
	}
	seen[corrected.ID] = true
	out.latest = lifecycle.Later(out.latest, corrected.OccurredAt)
	out.Revised = append(out.Revised, x)
	return nil
}

// NewCompleted returns the statement of a draft that completes a turn as a memory created now. Its state is not set.
func (s *WriteTx) NewCompleted(d *Draft, turn *graph.Memory) (*graph.Memory, error) {
	m, err := s.NewMemory(d)
	if err != nil {
		return nil, err
	}
	if m.ID, err = lifecycle.CompletedID(turn.CreatedAt, turn.ID, d.completion.Earlier.ID); err != nil {
		return nil, err
	}
	m.Chain = m.ID
	if end := d.completion.Earlier.ExpiresAt; !end.IsZero() && (m.ExpiresAt.IsZero() || end.Before(m.ExpiresAt)) {
		m.ExpiresAt = end
	}
	return m, nil
}

// LinkCompleted records which turns a statement was taken from.
func (s *WriteTx) LinkCompleted(d *Draft, m, turn *graph.Memory) error {
	var errs error
	for _, from := range []graph.ID{turn.ID, d.completion.Earlier.ID} {
		errs = errors.Join(errs, s.Tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.DerivedFrom, To: from, Weight: 1, At: s.Now}))
	}
	return errs
}

// newFrom returns the new memory of a draft. If it is the whole statement of what the caller of remember said, that is stored too, as the
// turn: it is kept as it was said, and ended, because the statement is what is found.
func (s *WriteTx) newFrom(d *Draft) (m, turn *graph.Memory, err error) {
	if d.plain == nil {
		m, err = s.NewMemory(d)
		return m, nil, err
	}
	if turn, err = s.NewMemory(d.plain); err != nil {
		return nil, nil, err
	}
	turn.Claims, turn.ExternalID, turn.Meta, turn.Tags = nil, "", nil, nil
	turn.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier = graph.Expired, graph.L1 })
	if err := s.Tx.PutMemory(turn, graph.EventCreated); err != nil {
		return nil, nil, err
	}
	m, err = s.NewCompleted(d, turn)
	return m, turn, err
}

// said returns who says an input, when and where, as its memory will have it.
func (in *RememberInput) said(c workspace.Caller) *graph.Memory {
	x := *in
	x.User, x.Agent = cmp.Or(x.User, c.User), cmp.Or(x.Agent, c.Agent)
	return &graph.Memory{
		Namespace: cmp.Or(x.Namespace, workspace.DefaultNamespace), User: x.Owner(), Agent: x.Agent, Session: x.Session, Project: x.Project,
		Content: x.Content, Consent: x.Consent, SourceKind: cmp.Or(x.SourceKind, graph.FromUser), Principal: workspace.PrincipalOf(c, x.Source),
		Stated:     x.Subject != "" || x.Predicate != "" || x.Object != "" || x.isProcedure() || x.Type != "" || x.shares != nil || x.Cites != "",
		OccurredAt: graph.Millis(lifecycle.FirstTime(x.OccurredAt, x.ValidFrom)),
	}
}

// corrects reports whether an input may correct a word of what was said before it, by its form.
func (in *RememberInput) corrects(c workspace.Caller) bool {
	if !mayComplete(in.said(c)) {
		return false
	}
	_, ok := dialogue.Correction(in.Content)
	return ok
}

// withCompleted completes the inputs that correct a word of what their user said just before.
func (svc *Service) withCompleted(ctx context.Context, c workspace.Caller, t *tenant, in []RememberInput) ([]RememberInput, error) {
	if !slices.ContainsFunc(in, func(x RememberInput) bool { return x.corrects(c) }) {
		return in, nil
	}
	in = slices.Clone(in)
	for i := range in {
		m := in[i].said(c)
		if !in[i].corrects(c) || !c.Sees(m.Namespace, m.User) {
			continue // prepare refuses what the caller does not see
		}
		err := t.View(ctx, func(r graph.Reader) error {
			x, err := Complete(r, m, lifecycle.FirstTime(m.OccurredAt, t.Now()))
			if err == nil && x != nil && x.Corrects && c.Sight().Memory(x.Earlier) {
				in[i].completion = x
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}
