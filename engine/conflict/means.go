package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// means is the tool, the vendor or the place that has one part to play, with what it is
// for: "sprints are planned in Linear", "Adyen handles our payments", "we get our
// internet from Telia".
type means struct {
	who  string   // who does it, where somebody is named
	role []string // word families of what it is for, sorted
	verb string   // the sort of doing; empty: any
	name []string // word families of the tool
	full string   // as written, in small letters
	is   bool     // told by "is": other rules hold two of these against each other
	way  byte     // 'a' in, on, at or to it; 'v' by or with it
	went bool     // told by "moved to", which may be a place as well as a tool
}

// doings are verbs that one does with a tool, by sorts; those of "any" say nothing of it.
var doings = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`any use be get move migrate switch replace swap run do happen speak handle power manage change transition rely provide drop ditch
store store keep save back archive put upload hold
build build write develop implement program code compile port rewrite design make rebuild
send send ship deliver go forward route push publish
gather collect gather report track monitor log record trace
plan plan organise organize schedule prioritise
edit edit cut draw sketch
host host serve deploy
queue queue buffer
test test check lint
pay pay bill charge process
document document describe draft`) {
		f := strings.Fields(line)
		for _, w := range f[1:] {
			m[lemma(w)] = f[0]
		}
	}
	m["any"] = ""
	return m
}()

// withTool are sorts of doing that take "with" for a tool and not for company.
var withTool = english.WordSet("build edit gather test store host document process pay")

// partNouns say only that somebody plays a part.
var partNouns = lemmas("provider supplier vendor service tool platform system carrier solution software app operator host")

// meansOf reads with what a clause says that something is done; t are its tokens.
func (p *parser) meansOf(c *clause, t []token) (means, bool) {
	if c.neg || c.mood != fact || c.hedged || c.weak || c.cond != "" || c.tense == future || c.freq < 0 || len(c.quals) > 0 || len(c.rest) > 8 {
		return means{}, false
	}
	verb, from := c.verb, 0
	if c.passiv {
		verb, from = c.rest[0].lem, 1
	}
	sort, ok := doings[verb]
	if sort == "any" {
		sort = ""
	}
	turned := turnsTo[verb] || replaces[verb] || verb == portKey || verb == rewriteKey || verb == changeKey
	if !ok || c.tense != present && !turned || verb == speakKey && (c.named || c.subj[0][0] == '@' && len(c.subj) == 1) {
		return means{}, false
	}
	m := means{verb: sort, is: verb == "be", went: verb == moveKey || verb == migrateKey}
	if verb == "run" && c.phrase("on") != nil {
		m.verb = "host"
	}
	thing := !slices.ContainsFunc(c.subj, func(s string) bool { return s[0] == '@' && len(c.subj) == 1 })
	named := c.named && len(c.subj) > 0 && len(c.subj) < 3
	at, end := nameIn(c.rest, from, func(x item) bool {
		switch x.prep {
		case "in", "via", "through", "using", "into", "on":
			return true
		case "to":
			return turnsTo[verb] || sort == "send" || verb == changeKey
		case "with", "by":
			return sort != "" && withTool[sort] || replaces[verb] || x.prep == "with" && (verb == "do" || verb == "run" && c.passiv)
		case "for":
			return verb == swapKey
		case "from":
			return verb == "get"
		case "":
			return (verb == useKey || verb == "be" || verb == speakKey) && !c.passiv
		}
		return false
	})
	switch {
	case at >= 0 && !(verb == "be" && at != 0):
		for _, x := range c.rest[at:end] {
			m.name = append(m.name, x.lem)
			m.full += " " + x.low
		}
		if m.way = mediumWays[c.rest[at].prep]; m.way == 0 {
			m.way = 'v'
		}
		m.role = roleOf(c.rest[:at], c.rest[end:], from)
		if n := len(m.name) - 1; len(m.role) == 0 && n > 0 && !thing { // through the Cloudflare CDN
			m.role, m.name, m.verb = m.name[n:], m.name[:n], ""
		}
		using := verb == useKey && !c.passiv
		if using && c.phrase("for", "as") == nil {
			return means{}, false // it may use many
		}
		switch {
		case thing && using && !named:
		case thing && !(named && !c.passiv && len(m.role) > 0):
			m.role = append(m.role, unowned(c.subj)...)
		case named:
			m.who = strings.Join(c.subj, " ")
		default:
			m.who = c.subj[0]
		}
		if verb == "be" && (c.named && len(m.role) == 0 && !plainName(t) || c.rest[0].det == "a") {
			return means{}, false
		}
	case named && (carries[verb] || verb == "be") && !c.passiv && from == 0:
		// "Adyen handles our payments", "Telia is our internet provider"
		o := c.object()
		if len(o) == 0 || len(o) != len(c.rest) || o[0].det != "my" && o[0].det != "the" || slices.ContainsFunc(o, func(x item) bool { return x.proper }) || verb == "be" && (len(o) < 2 || !partNouns[o[len(o)-1].lem]) {
			return means{}, false
		}
		m.name, m.full = c.subj, strings.Join(c.subj, " ")
		m.role = roleOf(o, nil, 0)
	default:
		return means{}, false
	}
	m.role = slices.DeleteFunc(m.role, func(w string) bool { return partNouns[w] && len(m.role) > 1 || fresh[w] })
	slices.Sort(m.role)
	m.role = slices.Compact(m.role)
	if len(m.role) == 0 || len(m.role) > 4 || m.role[0][0] == '@' || isPlace(strings.TrimSpace(m.full)) || slices.ContainsFunc(t, func(x token) bool { return notAlone[x.low] }) {
		return means{}, false
	}
	return m, true
}

// notAlone are words of a sentence that names one of several, or what was.
var notAlone = english.WordSet("also too another other others either both sometimes occasionally besides additionally partly mostly mainly once formerly previously former until used plus or")

// plainName reports a sentence whose first word may be a plain noun with a capital.
func plainName(t []token) bool { return len(t) > 0 && t[0].first && plural(t[0].low, t[0].lem) }

// nameIn is the first run of names among the words of a clause that stands where a tool may.
func nameIn(rest []item, from int, fits func(item) bool) (int, int) {
	for i := from; i < len(rest); i++ {
		x := rest[i]
		if !(x.proper || x.prep == "" && len(kinds[x.lem]) > 0 && x.end && x.det == "") || x.than || !fits(x) {
			continue
		}
		end := i + 1
		for end < len(rest) && rest[end].proper && !rest[end-1].end {
			end++
		}
		return i, end
	}
	return -1, -1
}

// roleOf are the words around the name of a tool that say what it is for.
func roleOf(before, behind []item, from int) (out []string) {
	for _, list := range [][]item{before[min(from, len(before)):], behind} {
		for _, x := range list {
			if !x.proper && x.prep != "from" && x.prep != "since" && x.low != "out" && x.low != "over" && !light[x.lem] && x.low != "off" {
				out = append(out, x.lem)
			}
		}
	}
	return out
}

// alike reports that two tools do the same: with them the same is done, or one is only used
// and the other does the whole. What a thing is built with, where it is kept and where it
// runs are three questions, and one that is only used may answer any of them.
func (m *means) alike(o *means) bool {
	kind := len(m.name) == 1 && len(o.name) == 1 && sameKind(m.name[0], o.name[0])
	if m.verb == o.verb {
		return kind || m.went == o.went && (m.way == o.way || !facets[m.verb])
	}
	if m.verb != "" && o.verb != "" {
		return false
	}
	return kind || !facets[m.verb+o.verb]
}

// facets are sorts of doing that are one side of a thing: what it is built with, where it
// is kept, where it runs.
var facets = english.WordSet("store host build")

// compareMeans holds the tools of two statements against each other.
func compareMeans(a, b *habits) Result {
	for i := range a.means {
		for j := range b.means {
			x, y := &a.means[i], &b.means[j]
			if x.is && y.is || !slices.Equal(x.role, y.role) || !x.alike(y) || x.who != "" && y.who != "" && !sameWho(x.who, y.who) ||
				meets(x.name, y.name) || meets(x.name, y.role) || meets(y.name, x.role) || acronym(strings.TrimSpace(x.full), y.full) || acronym(strings.TrimSpace(y.full), x.full) {
				continue
			}
			return Result{scoreTopic, KindObject, "another tool for the same"}
		}
	}
	return Result{}
}
