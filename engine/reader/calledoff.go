package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/plans"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// CalledOff returns the words by which the plans are found that a statement calls off or moves, each text the words of one.
func (p *Prepared) CalledOff() (texts []string) {
	for i := 0; i < len(p.clauses) && !p.triple(); i++ {
		if x, ok := p.callsOff(i); ok {
			texts = append(texts, plans.Nouns[x.Noun.Head].Said...)
		}
	}
	return texts[:min(len(texts), maxEnded)]
}

// callOffs returns the relation of a later statement that calls off a plan of p, or moves it to another day.
func (p *Prepared) callOffs(later *Prepared) (r Relation, ok bool) {
	if !p.english || !later.english || p.triple() || later.triple() {
		return r, false
	}
	takes := later.takesBack()
	if len(takes) == 0 {
		return r, false
	}
	r = Relation{Kind: Changed, Certainty: finished, Anchored: true, Ground: Ended, Off: true, limit: 1}
	at := later.statement.At
	for i := range p.clauses {
		if p.clauses[i].verb < 0 || p.clauses[i].imperative || p.clauses[i].habit() {
			continue
		}
		e := p.plan(i)
		if !e.Ahead(at) {
			continue
		}
		for _, t := range takes {
			if r.Earlier, r.Later = i, t.at; t.denies && t.clause.Denies(&e) {
				return r, true
			}
			if !t.calls || !t.call.Names(&e) {
				continue
			}
			if r.Day, ok = t.clause.Day(t.to, at); ok && !r.Day.IsZero() && (e.Due.IsZero() || e.Subject.Head == t.call.Noun.Head) {
				r.Off, r.AtOnce = false, true // the day is what the plan says: "the wedding is on 6 June"
			}
			if ok && !(r.Day.IsZero() && t.call.NeedsDay()) {
				return r, true
			}
		}
	}
	return r, false
}

// taking is a clause that may take back a plan.
type taking struct {
	at            int // of the clause
	clause        plans.Clause
	call          plans.Call
	calls, denies bool         // it calls something off; it is negated, and may deny what was planned
	to            []plans.Word // after "to" or "until"
}

// takesBack returns the clauses that may take back a plan: most statements have none, so that no other one is read as a plan for their sake.
func (p *Prepared) takesBack() (out []taking) {
	for j := range p.clauses {
		c := &p.clauses[j]
		if slices.ContainsFunc(p.clauses, func(o clause) bool { return o.contrast && o.start > c.start }) {
			continue
		}
		t := taking{at: j, denies: c.negated && c.denied.empty()}
		if t.call, t.calls = p.callsOff(j); !t.calls && !t.denies {
			continue
		}
		to := c.governed("to")
		if to == nil {
			to = c.governed("until")
		}
		t.clause, t.to = p.plan(j), planWords(to)
		out = append(out, t)
	}
	return out
}

// callsOff returns what a clause calls off, puts off or moves to another day: "the move is off", "there will be no launch",
// "we postponed the wedding to May". ok is false for a clause that does not say it for sure.
func (p *Prepared) callsOff(i int) (x plans.Call, ok bool) {
	c, e := &p.clauses[i], p.plan(i)
	if c.verb < 0 || c.setting || c.imperative || !c.denied.empty() || !e.Sure() || !e.Holds || e.Shortly() {
		return x, false
	}
	switch {
	case e.Moves && c.modality != Plan && !c.negated:
		x.Rest = slices.DeleteFunc(planPhrases(c.phrases), func(q plans.Phrase) bool { return q.Times || q.Prep == "to" || q.Prep == "until" || q.Prep == "from" })
		if x.Noun = planPhrase(c.thing(), ""); c.thing() == &c.object {
			x.By = &e.Subject
		}
	case c.negated && c.verbLemma == "be" && c.hasWord("there") && !c.object.empty():
		x.Noun, x.Rest = planPhrase(&c.object, ""), planPhrases(c.phrases)
		x.Noun.Words = slices.DeleteFunc(x.Noun.Words, func(w plans.Word) bool { return lexicon.Indefinite[w.Low] })
	case c.negated && e.Fails():
		x.Noun, x.Rest = e.Subject, planPhrases(c.phrases)
	case !c.negated && c.modality != Plan && c.isOver():
		if !slices.ContainsFunc(plans.Off[c.verbLemma], func(f lexicon.EndForm) bool {
			read, found := c.readEnding(f)
			if found = found && f.Passive == (c.passive || c.verbLemma == "be") && !read.noun.several(); found {
				x.Noun, x.Rest, x.Form = planPhrase(&read.noun, ""), planPhrases(read.rest), f.Class
			}
			if found && f.Object {
				x.By = &e.Subject
			}
			return found
		}) {
			return x, false
		}
	}
	if first := c.subject.words; x.Noun.Key == e.Subject.Key && len(first) > 0 {
		for at := range c.words[:c.verb] {
			if c.words[at].start == first[0].start {
				x.Before = e.Words[at:c.verb]
			}
		}
	}
	return x, x.Known()
}

// plan returns a clause as it is compared with others that call it off.
func (p *Prepared) plan(i int) plans.Clause {
	c := &p.clauses[i]
	return plans.Clause{
		Words: planWords(c.words), Verb: c.verb, Lemma: c.verbLemma, Subject: planPhrase(&c.subject, ""), Object: planPhrase(&c.object, ""), To: planWords(c.governed("to")),
		Negated: c.negated, Past: c.past || c.perfect, Continuous: c.ing && hasFinite(c, "be"), Future: c.modality == Plan, Moves: c.movesPlan(),
		Holds: c.modality == Asserted || c.modality == Event || c.modality == Plan || c.modality == Bounded && !c.due.IsZero(),
		Text:  bounded(p.statement.Text)[c.start:c.end], Said: p.statement.At, Due: c.due,
	}
}

func planPhrases(all []prepositional) (out []plans.Phrase) {
	for i := range all {
		q := planPhrase(&all[i].noun, all[i].prep)
		q.Times = all[i].kind() == "interval" || all[i].timely() || all[i].season()
		q.OfDay = all[i].ofTheDay()
		out = append(out, q)
	}
	return out
}

func planPhrase(n *nounPhrase, prep string) plans.Phrase {
	return plans.Phrase{Prep: prep, Head: n.head, Key: n.key(), Owner: n.owner, Pronoun: n.pronoun, Words: planWords(n.words)}
}

func planWords(words []word) (out []plans.Word) {
	for i := range words {
		w := &words[i]
		out = append(out, plans.Word{Text: w.text, Low: w.low, Lemma: w.lem, Content: w.content(), Date: w.class == classDate || tables.Months[w.low] && startsUpper(w.text), Time: w.class == classWeekday || w.class == classClock || tables.Relative[w.low]})
	}
	return out
}
