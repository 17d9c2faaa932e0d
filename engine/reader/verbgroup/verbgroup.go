// Package verbgroup reads the verb group of a clause, its auxiliaries and its main verb, and says it in other words: in the third person,
// and in the present tense.
package verbgroup

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

// Group is a verb group.
type Group struct {
	words []syntax.Word
	aux   int // index of its first word

	Verb    int    // index of the main verb
	Lemma   string // of the main verb
	Negated bool
	Past    bool // the finite verb is in the past tense
	Passive bool
	Perfect bool
	Ing     bool
	Modal   bool // will, can, should …
	Stopped bool // "stopped smoking": the main verb is "smoke", negated
	Changes bool // the verb names a change of a state
	Redone  bool // the verb tells that something was done again: "rewritten", "rebooted"
	Changed bool // its words tell of a change, as those of an outcome do: "ended up getting"
	Now     bool // its words tell what is so now: "I'm back to drinking tea"
}

// Read reads the verb group of a clause from the word at aux. negated says that words outside of the group deny the clause.
func Read(words []syntax.Word, aux int, negated bool) Group {
	g := Group{words: words, aux: aux, Negated: negated}
	g.read()
	return g
}

// read reads auxiliaries and the main verb from g.aux.
func (g *Group) read() {
	i := g.aux
	g.Verb = i
	be, have := false, false
	for ; i < len(g.words); i++ {
		w := &g.words[i]
		switch {
		case w.Low == "not" || w.Low == "never":
			g.Negated = true
			continue
		case tables.Adverb[w.Low] || w.Low == "all" || w.Low == "both":
			continue
		}
		if n := g.outcomeAt(i); n > 0 {
			g.Verb, g.Past = i+n, g.Past || w.Form == verb.Past || w.Low == "had"
			if w.Low != "had" {
				g.Changed = true
			}
			if g.words[i+n].Low != "to" {
				g.finish(false, false)
				return
			}
			be, have, g.Past, g.Perfect, i = false, false, false, false, i+n
			continue
		}
		if lexicon.Implicative[w.Low] && i+2 < len(g.words) && g.words[i+1].Low == "to" && !tables.Function[g.words[i+2].Low] {
			be, have, g.Past, g.Perfect = false, false, g.Past && w.Low == "used", false
			i++
			g.Verb = i
			continue
		}
		if w.Low == "to" && g.resumesAt(i, be) {
			be, g.Past, g.Now = true, false, true
			continue
		}
		f := w.Form
		if f == verb.None && (be || have) && len(w.Low) > 4 && strings.HasSuffix(w.Low, "ed") {
			f = verb.Past
		}
		_, pronoun := english.PronounOf(w.Low)
		switch {
		case pronoun && i == g.aux+1 && tables.Finite[g.words[g.aux].Low]:
			continue
		case i == g.aux:
			g.Past = f == verb.Past || w.Low == "was" || w.Low == "were" || w.Low == "did" || w.Low == "had" || f == verb.Base && syntax.PastInBase(g.words, i)
			g.Modal = tables.Finite[w.Low] && w.Lem != "be" && w.Lem != "hav" && w.Lem != "have" && w.Lem != "do"
		case g.words[g.Verb].Low != "to" && !tables.Finite[g.words[g.Verb].Low] && !be && g.words[g.Verb].Low != "be" && g.words[g.Verb].Low != "been" && g.words[g.Verb].Low != "being" || f == verb.None && w.Lem != "be":
			g.finish(be, have)
			return
		case f == verb.Third || f == verb.Base && (be || have) && !tables.BothForms[w.Low]:
			g.finish(be, have)
			return
		case f == verb.Past:
			g.Passive = be
			g.Perfect = have && !be
		case f == verb.Ing:
			g.Ing = true
		}
		g.Verb = i
		if w.Lem == "be" {
			be = true
		}
		if w.Low == "have" || w.Low == "has" || w.Low == "had" {
			have = true
		}
		if (w.Low == "got" || w.Low == "gets" || w.Low == "get") && i+1 < len(g.words) && (g.words[i+1].Form == verb.Past || strings.HasSuffix(g.words[i+1].Low, "ed")) {
			be = true
			continue
		}
		if !tables.Finite[w.Low] && w.Low != "be" && w.Low != "been" && w.Low != "being" {
			break
		}
	}
	g.finish(be, have)
}

// outcomeAt returns how many words after the one at i the verb stands that tells of an outcome: "ended up getting", "turned out to be"; 0 if
// there is none.
func (g *Group) outcomeAt(i int) int {
	if i+2 >= len(g.words) {
		return 0
	}
	w, particle, next := &g.words[i], g.words[i+1].Low, &g.words[i+2]
	switch {
	case w.Lem == endLemma && particle == "up" && next.Form == verb.Ing,
		w.Lem == turnLemma && particle == "out" && next.Low == "to" && i+3 < len(g.words):
		return 2
	}
	return 0
}

var endLemma, turnLemma, goLemma = lexicon.Lemma("end"), lexicon.Lemma("turn"), lexicon.Lemma("go")

// resumesAt reports that the "to" at i, after "is back" or "went back", governs what somebody does again: "I'm back to drinking tea".
func (g *Group) resumesAt(i int, be bool) bool {
	return i > g.aux && g.words[i-1].Low == "back" && (be || g.words[g.Verb].Lem == goLemma) && i+1 < len(g.words) && g.words[i+1].Form == verb.Ing
}

// finish reads what the words around the main verb tell of it. be and have say that the group has these auxiliaries.
func (g *Group) finish(be, have bool) {
	g.Lemma = g.words[g.Verb].Lem
	if g.Verb > g.aux && (g.words[g.Verb].Low == "got") && have {
		g.Lemma, g.Perfect = g.words[g.aux].Lem, false
	}
	if g.Verb+1 < len(g.words) && (g.words[g.Verb+1].Low == "not" || g.words[g.Verb+1].Low == "never" || g.words[g.Verb+1].Low == "no" && g.Verb+2 < len(g.words)) {
		g.Negated = true
	}
	for i := 0; i < g.aux; i++ {
		if g.words[i].Low == "never" || g.words[i].Low == "nobody" || g.words[i].Low == "no" && i == 0 && g.words[i].Sign == 0 && g.aux > 1 && g.words[1].Sign == 0 {
			g.Negated = true
		}
	}
	if g.Lemma == endLemma && g.Verb+1 < len(g.words) && g.words[g.Verb+1].Low == "up" {
		g.Lemma = "end up" // "ended up in Porto" ends nothing
	}
	g.Passive = g.Passive && be
	g.Changes = tables.ChangeLemma[g.Lemma] || Moves(g.words, g.Verb, g.Lemma)
	if again, ok := strings.CutPrefix(g.Lemma, "re"); ok && !tables.VerbLemma[g.Lemma] && tables.VerbLemma[again] {
		g.Lemma, g.Redone, g.Changed = again, true, true
	}
	g.readStop()
}

// Moves reports a verb, by its index and its lemma, that names a change with a particle only: "took over", "went up to". Who
// grew up somewhere does not change.
func Moves(words []syntax.Word, at int, lemma string) bool {
	next := at + 1
	for next < len(words) && next < at+4 && !tables.Preposition[words[next].Low] && !lexicon.Particles[words[next].Low] {
		next++
	}
	return tables.MovesLemma[lemma] && next < len(words) && lexicon.Movers[words[next].Low] && !(lemma == "grow" && words[next].Low == "up")
}

// readStop reads "quit smoking", "gave up smoking" as a denial of the second verb.
func (g *Group) readStop() {
	at := g.Verb + 1
	if at < len(g.words) && (g.words[at].Low == "up" || g.words[at].Low == "off") {
		at++
	} else if !tables.StopLemma[g.Lemma] {
		return
	}
	if at < len(g.words) && g.words[at].Form == verb.Ing && (tables.StopLemma[g.Lemma] || g.Lemma == "giv") {
		g.Verb, g.Lemma, g.Stopped = at, g.words[at].Lem, true
		g.Negated, g.Past = !g.Negated, false
	}
}
