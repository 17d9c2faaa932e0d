package workspace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
)

// ClaimView is a claim as a read sees it.
type ClaimView struct {
	ID         string // see graph.ClaimID
	Claim      *graph.Claim
	State      graph.ClaimState // recorded at the read's instant
	ValidFrom  time.Time
	ValidTo    time.Time // zero: no end is known
	Current    bool      // asserted, and true at the instant asked about
	Assertion  bool      // says what is, was or will be so, and was not withdrawn
	MemoryView *View
}

// Claims returns the claims of a memory as the read sees it, in the order of the text, with
// what is withdrawn or only asked. A memory that is erased or can't be served has none.
func (v *View) Claims(now time.Time) []ClaimView {
	if v.Unavailable != nil || v.State.Status == graph.Forgotten {
		return nil
	}
	t, at := v.Access.Instant(now), v.Access.ValidInstant(now)
	var out []ClaimView
	for i := range v.Memory.Claims {
		c := &v.Memory.Claims[i]
		s, recorded := c.StateAt(t)
		if last := c.State(); v.Access.AsOf.Recorded.IsZero() && t.Before(last.From) {
			s, recorded = last, true // recorded a few milliseconds in the future, see Claim.SetState
		}
		if !recorded {
			continue
		}
		x := ClaimView{ID: graph.ClaimID(v.ID, c.N), Claim: c, State: s, MemoryView: v}
		x.ValidFrom, x.ValidTo = s.Interval(v.Memory, v.State)
		if end := v.end(); !end.IsZero() && (x.ValidTo.IsZero() || end.Before(x.ValidTo)) {
			x.ValidTo = end
		}
		x.Assertion = !s.Withdrawn && (s.Corrected || asserts(c.Modality, s))
		stands := v.State.Status == graph.Active || v.State.Status == graph.Archived || v.State.Status == graph.Superseded
		x.Current = stands && x.Assertion && !x.ValidFrom.After(at) && (x.ValidTo.IsZero() || x.ValidTo.After(at))
		out = append(out, x)
	}
	return out
}

// ContestedBy returns those of the memories that contest the memory of the claim which contest
// this claim: those that state the same predicate of the same subject. A memory that shares no
// slot with the memory of the claim contests all its claims. What does not hold is not
// contested.
func (x ClaimView) ContestedBy(contesting []*View, now time.Time) []*View {
	if !x.Current || len(contesting) == 0 {
		return nil
	}
	all := x.MemoryView.Claims(now)
	var out []*View
	for _, other := range contesting {
		theirs := other.Claims(now)
		if sharesSlot(x, theirs) || !slices.ContainsFunc(all, func(own ClaimView) bool { return sharesSlot(own, theirs) }) {
			out = append(out, other)
		}
	}
	return out
}

// sharesSlot reports whether one of the claims states the same predicate of the same subject,
// and holds as well.
func sharesSlot(x ClaimView, claims []ClaimView) bool {
	names := claimkey.Names(x.MemoryView.Memory, x.State.Subject)
	predicate := reader.Predicate(x.State.Predicate)
	return x.Current && slices.ContainsFunc(claims, func(y ClaimView) bool {
		return y.Current && reader.Predicate(y.State.Predicate) == predicate &&
			slices.ContainsFunc(claimkey.Names(y.MemoryView.Memory, y.State.Subject), func(n string) bool { return slices.Contains(names, n) })
	})
}

// Certainty returns the certainty of the claim, [0,1]: that of its reading, or 1 if a person
// corrected or confirmed it.
func (x ClaimView) Certainty() float64 {
	if x.State.Corrected || x.State.Confirmed {
		return 1
	}
	return x.Claim.Certainty
}

// Attribute returns the name under which the predicate of the claim is compared.
func (x ClaimView) Attribute() string { return reader.Predicate(x.State.Predicate) }

// Speaker returns who says the claim.
func (x ClaimView) Speaker() string { return cmp.Or(x.Claim.Speaker, Speaker(x.MemoryView.Memory)) }

// ValidInstant returns the instant in the world that the read asks about: the valid time of
// asOf, else its recorded time, else now.
func (a Access) ValidInstant(now time.Time) time.Time {
	if !a.AsOf.Valid.IsZero() {
		return a.AsOf.Valid
	}
	return a.Instant(now)
}

// end returns when the claims of the memory stopped to hold because of its status; zero: the
// status ends nothing.
func (v *View) end() time.Time {
	switch {
	case v.State.Status == graph.Expired && !v.ExpiresAt.IsZero() && v.ExpiresAt.Before(v.State.From):
		return v.ExpiresAt
	case v.State.Status == graph.Expired, v.State.Status == graph.Superseded && v.State.ValidTo.IsZero():
		return v.State.From
	}
	return time.Time{}
}

// Until returns the instant from which on what the memory says does not hold, in the state of the view; zero: it holds.
func (v *View) Until() time.Time {
	until := v.State.ValidTo
	if end := v.end(); !end.IsZero() && (until.IsZero() || end.Before(until)) {
		until = end
	}
	return until
}

// asserts reports whether a claim of a modality says what is, was or will be so. A plan does
// only if it says from when.
func asserts(modality string, s graph.ClaimState) bool {
	switch modality {
	case reader.Asserted.String(), reader.Imperative.String(), reader.Bounded.String(), reader.Past.String(), reader.Event.String():
		return true
	case reader.Plan.String():
		return !s.ValidFrom.IsZero()
	}
	return false
}

// OtherName is a name that something had before it got another one, or the name that it got, as a memory states.
type OtherName struct {
	Name      string // canonical
	Written   string
	Namespace string
	User      string    // empty: for all users
	From      time.Time // the later name holds since then; zero: both names hold
	Only      graph.ID  // the name stands for it in this memory only; empty: in all
	Aside     bool      // a statement about something else gives the name beside the noun: "my daughter Liv lives in Hamburg"
}

// Covers reports whether the name stands in a memory for what was renamed.
func (n *OtherName) Covers(m *graph.Memory) bool {
	return m.Namespace == n.Namespace && (n.Only == "" || m.ID == n.Only) && (n.User == "" || m.User == "" || m.User == n.User)
}

// NamesBefore returns the names that what is called by a canonical name now had before, as the memory states. A question, a
// condition or a plan renames nothing.
func (v *View) NamesBefore(now time.Time, name string) (out []OtherName) {
	for _, x := range v.renamings(now) {
		if !slices.Contains(wording.Names(x.State.Object), name) {
			continue
		}
		if subject := x.State.Subject; wording.IsName(subject) && !strings.HasPrefix(subject, Speaker(v.Memory)+"'s ") || v.User != "" && extract.Canonical(subject) == extract.Canonical(v.User) {
			out = append(out, v.otherNames(x, subject)...)
		}
		for _, other := range x.Claim.Qualifiers {
			if wording.IsName(other.Text) && strings.Contains(v.Content, " from "+other.Text) {
				out = append(out, v.otherNames(x, other.Text)...) // "I changed my name from Anna Berg to Anna Holm"
			}
		}
	}
	return out
}

// NamesAfter returns the names that what had a canonical name got later, as the memory states.
func (v *View) NamesAfter(now time.Time, name string) (out []OtherName) {
	for _, x := range v.renamings(now) {
		if subject := x.State.Subject; wording.IsName(subject) && wording.IsName(x.State.Object) && slices.ContainsFunc(v.otherNames(x, subject), func(n OtherName) bool { return n.Name == name }) {
			out = append(out, v.otherNames(x, x.State.Object)...)
		}
	}
	return out
}

// renamings returns the claims that say how something is called now.
func (v *View) renamings(now time.Time) []ClaimView {
	return slices.DeleteFunc(v.Claims(now), func(x ClaimView) bool {
		asserted := x.Claim.Modality == reader.Asserted.String() || x.State.Corrected
		return !x.Current || !asserted || x.State.Negated || !claimkey.Renames(x.State.Predicate)
	})
}

// otherNames returns the canonical forms of a name of a claim.
func (v *View) otherNames(x ClaimView, written string) (out []OtherName) {
	for _, subject := range wording.Subjects(written) {
		for _, n := range wording.Names(subject) {
			if !slices.ContainsFunc(out, func(o OtherName) bool { return o.Name == n }) {
				out = append(out, OtherName{Name: n, Written: written, Namespace: v.Namespace, User: v.User, From: x.ValidFrom})
			}
		}
	}
	return out
}

// MayRename reports whether a memory can say how something is called: a user or the system states it.
func MayRename(m *graph.Memory) bool {
	return m.SourceKind == graph.FromUser || m.SourceKind == graph.FromSystem
}

// MaxIntroductions is the number of memories with one key that Introduced asks for.
const MaxIntroductions = 64

// Introduced returns what a canonical subject is called besides: after "My daughter is called Liv", or "My daughter Liv lives in Hamburg", Liv is "ana's daughter", and
// "ana's daughter" is Liv, and after "My name is Ana" Ana is the user. If memories name several by one noun, or give one name to what has several nouns, the other name stands for it only in
// the memory that introduces it.
// find returns the memories with a key, in any status; nil elements are skipped.
func Introduced(subject string, now time.Time, find func(key uint64) ([]*View, error)) (out []OtherName, err error) {
	found, err := find(attribute.IntroducedKey(subject))
	if err != nil {
		return nil, err
	}
	for _, v := range found {
		for _, x := range v.introductions(now) {
			n := OtherName{Namespace: v.Namespace, User: v.User, Aside: x.Aside}
			var others []OtherName
			switch {
			case x.Means(subject):
				for _, n.Written = range x.Written() {
					n.Name = extract.Canonical(n.Written)
					others = append(others, n)
				}
			case x.Named(subject):
				n.Name, n.Written = extract.Canonical(x.Phrase), "my "+strings.TrimPrefix(x.Phrase, Speaker(v.Memory)+"'s ")
				if x.Phrase == Speaker(v.Memory) {
					n.Written = "I"
				}
				others = append(others, n)
			default:
				continue
			}
			all, err := find(x.Key())
			if err != nil {
				return nil, err
			}
			only := namesSeveral(all, x)
			for _, name := range x.Written() {
				named, err := find(attribute.IntroducedKey(extract.Canonical(name)))
				if err != nil {
					return nil, err
				}
				only = only || sharesName(named, x, extract.Canonical(name))
			}
			for _, n := range others {
				if only {
					n.Only = v.ID
				}
				if !slices.Contains(out, n) {
					out = append(out, n)
				}
			}
		}
	}
	return out, nil
}

// introductions returns the names that a memory of a user or the system gives now to its speaker and to what belongs to the speaker.
func (v *View) introductions(now time.Time) (out []attribute.Introduction) {
	if v == nil || !MayRename(v.Memory) {
		return nil
	}
	for _, x := range v.Claims(now) {
		i, ok := attribute.Introduces(x.State)
		says := v.State.Status == graph.Active && x.Current && !x.State.Negated && (x.Claim.Modality == reader.Asserted.String() || x.State.Corrected)
		if i.Aside { // what is said of her may have ended, or not be so
			says = x.Assertion && slices.Contains([]graph.Status{graph.Active, graph.Archived, graph.Superseded, graph.Consolidated}, v.State.Status)
		}
		if ok && i.Sole && says && (strings.HasPrefix(i.Phrase, Speaker(v.Memory)+"'s ") || v.User != "" && i.Phrase == Speaker(v.Memory)) {
			out = append(out, i)
		}
	}
	return out
}

// sharesName reports whether memories have ever given a canonical name of an introduction to what has another noun. "The chair is Ana" says who
// somebody is, and gives no name.
func sharesName(named []*View, x attribute.Introduction, name string) bool {
	return slices.ContainsFunc(named, func(v *View) bool {
		return v != nil && introduces(v.Memory, func(y attribute.Introduction) bool {
			return x.Apart(&y) && y.Named(name) && !(y.Is && y.Phrase != Speaker(v.Memory))
		})
	})
}

// introduces reports whether a state of a claim of a memory is an introduction that passes.
func introduces(m *graph.Memory, passes func(attribute.Introduction) bool) bool {
	return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		return slices.ContainsFunc(c.History, func(s graph.ClaimState) bool {
			y, ok := attribute.Introduces(s)
			return ok && passes(y)
		})
	})
}

// namesSeveral reports whether memories of the owner of an introduction have ever named another one by its noun, or said that
// there are several. Too many memories to look at count as several.
func namesSeveral(all []*View, x attribute.Introduction) bool {
	return len(all) >= MaxIntroductions || slices.ContainsFunc(all, func(v *View) bool {
		return v != nil && introduces(v.Memory, func(y attribute.Introduction) bool {
			return y.Key() == x.Key() && !y.Named(extract.Canonical(x.Name))
		})
	})
}
