package lifecycle

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/graph"
)

// CurrentSalience is the salience S₀ of a memory after its uses, and the last day that it
// contains. Each day of use raises it once, by η·(1+Δ)·(1−S). Reads compute it; a write stores
// it.
func CurrentSalience(m *graph.Memory) (salience float64, day int32) {
	salience, day = m.Salience, m.SalienceDay
	for _, d := range m.Usage.CertainDays() {
		if d > day {
			salience, day = plasticity.Reinforce(salience, plasticity.Eta, m.Surprise), d
		}
	}
	return salience, day
}

// RaiseSalience applies the days of use that the salience does not contain yet. It
// reports whether there was one.
func RaiseSalience(m *graph.Memory) bool {
	before := m.SalienceDay
	m.Salience, m.SalienceDay = CurrentSalience(m)
	return m.SalienceDay != before
}

// Reinforce raises the salience of a memory that is repeated, unless a use or a repetition on the
// same UTC day has raised it, and renews its anchor.
func Reinforce(m *graph.Memory, now time.Time) {
	RaiseSalience(m)
	if today := graph.Day(now); m.SalienceDay < today {
		m.Salience, m.SalienceDay = plasticity.Reinforce(m.Salience, plasticity.Eta, m.Surprise), today
	}
	m.AnchorAt, m.UpdatedAt = now, now
}

// StandingRule reports whether a memory is a rule that holds until someone objects ("Always answer in
// Dutch"), and nothing contradicts it.
func StandingRule(m *graph.Memory) bool {
	return m.Type == graph.Procedural && m.Conflict <= ContestedAbove && reader.RuleIn(m.Content) == reader.StandingRule
}

// MayBePermanent reports whether a memory may become an engram, apart from the gates: it was
// written with consent and does not pass by itself.
func MayBePermanent(m *graph.Memory) bool { return m.Consent != graph.ConsentNone && !Passes(m) }

// Passes reports whether a memory states what passes by itself or has been revised: its validity
// or that of a claim is bounded or began after it was told, it has a time to live, it is a task,
// it names a day of a year that was to come when it was told, or its words say so.
func Passes(m *graph.Memory) bool {
	for i := range m.Claims {
		s := m.Claims[i].State()
		if s.RevisedBy != "" || !s.ValidTo.IsZero() || s.ValidFrom.After(m.RecordedAt) {
			return true
		}
	}
	return !m.State().ValidTo.IsZero() || !m.ExpiresAt.IsZero() || m.ValidFrom.After(m.RecordedAt) || IsTask(m) || extract.Passing(m.Content) || namesDayAhead(m)
}

// namesDayAhead reports whether the text of a memory names a time in a certain year that begins after it was told. A day without
// a year may be one of every year.
func namesDayAhead(m *graph.Memory) bool {
	return slices.ContainsFunc(temporal.Read(m.Content, m.OccurredAt).Spans, func(s temporal.Span) bool {
		return s.From.After(m.RecordedAt) && strings.Contains(m.Content[s.Start:s.End], strconv.Itoa(s.From.Year()))
	})
}

// LaysDownRules reports whether what a source says may be a rule for who reads it. What an assistant, a tool or a document advises is none.
func LaysDownRules(from graph.SourceKind) bool {
	return from == graph.FromUser || from == graph.FromSystem
}

// Instructs reports whether a procedure may stand among the rules and procedures of a prompt: the user or the system said it, somebody stored
// it as a procedure on purpose, or it was learned. What an assistant or a tool merely said is advice.
func Instructs(m *graph.Memory) bool {
	return LaysDownRules(m.SourceKind) || m.SourceKind == graph.FromConsolidation || m.Typed || m.Procedure != nil
}
