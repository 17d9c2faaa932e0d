package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Claim is one thing that a memory says, as it was read in the memory's text. A claim has
// no row of its own: it is part of its memory, and shares its scope, consent and erasure.
type Claim struct {
	N          int         // number in its memory, from 1; it never changes
	Qualifiers []Qualifier // what limits the claim
	Modality   string      // how the text presents it, in capitals: "ASSERTED", "QUESTION", "PLAN"
	Single     bool        // the predicate has one value at a time, by the reader's table
	Speaker    string      // who says it, where the memory does not name the speaker in its own fields
	Certainty  float64     // of the reading, [0,1]
	Start, End int         // byte offsets of the clause in the content; both 0: not read in the content

	// History holds what is recorded of the claim, oldest first, at least one state. A
	// correction or a revision appends a state and changes none.
	History []ClaimState
}

// Qualifier limits a claim: a place, a condition, an occasion, an interval or a thing.
type Qualifier struct {
	Kind string // "place", "condition", "occasion", "interval" or "thing"
	Text string
}

// ClaimState is what a claim says from an instant on the recorded clock. It holds from From
// until the From of the next state.
type ClaimState struct {
	From      time.Time
	Subject   string // as written, without article; the first person is the speaker, if known; empty: whom a rule addresses
	Predicate string
	Object    string // may be empty: "Lina left"
	Negated   bool

	ValidFrom time.Time // zero: ValidFrom of the memory
	ValidTo   time.Time // end of the interval, exclusive; zero: ValidTo of the memory's state

	RevisedBy ID   // the memory that ended or withdrew the claim; empty: none
	Withdrawn bool // it never held
	Corrected bool // a person set this state
	Confirmed bool // a person found this state to be read right
}

// Limits of the claims of a memory.
const (
	MaxClaims      = 64  // claims of a memory
	MaxClaimStates = 256 // states of a claim
	MaxQualifiers  = 16  // qualifiers of a claim
)

// ClaimID names a claim: the id of its memory, a point, and its number. It needs no index.
func ClaimID(memory ID, n int) string { return string(memory) + "." + strconv.Itoa(n) }

// ParseClaimID splits the id of a claim. ok is false for anything but the result of ClaimID.
func ParseClaimID(s string) (memory ID, n int, ok bool) {
	id, number, found := strings.Cut(s, ".")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 || strconv.Itoa(n) != number || !ID(id).Valid() {
		return "", 0, false
	}
	return ID(id), n, true
}

// Claim returns the claim with a number, or nil.
func (m *Memory) Claim(n int) *Claim {
	if at := slices.IndexFunc(m.Claims, func(c Claim) bool { return c.N == n }); at >= 0 {
		return &m.Claims[at]
	}
	return nil
}

// State is the present state.
func (c *Claim) State() ClaimState { return c.History[len(c.History)-1] }

// StateAt is the state that was recorded at t, and whether the claim was recorded by then.
func (c *Claim) StateAt(t time.Time) (ClaimState, bool) {
	for _, s := range slices.Backward(c.History) {
		if !s.From.After(t) {
			return s, true
		}
	}
	return ClaimState{}, false
}

// SetState records a change at t, or one millisecond after the last state if t is not later
// than it. It returns the instant that it recorded. It does not write to the array of
// History, which copies of the claim may share.
func (c *Claim) SetState(t time.Time, change func(*ClaimState)) time.Time {
	t = Millis(t)
	next := c.State()
	if !t.After(next.From) {
		t = next.From.Add(time.Millisecond)
	}
	change(&next)
	next.From = t
	c.History = append(slices.Clip(c.History), next)
	return t
}

// CloneClaims returns a copy of claims that can be changed without changing the original.
func CloneClaims(claims []Claim) []Claim {
	out := slices.Clone(claims)
	for i := range out {
		out[i].History = slices.Clone(out[i].History)
	}
	return out
}

// Interval is the part of the world's time in which a state holds: its own bounds, within
// those of the memory whose state is recorded at the same instant. to is zero if it has no
// end.
func (s ClaimState) Interval(m *Memory, state State) (from, to time.Time) {
	from, to = s.ValidFrom, s.ValidTo
	if from.IsZero() {
		from = m.ValidFrom
	}
	if to.IsZero() || !state.ValidTo.IsZero() && state.ValidTo.Before(to) {
		to = state.ValidTo
	}
	return from, to
}

// validateClaims returns why the claims can't be stored, or nil.
func (m *Memory) validateClaims() error {
	if len(m.Claims) > MaxClaims {
		return FieldError(CodeLimitExceeded, "claims", "has %d items, more than %d", len(m.Claims), MaxClaims)
	}
	for i := range m.Claims {
		if err := m.Claims[i].validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(m.Claims[:i], func(c Claim) bool { return c.N == m.Claims[i].N }) {
			return FieldError(CodeInvalidRequest, "claims", "two have the number %d", m.Claims[i].N)
		}
	}
	return nil
}

func (c *Claim) validate() error {
	at := fmt.Sprintf("claims.%d.", c.N)
	switch {
	case c.N < 1:
		return FieldError(CodeInvalidRequest, "claims", "numbers begin at 1")
	case !InUnit(c.Certainty):
		return UnitError(at + "certainty")
	case len(c.History) == 0:
		return FieldError(CodeInvalidRequest, at+"history", "must hold at least one state")
	case len(c.History) > MaxClaimStates:
		return FieldError(CodeLimitExceeded, at+"history", "has %d states, more than %d", len(c.History), MaxClaimStates)
	case len(c.Qualifiers) > MaxQualifiers:
		return FieldError(CodeLimitExceeded, at+"qualifiers", "has %d items, more than %d", len(c.Qualifiers), MaxQualifiers)
	case c.Start < 0 || c.End < c.Start:
		return FieldError(CodeInvalidRequest, at+"start", "must be an offset up to end")
	}
	short := func(field, text string, limit int) error {
		if len(text) > limit || !utf8.ValidString(text) {
			return FieldError(CodeInvalidRequest, at+field, "must have at most %d bytes of UTF-8", limit)
		}
		return nil
	}
	if err := short("modality", c.Modality, MaxName); err != nil {
		return err
	}
	if err := short("speaker", c.Speaker, MaxName); err != nil {
		return err
	}
	for _, q := range c.Qualifiers {
		if err := short("qualifiers", q.Kind+q.Text, 2*MaxName); err != nil {
			return err
		}
	}
	for i, s := range c.History {
		switch {
		case s.From.IsZero() || i > 0 && !s.From.After(c.History[i-1].From):
			return FieldError(CodeInvalidRequest, at+"history", "state %d is not later than the one before", i)
		case s.Predicate == "":
			return FieldError(CodeInvalidRequest, at+"predicate", "must not be empty")
		case s.RevisedBy != "" && !s.RevisedBy.Valid():
			return FieldError(CodeInvalidRequest, at+"revisedBy", "must be a UUID")
		}
		for _, f := range []struct {
			name, text string
			limit      int
		}{{"subject", s.Subject, MaxName}, {"predicate", s.Predicate, MaxName}, {"object", s.Object, 4 * MaxName}} {
			if err := short(f.name, f.text, f.limit); err != nil {
				return err
			}
		}
	}
	return nil
}
