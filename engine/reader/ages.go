package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/age"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// ages reports that somebody is older in the later clause: "my daughter Liv is seven", "Liv just had her eighth birthday".
func (p *pair) ages() bool {
	later, again := p.later.age()
	earlier, told := p.earlier.age()
	return told && again && p.later.cues&(cueCorrect|cueAlso) == 0 && p.later.denied.empty() && later.Outgrows(earlier)
}

// numbersElse reports that the earlier clause tells an age and the later one has another number that is no other age of the same one: "Liv is in
// group eight", "Liv's mother turned 40", "Liv turned six in Rome". A word at the beginning may be no name: "Rent is 40", "the rent is 50".
func (p *pair) numbersElse() bool {
	at := onlyMeasured(p.later.words, p.earlier.words)
	earlier, told := p.earlier.age()
	later, again := p.later.age()
	return told && !(again && later.Rivals(earlier)) && at >= 0 && p.later.words[at].class == classNumber &&
		(!p.earlier.subject.bare() || (!p.later.shifts() || p.later.verbLemma == "turn") && slices.ContainsFunc(p.later.words, func(w word) bool { return w.low == p.earlier.subject.words[0].low && startsUpper(w.text) }))
}

// Outgrown returns the words by which the statements are found that tell an earlier age, each text the words of one: "Liv seven" of "Liv turned eight".
func (p *Prepared) Outgrown() (texts []string) {
	for i := range p.clauses {
		if told, ok := p.clauses[i].age(); ok {
			texts = append(texts, told.Found()...)
		}
	}
	return texts[:min(len(texts), maxEnded)]
}

// countsUs reports how many the speakers are: "we're three now". It tells no age.
func (c *clause) countsUs() bool {
	return c.verbLemma == "be" && c.subject.plural && c.subject.pronoun != "" && len(c.object.words) == 1 && c.object.words[0].class == classNumber
}

// age reads the age that a clause tells.
func (c *clause) age() (age.Told, bool) {
	if c.verb < 0 || c.countsUs() || !slices.ContainsFunc(c.words, func(w word) bool { return w.value || w.low == "birthday" || strings.HasSuffix(w.low, "-year-old") }) {
		return age.Told{}, false
	}
	today, birthday := c.hasWord("today") || c.begun, c.modality == Past && c.verbLemma == "be"
	elsewhere := func(q prepositional) bool {
		return !q.noun.empty() && q.noun.first() != "of" && q.kind() != "interval" && !q.timely()
	}
	if c.negated || c.modal || c.imperative || c.setting || !c.modality.Holds() && !(today && c.modality == Bounded) && !birthday || slices.ContainsFunc(c.phrases, func(q prepositional) bool { return q.leading && elsewhere(q) }) {
		return age.Told{}, false // "in the novel"
	}
	said := age.Clause{
		Verb: c.verbLemma, Words: ageWords(c.words), Subject: ageWords(c.subject.words), Object: ageWords(c.object.words), Pronoun: c.subject.pronoun, Owners: [...]string{c.subject.owner, c.object.owner},
		Personal: c.subject.pronoun != "" || tables.Family[c.subject.head] || lexicon.Kin[c.subject.head] || c.subject.bare() || isName(lastOf(c.subject.words)), Past: c.past, Perfect: c.perfect, Today: today, Alone: !slices.ContainsFunc(c.phrases, elsewhere),
	}
	if of := ageWords(c.subject.possessor); len(of) > 0 && len(said.Subject) > 1 {
		of[len(of)-1].Possessive = true
		said.Subject = append(of, said.Subject[1:]...)
	}
	return said.Told()
}

func ageWords(words []word) []age.Word {
	out := make([]age.Word, len(words))
	for i := range words {
		w := &words[i]
		out[i] = age.Word{Low: w.low, Lemma: w.lem, Name: startsUpper(w.text), Content: w.content(), Possessive: w.possessive}
		if w.value && (w.class == classNumber || w.class == classAmount) {
			out[i].Value = w.lem
		}
	}
	return out
}
