// Package fate tells what a birth, a loss, a recovery and a death end, by the phrases beside their verbs. What else one can lose, recover from and
// put to sleep ends nothing.
package fate

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/plans"
)

// Classes of lexicon/ends.txt.
const Birth, Loss, Born, Recovered, Illness, Death = "birth", "loss", "born", "recovered", "illness", "death"

var (
	die, pass, lose, bury = lexicon.Lemma("die"), lexicon.Lemma("pass"), lexicon.Lemma("lose"), lexicon.Lemma("bury")
	endings               = []string{"itis", "osis", "oma", "emia", "aemia"} // of the names of illnesses
)

// Deadly reports that what ended, by a form of a class, is a life.
func Deadly(class, verb string) bool {
	return class == Death || verb == die || verb == pass && class == "thing"
}

// IsIllness reports a noun, as a lemma, of what somebody recovers from.
func IsIllness(noun string) bool {
	return lexicon.Illnesses[noun] || slices.ContainsFunc(endings, func(end string) bool { return len(noun) > len(end)+2 && strings.HasSuffix(noun, end) })
}

// Narrows reports a phrase that says from what else somebody recovered, or where and for how long something was lost. earlier are the words of the
// earlier clause.
func Narrows(class string, q plans.Phrase, earlier []plans.Word) bool {
	switch class {
	case Loss, Born:
		weeks := q.Prep == "at" && slices.ContainsFunc(q.Words, func(w plans.Word) bool { return strings.Contains(w.Low, "week") || strings.Contains(w.Low, "month") })
		dated := slices.ContainsFunc(q.Words, func(w plans.Word) bool { return w.Date || len(w.Low) == 4 && w.Low[0] >= '1' && w.Low[0] <= '2' })
		return !weeks && !lexicon.Reasons[q.Prep] && (dated && class == Born || !q.Times || len(q.Words) > 0 && q.Words[0].Low == "a")
	case Recovered:
		return (q.Prep == "from" || q.Prep == "of") && fresh(q, earlier)
	}
	return false
}

func fresh(q plans.Phrase, earlier []plans.Word) bool {
	return slices.ContainsFunc(q.Words, func(w plans.Word) bool { return w.Content && !plans.Has(earlier, w) })
}

// OfChild reports that one of two tells of the birth of their child, or of its loss, and that the pregnancy is that of the speaker or of the partner:
// "my wife is pregnant", "our son was born yesterday". noun is who was born, by who tells it.
func OfChild(class string, noun, by, pregnant plans.Phrase) bool {
	expects := speaker(pregnant) || strings.HasPrefix(pregnant.Owner, "@") && slices.ContainsFunc(pregnant.Words, func(w plans.Word) bool { return lexicon.Couples[w.Low] })
	switch class {
	case Born:
		own := strings.HasPrefix(noun.Owner, "@") && noun.Owner != "@you" || noun.Head == "baby" && noun.Owner == "" && noun.Words[0].Low == "the"
		return expects && own && lexicon.Borns[noun.Head]
	case Loss, Birth:
		return expects && speaker(by) && slices.ContainsFunc(by.Words, func(w plans.Word) bool { return w.Low == "we" })
	}
	return false
}

func speaker(p plans.Phrase) bool { return strings.HasPrefix(p.Pronoun, "@") && p.Pronoun != "@you" }

// Dies reports that a clause with a verb of the class Death tells that a relative or an animal died: "I lost my mum", "we had to put Rex down". A relative
// who is lost somewhere did not, and only an animal is put to sleep.
func Dies(verb string, noun plans.Phrase, rest []plans.Phrase, earlier []plans.Word) bool {
	if verb == lose || verb == bury {
		if !Relative(noun) || !strings.HasPrefix(noun.Owner, "@") {
			return false
		}
	} else if !slices.ContainsFunc(slices.Concat(earlier, noun.Words), func(w plans.Word) bool { return frames.Kinds["animal"][w.Lemma] && !lexicon.Borns[w.Lemma] }) ||
		len(noun.Words) == 0 || lexicon.Indefinite[noun.Words[0].Low] {
		return false
	}
	return !slices.ContainsFunc(rest, func(q plans.Phrase) bool {
		return q.OfDay || q.Prep != "to" && q.Prep != "ago" && !lexicon.Reasons[q.Prep] && !q.Times
	})
}

// Relative reports a phrase with a noun of a relative who is a person.
func Relative(p plans.Phrase) bool { return relatives[p.Head] }

var relatives = lexicon.Lemmas(lexicon.Relatives)

// SameRelative reports two phrases for a relative of the speaker, one of which names no owner: "Mum", "my mum".
func SameRelative(x, y plans.Phrase) bool {
	bare := func(p plans.Phrase) bool { return p.Owner == "" && len(p.Words) == 1 }
	own := func(p plans.Phrase) bool { return strings.HasPrefix(p.Owner, "@") && len(p.Words) == 2 }
	return x.Head == y.Head && Relative(x) && (bare(x) && own(y) || own(x) && bare(y))
}
