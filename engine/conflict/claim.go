package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// claimKind is the kind of an attribute's value.
type claimKind byte

const (
	ofName    claimKind = 'n' // a person, an organisation, a place
	ofNoun    claimKind = 'o' // an occupation, a subject, a colour
	ofMeasure claimKind = 'v' // numbers, money, times, dates
	ofCode    claimKind = 'c' // compared character by character
	ofSpot    claimKind = 'p' // a place in a house: behind the boiler
	ofLabel   claimKind = 'l' // platform 3, the third floor
	ofBlood   claimKind = 'b' // A negative
	ofStreet  claimKind = 'a' // 7 Elm Street
	ofState   claimKind = 's' // open or closed, see statesTable
)

// claim is an attribute of a person or a thing, with its value.
type claim struct {
	owner     []string // lemmas, sorted; "@i" if the speaker is unknown
	subject   []token  // the owner as written
	attribute string
	kind      claimKind
	past      bool
	weak      bool     // the wording states other things too: "is a", "goes to"
	copular   bool     // stated by "is" alone
	words     []string // lemmas of the value, in order
	name      string   // the value as written, in lower case
	rest      []string // other words next to a measure: by bus, a month
	proper    bool
	vals      []value
	text      string   // of a code
	context   []string // words before the clause: on staging
}

// doubtWords are words in sentences that do not simply state something, or that mention one of
// several.
var doubtWords = wordLists.Set("doubtWords")

// eventEnd returns the number of tokens before an expression that dates an event, "last week" or
// "two years ago", at the end of a sentence; 0 if there is none.
func eventEnd(t []token) int {
	n := len(t)
	for n > 0 && t[n-1].punctuation {
		n--
	}
	end := 0
	switch {
	case n > 3 && t[n-2].low == "last" && periodNouns[t[n-1].lem]:
		end = n - 2
	case n > 4 && t[n-1].low == "ago" && (t[n-3].is(determiner) || isNumberWord(t[n-3].low) || digits(t[n-3].low)):
		end = n - 3
	}
	if end > 0 && isDoubtful(t[:end]) {
		return 0
	}
	return end
}

// isDoubtful reports a sentence that states no attribute. After a value, "before" and "ago" do not
// make it doubtful.
func isDoubtful(t []token) bool {
	for i, x := range t {
		if x.code {
			return true
		}
		if !x.is(doubtWord) {
			continue
		}
		switch x.low {
		case "ago", "back", "second":
			continue
		case "used":
			if lowAt(t, i+1) != "to" {
				continue
			}
			return true
		case "until", "before":
			if i+1 < len(t) && !hasVerb(t[i+1:]) {
				continue
			}
			return true
		case "may":
			if x.upper || lowAt(t, i+1) == "cost" { // what it may cost is its budget
				continue
			}
			return true
		case "last":
			if t[max(0, i-1)].low == "the" || i > 0 && !determiners[lowAt(t, i-1)] && i+1 < len(t) && (t[i+1].raw[0] <= '9' || isNumberWord(t[i+1].low)) {
				continue
			}
			return true
		case "one":
			if lowAt(t, i+1) != "of" {
				continue
			}
			return true
		}
		return true
	}
	return false
}

// claims reads the attributes that a text states, sentence by sentence.
func (p *parser) claims(t []token) []claim {
	var out []claim
	for s, question := range sentences(t) {
		if question || len(s) > maxClaimTokens || len(out) >= maxClauses {
			continue
		}
		p.occupational = slices.ContainsFunc(s, func(x token) bool {
			return x.low == "trade" || x.low == "profession" || x.low == "professionally" || x.low == "occupation"
		})
		said := withPlainOrder(withoutReporter(s))
		if conditionals[said[0].low] && said[0].low != "as" && said[0].low != "given" {
			said = nil // hypothetical
		}
		if x, ok := permitOf(said); ok {
			w := p.rareFacts()
			w.permits = append(w.permits, x)
		}
		p.eachClause(withColonAsVerb(said), func(s []token) {
			first := len(out)
			if c, ok := p.choices(s); ok {
				w := p.rareFacts()
				w.choices = append(w.choices, c)
			}
			ended := eventEnd(s)
			told := s
			if ended > 0 {
				told = s[:ended]
			}
			out = append(out, p.statesOf(told)...)
			out = append(out, p.coupleClaims(s)...)
			if c, ok := p.frequencyClaim(s); ok {
				out = append(out, c)
			}
			if ended > 0 || !isDoubtful(s) {
				out = append(out, p.claimsOfClause(told, ended > 0)...)
			}
			for i := first; i < len(out); i++ {
				out[i].context = p.condition
			}
		})
	}
	return out
}

// maxClaimTokens is the maximum length, in tokens, of a sentence that is read for claims. Longer
// ones state more than a value.
const maxClaimTokens = 28

// withColonAsVerb replaces the colon of a note by "is": "deadline of the poster: 3 May".
func withColonAsVerb(t []token) []token {
	for i, x := range t {
		if !x.punctuation {
			continue
		}
		if x.low != ":" || i == 0 || i > 7 || i+1 == len(t) || hasVerb(t[:i]) {
			break
		}
		t = slices.Clone(t)
		t[i] = token{raw: "is", low: "is", lem: "be", class: lexicon["is"].class, verb: true, finite: true, strong: true}
		return t
	}
	return t
}

// eachClause cuts a sentence into clauses, without their lead-ins.
func (p *parser) eachClause(t []token, each func([]token)) {
	from := 0
	cut := func(to int) {
		s := t[from:to]
		for len(s) > 0 && (s[0].punctuation || s[0].is(joining) || s[0].is(interjection) || s[0].is(adverb) || s[0].low == "that" || startsWithManner(s)) {
			s = s[1:]
		}
		// "These days I work …", "For check-ups I go …": up to a subject pronoun
		for i := 1; i < len(s) && i < 6; i++ {
			if (s[0].is(preposition) || isDayWord(s[0]) || leadInWords[s[0].low]) && (s[i].is(subjectForm) && s[i].low != "it" || s[i].low == "my" || s[i].low == "our") && s[0].low != "to" && !hasVerb(s[:i]) && !slices.ContainsFunc(s[:i], func(x token) bool { return x.low == "and" || x.low == "of" || x.upper }) {
				p.condition = contentLemmas(s[:i])
				s = s[i:]
				break
			}
		}
		if len(s) > 2 {
			each(s)
		}
		from, p.condition = to, nil
	}
	for i, x := range t {
		switch {
		case x.punctuation && (x.low == "," || x.low == ":") && !(i+1 < len(t) && len(t[i+1].raw) == 4 && digits(t[i+1].raw)):
			cut(i)
		case (x.low == "and" || x.low == "but" || x.low == "because" || x.low == "while" || x.low == "so" || x.low == "since") && hasVerb(t[from:i]) && hasVerb(t[i+1:]):
			cut(i)
		}
	}
	cut(len(t))
}

// startsWithManner reports a sentence that begins with an adverb of manner: professionally I am.
func startsWithManner(t []token) bool {
	return len(t) > 2 && t[1].is(subjectForm) && strings.HasSuffix(t[0].low, "ly")
}

// leadInWords begin a lead-in without a preposition: these days, most mornings.
var leadInWords = english.WordSet("these this most nowadays currently today")

// owner returns the key of a subject; nil if it names nothing, or more than one thing.
func (p *parser) owner(t []token) []string {
	var out []string
	if len(t) == 0 || len(t) > 8 {
		return nil
	}
	for i, x := range t {
		if x.punctuation || x.strong && !x.upper || x.low == "and" || x.low == "but" || x.low == "or" {
			return nil
		}
		switch x.low {
		case "a", "an", "some", "every", "each", "any", "many", "most", "several", "few", "it", "they", "he", "she", "this", "that", "these", "those", "there",
			"his", "her", "their", "its", "you", "your", "people", "everyone", "someone", "somebody", "everybody", "one", "all", "who", "which", "him", "them", "us":
			return nil
		case "i", "my", "me", "we", "our", "user", "myself":
			out = append(out, "@i")
			continue
		case "the", "'s", "of", "for", "at", "in", "with", "on":
			continue
		}
		if x.low != "the" && (x.is(stopWord) || x.is(preposition)) {
			return nil
		}
		if i == 0 && isDayWord(x) {
			return nil
		}
		out = append(out, x.lem)
	}
	// "the appointment with the dentist" and "the dentist expects me" have one owner
	if meets := func(w string) bool { return appointmentNouns[w] }; slices.ContainsFunc(out, func(w string) bool { return w[0] != '@' && !appointmentNouns[w] }) {
		out = slices.DeleteFunc(out, meets)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// appointmentNouns do not distinguish an appointment from another.
var appointmentNouns = lemmas("appointment meeting booking reservation")
