package reader

import (
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/toponym"
	"github.com/somnograph/somnograph/graph"
)

// A verb such as "move to" states a place, a tool, a team or a habit, by what it governs. This file tells by the kind of a value
// that it is none of the attribute that an earlier clause states.

// changesToOtherKind reports a change that would be one of the predicate of the earlier clause, if its value were of another
// kind: "I live in Oslo", "I moved to decaf", "I moved to the attic".
func (p *pair) changesToOtherKind() bool {
	x := p.earlier.slot()
	if x == nil || x.use == frames.End || p.subject != equal || p.sourced || p.earlier.verbLemma == "be" && p.earlier.subject.pronoun == "" { // what a thing is changes to anything
		return false
	}
	changed := slices.IndexFunc(p.later.slots, func(s slot) bool { return s.frame == x.frame && s.use == frames.Change })
	if changed < 0 {
		return slices.Contains(p.later.barred, x.frame)
	}
	from := headOf(x.value)
	return from != nil && isName(from.class) && slices.ContainsFunc(p.later.slots[changed].value, func(w word) bool { return lexicon.Rooms[w.lem] })
}

// tellsQuality reports that the earlier clause says which one a thing or person is and the later one what it is like, or where: "my boss
// is Henrike", "my boss is from Kiel"; "my phone is a Pixel", "my phone is broken".
func (p *pair) tellsQuality() bool {
	a, b := p.earlier, p.later
	if a.verbLemma != "be" || !b.isState() || a.setting || b.setting || p.subject != equal || a.subject.pronoun != "" || p.flip || p.corrects() {
		return false
	}
	named := headOf(a.object.words)
	if named == nil || !isName(named.class) && named.class != classCode {
		return false
	}
	if b.verbLemma != "be" {
		return true
	}
	if !b.object.empty() {
		return !article(b) && b.object.owner == "" && b.object.pronoun == "" && p.object != kindred && p.object != opposed && !slices.ContainsFunc(b.object.words, func(w word) bool {
			return w.content() && (isValue(w.class) && w.class != classAmount || startsUpper(w.text) || extract.IsSoftware(w.low))
		})
	}
	at := slices.IndexFunc(b.phrases, func(q prepositional) bool { return !q.leading && !q.noun.empty() })
	if at < 0 {
		return false
	}
	q := &b.phrases[at]
	head := headOf(q.noun.words)
	person := named.class == classPerson || slices.ContainsFunc(a.slots, func(s slot) bool { return frames.All[s.frame].Person })
	return person || q.prep == "from" || head == nil || !isValue(head.class)
}

// isState reports "is" with what something is, or with a participle alone: "is broken", "is charging".
func (c *clause) isState() bool {
	if c.verbLemma == "be" {
		return true
	}
	if c.words[max(c.aux, 0)].lem != "be" || !c.passive && !c.ing || !c.object.empty() || len(c.phrases) > 0 || slices.ContainsFunc(c.slots, func(s slot) bool { return len(s.value) > 0 }) {
		return false
	}
	return len(c.words[c.verb].sets) > 0 || !c.changes && !tables.StopLemma[c.verbLemma] && !lexicon.PartsWith[c.verbLemma]
}

// standsBeside reports another value by a form of which the table says that a second value stands beside the first one.
func (p *pair) standsBeside() bool {
	m := &p.slot
	return m.found && m.earlier.beside && m.later.beside && p.verb == verbSame && p.subject == equal && !p.flip && !p.corrects() && p.fresh&(cueNow|cueChanged|cueFinally) == 0 && (m.value == kindred || m.value == other || m.value == alike)
}

// sharesRole reports two who fill a role that several fill: "our competitor is Zeta", "our competitor is Omega".
func (p *pair) sharesRole() bool {
	a, b := p.earlier, p.later
	return a.verbLemma == "be" && b.verbLemma == "be" && p.subject == equal && a.subject.pronoun == "" && lexicon.Shared[a.subject.head] && !p.corrects() && p.fresh&(cueNow|cueChanged|cueFinally) == 0 &&
		a.object.fills() && b.object.fills() && p.object != equal && p.object != narrower && p.object != wider
}

// usesName reports that the earlier clause says how somebody is called and the later one what the two did together: "my partner is
// called Theo", "Theo and I got married".
func (p *pair) usesName() bool {
	together := slices.ContainsFunc(p.later.subject.words, func(w word) bool { return w.low == "and" })
	return together && !p.corrects() && !p.later.states(nameFrame) && slices.ContainsFunc(p.earlier.slots, func(s slot) bool {
		name := headOf(s.value)
		return frames.All[s.frame].Name == nameFrame && s.use == frames.State && name != nil && isName(name.class) && hasWord(p.later.subject.words, name)
	})
}

// unsureKind reports a change to an employer whose name is known as something else: "I joined Strava", but not "I started at Strava". A name that nobody knows is taken for a place
// or an employer: most people move to towns that are in no table.
func (p *pair) unsureKind() bool {
	m := &p.slot
	if !m.found || m.later.use != frames.Change || m.later.byNoun || m.later.inverse || p.sourced {
		return false
	}
	name := headOf(m.later.value)
	if name == nil || !isName(name.class) || name.class == classPlace {
		return false
	}
	return p.later.mayBeTool(m.later) || frames.All[m.later.frame].Name == "work" && m.later.prep != "at" && (len(name.sets) > 0 || extract.IsSoftware(name.low))
}

// MayBeTown reports that a name, in lower case, is not known as that of something other than a place.
func MayBeTown(name string) bool {
	return len(lexicon.Sets[lexicon.Lemma(name)]) == 0 && !extract.IsSoftware(name)
}

// mayBeTool reports a change of residence of the speaker to a name that no table knows, in a clause that does not show that it is a place: "I moved
// to Kagi". One moves to a tool in the same words as to a town. Of others one tells where they live.
func (c *clause) mayBeTool(s *slot) bool {
	name := c.unknownMove(s)
	return name != nil && (c.told == toponym.Tool || c.told == toponym.Untold && (len(s.value) > 1 || toponym.Town(name.low) < toponym.TownFrom))
}

// unknownMove returns the name of such a change, whatever is told of the name elsewhere and however it is spelt; nil: it is none.
func (c *clause) unknownMove(s *slot) *word {
	name := headOf(s.value)
	if s.use != frames.Change || s.byNoun || !s.specific || frames.All[s.frame].Name != "residence" || c.subject.form() != 1 || name == nil || !isName(name.class) || name.class == classPlace || isPlaceName(s.value) || c.settles() {
		return nil
	}
	return name
}

// MovedTo returns the name, in lower case, to which the speaker moved in a statement that does not show whether it is a place or a tool; empty: none.
func (p *Prepared) MovedTo() string {
	for i := range p.clauses {
		for j := range p.clauses[i].slots {
			if name := p.clauses[i].unknownMove(&p.clauses[i].slots[j]); name != nil && p.clauses[i].told == toponym.Untold {
				return name.low
			}
		}
	}
	return ""
}

// As returns the statement as it reads if the name of MovedTo is one of a kind.
func (p *Prepared) As(kind toponym.Kind) *Prepared {
	out := *p
	out.clauses = slices.Clone(p.clauses)
	for i := range out.clauses {
		out.clauses[i].told = kind
	}
	return &out
}

// tellOfMove reads a move to an unknown name by what the rest of the text tells of it: one to a place if it is about a dwelling.
func (p *Prepared) tellOfMove(text string) {
	name := p.MovedTo()
	if name == "" {
		return
	}
	kind := toponym.Told(text, name)
	if kind == toponym.Untold && toponym.TellsDwelling(text, name) {
		kind = toponym.Place
	}
	p.clauses = p.As(kind).clauses
}

// isPlaceName reports a name that looks like one of a place: with "the" before it, with a letter beyond those of English, or with a noun such as
// "street" in it.
func isPlaceName(value []word) bool {
	text := make([]string, len(value))
	for i := range value {
		text[i] = value[i].text
	}
	name := strings.Join(text, " ")
	return value[0].low == "the" || strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) || extract.TypeOf(name) == graph.Place
}

// settles reports a clause that tells when, with whom, what for or from which place somebody moved, or in or near what the new place is: "last spring",
// "with my daughter", "for a job", "from Ghent", "near Namur".
func (c *clause) settles() bool {
	if c.begun || c.today || c.cues&(cueDated|cueFrom|cueFuture) != 0 || slices.ContainsFunc(c.words, func(w word) bool { return frames.Kinds["premises"][w.lem] }) {
		return true
	}
	return slices.ContainsFunc(c.phrases, func(q prepositional) bool {
		head := headOf(q.noun.words)
		switch {
		case q.timely() || q.kind() == "interval":
			return true
		case q.leading || head == nil && q.noun.pronoun == "":
			return false
		case q.prep == "with" || q.prep == "for" && q.noun.pronoun != "":
			return q.noun.pronoun != "" || tables.Family[head.low]
		case q.prep == "for":
			return tables.Family[head.low] || lexicon.SettlesFor[head.lem]
		}
		return lexicon.Around[q.prep] || q.prep != "to" && head != nil && head.class == classPlace
	})
}

// namesUse reports a clause that tells what the speaker uses the value of a change for: "to Kagi for search", "to Logseq as my notebook".
func (c *clause) namesUse() bool {
	return slices.ContainsFunc(c.phrases, func(q prepositional) bool {
		head := headOf(q.noun.words)
		return !q.leading && head != nil && (q.prep == "as" || q.prep == "for" && len(q.noun.words) == 1 && !isValue(head.class) && !tables.Family[head.low] && !lexicon.SettlesFor[head.lem])
	})
}

// changesOwned reports another attribute of a thing of which the earlier clause says whose it is: "the data team owns the warehouse",
// "the warehouse was migrated to Snowflake".
func (p *pair) changesOwned() bool {
	return p.inverseBack == equal && p.later.slot() != nil && p.otherPredicate()
}

// sameKin reports two statements about a relative, of whom only one has the name: there may be another one.
func (p *pair) sameKin() bool {
	m := &p.slot
	return m.found && (lexicon.NamedKin(m.earlier.holder, m.later.holder) || lexicon.NamedKin(m.later.holder, m.earlier.holder))
}
