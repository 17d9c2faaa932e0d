package conflict

import "strings"

// statesTable are states of which a thing is in one at a time. A line is a group: its
// name, then its states between bars, each with the words that say it; words of more than
// one are joined by "_". "a" before a word that is also done to a thing says that whoever
// does it ends the state before: "the committee approved it".
const statesTable = `
progress finished complete done completed over concluded | running ongoing in_progress under_way underway unfinished pending incomplete started
approval approved accepted granted signed_off greenlit | rejected denied declined refused turned_down vetoed
payment paid settled | unpaid outstanding overdue
validity valid in_force | expired lapsed invalid run_out void
stock sold_out out_of_stock | available in_stock on_sale for_sale
delivery shipped sent dispatched delivered on_its_way in_transit | unshipped
arrival delivered arrived received | on_its_way in_transit
presence on_leave on_parental_leave on_maternity_leave on_sick_leave on_holiday on_vacation off_sick out_of_office on_sabbatical | back_at_work at_work back_in_the_office in_the_office
lock locked | unlocked
power on enabled active activated switched_on turned_on | off disabled inactive deactivated switched_off turned_off
service up running online working operational functional healthy in_service | down offline broken out_of_order out_of_service crashed defective dead
taken vacant free unfilled | filled taken occupied booked reserved
marriage single unmarried divorced widowed separated | married
work employed | unemployed retired out_of_work jobless
plan cancelled scrapped called_off | confirmed going_ahead
ticket open reopened unresolved unsolved | closed resolved fixed solved
door open reopened | closed shut
`

// state is a pole of a group.
type state struct {
	group string
	pole  int
	poles int
	rest  []string // words that follow the first
}

var states = func() map[string][]state {
	m := map[string][]state{}
	for _, line := range strings.Split(strings.TrimSpace(statesTable), "\n") {
		group, list, _ := strings.Cut(line, " ")
		poles := strings.Split(list, "|")
		for i, pole := range poles {
			for _, phrase := range strings.Fields(pole) {
				w := strings.Split(phrase, "_")
				m[w[0]] = append(m[w[0]], state{group, i, len(poles), w[1:]})
			}
		}
	}
	return m
}()

// lasting are groups whose states somebody brings about, and that then last: "was closed"
// of a ticket says that it is.
var lasting = words("approval payment delivery arrival ticket plan lock validity progress")

// tickets are what is closed for good.
var tickets = lemmas("ticket issue case bug incident request complaint dispute investigation account deal claim")

// states reads in which state a sentence says a thing is: "the visa has expired", "the
// proposal was approved", "the committee approved the proposal".
func (p *parser) states(t []token) []claim {
	var out []claim
	for i, x := range t {
		if i == 0 || !x.is(formOfBe|formOfHave) && !x.past {
			continue
		}
		if x.low == "'s" && !copula(t, i) {
			continue
		}
		return p.stateAt(t, i)
	}
	return out
}

// stateAt reads the state behind the first verb of a sentence.
func (p *parser) stateAt(t []token, i int) []claim {
	denied, was, be := false, false, false
	j := i
	for ; j < len(t); j++ {
		x := t[j]
		switch {
		case x.low == "not" || x.low == "no" && at(t, j+1) == "longer":
			if denied {
				return nil
			}
			denied = true
		case x.low == "longer":
		case x.is(formOfBe | formOfHave):
			was = was || x.low == "was" || x.low == "were" || x.low == "had"
			be = be || x.is(formOfBe)
		case x.is(adverb) && x.low != "once" && x.low != "never" && x.low != "almost" && x.low != "nearly" && x.low != "probably" || x.low == "again" || x.low == "now" || x.low == "still" || x.low == "yet":
		default:
			goto behind
		}
	}
behind:
	for _, x := range t[:i] {
		if x.is(doubtWord) || x.is(modal) {
			return nil
		}
	}
	if j >= len(t) {
		return nil
	}
	subject := t[:i]
	var out []claim
	for _, s := range states[t[j].low] {
		end := j + 1
		if !follows(t, end, s.rest) {
			continue
		}
		end += len(s.rest)
		event := t[j].past && t[j].verb && (lasting[s.group] || s.group == "power" && be)
		about := subject
		if !be && (i != j || t[j].is(formOfHave)) { // has expired
			if !event {
				continue
			}
		}
		if i == j && !be { // the committee approved the proposal
			if !event || s.group == "progress" || t[j].low == "settled" {
				continue
			}
			if s.group == "validity" {
				about = subject
			} else if about = uptoPhrase(t[end:]); len(about) == 0 {
				continue
			}
		} else if end < len(t) && !ends(t[end]) {
			continue
		}
		if was && !event || s.poles != 2 && denied {
			continue
		}
		c := claim{attribute: "state of " + s.group, kind: ofState, subject: about, owner: p.owner(about)}
		if len(c.owner) == 0 || c.owner[0] == "@i" && len(c.owner) == 1 && s.group != "marriage" && s.group != "work" && s.group != "presence" {
			continue
		}
		if s.group == "ticket" != anyOf(c.owner, tickets) && (s.group == "ticket" || s.group == "door") {
			continue
		}
		for k := end; k < len(t) && !t[k].mark && (be || i != j); k++ {
			if k == end && because[t[k].low] {
				break
			}
			if t[k].used || dayWord(t[k]) || !t[k].is(stopWord) {
				c.rest = append(c.rest, t[k].lem)
			}
		}
		pole := s.pole
		if denied {
			pole = 1 - pole
		}
		c.text = s.group + itoa(pole)
		out = append(out, c)
	}
	return out
}

// because are words behind a state that say why, or since when.
var because = words("for because since due as by and but so again now until till")

func follows(t []token, i int, words []string) bool {
	for k, w := range words {
		if at(t, i+k) != w {
			return false
		}
	}
	return true
}

func anyOf(list []string, set map[string]bool) bool {
	for _, w := range list {
		if set[w] {
			return true
		}
	}
	return false
}

// ends reports a word with which what was said of a state may go on.
func ends(x token) bool {
	return x.mark || x.is(preposition|joining|adverb|clauseEnd) || x.used || x.low == "again" || x.low == "now" || x.low == "anymore" || x.low == "today"
}
