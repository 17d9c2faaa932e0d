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
	die, pass, lose, bury, bear = lexicon.Lemma("die"), lexicon.Lemma("pass"), lexicon.Lemma("lose"), lexicon.Lemma("bury"), lexicon.Lemma("bear")
	recovering, cure, be        = lexicon.Lemma("recover"), lexicon.Lemma("cure"), lexicon.Lemma("be")
	endings                     = []string{"itis", "osis", "oma", "emia", "aemia"} // of the names of illnesses
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

// Recovers reports that an ending is a recovery that names no illness and may be from any: "I'm cured", "I've recovered".
func Recovers(class, verb string) bool {
	return class == Recovered && (verb == recovering || verb == cure)
}

// Passing returns the noun, as a lemma, of the illness or injury that a clause says somebody has and of which a recovery without a name is one: "I have
// the flu", "I suffer from depression", "I have a broken leg". It is empty for what stays ("diabetes"), and for what names no illness ("I'm ill"). had is the object of the
// verb, or what is after its preposition.
func Passing(verb string, had plans.Phrase) string {
	if !lexicon.Ends.Relations[Illness].Words[verb] || verb == be || had.Head == "" {
		return ""
	}
	is := func(set map[string]bool) bool {
		return slices.ContainsFunc(had.Words, func(w plans.Word) bool { return set[w.Low] || set[w.Lemma] })
	}
	named := slices.ContainsFunc(had.Words, func(w plans.Word) bool { return w.Lemma == had.Head && lexicon.Illnesses[w.Low] })
	ill := named || IsIllness(had.Head) && !strings.HasSuffix(had.Head, "osis") // sclerosis, fibrosis
	if ill && !is(lexicon.NeverCured) || lexicon.BodyParts[had.Head] && is(lexicon.Injuries) {
		return had.Head
	}
	return ""
}

// OfChild reports that one of two tells of the birth of their child, or of its loss, and that the pregnancy is that of the speaker or of the partner:
// "my wife is pregnant", "our son Emil was born yesterday". noun is who was born, by who tells it.
func OfChild(class, verb string, noun, by, pregnant plans.Phrase) bool {
	expects := speaker(pregnant) || strings.HasPrefix(pregnant.Owner, "@") && slices.ContainsFunc(pregnant.Words, func(w plans.Word) bool { return lexicon.Couples[w.Low] })
	switch class {
	case Born:
		own := strings.HasPrefix(noun.Owner, "@") && noun.Owner != "@you" || noun.Head == "baby" && noun.Owner == "" && noun.Words[0].Low == "the"
		return expects && own && (lexicon.Borns[noun.Head] || verb == bear && namedChild(noun.Words))
	case Loss, Birth:
		return expects && speaker(by) && slices.ContainsFunc(by.Words, func(w plans.Word) bool { return w.Low == "we" })
	}
	return false
}

// namedChild reports a noun of a child with a name after it: "our daughter Ida". A child with a name who arrives may be an older one.
func namedChild(words []plans.Word) bool {
	at := len(words) - 1
	for at >= 0 && !lexicon.Borns[words[at].Lemma] {
		if first := words[at].Text[0]; (first < 'A' || first > 'Z' && first < 0x80) && words[at].Low != "and" {
			return false
		}
		at--
	}
	return at >= 0 && at+1 < len(words)
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
