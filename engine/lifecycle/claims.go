package lifecycle

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// ReadingVersion is the version of the rules by which ReadClaims reads. Memories that an
// older version read keep their claims.
const ReadingVersion = 1

// minForeign is the certainty from which a text that is not English is not read.
const minForeign = 0.8

// Speaker is who "I" is in the text of a memory. It is never empty.
func Speaker(m *graph.Memory) string {
	if m.SourceKind == graph.FromUser {
		return cmp.Or(graph.UserOf(m.User), "user")
	}
	return cmp.Or(m.Agent, strings.ToLower(string(m.SourceKind)))
}

// UserIn is whom "the user" in the text of a memory stands for, whoever wrote it down. It is empty for the text of a document or
// a tool, which may be about the user of something else.
func UserIn(m *graph.Memory) string {
	switch m.SourceKind {
	case graph.FromUser, graph.FromAssistant, graph.FromExtraction, graph.FromSystem:
		return cmp.Or(graph.UserOf(m.User), "user")
	}
	return ""
}

// ReadClaims sets the claims of a memory that has none yet. given is the statement that the
// caller gave instead of one in the text; if it is complete, it is the only claim. A text that
// is not recognised as English has no other claims. at is the instant from which relative
// dates are read. DateClaims must follow before the memory is stored.
func ReadClaims(m *graph.Memory, given extract.Statement, at time.Time) {
	m.Claims, m.ReadBy = nil, ReadingVersion
	if given.Subject != "" && given.Predicate != "" && given.Object != "" {
		single := reader.Valued(given.Predicate) == reader.One
		m.Claims = []graph.Claim{{
			N: 1, Modality: reader.Asserted.String(), Single: single, Certainty: 1,
			History: []graph.ClaimState{{Subject: firstPersonNamed(given.Subject, Speaker(m)), Predicate: given.Predicate, Object: given.Object}},
		}}
		return
	}
	if english, certainty := reader.English(m.Content); !english && certainty >= minForeign {
		return
	}
	text, speaker, skipped := spokenText(m)
	for _, c := range reader.Read(text, reader.Hints{Speaker: speaker, User: UserIn(m), At: at}) {
		claim := graph.Claim{
			N: len(m.Claims) + 1, Modality: c.Modality.String(), Single: c.Cardinality == reader.One,
			Certainty: min(max(c.Certainty, 0), 1), Start: c.Start + skipped, End: c.End + skipped,
		}
		if speaker != Speaker(m) {
			claim.Speaker = speaker
		}
		for _, q := range c.Qualifiers[:min(len(c.Qualifiers), graph.MaxQualifiers)] {
			claim.Qualifiers = append(claim.Qualifiers, graph.Qualifier(q))
		}
		switch c.Modality {
		case reader.Event: // what has happened stays true
			c.ValidTo = time.Time{}
		case reader.Past:
			if c.ValidTo.IsZero() {
				c.ValidTo = at
			}
		}
		s := graph.ClaimState{
			Subject: userNamed(firstPersonNamed(c.Subject, speaker), UserIn(m)), Predicate: c.Predicate, Object: c.Object, Negated: c.Negated,
			ValidFrom: graph.Millis(c.ValidFrom), ValidTo: graph.Millis(c.ValidTo),
		}
		if !storable(&claim, s) {
			continue
		}
		claim.History = []graph.ClaimState{s}
		if m.Claims = append(m.Claims, claim); len(m.Claims) == graph.MaxClaims {
			return
		}
	}
}

// DateClaims records claims that ReadClaims read, from the instant at which their memory is
// recorded. It changes none of the claims that other memories share.
func DateClaims(m *graph.Memory) {
	m.Claims = graph.CloneClaims(m.Claims)
	for i := range m.Claims {
		if s := &m.Claims[i].History[0]; s.From.IsZero() {
			s.From = graph.Millis(m.RecordedAt)
		}
	}
}

// spokenText splits a line of a transcript, "Lina: I live in Porto", whose speaker is the user
// or the agent of the memory: the words after the colon, who says them, and the number of
// bytes before them. Any other text is returned whole, with the speaker of the memory.
func spokenText(m *graph.Memory) (text, speaker string, skipped int) {
	for _, who := range []string{graph.UserOf(m.User), m.Agent} {
		if rest, found := strings.CutPrefix(m.Content, who+": "); found && who != "" {
			return rest, who, len(m.Content) - len(rest)
		}
	}
	return m.Content, Speaker(m), 0
}

// firstPerson are the words for the speaker, alone and as an owner.
var firstPerson, firstPersonOwner = []string{"i", "me", "we", "us", "myself", "mine", "ours"}, []string{"my", "our"}

// firstPersonNamed replaces the first person at the start of a subject by the speaker: "My
// dog" is "ana's dog".
func firstPersonNamed(subject, speaker string) string {
	word, rest, more := strings.Cut(subject, " ")
	switch low := strings.ToLower(word); {
	case !more && slices.Contains(firstPerson, low):
		return speaker
	case more && slices.Contains(firstPersonOwner, low):
		return speaker + "'s " + rest
	}
	return subject
}

// userNamed replaces "the user" as an owner at the start of a subject by the user: "the user's dog" is "ana's dog".
func userNamed(subject, user string) string {
	for _, owner := range []string{"the user's ", "user's ", "the user’s ", "user’s "} {
		if user != "" && len(subject) > len(owner) && strings.EqualFold(subject[:len(owner)], owner) {
			return user + "'s " + subject[len(owner):]
		}
	}
	return subject
}

// storable reports whether a claim says something and is within the limits of a row.
func storable(c *graph.Claim, s graph.ClaimState) bool {
	if s.Predicate == "" || s.Subject == "" && s.Object == "" {
		return false
	}
	if !s.ValidTo.IsZero() && !s.ValidTo.After(s.ValidFrom) {
		return false
	}
	long := slices.ContainsFunc(c.Qualifiers, func(q graph.Qualifier) bool { return len(q.Kind)+len(q.Text) > 2*graph.MaxName })
	return !long && len(c.Speaker) <= graph.MaxName && len(s.Subject) <= graph.MaxName && len(s.Predicate) <= graph.MaxName && len(s.Object) <= 4*graph.MaxName
}
