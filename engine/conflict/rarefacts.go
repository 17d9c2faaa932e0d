package conflict

import (
	"cmp"
	"maps"
)

// rareFacts are facts that few texts state: what somebody does without, owns, prefers, travels by,
// uses for a purpose, or allows. Most texts have none.
type rareFacts struct {
	denials     []denial
	belongings  []belonging
	choices     []choice
	journeys    []journey
	instruments []instrument
	permits     []permit
}

// rareFacts returns the rare facts of the text, so that the caller can add one.
func (p *parser) rareFacts() *rareFacts {
	if p.rare == nil {
		p.rare = &rareFacts{}
	}
	return p.rare
}

// readRareFacts reads the rare facts of a clause. t are its tokens.
func (p *parser) readRareFacts(c *clause, t []token) {
	if !p.isNote || !rareFactVerbs[c.verb] {
		return
	}
	p.readDenials(c)
	if j, ok := p.journeyOf(c); ok {
		h := p.rareFacts()
		h.journeys = append(h.journeys, j)
	}
	if m, ok := p.instrumentOf(c, t); ok {
		h := p.rareFacts()
		h.instruments = append(h.instruments, m)
	}
}

// rareFactVerbs are the verbs of clauses with rare facts.
var rareFactVerbs = func() map[string]bool {
	m := lemmas("be have keep follow eat stay like give use cancel")
	for _, verbs := range []map[string]bool{ingestVerbs, avoidVerbs, ownVerbs, giveAwayVerbs, lossVerbs, leaveGroupVerbs, replaceVerbs, switchVerbs, disbandVerbs, travelModeVerbs, travelVerbs, carryOutVerbs} {
		maps.Copy(m, verbs)
	}
	for v := range doingSorts {
		m[v] = true
	}
	return m
}()

// compareRareFacts compares the rare facts of two statements.
func compareRareFacts(a, b *Analysis) Result {
	r := cmp.Or(compareDenials(a, b), compareDenials(b, a))
	if a.rare == nil || b.rare == nil {
		return r
	}
	x, y := a.rare, b.rare
	return cmp.Or(r, firstPair(x.choices, y.choices, compareChoices), firstPair(x.journeys, y.journeys, compareJourneys),
		firstPair(x.instruments, y.instruments, compareInstruments), firstPair(x.permits, y.permits, comparePermits))
}
