package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// instrument is a tool, a vendor or a place with its purpose: "sprints are planned in Linear",
// "Adyen handles our payments", "we get our internet from Telia".
type instrument struct {
	who     string   // who uses it, if a person is named
	purpose []string // lemmas of the purpose, sorted
	verb    string   // sort of activity; empty for any
	name    []string // lemmas of the tool
	full    string   // the tool as written, in lower case
	equated bool     // stated by "is": other rules compare two of these
	way     byte     // 'a' for in, on, at, to; 'v' for by, with
	moved   bool     // stated by "moved to", which may be a place or a tool
}

// doingSorts are the sorts of the activities for which tools are used. Those of "any" do not tell the
// sort.
var doingSorts = keysOfWords("activities")

// withToolSorts are sorts of activity in which "with" is followed by a tool, not by company.
var withToolSorts = lemmas("build edit gather test store host document process pay")

// vendorNouns do not distinguish a purpose.
var vendorNouns = lemmas("provider supplier vendor service tool platform system carrier solution software app operator host")

// instrumentOf reads the tool that a clause names and its purpose. t are the tokens of the clause.
func (p *parser) instrumentOf(c *clause, t []token) (instrument, bool) {
	if c.negated || c.modality != asserted || c.hedged || c.weak || c.condition != "" || c.tense == future || c.frequency < 0 || len(c.qualifiers) > 0 || len(c.items) > 8 {
		return instrument{}, false
	}
	verb, from := c.verb, 0
	if c.passive {
		verb, from = c.items[0].lem, 1
	}
	sort, ok := doingSorts[verb]
	if sort == "any" {
		sort = ""
	}
	turned := switchVerbs[verb] || replaceVerbs[verb] || verb == "port" || verb == rewriteKey || verb == changeKey
	if !ok || c.tense != present && !turned || verb == "speak" && (c.named || c.subject[0][0] == '@' && len(c.subject) == 1) {
		return instrument{}, false
	}
	m := instrument{verb: sort, equated: verb == "be", moved: verb == moveKey || verb == migrateKey}
	if verb == "run" && c.phrase("on") != nil {
		m.verb = "host"
	}
	thing := !slices.ContainsFunc(c.subject, func(s string) bool { return s[0] == '@' && len(c.subject) == 1 })
	named := c.named && len(c.subject) > 0 && len(c.subject) < 3
	at, end := nameIn(c.items, from, func(x item) bool {
		switch x.prep {
		case "in", "via", "through", "using", "into", "on":
			return true
		case "to":
			return switchVerbs[verb] || sort == "send" || verb == changeKey
		case "with", "by":
			return sort != "" && withToolSorts[sort] || replaceVerbs[verb] || x.prep == "with" && (verb == "do" || verb == "run" && c.passive)
		case "for":
			return verb == "swap"
		case "from":
			return verb == "get"
		case "":
			return (verb == "use" || verb == "be" || verb == "speak") && !c.passive
		}
		return false
	})
	switch {
	case at >= 0 && !(verb == "be" && at != 0):
		for _, x := range c.items[at:end] {
			m.name = append(m.name, x.lem)
			m.full += " " + x.low
		}
		if m.way = channelPrepositions[c.items[at].prep]; m.way == 0 {
			m.way = 'v'
		}
		m.purpose = purposeOf(c.items[:at], c.items[end:], from)
		if n := len(m.name) - 1; len(m.purpose) == 0 && n > 0 && !thing { // through the Cloudflare CDN
			m.purpose, m.name, m.verb = m.name[n:], m.name[:n], ""
		}
		using := verb == "use" && !c.passive
		if using && c.phrase("for", "as") == nil {
			return instrument{}, false // one may use many
		}
		switch {
		case thing && using && !named:
		case thing && !(named && !c.passive && len(m.purpose) > 0):
			m.purpose = append(m.purpose, withoutOwner(c.subject)...)
		case named:
			m.who = strings.Join(c.subject, " ")
		default:
			m.who = c.subject[0]
		}
		if verb == "be" && (c.named && len(m.purpose) == 0 && !isPluralNoun(t) || c.items[0].det == "a") {
			return instrument{}, false
		}
	case named && (carryOutVerbs[verb] || verb == "be") && !c.passive && from == 0:
		// "Adyen handles our payments", "Telia is our internet provider"
		o := c.object()
		if len(o) == 0 || len(o) != len(c.items) || o[0].det != "my" && o[0].det != "the" || slices.ContainsFunc(o, func(x item) bool { return x.proper }) || verb == "be" && (len(o) < 2 || !vendorNouns[o[len(o)-1].lem]) {
			return instrument{}, false
		}
		m.name, m.full = c.subject, strings.Join(c.subject, " ")
		m.purpose = purposeOf(o, nil, 0)
	default:
		return instrument{}, false
	}
	m.purpose = slices.DeleteFunc(m.purpose, func(w string) bool { return vendorNouns[w] && len(m.purpose) > 1 || currentWords[w] })
	slices.Sort(m.purpose)
	m.purpose = slices.Compact(m.purpose)
	if len(m.purpose) == 0 || len(m.purpose) > 4 || m.purpose[0][0] == '@' || isPlace(strings.TrimSpace(m.full)) || slices.ContainsFunc(t, func(x token) bool { return oneOfSeveralWords[x.low] }) {
		return instrument{}, false
	}
	return m, true
}

// oneOfSeveralWords occur in sentences about one of several tools, or about a former one.
var oneOfSeveralWords = english.WordSet("also too another other others either both sometimes occasionally besides additionally partly mostly mainly once formerly previously former until used plus or")

// isPluralNoun reports a sentence whose first word may be a common noun in the plural.
func isPluralNoun(t []token) bool { return len(t) > 0 && t[0].first && isPlural(t[0].low, t[0].lem) }

// nameIn returns the bounds of the first name among the items in a place that fits a tool.
func nameIn(rest []item, from int, fits func(item) bool) (int, int) {
	for i := from; i < len(rest); i++ {
		x := rest[i]
		if !(x.proper || x.prep == "" && len(kinds[x.lem]) > 0 && x.last && x.det == "") || x.compared || !fits(x) {
			continue
		}
		end := i + 1
		for end < len(rest) && rest[end].proper && !rest[end-1].last {
			end++
		}
		return i, end
	}
	return -1, -1
}

// purposeOf returns the lemmas around the name of a tool that state its purpose.
func purposeOf(before, after []item, from int) (out []string) {
	for _, list := range [][]item{before[min(from, len(before)):], after} {
		for _, x := range list {
			if !x.proper && x.prep != "from" && x.prep != "since" && x.low != "out" && x.low != "over" && !lightWords[x.lem] && x.low != "off" {
				out = append(out, x.lem)
			}
		}
	}
	return out
}

// sameUse reports that two tools are used for the same activity, or that one of the two activities
// is unspecific. What a thing is built with, where it is kept and where it runs are different
// questions; an unspecific "use" may answer any of them.
func (m *instrument) sameUse(o *instrument) bool {
	kind := len(m.name) == 1 && len(o.name) == 1 && sameKind(m.name[0], o.name[0])
	if m.verb == o.verb {
		return kind || m.moved == o.moved && (m.way == o.way || !separateSorts[m.verb])
	}
	if m.verb != "" && o.verb != "" {
		return false
	}
	return kind || !separateSorts[m.verb+o.verb]
}

// separateSorts are sorts of activity that concern one aspect of a thing: what it is built with,
// where it is kept, where it runs.
var separateSorts = lemmas("store host build")

// compareInstruments compares two tools.
func compareInstruments(x, y *instrument) Result {
	switch {
	case x.equated && y.equated, !slices.Equal(x.purpose, y.purpose), !x.sameUse(y), x.who != "" && y.who != "" && !sameWho(x.who, y.who),
		overlap(x.name, y.name), overlap(x.name, y.purpose), overlap(y.name, x.purpose),
		isAcronym(strings.TrimSpace(x.full), y.full), isAcronym(strings.TrimSpace(y.full), x.full):
		return Result{}
	}
	return Result{scoreSlot, KindObject}
}
