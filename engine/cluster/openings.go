package cluster

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// opening is what people do with the first words of a turn.
type opening uint8

const (
	otherOpening opening = iota
	greets
	thanks
	praises
	openings // number of openings
)

// openingNames are the labels of clusters whose members do little more.
var openingNames = [openings]string{greets: "Greetings", thanks: "Thanks", praises: "Praise"}

const smallTalk = "Small talk" // label of a cluster of several openings

const (
	openingShare   = 0.5 // share of the members from which on their common opening names the cluster
	smallTalkShare = 0.6 // … from which on any openings do
	sayingStays    = 0.3 // share of the members from which on a saying is a better name
	openingWords   = 6   // words that are read
)

var (
	greetingWords = english.WordSet("hey hi hello morning evening greetings")
	thankWords    = english.WordSet("thanks thank thankful appreciate appreciated cheers grateful")
	tellers       = english.WordSet("i we my our")
	seems         = english.WordSet("looks sounds seems feels looking sounding hear")
	praiseWords   = english.WordSet(`amazing awesome beautiful brilliant congrats congratulations cool excellent fantastic fun glad good gorgeous great impressive
		incredible inspiring lovely nice perfect proud superb sweet terrific wonderful wow yay yum`)
)

// openingOf reads the first sentence of a text, after the name of who speaks, "Ann:"; the first of its words that
// tells decides. Before a word of praise are only words that say little and names: "Wow, Ann, that looks great". Who
// says it of what was done together, or of themselves, tells something: "We had a great time".
func openingOf(text string) opening {
	n := 0
	for t := range english.Tokens(text, english.Names) {
		if t.Kind == english.Break || n == openingWords || n > 0 && strings.ContainsAny(t.Text, ".!?") {
			break
		}
		if t.Kind != english.Word {
			if n == 1 && strings.HasPrefix(t.Text, ":") {
				n = 0 // that was the name of who speaks
			}
			continue
		}
		low := t.Lower()
		base, _ := english.Contraction(low)
		switch n++; {
		case n == 1 && greetingWords[low]:
			return greets
		case thankWords[low]:
			return thanks
		case praiseWords[low]:
			return praises
		case tellers[base] && n == 1 && low != "i'm", !english.StopWord(base) && !vague[base] && !seems[base] && low == t.Text:
			return otherOpening
		}
	}
	return otherOpening
}

// longOpening is the number of bytes up to which a text can be little more than its opening.
const longOpening = 240

// countOpening counts the opening of a text. A long text says more than its opening.
func (t *Terms) countOpening(text string) {
	if len(text) <= longOpening {
		t.openings[openingOf(text)]++
	}
}

// talk returns the label of members that do little more than to greet, to thank and to praise; "" if
// they are about something.
func (l *labelling) talk() string {
	counts := l.in.Members.openings
	most := greets
	sum := 0
	for o := greets; o < openings; o++ {
		sum += counts[o]
		if counts[o] > counts[most] {
			most = o
		}
	}
	switch {
	case l.share(counts[most]) >= openingShare:
		return openingNames[most]
	case l.share(sum) >= smallTalkShare:
		return smallTalk
	}
	return ""
}
