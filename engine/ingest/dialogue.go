package ingest

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/dialogue"
	"github.com/somnograph/somnograph/engine/reader/modality"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Bounds of what a turn is completed with.
const (
	turnsBefore    = 6         // turns before it that are read
	completedTurns = time.Hour // from the earlier turn to it
)

// correctedCertainty is the certainty, [0,1], with which a correction of a value ("Sorry, I meant 10.") revises the statement before it.
const correctedCertainty = 0.9

// Completion is what a turn of a user says together with an earlier turn: "Sorry, I meant 10." corrects a value of what the user said.
type Completion struct {
	Text    string        // the whole statement
	Earlier *graph.Memory // the turn whose words it takes
	Revises *graph.Memory // the ACTIVE statement that it corrects: Earlier, or what an earlier correction made of it
}

// MayComplete reports whether a turn may say something together with turns before it, by its form.
func MayComplete(m *graph.Memory) bool {
	if m.SourceKind != graph.FromUser || m.Consent == graph.ConsentNone || m.Session == "" || m.Stated || m.Procedure != nil {
		return false
	}
	_, ok := dialogue.Correction(m.Content)
	return ok
}

// Complete returns what a turn says together with turns before it in its conversation; nil: it stands alone. m is stored already, or has no
// id yet. at is when it was said.
func Complete(r graph.Reader, m *graph.Memory, at time.Time) (*Completion, error) {
	if !MayComplete(m) {
		return nil, nil
	}
	repair, _ := dialogue.Correction(m.Content)
	earlier, between, err := turnBefore(r, m, at)
	if earlier == nil || err != nil {
		return nil, err
	}
	x := &Completion{Earlier: earlier, Revises: earlier}
	if made, err := completedBy(r, earlier); err != nil {
		return nil, err
	} else if made != nil {
		_, root, err := lifecycle.CompletedFrom(r, made)
		if err != nil {
			return nil, err
		}
		if x.Earlier, err = r.Memory(root); err != nil {
			return nil, err
		}
		x.Revises = made
	}
	if x.Earlier.Status() == graph.Forgotten || x.Earlier.SourceKind != graph.FromUser || !correctable(x.Revises) {
		return nil, nil
	}
	said, ok := dialogue.Corrected(x.Revises.Content, repair, between...)
	if !ok {
		return nil, nil
	}
	if x.Text = said; x.Earlier != x.Revises {
		// A second correction of one value. One of another value would take words from three turns.
		if said, ok = dialogue.Corrected(x.Earlier.Content, repair); !ok || said != x.Text {
			return nil, nil
		}
	}
	return x, nil
}

// turnBefore returns the last turn of the user before a turn of the same conversation, and what the assistant said since, newest first. nil: the
// turns before it are of others, too far back or too old. Tasks and completed statements, which nobody spoke, are passed over.
func turnBefore(r graph.Reader, m *graph.Memory, at time.Time) (before *graph.Memory, between []string, err error) {
	all, err := r.ListMemories(graph.MemoryQuery{
		Undamaged: true, Namespaces: []string{m.Namespace}, Session: m.Session, After: m.ID, Descending: true, Limit: 2 * turnsBefore,
	})
	if err != nil {
		return nil, nil, err
	}
	for _, x := range all {
		if lifecycle.IsTask(x) || lifecycle.MadeOfOthers(x) {
			continue
		}
		if turn, _, err := lifecycle.CompletedFrom(r, x); err != nil {
			return nil, nil, err
		} else if turn != "" {
			continue
		}
		said := lifecycle.FirstTime(x.OccurredAt, x.RecordedAt)
		if x.Status() == graph.Forgotten || x.User != m.User || x.Project != m.Project || at.Before(said) || at.Sub(said) > completedTurns {
			return nil, nil, nil
		}
		switch {
		case x.SourceKind == graph.FromUser && workspace.SameSpeaker(x, m) && x.Consent != graph.ConsentNone:
			return x, between, nil
		case x.SourceKind != graph.FromAssistant || len(between) == turnsBefore:
			return nil, nil, nil
		}
		between = append(between, x.Content)
	}
	return nil, nil, nil
}

// completedBy returns the statement that a turn makes together with an earlier one; nil: it makes none.
func completedBy(r graph.Reader, turn *graph.Memory) (*graph.Memory, error) {
	if turn.Status() != graph.Expired {
		return nil, nil
	}
	made, err := lifecycle.CompletedOf(r, turn.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		if by, _, err := lifecycle.CompletedFrom(r, m); err != nil || by == turn.ID {
			return m, err
		}
	}
	return nil, nil
}

// correctable reports whether a statement holds as it was said: it is ACTIVE, and no part of it has ended.
func correctable(m *graph.Memory) bool {
	return m.Status() == graph.Active && m.SourceKind == graph.FromUser && m.Consent != graph.ConsentNone && !m.Stated && m.Procedure == nil && m.Pattern == nil &&
		m.Type != graph.Document && !m.SafetyCritical && m.State().ValidTo.IsZero() && m.SupersededBy == "" &&
		!slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
			st := c.State()
			return st.RevisedBy != "" || st.Withdrawn || st.Corrected || !st.ValidTo.IsZero()
		})
}

// Complete makes a draft, analysed as the whole statement, a draft of that statement. It has the least trust of both turns.
func (d *Draft) Complete(x *Completion) {
	d.completion = x
	m := d.Memory
	t := m.Trust().Least(x.Earlier.Trust())
	m.Authority, m.Consent, m.Sensitivity = t.Authority, t.Consent, t.Sensitivity
	m.Confidence = min(m.Confidence, (1+m.Authority)/2)
	m.ConsentDefaulted = m.ConsentDefaulted || x.Earlier.ConsentDefaulted
}

// Stands reports whether a draft still says what it says together with the earlier turn, as the transaction reads it: that turn is as it was,
// and the rules allow that the statement revises the one that it corrects.
func (s *WriteTx) Stands(d *Draft) (bool, error) {
	x := d.completion
	m, err := s.Tx.Memory(x.Earlier.ID)
	if known, err := graph.Found(err); !known {
		return false, err
	}
	if m.Status() == graph.Forgotten || m.Content != x.Earlier.Content || m.Trust() != x.Earlier.Trust() || lifecycle.InBuffer(m) {
		return false, nil
	}
	if m.ID != x.Revises.ID {
		m, err = s.Tx.Memory(x.Revises.ID)
		if known, err := graph.Found(err); !known {
			return false, err
		}
	}
	if m.Content != x.Revises.Content || !correctable(m) || !saysTheSame(d.Memory, m) {
		return false, nil
	}
	_, revises, err := s.correction(d, d.Memory, m)
	return revises, err
}

// statedAs are the modalities of what a correction may correct. A request, a wish or a question states nothing.
var statedAs = []string{modality.Asserted.String(), modality.Event.String(), modality.Past.String(), modality.Plan.String()}

// saysTheSame reports whether two statements state something, and differ in their values only.
func saysTheSame(a, b *graph.Memory) bool {
	return len(a.Claims) > 0 && len(a.Claims) == len(b.Claims) && !slices.ContainsFunc(a.Claims, func(c graph.Claim) bool {
		x := c.State()
		return !slices.Contains(statedAs, c.Modality) || !slices.ContainsFunc(b.Claims, func(o graph.Claim) bool {
			y := o.State()
			return x.Subject == y.Subject && x.Predicate == y.Predicate && x.Negated == y.Negated && c.Modality == o.Modality
		})
	})
}

// correction returns the revision of the statement that a draft corrects. ok reports whether the rules allow it.
func (s *WriteTx) correction(d *Draft, m, corrected *graph.Memory) (x Revision, ok bool, err error) {
	if d.said == nil {
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
	if d.completion == nil {
		return nil
	}
	corrected, err := s.Tx.Memory(d.completion.Revises.ID)
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
	for _, end := range []time.Time{d.completion.Earlier.ExpiresAt, turn.ExpiresAt} {
		if !end.IsZero() && (m.ExpiresAt.IsZero() || end.Before(m.ExpiresAt)) {
			m.ExpiresAt = end
		}
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
