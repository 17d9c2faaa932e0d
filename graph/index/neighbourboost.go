package index

import "github.com/somnograph/somnograph/graph/index/slots"

// The answer to a question is often next to the memory that contains the words of the question.
// So a memory adds a share of its BM25 score to its neighbours in the session, by event time,
// among the memories that pass the filter. The share falls with every step. A long memory takes
// a smaller share than a short one, because its own words say more:
//
//	boost(steps, |d|) = boostStep^steps · boostLength/(boostLength + |d|)
//
// A memory that asks a question is likely to be followed by its answer. So it adds more to the
// next memory, in proportion to the statements in that one: 1 + boostAnswer·asks·(1−asks of the
// next) times as much.
const (
	boostStep   = 0.6
	boostSteps  = 2     // to either side
	boostLength = 100.0 // |d| in terms at which half of the boost is taken
	boostAnswer = 1.5
)

// lender is a neighbour in a session, with the share of its score that it adds to another memory.
type lender struct {
	slot  uint32
	share float32
}

// lenders appends the passing memories that boost the score of a slot.
func (v *view) lenders(lenders []lender, slot uint32, pass slots.Set) []lender {
	col, i := v.columnsOf(slot)
	if col.session[i] == 0 {
		return lenders
	}
	for _, later := range [...]bool{false, true} {
		share, at := float32(1), slot
		for step := range boostSteps {
			if at = v.neighbour(at, pass, later); at == slots.None {
				break
			}
			share *= boostStep
			l := lender{at, share}
			if step == 0 && !later {
				before, j := v.columnsOf(at)
				l.share *= answerBoost(before.questionShare[j], col.questionShare[i])
			}
			lenders = append(lenders, l)
		}
	}
	return lenders
}

// neighbour returns the next passing slot of the session in one direction, or slots.None.
func (v *view) neighbour(slot uint32, pass slots.Set, later bool) uint32 {
	for {
		c, i := v.columnsOf(slot)
		if later {
			slot = c.after[i]
		} else {
			slot = c.before[i]
		}
		if slot == slots.None || pass.Has(slot) {
			return slot
		}
	}
}

// boostTaken returns the share of a boost that a memory of a length takes.
func boostTaken(length float32) float32 { return boostLength / (boostLength + length) }

// answerBoost returns the factor by which a memory adds more to the next one. asks and nextAsks
// are the shares of their contents that are questions.
func answerBoost(asks, nextAsks float32) float32 { return 1 + boostAnswer*asks*(1-nextAsks) }
