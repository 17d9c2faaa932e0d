package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// readVerbGroup reads auxiliaries and the main verb from c.aux.
func (c *clause) readVerbGroup() {
	i := c.aux
	c.verb = i
	be, have := false, false
	for ; i < len(c.words); i++ {
		w := &c.words[i]
		switch {
		case w.low == "not" || w.low == "never":
			c.negated = true
			continue
		case tables.Adverb[w.low] || w.low == "all" || w.low == "both":
			continue
		}
		if n := c.outcomeAt(i); n > 0 {
			c.verb, c.past = i+n, c.past || verbForm(w.low) == pastForm || w.low == "had"
			if w.low != "had" {
				c.cues |= cueChanged
			}
			if c.words[i+n].low != "to" {
				c.finish(false, false)
				return
			}
			be, have, c.past, c.perfect, i = false, false, false, false, i+n
			continue
		}
		if lexicon.Implicative[w.low] && i+2 < len(c.words) && c.words[i+1].low == "to" && !tables.Function[c.words[i+2].low] {
			be, have, c.past, c.perfect = false, false, c.past && w.low == "used", false
			i++
			c.verb = i
			continue
		}
		if w.low == "to" && c.resumesAt(i, be) {
			be, c.past, c.cues = true, false, c.cues|cueNow
			continue
		}
		f := verbForm(w.low)
		if f == noVerb && (be || have) && len(w.low) > 4 && strings.HasSuffix(w.low, "ed") {
			f = pastForm
		}
		_, pronoun := english.PronounOf(w.low)
		switch {
		case pronoun && i == c.aux+1 && tables.Finite[c.words[c.aux].low]:
			continue
		case i == c.aux:
			c.past = f == pastForm || w.low == "was" || w.low == "were" || w.low == "did" || w.low == "had" || f == baseForm && syntax.PastInBase(viewed(c.words), i)
			c.modal = tables.Finite[w.low] && w.lem != "be" && w.lem != "hav" && w.lem != "have" && w.lem != "do"
		case c.words[c.verb].low != "to" && !tables.Finite[c.words[c.verb].low] && !be && c.words[c.verb].low != "be" && c.words[c.verb].low != "been" && c.words[c.verb].low != "being" || f == noVerb && w.lem != "be":
			c.finish(be, have)
			return
		case f == thirdForm || f == baseForm && (be || have) && !tables.BothForms[w.low]:
			c.finish(be, have)
			return
		case f == pastForm:
			c.passive = be
			c.perfect = have && !be
		case f == ingForm:
			c.ing = true
		}
		c.verb = i
		if w.lem == "be" {
			be = true
		}
		if w.low == "have" || w.low == "has" || w.low == "had" {
			have = true
		}
		if (w.low == "got" || w.low == "gets" || w.low == "get") && i+1 < len(c.words) && (verbForm(c.words[i+1].low) == pastForm || strings.HasSuffix(c.words[i+1].low, "ed")) {
			be = true
			continue
		}
		if !tables.Finite[w.low] && w.low != "be" && w.low != "been" && w.low != "being" {
			break
		}
	}
	c.finish(be, have)
}

// outcomeAt returns how many words after the one at i the verb stands that tells of an outcome: "ended up getting", "turned out to be"; 0 if
// there is none.
func (c *clause) outcomeAt(i int) int {
	if i+2 >= len(c.words) {
		return 0
	}
	w, particle, next := &c.words[i], c.words[i+1].low, &c.words[i+2]
	switch {
	case w.lem == endLemma && particle == "up" && verbForm(next.low) == ingForm,
		w.lem == turnLemma && particle == "out" && next.low == "to" && i+3 < len(c.words):
		return 2
	}
	return 0
}

var endLemma, turnLemma = lexicon.Lemma("end"), lexicon.Lemma("turn")

// resumesAt reports that the "to" at i, after "is back" or "went back", governs what somebody does again: "I'm back to drinking tea".
func (c *clause) resumesAt(i int, be bool) bool {
	return i > c.aux && c.words[i-1].low == "back" && (be || c.words[c.verb].lem == goLemma) && i+1 < len(c.words) && verbForm(c.words[i+1].low) == ingForm
}

func (c *clause) finish(be, have bool) {
	c.verbLemma = c.words[c.verb].lem
	if c.verb > c.aux && (c.words[c.verb].low == "got") && have {
		c.verbLemma, c.perfect = c.words[c.aux].lem, false
	}
	if c.verb+1 < len(c.words) && (c.words[c.verb+1].low == "not" || c.words[c.verb+1].low == "never" || c.words[c.verb+1].low == "no" && c.verb+2 < len(c.words)) {
		c.negated = true
	}
	for i := 0; i < c.aux; i++ {
		if c.words[i].low == "never" || c.words[i].low == "nobody" || c.words[i].low == "no" && i == 0 && c.words[i].sign == 0 && c.aux > 1 && c.words[1].sign == 0 {
			c.negated = true
		}
	}
	if c.verbLemma == endLemma && c.verb+1 < len(c.words) && c.words[c.verb+1].low == "up" {
		c.verbLemma = "end up" // "ended up in Porto" ends nothing
	}
	c.passive = c.passive && be
	c.changes = tables.ChangeLemma[c.verbLemma] || c.moves()
	if again, ok := strings.CutPrefix(c.verbLemma, "re"); ok && !tables.VerbLemma[c.verbLemma] && tables.VerbLemma[again] {
		c.verbLemma, c.redone = again, true
		c.cues |= cueChanged
	}
	c.readStop()
}

// moves reports a verb that names a change with a particle only: "took over", "went up to". Who
// grew up somewhere does not change.
func (c *clause) moves() bool {
	next := c.verb + 1
	for next < len(c.words) && next < c.verb+4 && !tables.Preposition[c.words[next].low] && !lexicon.Particles[c.words[next].low] {
		next++
	}
	return tables.MovesLemma[c.verbLemma] && next < len(c.words) && lexicon.Movers[c.words[next].low] && !(c.verbLemma == "grow" && c.words[next].low == "up")
}

// readStop reads "quit smoking", "gave up smoking" as a denial of the second verb.
func (c *clause) readStop() {
	at := c.verb + 1
	if at < len(c.words) && (c.words[at].low == "up" || c.words[at].low == "off") {
		at++
	} else if !tables.StopLemma[c.verbLemma] {
		return
	}
	if at < len(c.words) && verbForm(c.words[at].low) == ingForm && (tables.StopLemma[c.verbLemma] || c.verbLemma == "giv") {
		c.verb, c.verbLemma, c.stopped = at, c.words[at].lem, true
		c.negated, c.past = !c.negated, false
	}
}
