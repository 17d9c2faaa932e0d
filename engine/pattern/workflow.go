package pattern

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// workflow is a sequence of steps in a source.
type workflow struct {
	source  int
	trigger string // when it is done; empty if unknown
	steps   []step
	seconds bool // it has the steps of others in no form of its own, see secondFlows
}

// step is a step of a workflow.
type step struct {
	text  string
	stems map[string]bool
}

const (
	minSteps = 2 // if words of order say so
	minList  = 3 // in a list
	maxSteps = 24
)

// workflowOf reads the steps of a source from the first of these that it has: numbered or marked
// lines, arrows, words of order, a list of actions. Nil if it has none of them.
func workflowOf(i int, s Source) *workflow {
	text := s.Text
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	if strings.Contains(text, "```") || strings.Contains(text, "?") {
		return nil
	}
	w := &workflow{source: i}
	for _, read := range []func(string) (string, []string, int){listed, arrows, ordered, actions} {
		trigger, steps, least := read(text)
		for _, t := range steps {
			if x := stepOf(t); len(x.stems) > 0 {
				w.steps = append(w.steps, x)
			}
		}
		if len(w.steps) >= least && least > 0 && len(w.steps) <= maxSteps {
			w.trigger = cleanTrigger(trigger)
			return w
		}
		w.steps = nil
	}
	return nil
}

// listed reads numbered or marked lines, and numbers inside a line: "1. …", "2) …", "- …".
func listed(text string) (trigger string, steps []string, least int) {
	lines := strings.Split(text, "\n")
	if len(lines) < minList {
		lines = atNumbers(text)
	}
	for i, line := range lines {
		line = strings.TrimSpace(line)
		rest, ok := withoutMark(line)
		switch {
		case ok:
			steps = append(steps, rest)
		case i == 0 && line != "":
			trigger = line
		case line != "" && len(steps) > 0:
			return trigger, steps, minList // text after the list
		}
	}
	return trigger, steps, minList
}

// atNumbers cuts a line before "1.", "2." and so on, or "(1)", "(2)".
func atNumbers(text string) []string {
	var out []string
	rest := text
	for n := 1; ; n++ {
		at, size := -1, 0
		for _, form := range []string{". ", ") "} {
			mark := itoa(n) + form
			k := strings.Index(rest, mark)
			if k > 0 && rest[k-1] == '(' {
				k--
				mark = "(" + mark
			}
			if k >= 0 && (k == 0 || rest[k-1] == ' ' || rest[k-1] == '\n') && (at < 0 || k < at) {
				at, size = k, len(mark)
			}
		}
		if at < 0 {
			return append(out, rest)
		}
		out = append(out, strings.TrimRight(rest[:at], " ;,"))
		rest = "- " + rest[at+size:]
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// withoutMark drops the number or the sign before a line of a list.
func withoutMark(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "• ", "– "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return rest, true
		}
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < 3 && digits+1 < len(line) && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ' {
		return line[digits+2:], true
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(line), "step "); ok {
		if colon := strings.IndexByte(rest, ':'); colon > 0 && colon < 4 {
			return strings.TrimSpace(line[len("step ")+colon+1:]), true
		}
	}
	return line, false
}

// arrows reads "A -> B -> C".
func arrows(text string) (trigger string, steps []string, least int) {
	text = strings.NewReplacer("->", "→", "=>", "→", "-->", "→", " > ", " → ").Replace(text)
	if strings.Count(text, "→") < minSteps-1 {
		return "", nil, 0
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, "→") {
			steps = strings.Split(line, "→")
			break
		}
	}
	if head, first, ok := strings.Cut(steps[0], ":"); ok {
		trigger, steps[0] = head, first
	}
	last := steps[len(steps)-1]
	if stop := strings.Index(last, ". "); stop > 0 {
		steps[len(steps)-1] = last[:stop]
	}
	return trigger, steps, minList
}

// orderWords say that a step follows.
var orderWords = english.WordSet("first firstly then next afterwards finally lastly second secondly third thirdly")

// ordered reads "first …, then …, finally …", also over several sentences.
func ordered(text string) (trigger string, steps []string, least int) {
	if strings.Count(text, "\n") > 6 {
		return "", nil, 0
	}
	marks, begun := 0, false
	for _, s := range extract.Sentences(text) {
		ws := s.Words
		var cuts []int
		for i := range ws {
			if !orderAt(ws, i) {
				continue
			}
			marks++
			cuts = append(cuts, i)
		}
		if len(cuts) == 0 {
			if begun {
				break
			}
			trigger = text[s.Start:s.End]
			continue
		}
		if cuts[0] > 0 {
			lead := strings.TrimSpace(text[ws[0].Start:ws[cuts[0]].Start])
			switch low := ws[cuts[0]].Low; {
			case low == "first" || low == "firstly":
				trigger = lead
			default: // "check the oil, then start": the first step has no word of order
				if occasion, first, ok := strings.Cut(lead, ", "); ok && opensOccasion(ws[0].Low) {
					trigger, lead = occasion, first
				}
				if occasion, first, ok := occasionBefore(lead); ok {
					trigger, lead = occasion, first
				}
				if occasion, first, ok := occasionOfFirst(lead); ok && trigger == "" {
					trigger, lead = occasion, first
				}
				if occasion, first, ok := strings.Cut(lead, " first "); ok && opensOccasion(ws[0].Low) {
					trigger, lead = occasion, first // "at the end of the day first rinse the tools"
				}
				steps = append(steps, stepsIn(lead)...)
			}
		}
		begun = true
		for k, i := range cuts {
			to := s.End
			if k+1 < len(cuts) {
				to = ws[cuts[k+1]].Start
			}
			steps = append(steps, stepsIn(text[ws[i].Start:to])...)
		}
	}
	if marks == 0 || len(steps) < minSteps {
		return "", nil, 0
	}
	return trigger, steps, minSteps
}

// occasionBefore divides the words before the first word of order into the occasion and the first step: "Release 3.6: we ran
// the tests", "we released it by running the tests".
func occasionBefore(lead string) (occasion, first string, ok bool) {
	if occasion, first, ok = strings.Cut(lead, ": "); ok {
		return occasion, first, true
	}
	occasion, first, ok = strings.Cut(lead, " by ")
	verb, _, _ := strings.Cut(first, " ")
	return occasion, first, ok && strings.HasSuffix(verb, "ing")
}

// stepsIn divides what stands at one word of order at its commas if each part begins with a verb in the past:
// "deployed to staging, ran the smoke tests".
func stepsIn(text string) []string {
	parts := strings.Split(strings.Trim(text, " .,;:!"), ", ")
	if slices.ContainsFunc(parts, func(part string) bool { return !stepOf(part).past() }) {
		return []string{text}
	}
	return parts
}

// past reports a step that begins with a verb in the past.
func (x step) past() bool {
	verb, _, _ := strings.Cut(strings.ToLower(x.text), " ")
	return strings.HasSuffix(verb, "ed") || english.IrregularPast(verb)
}

// orderAt reports whether the i-th word begins a step: a word of order at the beginning of a clause.
func orderAt(ws []extract.Word, i int) bool {
	opens := i == 0 || ws[i-1].SignAfter == ',' || ws[i-1].SignAfter == ';' || ws[i-1].SignAfter == ':' || ws[i-1].Low == "and" || ws[i-1].Low == "we" || ws[i-1].Low == "you" || ws[i-1].Low == "i"
	if hasWords(ws, i, "after", "that") || hasWords(ws, i, "and", "after", "that") {
		return opens
	}
	if i+1 >= len(ws) || !opens || !orderWords[ws[i].Low] {
		return false
	}
	next := ws[i+1].Low
	if english.Lemma(next) == "time" || next == "of" || ws[i].Low == "next" && (isTime(next) || next == "to") || ws[i].Low == "then" && next == "again" || isTime(next) {
		return false
	}
	if (ws[i].Low == "second" || ws[i].Low == "third" || ws[i].Low == "first") && ws[i].SignAfter != ',' && ws[i].SignAfter != ':' && ws[i].Low != "first" {
		return false
	}
	return true
}

func isTime(low string) bool {
	_, weekday := english.Weekday(low)
	return weekday || english.Month(low) != 0 || low == "week" || low == "month" || low == "year" || low == "day"
}

var occasions = english.WordSet("to for when whenever before after every each once if on in at during")

// opensOccasion reports whether a word can begin what a workflow is for.
func opensOccasion(low string) bool { return occasions[low] }

// actions reads a list of actions in one sentence: "To release, run the tests, build the image and
// push it".
func actions(text string) (trigger string, steps []string, least int) {
	trigger, steps = distil.Actions(text)
	if len(steps) > 0 && trigger == "" {
		if occasion, first, ok := occasionOfFirst(steps[0]); ok {
			trigger, steps = occasion, append([]string{first}, steps[1:]...)
		}
	}
	return trigger, steps, minList
}

// occasionOfFirst divides a first step that names the occasion before it: "Walk routine: put the harness on", "for a vaccination we
// weigh the dog". What is a step itself is no occasion ("rinse the rice: cold water"), and neither is what a step and its object
// precede ("to close the bar count the cash we have in the till").
func occasionOfFirst(text string) (occasion, first string, ok bool) {
	if occasion, first, ok = strings.Cut(text, ": "); ok {
		return occasion, first, !doesSomething(occasion)
	}
	words := strings.Fields(text)
	if len(words) == 0 || !opensOccasion(strings.ToLower(words[0])) {
		return "", "", false
	}
	link, objects, spoken := strings.ToLower(words[0]), 0, false
	for i := 1; i < len(words)-2; i++ {
		low, before := strings.ToLower(words[i]), strings.ToLower(words[i-1])
		switch {
		case low != "we" && low != "i" && low != "you":
			if articled[low] && (i == 1 || !prepositions[before]) {
				objects++
			}
		case i == 1:
			spoken = true
		case clauseLinks[link] && (spoken || low == "you" && !strings.HasSuffix(before, ",")): // "when the customer calls you back at noon"
			return "", "", false
		case !clauseLinks[link] && objects > 1:
			return "", "", false
		default:
			return strings.Join(words[:i], " "), strings.Join(words[i+1:], " "), true
		}
	}
	return "", "", false
}

var (
	clauseLinks = english.WordSet("when whenever if before after once")
	articled    = english.WordSet("the a an my our your his her their this these all every")
)

// doesSomething reports words that begin with a verb and its object: "rinse the rice".
func doesSomething(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	return len(words) > 2 && !opensOccasion(words[0]) && !strings.HasSuffix(words[0], "ing") && !isTime(words[0]) && articled[words[1]]
}

// leadWords stand before the verb of a step.
var leadWords = union(orderWords, english.WordSet("and we i you they the after that please we'll always just also is are by to who he she"))

// stepOf reads one step.
func stepOf(text string) step {
	text = strings.Trim(strings.Join(strings.Fields(text), " "), " .,;:!")
	for {
		low, rest, more := strings.Cut(text, " ")
		if !more || !leadWords[strings.ToLower(strings.Trim(low, ",:"))] || strings.ToLower(low) == "the" {
			break
		}
		text = strings.TrimSpace(rest)
	}
	text = strings.TrimRight(strings.TrimSuffix(text, " and"), " .,;:!")
	x := step{text: text, stems: map[string]bool{}}
	for _, s := range extract.Sentences(text) {
		for _, w := range s.Words {
			switch stem := stemOf(w); {
			case w.Number != "" && !orderWords[w.Low]:
				x.stems[w.Number] = true
			case stem != "":
				x.stems[stem] = true
			}
		}
	}
	if len(strings.Fields(text)) > 25 {
		return step{}
	}
	return x
}

// cleanTrigger returns the words that say when a workflow is done. Who says it is none of them.
func cleanTrigger(text string) string {
	if all := extract.Sentences(text); len(all) > 0 {
		ws := all[len(all)-1].Words
		switch n := asideBefore(append(slices.Clip(ws), extract.Word{}, extract.Word{})); {
		case n > 0 && n < len(ws):
			text = text[ws[n].Start:]
		case len(ws) > 2 && ws[0].Low == "as" && extract.SaysWho(ws[1:], true) == len(ws)-1:
			return ""
		}
	}
	text = strings.Trim(strings.Join(strings.Fields(text), " "), " .,;:!-")
	for _, tail := range []string{" we", " I", " you", " always", " the order is", " do this"} {
		text = strings.TrimRight(strings.TrimSuffix(text, tail), " ,")
	}
	names := text
	if first, rest, _ := strings.Cut(text, " "); opensOccasion(strings.ToLower(first)) {
		names = rest
	}
	if len(strings.Fields(text)) > 14 || len(stepOf(names).stems) == 0 { // "once more" names nothing
		return ""
	}
	return text
}

// sameStep reports two wordings of one step: they share most content words, or one has all of the
// other's.
func sameStep(a, b step) bool {
	n := shared(a.stems, b.stems)
	if n == 0 {
		return false
	}
	return likeness(a.stems, b.stems) >= 0.5 || n == min(len(a.stems), len(b.stems)) && n > 1
}

// alignment is how the steps of two workflows correspond.
type alignment struct {
	matched int
	of      float64 // share of the steps of the shorter one, [0,1]
	ordered float64 // share of pairs of matched steps in the same order, [0,1]
}

// align matches the steps of two workflows, each once, in order.
func align(a, b *workflow) alignment {
	used := make([]bool, len(b.steps))
	var at []int
	for _, x := range a.steps {
		best, score := -1, 0.0
		for j, y := range b.steps {
			if used[j] || !sameStep(x, y) {
				continue
			}
			if l := likeness(x.stems, y.stems); l > score {
				best, score = j, l
			}
		}
		if best >= 0 {
			used[best] = true
			at = append(at, best)
		}
	}
	r := alignment{matched: len(at), of: float64(len(at)) / float64(min(len(a.steps), len(b.steps)))}
	pairs, right := 0, 0
	for i := range at {
		for _, later := range at[i+1:] {
			pairs++
			if later > at[i] {
				right++
			}
		}
	}
	if pairs > 0 {
		r.ordered = float64(right) / float64(pairs)
	}
	return r
}

// mostSteps is the share of the steps of a workflow that another one for the same purpose has.
const mostSteps = 0.6

// alike reports two workflows for one purpose: at least two steps and 60 % of the shorter one are
// the same.
func (r alignment) alike() bool { return r.matched >= minSteps && r.of >= mostSteps }

// agree reports the same order.
func (r alignment) agree() bool { return r.ordered >= 0.8 }

// common returns the steps of w that at least half of the others have too.
func (w *workflow) common(others []*workflow) []step {
	var out []step
	for _, x := range w.steps {
		n := 0
		for _, o := range others {
			if slices.ContainsFunc(o.steps, func(y step) bool { return sameStep(x, y) }) {
				n++
			}
		}
		if 2*n >= len(others) {
			out = append(out, x)
		}
	}
	return out
}

// closeFlow returns how alike the sources of a workflow word the step in which they differ most, [0,1]: the mean likeness to
// that step of the workflow that leads. Steps that fewer than half of them have do not count.
func closeFlow(lead *workflow, all []*workflow) float64 {
	least := 1.0
	for _, x := range lead.common(all) {
		sum, n := 0.0, 0
		for _, w := range all {
			best := 0.0
			for _, y := range w.steps {
				if sameStep(x, y) {
					best = max(best, likeness(x.stems, y.stems))
				}
			}
			if best > 0 {
				sum, n = sum+best, n+1
			}
		}
		if n > 0 {
			least = min(least, sum/float64(n))
		}
	}
	return least
}

// sentenceOf says a workflow as one sentence: "Before a dive: first check the oil, then start."
func sentenceOf(trigger string, steps []step) string {
	var b strings.Builder
	if trigger != "" {
		b.WriteString(trigger + ": ")
	}
	for i, x := range steps {
		text := lowerFirst(x.text)
		switch {
		case i == 0:
			b.WriteString("first ")
		default:
			b.WriteString(", then ")
		}
		b.WriteString(text)
	}
	return plainSentence(b.String())
}

// lowerFirst begins a text in lower case, unless its first word is a name.
func lowerFirst(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first == "" || strings.ToUpper(first) == first || english.Lemma(strings.ToLower(first)) == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
