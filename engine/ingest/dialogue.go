package ingest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/dialogue"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Bounds of what a text is completed with.
const (
	TurnsBefore   = 8                // memories before a text among which the statement is that it completes
	repairedSoon  = 10 * time.Minute // from a statement to its correction outside of a session
	repairedTurns = 24 * time.Hour   // the same in a session
)

// correctedCertainty is the certainty, [0,1], with which a correction of a word ("Sorry, I meant 10.") revises the statement before it.
const correctedCertainty = 0.9

// dependent reports whether the text of a user may need what was said before it: it corrects a word or is short.
func dependent(m *graph.Memory) bool {
	if m.SourceKind != graph.FromUser || m.Stated || m.Summary != "" || len(m.Content) > 200 {
		return false
	}
	_, corrects := dialogue.Correction(m.Content)
	return corrects || m.Session != "" && len(strings.Fields(m.Content)) <= 6
}

// Before returns the memories of the owner and the session of m that were recorded before it, the newest first; of a new memory, the
// last ones.
func Before(r graph.Reader, m *graph.Memory) ([]*graph.Memory, error) {
	if !dependent(m) {
		return nil, nil
	}
	all, err := r.ListMemories(graph.MemoryQuery{
		Undamaged: true, Namespaces: []string{m.Namespace}, Users: []string{m.User}, Session: m.Session, Project: m.Project,
		After: m.ID, Descending: true, Limit: TurnsBefore,
	})
	return slices.DeleteFunc(all, func(x *graph.Memory) bool {
		return x.Session != m.Session || x.Project != m.Project || x.Status() == graph.Forgotten || lifecycle.IsTask(x)
	}), err
}

// Complete sets what the text of a user says in full, if it says something only together with what was said before it in its
// conversation, the newest first: "Sorry, I meant 10." corrects a word of the last statement of the user, "yes" answers the question of the
// assistant. It returns the statement that is corrected, as it was said; empty: none is.
func Complete(m *graph.Memory, before []*graph.Memory, at time.Time) (corrects string) {
	if !dependent(m) || len(before) == 0 {
		return ""
	}
	r, repairs := dialogue.Correction(m.Content)
	if last := before[0]; (!repairs || !r.Sure) && m.Session != "" && last.SourceKind == graph.FromAssistant && soon(last, at, repairedTurns) {
		if said, ok := dialogue.Answered(last.Content, m.Content); ok {
			m.Summary = said
			return ""
		}
	}
	if !repairs {
		return ""
	}
	within := repairedSoon
	if m.Session != "" {
		within = repairedTurns
	}
	i := slices.IndexFunc(before, func(x *graph.Memory) bool {
		return workspace.SameSpeaker(x, m) && !dialogue.Filler(x.Says()) && !strings.HasSuffix(strings.TrimSpace(x.Says()), "?")
	})
	if i < 0 || !soon(before[i], at, within) {
		return ""
	}
	said, ok := dialogue.Corrected(before[i].Says(), r, func(sentence string) string { return objectIn(sentence, m) })
	if !ok {
		return ""
	}
	if m.Summary = said; said == before[i].Says() {
		return "" // it is said twice
	}
	return before[i].Says()
}

// soon reports whether an instant follows a memory within some time.
func soon(m *graph.Memory, at time.Time, within time.Duration) bool {
	said := lifecycle.FirstTime(m.OccurredAt, m.RecordedAt)
	return !at.Before(said) && at.Sub(said) <= within
}

// objectIn returns the object of the last claim of a sentence by the speaker of m.
func objectIn(sentence string, m *graph.Memory) string {
	claims := reader.Read(sentence, reader.Hints{Speaker: lifecycle.Speaker(m)})
	if len(claims) == 0 {
		return ""
	}
	return claims[len(claims)-1].Object
}

// says returns the text of an input, completed by what was said before it.
func (in *RememberInput) says() string {
	if in.completed != "" {
		return in.completed
	}
	return in.Content
}

// said returns who says an input, when and where, as its memory will have it.
func (in *RememberInput) said(c workspace.Caller, now time.Time) *graph.Memory {
	x := *in
	x.User, x.Agent = cmp.Or(x.User, c.User), cmp.Or(x.Agent, c.Agent)
	return &graph.Memory{
		Namespace: cmp.Or(x.Namespace, workspace.DefaultNamespace), User: x.Owner(), Agent: x.Agent, Session: x.Session, Project: x.Project,
		Content: x.Content, Summary: x.completed, SourceKind: cmp.Or(x.SourceKind, graph.FromUser), Principal: workspace.PrincipalOf(c, x.Source),
		OccurredAt: lifecycle.FirstTime(x.OccurredAt, x.ValidFrom, now),
	}
}

// withCompleted completes the inputs that correct a word of what their user said just before, in this call or an earlier one.
func (svc *Service) withCompleted(ctx context.Context, c workspace.Caller, t *tenant, in []RememberInput) ([]RememberInput, error) {
	out := in
	for i := range in {
		x := &in[i]
		if x.Subject != "" || x.Predicate != "" || x.Object != "" {
			continue
		}
		if _, corrects := dialogue.Correction(x.Content); !corrects {
			continue
		}
		m := x.said(c, t.Now())
		if !c.Sees(m.Namespace, m.User) {
			continue // prepare refuses it
		}
		var before []*graph.Memory
		for k := i - 1; k >= 0; k-- {
			if y := out[k].said(c, t.Now()); y.Namespace == m.Namespace && y.User == m.User && y.Session == m.Session && y.Project == m.Project {
				before = append(before, y)
			}
		}
		err := t.View(ctx, func(r graph.Reader) error {
			stored, err := Before(r, m)
			before = append(before[:len(before):len(before)], stored...)
			return err
		})
		if err != nil {
			return nil, err
		}
		before = slices.DeleteFunc(before, func(x *graph.Memory) bool { return len(x.History) > 0 && !c.Sight().Memory(x) })
		if corrects := Complete(m, before, m.OccurredAt); corrects != "" {
			if &out[0] == &in[0] {
				out = slices.Clone(in)
			}
			out[i].completed, out[i].corrects = m.Summary, corrects
		}
	}
	return out, nil
}

// relateCorrected makes a correction of a word revise the statement that it corrects, which the same speaker made just before.
func (s *WriteTx) relateCorrected(out *Relations, d *Draft, m *graph.Memory, at time.Time, seen map[graph.ID]bool) error {
	if d.Corrects == "" {
		return nil
	}
	is := func(x *graph.Memory) bool {
		return x.ID != m.ID && x.Says() == d.Corrects && workspace.SameSpeaker(x, m)
	}
	var id graph.ID
	for i := range slices.Backward(s.written) {
		if x := s.written[i].memory; is(x) && x.Session == m.Session {
			id = x.ID
			break
		}
	}
	if id == "" {
		plain := *m
		plain.Summary = ""
		before, err := Before(s.Tx, &plain)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(before, is); i >= 0 {
			id = before[i].ID
		}
	}
	if id == "" {
		return nil // erased meanwhile
	}
	other, err := s.lastActive(id)
	if err != nil || other == nil || seen[other.ID] || isOver(other, at) {
		return err
	}
	if undone, err := s.takenBack(m.ID, other.ID); undone || err != nil {
		return err
	}
	rules, err := s.Policy(m.Namespace)
	if err != nil {
		return err
	}
	earlier, later := s.statementOf(other), statement{m, d.said, &d.analysis}
	r := relationOf(later.said, earlier.said, false)
	r.Kind, r.Certainty, r.Veto = reader.Corrected, max(r.Certainty, correctedCertainty), ""
	x := Revision{memory: other, certainty: r.Certainty, kind: r.Kind}
	revises := s.revises(rules, later, earlier, r, r.Certainty)
	if revises && earlier.said.Facts() > 1 {
		x.claim = claimOf(earlier, r.Earlier)
		revises = x.claim > 0
	}
	seen[other.ID] = true
	out.latest = lifecycle.Later(out.latest, other.OccurredAt)
	if revises {
		out.Revised = append(out.Revised, x)
	} else {
		out.Rivals = append(out.Rivals, Contradiction{ID: other.ID, authority: other.Authority, score: rivalsTo})
	}
	return nil
}
