package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/contrast"
	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/phrase"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verbgroup"
)

// parse finds the verb of a clause and the phrases around it.
func (c *clause) parse(me string) {
	polite := c.words[0].low == "please"
	c.trim()
	if len(c.words) > 2 && c.words[0].low == "let" && c.words[2].low != "know" && (c.words[1].low == "is" || c.words[1].low == "us") && c.words[1].start <= c.words[0].end+1 && verbForm(c.words[2].low) == baseForm {
		c.words, polite = c.words[2:], true // "Let's use tabs"
	}
	c.words = dropAdverbials(c)
	if len(c.words) == 0 {
		return
	}
	if c.parseSetting(me) {
		return
	}
	seen := viewed(c.words)
	at := syntax.VerbAt(seen)
	if polite && verbForm(c.words[0].low) == baseForm {
		at = 0 // "Please book window seats"
	}
	if at < 0 {
		c.parseFragment(seen, me)
		return
	}
	kept, denied := cutContrast(c.words[at:])
	c.words, c.denied = append(slices.Clip(c.words[:at]), kept...), readNoun(denied, me)
	if len(c.words) < len(seen) {
		seen = viewed(c.words)
	}
	c.takeVerbs(verbgroup.Read(seen, at, c.negated), at)
	c.imperative = c.verb == 0 && (verbForm(c.words[0].low) == baseForm && !c.past || ordersWhat(c.words))
	if c.aux < c.verb && c.words[0].low == "do" && c.verb <= 3 && c.negated {
		c.imperative = true
	}
	for i := 0; i < c.verb && !c.imperative && c.aux == c.verb; i++ {
		if !tables.Adverb[c.words[i].low] && c.words[i].low != "not" {
			break
		}
		c.imperative = i+1 == c.verb && verbForm(c.words[c.verb].low) == baseForm
	}
	if !c.imperative {
		c.parseSubject(c.words[:c.aux], seen[:c.aux], me)
		if c.subject.empty() && c.verb > c.aux+1 {
			c.parseSubject(c.words[c.aux+1:c.verb], seen[c.aux+1:c.verb], me) // a question: "should I move"
		}
	}
	at = min(c.verb+1, len(c.words))
	c.parseRest(c.words[at:], seen[at:], me)
}

// takeVerbs takes over the verb group that begins at aux.
func (c *clause) takeVerbs(g verbgroup.Group, aux int) {
	c.aux, c.verb, c.verbLemma, c.negated = aux, g.Verb, g.Lemma, g.Negated
	c.past, c.passive, c.perfect, c.ing, c.modal, c.stopped, c.changes, c.redone = g.Past, g.Passive, g.Perfect, g.Ing, g.Modal, g.Stopped, g.Changes, g.Redone
	if g.Changed {
		c.cues |= cueChanged
	}
	if g.Now {
		c.cues |= cueNow
	}
}

// trim drops fillers at the beginning: "Hey, by the way, …".
func (c *clause) trim() {
	for len(c.words) > 1 {
		n := 0
		if tables.Filler[c.words[0].low] && c.words[0].class != classPerson && (c.words[1].sign != 0 || verbForm(c.words[0].low) == noVerb) {
			n = 1
		}
		for _, p := range tables.Phrases[c.words[0].low] {
			if len(p.Words) > n && len(p.Words) < len(c.words) && (cueset.Of(p) == cueFiller || cueset.Of(p) == cueCorrect && c.words[len(p.Words)].sign != 0) && cueset.Begin(lowOf(c.words), p.Words) {
				n = len(p.Words) // "wait, the oven …" corrects, "wait for the oven" does not
			}
		}
		if n == 0 || n >= len(c.words) {
			return
		}
		c.words = c.words[n:]
		c.words[0].sign = 0
	}
}

// parseSetting reads "log level: debug" and "theme = dark".
func (c *clause) parseSetting(me string) bool {
	at := 0
	for i := 1; i < len(c.words) && i < 9; i++ {
		if s := c.words[i].sign; s == ':' || s == '=' {
			at = i
			break
		}
	}
	if at == 0 || ordersWhat(c.words[:at]) || slices.ContainsFunc(c.words[:at], func(w word) bool { return tables.Finite[w.low] }) {
		return false
	}
	rest := c.words[at:]
	if v := verbAt(rest); v > 0 && len(rest) > 2 {
		c.phrases = append(c.phrases, prepositional{prep: ":", noun: readNoun(c.words[:at], me), leading: true})
		c.words = rest
		c.words[0].sign = 0
		return false
	}
	c.setting, c.verbLemma, c.verb, c.aux = true, "be", at, at
	head := c.words[:at]
	for i := 1; i < len(head); i++ {
		if tables.Preposition[head[i].low] && head[i].low != "of" {
			c.parsePhrases(head[i:], me, true)
			head = head[:i]
			break
		}
	}
	c.subject = readNoun(head, me)
	c.parseObject(rest, viewed(rest), me)
	return true
}

// parseFragment reads a clause without a finite verb: "Finally got my own place", "Dark mode".
func (c *clause) parseFragment(seen []syntax.Word, me string) {
	for i := range c.words {
		if f := verbForm(c.words[i].low); f == pastForm || f == ingForm && i == 0 {
			c.verb, c.aux = i, i
			c.verbLemma = c.words[i].lem
			c.past = f == pastForm
			c.parseSubject(c.words[:i], seen[:i], me)
			if c.subject.empty() && c.past {
				c.subject = nounPhrase{words: c.words[:0:0], head: me, pronoun: me}
			}
			c.parseRest(c.words[i+1:], seen[i+1:], me)
			return
		}
	}
	c.parseRest(c.words, seen, me)
}

// parseSubject reads the words before the verb, of which seen is the view: phrases of time and place, then the subject.
func (c *clause) parseSubject(words []word, seen []syntax.Word, me string) {
	s := phrase.BeforeVerb(seen, c.words[0].low)
	c.takePhrases(words, s.Phrases, s.Now, me, true)
	if c.subject = readNoun(words[s.From:s.To], me); s.Particle != "" {
		c.subject.mods = append(c.subject.mods, s.Particle)
	}
	c.negated = c.negated || s.Denied
}

// parseRest reads what follows the verb; seen is its view.
func (c *clause) parseRest(words []word, seen []syntax.Word, me string) {
	for len(words) > 0 && (words[0].low == "not" || tables.Adverb[words[0].low] && len(words) > 1 && words[0].low != "back") {
		words, seen = words[1:], seen[1:]
	}
	c.parseObject(words, seen, me)
}

// cutContrast cuts from the words of a verb and its value what they deny in contrast, see contrast.Cut.
func cutContrast(words []word) (kept, denied []word) {
	plain := make([]contrast.Word, len(words))
	for i := range words {
		w := &words[i]
		f := verbForm(w.low)
		plain[i] = contrast.Word{Low: w.low, Sign: w.sign, Preposition: tables.Preposition[w.low], Verb: f != noVerb, Value: w.value || isName(w.class) || w.class == classNoun || w.class == classWeekday || w.class == classDate}
	}
	var seen []syntax.Word
	at, from, to, ok := contrast.Cut(plain, func(from int) bool {
		if seen == nil {
			seen = viewed(words)
		}
		return syntax.VerbAt(seen[from:]) >= 0
	})
	if !ok {
		return words, nil
	}
	for j, i := range at {
		if kept = append(kept, words[i]); j != i && words[i-1].low == "not" {
			kept[j].sign = 0
		}
	}
	return kept, words[from:to]
}

// parseObject reads a direct object or complement and the phrases after it; seen is the view of the words.
func (c *clause) parseObject(words []word, seen []syntax.Word, me string) {
	n := phrase.Before(seen)
	if n == 0 && len(words) > 0 && (tables.Copies[c.verbLemma] || c.setting || c.passive || c.changes) && (len(words) == 1 || words[1].class == classAdverb || words[1].sign == ',') {
		words[0].class = classNoun
		n = 1
	}
	end := n
	for end > 1 && lexicon.Timewise[words[end-1].low] && c.verbLemma != "be" && !tables.Copies[c.verbLemma] {
		end-- // "ended the contract early"
	}
	c.object = readNoun(words[:end], me)
	found, now := phrase.Cut(seen[n:])
	c.takePhrases(words[n:], found, now, me, false)
}

// parsePhrases reads phrases of a preposition and the words up to the next one.
func (c *clause) parsePhrases(words []word, me string, leading bool) {
	found, now := phrase.Cut(viewed(words))
	c.takePhrases(words, found, now, me, leading)
}

// takePhrases takes over phrases of words. now says that the words tell what is so now.
func (c *clause) takePhrases(words []word, found []phrase.Phrase, now bool, me string, leading bool) {
	for _, p := range found {
		c.phrases = append(c.phrases, prepositional{prep: p.Prep, noun: readNoun(words[p.From:p.To], me), leading: leading})
	}
	if now {
		c.cues |= cueNow
	}
}

// dropAdverbials takes out of a clause the phrases that only say "now" or "no longer", and those
// that say nothing, as "after all"; "no longer" negates it.
func dropAdverbials(c *clause) []word {
	if c.cues&(cueNow|cueNoLonger|cueFiller) == 0 {
		return c.words
	}
	kept, denied := cueset.WithoutAdverbials(lowOf(c.words))
	out := make([]word, 0, len(kept))
	for _, i := range kept {
		out = append(out, c.words[i])
	}
	c.negated = c.negated || denied
	return out
}
