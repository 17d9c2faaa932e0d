package conflict

import "slices"

// belonging is a possession that a text presupposes: my dog, Ann's wife.
type belonging struct{ who, what string }

// possessions are things and persons that one may not have, so that a mention of them is
// informative.
var possessions = lemmaSet("possessions")

// belongings reads the possessions that a text presupposes.
func (p *parser) belongings(t []token) {
	for k, x := range t {
		if x.low != "my" && x.low != "our" && x.low != "'s" {
			continue
		}
		b := belonging{who: p.selfKey()}
		if x.low == "'s" {
			if k == 0 || !t[k-1].upper && !t[k-1].first {
				continue
			}
			b.who = t[k-1].lem
		}
		for i := k + 1; i < len(t) && i < k+4 && !t[i].punctuation && !t[i].is(stopWord); i++ {
			if possessions[t[i].lem] && !t[i].upper && (i+1 == len(t) || t[i+1].punctuation || t[i+1].used || t[i+1].is(stopWord) || t[i+1].finite) {
				b.what = t[i].lem
			}
		}
		// "I sold my car" presupposes the car, but denies it now
		if b.what != "" && (p.rare == nil || !slices.ContainsFunc(p.rare.denials, func(d denial) bool { return d.act == actHas && isA(b.what, d.what) })) {
			w := p.rareFacts()
			w.belongings = append(w.belongings, b)
		}
	}
}
