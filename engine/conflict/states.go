package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// statesTable lists groups of states that exclude each other. A line is a group: its name, then
// the states, separated by bars, each with the words that express it; "_" joins the words of a
// phrase. "~" marks phrases that begin with a verb ("works part time"); the others follow "is". A
// group may have several lines.
const statesTable = `
progress finished complete done completed over concluded wrapped_up | running ongoing in_progress under_way underway unfinished pending incomplete started half_done half_finished in_the_works not_ready
approval approved accepted granted signed_off greenlit | rejected denied declined refused turned_down vetoed
payment paid settled cleared paid_off | unpaid outstanding overdue
validity valid in_force | expired lapsed invalid run_out void
stock sold_out out_of_stock | available in_stock on_sale for_sale
sale sold | for_sale up_for_sale on_the_market unsold
delivery shipped sent dispatched delivered on_its_way in_transit left_the_warehouse left_the_depot | unshipped
arrival delivered arrived received | on_its_way in_transit still_in_transit at_customs in_the_post delayed lost missing
presence on_leave on_parental_leave on_maternity_leave on_paternity_leave on_sick_leave on_holiday on_vacation off_sick out_of_office on_sabbatical | back_at_work at_work back_in_the_office in_the_office
lock locked | unlocked
power on enabled active activated switched_on turned_on live rolled_out | off disabled inactive deactivated switched_off turned_off behind_a_flag
service up running online working working_fine working_again fine operational functional healthy in_service up_and_running back_up | down offline broken out_of_order out_of_service crashed defective dead
service ~works ~runs_fine ~works_fine |
build passing green | failing red broken
build ~passes ~pass | ~fails ~fail
taken vacant free unfilled unoccupied | filled taken occupied booked reserved
marriage single unmarried divorced widowed separated | married happily_married
love single unattached | engaged in_a_relationship dating
work employed in_work in_employment | unemployed retired out_of_work jobless between_jobs looking_for_work looking_for_a_job job_hunting
work ~works_full_time ~works_full-time ~works_part_time ~works_part-time ~work_full_time ~work_part_time ~work_full-time ~work_part-time |
hours ~works_full_time ~works_full-time ~work_full_time ~work_full-time full-time | ~works_part_time ~works_part-time ~work_part_time ~work_part-time part-time
pay freelance freelancing self-employed a_freelancer | employed salaried on_staff
training a_student still_studying at_university still_at_school | a_graduate graduated ~graduated
life alive | dead deceased
household ~lives_alone ~live_alone | ~shares_a_flat ~share_a_flat ~shares_a_house ~share_a_house ~shares_an_apartment ~share_an_apartment ~lives_with ~live_with
morning an_early_bird an_early_riser a_morning_person a_lark | a_night_owl a_late_riser no_morning_person
hand left-handed ~writes_with_his_left_hand ~writes_with_her_left_hand ~write_with_my_left_hand | right-handed ~writes_with_his_right_hand ~writes_with_her_right_hand ~write_with_my_right_hand
diet vegan vegetarian pescatarian | carnivore a_meat-eater a_meat_eater an_omnivore
secrecy encrypted hashed scrambled | plaintext unencrypted in_plain_text in_plaintext in_clear_text in_cleartext in_the_clear
access public open-source open_source open_to_the_public | private closed-source proprietary internal confidential secret members-only
safety thread-safe | thread-unsafe
duty mandatory compulsory obligatory required | optional voluntary up_to_you
plan cancelled scrapped called_off off | confirmed going_ahead on happening taking_place as_planned
plan | ~goes_ahead ~takes_place ~is_happening
ticket open reopened unresolved unsolved | closed resolved fixed solved
door open reopened | closed shut
round open_every_day open_daily open_all_week open_seven_days | closed_on
use in_use used | unused out_of_use no_longer_used
member a_member | a_former_member an_ex-member
surface paved asphalted tarred | gravel unpaved a_dirt_track unsurfaced
ready ready | unready
guilt guilty | innocent
contract signed | unsigned
`

// state is a phrase of a group of states.
type state struct {
	group string
	pole  int
	poles int
	rest  []string // words after the first
	verb  bool     // the first word is a verb
}

var stateWords = func() map[string][]state {
	m := map[string][]state{}
	for _, line := range strings.Split(strings.TrimSpace(statesTable), "\n") {
		group, list, _ := strings.Cut(line, " ")
		poles := strings.Split(list, "|")
		for i, pole := range poles {
			for _, phrase := range strings.Fields(pole) {
				phrase, acts := strings.CutPrefix(phrase, "~")
				w := strings.Split(phrase, "_")
				m[w[0]] = append(m[w[0]], state{group, i, len(poles), w[1:], acts})
			}
		}
	}
	return m
}()

// lastingGroups are groups whose states are results of an act and last: "was closed" of a ticket
// says that it is closed.
var lastingGroups = english.WordSet("sale contract approval payment delivery arrival ticket plan lock validity progress")

// ticketNouns are things that are closed for good.
var ticketNouns = lemmas("ticket issue case bug incident request complaint dispute investigation account deal claim")

// statesOf reads the state of a thing: "the visa has expired", "the proposal was approved", "the
// committee approved the proposal".
func (p *parser) statesOf(t []token) []claim {
	var out []claim
	for i, x := range t {
		if i == 0 || !x.is(formOfBe|formOfHave) && !x.past && !(x.finite && x.is(stateVerb)) && !(x.is(formOfDo) && lowAt(t, i+1) == "not") {
			continue
		}
		if x.low == "'s" && !isCopula(t, i) {
			continue
		}
		return p.stateAt(t, i)
	}
	return out
}

// stateAt reads the state after the first verb of a sentence.
func (p *parser) stateAt(t []token, i int) []claim {
	denied, was, be, done := false, false, false, false
	j := i
	for ; j < len(t); j++ {
		x := t[j]
		switch {
		case x.low == "not" || x.low == "no" && lowAt(t, j+1) == "longer":
			if denied {
				return nil
			}
			denied = true
		case x.low == "longer":
		case x.is(formOfDo):
			done = true
		case be && stateParticiples[x.low] && j+1 < len(t) && stateWords[t[j+1].low] != nil:
		case x.is(formOfBe | formOfHave):
			was = was || x.low == "was" || x.low == "were" || x.low == "had"
			be = be || x.is(formOfBe)
		case x.is(adverb) && x.low != "once" && x.low != "never" && x.low != "almost" && x.low != "nearly" && x.low != "probably" || x.low == "again" || x.low == "full" || x.low == "part" || x.low == "now" || x.low == "still" || x.low == "yet":
		default:
			goto after
		}
	}
after:
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
	word := t[j].low
	if done { // does not work
		if word += "s"; !isStateVerb(word) {
			word = t[j].low + "es"
		}
	}
	for _, s := range stateWords[word] {
		end := j + 1
		if !wordsFollow(t, end, s.rest) {
			continue
		}
		end += len(s.rest)
		event := t[j].past && t[j].verb && (lastingGroups[s.group] || s.group == "power" && be)
		about := subject
		if !s.verb && !be && (i != j || t[j].is(formOfHave)) { // has expired
			if !event {
				continue
			}
		}
		if s.verb { // works part time
			if be || was || i != j && !done && !t[i].is(formOfDo) || (s.group == "service" || s.group == "build") && (!t[0].is(determiner) || end < len(t) && !t[end].punctuation && !t[end].is(adverb)) {
				continue
			}
		} else if done {
			continue
		} else if i == j && !be { // the committee approved the proposal
			if !event || s.group == "progress" || s.group == "sale" || t[j].low == "settled" && !slices.ContainsFunc(t[end:], func(x token) bool { return payableNouns[x.lem] }) {
				continue
			}
			if s.group == "validity" {
				about = subject
			} else if about = firstPhrase(t[end:]); len(about) == 0 {
				continue
			}
		} else if end < len(t) && !mayFollowState(t[end]) {
			continue
		}
		if was && !event || s.poles != 2 && denied {
			continue
		}
		c := claim{attribute: "state of " + s.group, kind: ofState, subject: about, owner: p.owner(about)}
		if len(c.owner) == 0 || c.owner[0] == "@i" && len(c.owner) == 1 && !personGroups[s.group] {
			continue
		}
		if s.group == "ticket" != containsAny(c.owner, ticketNouns) && (s.group == "ticket" || s.group == "door") {
			continue
		}
		for k := end; k < len(t) && !t[k].punctuation && (be || i != j || s.verb) && !selfContainedGroups[s.group]; k++ {
			if k == end && reasonWords[t[k].low] {
				break
			}
			if t[k].low == "full" || t[k].low == "part" || t[k].low == "time" {
				continue
			}
			if t[k].used || isDayWord(t[k]) || !t[k].is(stopWord) {
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

// payableNouns are things that are settled with money.
var payableNouns = lemmas("invoice bill debt account fee rent fine loan balance claim")

// stateParticiples may come between "is" and a state: stored encrypted, left open.
var stateParticiples = english.WordSet("stored kept left saved held sent marked considered currently set transmitted listed")

// personGroups are groups of states of persons.
var personGroups = english.WordSet("marriage love work hours pay training life household morning hand diet member presence")

// selfContainedGroups are groups whose states need no other words.
var selfContainedGroups = english.WordSet("household round")

// isStateVerb reports a word that begins a state as a verb.
func isStateVerb(low string) bool {
	return slices.ContainsFunc(stateWords[low], func(s state) bool { return s.verb })
}

// statingVerbs are the words that begin a state as a verb.
var statingVerbs = func() map[string]bool {
	m := map[string]bool{}
	for w := range stateWords {
		if isStateVerb(w) {
			m[w] = true
		}
	}
	return m
}()

// reasonWords are words after a state that introduce its reason or its beginning.
var reasonWords = english.WordSet("for because since due as by and but so again now until till")

func wordsFollow(t []token, i int, words []string) bool {
	for k, w := range words {
		if lowAt(t, i+k) != w {
			return false
		}
	}
	return true
}

func containsAny(list []string, set map[string]bool) bool {
	for _, w := range list {
		if set[w] {
			return true
		}
	}
	return false
}

// mayFollowState reports a token that may follow a state.
func mayFollowState(x token) bool {
	if _, day := weekdayOf(strings.TrimSuffix(x.low, "s")); day {
		return true
	}
	return x.punctuation || x.is(preposition|joining|adverb|clauseEndWord) || x.used || x.low == "again" || x.low == "now" || x.low == "anymore" || x.low == "today"
}
