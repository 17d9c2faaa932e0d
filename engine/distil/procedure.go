package distil

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	// Repeats is the number of sessions or days in which something must occur to be a procedure.
	Repeats  = 3
	minSteps = 3
	maxSteps = 12
)

// Procedure is how something is done, learned from repeated steps.
type Procedure struct {
	Name    string     // the heading or the trigger if there is one, otherwise the last step
	Trigger string     // when it is done; empty if unknown
	Steps   []string   // in order; one for a rule
	Text    string     // all of it as one text
	Sources []graph.ID // sources in which it occurs, sorted
}

// Procedures finds what was done or said the same way in Repeats distinct sessions (days for
// sources without one): three or more consecutive steps in the same order, and rules ("always …",
// "whenever …, …"). Two steps are the same if they have the same words except for fillers and verb
// forms; numbers, names and negations count. The rules prefer a missed procedure to a false one.
// The wording is the latest, an imperative before others. The order of the sources makes no
// difference; procedures are sorted by text.
func Procedures(sources []Source) []Procedure {
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, inTime)
	var out []Procedure
	out = append(out, workflows(sources)...)
	out = append(out, rules(sources)...)
	slices.SortFunc(out, func(a, b Procedure) int { return cmp.Compare(a.Text, b.Text) })
	return out
}

// occasionOf returns the session of a source, or its day.
func occasionOf(s Source) string {
	if s.Session != "" {
		return "session " + s.Session
	}
	return s.At.UTC().Format(dayForm)
}

// step is a step that was done or is to be done.
type step struct {
	key     string // equal for equal steps
	text    string
	command bool   // an imperative
	heading string // of its list
	before  string // what its source says directly before it, if that could not be read as a step
	source  graph.ID
}

// Occasion is what was done in a session, or on a day.
type Occasion struct {
	Sources []graph.ID // of the steps, in their order, each once
	Steps   []string
}

// Occasions returns the steps of sources by session, or by day for sources without one. Occasions without steps are left out.
func Occasions(sources []Source) []Occasion {
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, inTime)
	order, done := stepsByOccasion(sources)
	var out []Occasion
	for _, o := range order {
		var x Occasion
		for _, s := range done[o] {
			x.Steps = append(x.Steps, s.text)
			if !slices.Contains(x.Sources, s.source) {
				x.Sources = append(x.Sources, s.source)
			}
		}
		if len(x.Steps) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// inTime orders sources by time, then by id.
func inTime(a, b Source) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) }

// stepsByOccasion returns the occasions in their order, and the steps of each.
func stepsByOccasion(sources []Source) (order []string, done map[string][]step) {
	done = map[string][]step{}
	for _, s := range sources {
		o := occasionOf(s)
		if _, seen := done[o]; !seen {
			order = append(order, o)
		}
		done[o] = append(done[o], stepsOf(s)...)
	}
	return order, done
}

// workflows finds runs of steps that occur on several occasions.
func workflows(sources []Source) []Procedure {
	order, done := stepsByOccasion(sources)
	type run struct {
		keys  string
		steps []step // as worded last
		in    map[string]bool
		from  map[graph.ID]bool
		named []string       // headings of its occasions
		at    map[string]int // where it begins in each occasion
	}
	var kept []*run
	for n := maxSteps; n >= minSteps; n-- {
		runs := map[string]*run{}
		var found []string
		for _, o := range order {
			for i := 0; i+n <= len(done[o]); i++ {
				steps := done[o][i : i+n]
				if hasRepeats(steps) {
					continue
				}
				keys := keysOf(steps)
				r := runs[keys]
				if r == nil {
					r = &run{keys: keys, in: map[string]bool{}, from: map[graph.ID]bool{}, at: map[string]int{}}
					runs[keys] = r
					found = append(found, keys)
				}
				if !r.in[o] {
					r.named = append(r.named, steps[0].heading)
				}
				r.in[o], r.at[o] = true, i
				r.steps = preferredWording(r.steps, steps)
				for _, s := range steps {
					r.from[s.source] = true
				}
			}
		}
		for _, keys := range found {
			r := runs[keys]
			inside := slices.ContainsFunc(kept, func(k *run) bool { return strings.Contains("\n"+k.keys+"\n", "\n"+keys+"\n") })
			if len(r.in) >= Repeats && !inside {
				kept = append(kept, r)
			}
		}
	}
	var out []Procedure
	for _, r := range kept {
		heading := commonHeading(r.named)
		p := Procedure{Name: heading, Trigger: triggerOf(heading)}
		if first, ok := stepBefore(r.at, done); ok && !hasRepeats(append([]step{first}, r.steps...)) {
			r.steps = append([]step{first}, r.steps...)
		}
		for _, s := range r.steps {
			p.Steps = append(p.Steps, s.text)
		}
		p.Name = cmp.Or(p.Name, p.Steps[len(p.Steps)-1])
		p.Text = procedureText(p)
		p.Sources = slices.Sorted(maps.Keys(r.from))
		out = append(out, p)
	}
	return out
}

// hasRepeats reports that a step occurs twice: a second attempt, not a procedure.
func hasRepeats(steps []step) bool {
	keys := map[string]bool{}
	for _, s := range steps {
		keys[s.key] = true
	}
	return len(keys) < len(steps)
}

func keysOf(steps []step) string {
	keys := make([]string, len(steps))
	for i, s := range steps {
		keys[i] = s.key
	}
	return strings.Join(keys, "\n")
}

// preferredWording chooses the wording of each step: the later one, but an imperative before a
// report. A heading is kept.
func preferredWording(have, now []step) []step {
	out := slices.Clone(now)
	for i := range have {
		if have[i].command && !now[i].command {
			out[i] = have[i]
		}
		out[i].heading = cmp.Or(out[i].heading, have[i].heading)
	}
	return out
}

// procedureText writes the name and the steps; without the name if it is that of the last step.
func procedureText(p Procedure) string {
	var b strings.Builder
	if p.Name != p.Steps[len(p.Steps)-1] {
		b.WriteString(p.Name + ": ")
	}
	for i, s := range p.Steps {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(i+1) + ". " + withFullStop(s))
	}
	return b.String()
}

// stepsOf returns the steps of a text in order: the lines of a list, parts between arrows, "first
// … then … finally", actions in one sentence ("we run the tests, build the image and push it"), and
// single actions.
func stepsOf(s Source) []step {
	if hasCode(s.Text) {
		return nil
	}
	var out []step
	heading, numbered, next := "", false, false // next: the number of the next sentence ends this one
	unread := ""
	for _, p := range splitSentences(s.Text) {
		if p.question {
			heading, next, unread = "", false, ""
			continue
		}
		text := strings.TrimSpace(strings.TrimLeft(p.text, "-*•"))
		if text, numbered, next = withoutNextNumber(text, next); text == "" {
			continue
		}
		if head, ok := strings.CutSuffix(text, ":"); ok {
			heading = head
			continue
		}
		parts, occasion, listed := splitNumbers(text)
		if !listed {
			parts, occasion, listed = splitList(text)
		}
		if !listed {
			parts, occasion = splitSteps(text)
		}
		for _, part := range parts {
			if x, ok := parseStep(part, listed || numbered || len(parts) > 1 || opensInOrder(part)); ok {
				x.source, x.heading, x.before = s.ID, cmp.Or(heading, occasion), unread
				out, unread = append(out, x), ""
			} else if unread = part; negates(part) {
				unread = ""
			}
		}
	}
	return out
}

// negates reports a text that denies something.
func negates(text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(w extract.Word) bool { return w.Negates })
}

func isListNumber(w extract.Word) bool {
	return w.Number != "" && w.Number == w.Low && len(w.Low) < 3 && (w.SignAfter == '.' || w.SignAfter == ')')
}

// splitList cuts a sentence that lists at least minSteps actions. The words before the first one
// are the occasion if they can be one: "to release", "before a dive". listed is false for any
// other sentence.
func splitList(text string) (parts []string, occasion string, listed bool) {
	ws := wordsOf(text)
	first := slices.IndexFunc(ws, func(w extract.Word) bool { return !stepLeads[w.Low] })
	for ; first >= 0 && first < len(ws); first++ {
		before := first - 1
		opens := before < 0 || stepLeads[ws[before].Low] || ws[before].Low == "you" || ws[before].SignAfter == ',' || ws[before].SignAfter == ':'
		if opens && startsAction(ws, first) {
			break
		}
	}
	if first < 0 || first == len(ws) {
		return nil, "", false
	}
	cuts, known := []int{ws[first].Start}, 0
	if stepVerbs[baseForm(ws[first].Low)] {
		known++
	}
	for i := first + 1; i+1 < len(ws); i++ {
		if ws[i-1].SignAfter != ',' && ws[i-1].SignAfter != ';' && ws[i-1].Low != "and" {
			continue
		}
		at := i
		for at+2 < len(ws) && listLinks[ws[at].Low] {
			at++
		}
		if !startsAction(ws, at) {
			continue
		}
		if stepVerbs[baseForm(ws[at].Low)] {
			known++
		}
		cuts = append(cuts, ws[i].Start)
		i = at
	}
	if len(cuts) < minSteps || 2*known < minSteps {
		return nil, "", false
	}
	names := func(w extract.Word) bool { // "once more" names nothing
		return w.Start < cuts[0] && !english.StopWord(w.Low) && !occasionWords[w.Low] && !fillers[w.Low] && w.Low != "more"
	}
	if lead := strings.TrimRight(strings.TrimSpace(text[:cuts[0]]), ",:"); lead != "" && occasionWords[ws[0].Low] && slices.ContainsFunc(ws, names) {
		for strings.HasSuffix(strings.ToLower(lead), " we") || strings.HasSuffix(strings.ToLower(lead), " i") {
			lead = strings.TrimRight(lead[:strings.LastIndexByte(lead, ' ')], ",: ")
		}
		occasion = capitalised(lead)
	}
	for i, from := range cuts {
		to := len(text)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		part := strings.TrimRight(strings.TrimSpace(text[from:to]), ",;")
		parts = append(parts, strings.TrimRight(strings.TrimSuffix(part, " and"), ",;"))
	}
	return parts, occasion, true
}

var (
	listLinks     = english.WordSet("and then finally next afterwards") // between the actions of a list
	occasionWords = english.WordSet("to for when whenever before after every each once")
)

// startsAction reports whether an action begins with the i-th word: a verb of stepVerbs, or any
// word that can be a verb before an article, a pronoun or a number.
func startsAction(ws []extract.Word, i int) bool {
	if i+1 >= len(ws) {
		return false
	}
	low, next := ws[i].Low, ws[i+1].Low
	if stepVerbs[baseForm(low)] {
		return true
	}
	if lightVerbs[low] {
		object := i + 1
		if particles[next] && i+2 < len(ws) {
			object++ // "put on the harness"
		}
		return articles[ws[object].Low] || determiners[ws[object].Low]
	}
	_, pronoun := english.PronounOf(low)
	if pronoun || fillers[low] || weakWords[low] || ws[i].Number != "" || ws[i].SignAfter != 0 {
		return false
	}
	_, object := english.PronounOf(next)
	return object || articles[next] || determiners[next] || ws[i+1].Number != ""
}

var (
	lightVerbs = english.WordSet("give gives giving gave put puts putting take takes taking took make makes making made get gets getting got bring brings bringing brought set sets setting") // with an object they are actions: "gave the starter its feed"
	particles  = english.WordSet("on off in out up down away")
)

var determiners = english.WordSet("this that these those each every all both its their his her")

// stepLeads are words before the verb of a step.
var stepLeads = english.WordSet("i we first firstly second secondly third thirdly then next finally lastly afterwards just and also please always again")

// parseStep reads one step: an imperative, or what somebody did. listed says that the sentence lists
// several; then "we run the tests" is a step too, and its verb may be any.
func parseStep(text string, listed bool) (step, bool) {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimRight(text, ".!;,"), " and")
	ws := wordsOf(text)
	i, told := 0, false
	for i < len(ws) && stepLeads[ws[i].Low] {
		told = told || ws[i].Low == "i" || ws[i].Low == "we"
		i++
	}
	if i+1 >= len(ws) || len(ws) > 20 || len(timesIn(text, time.Time{})) > 0 {
		return step{}, false // a verb alone says too little; a step with a date was done once
	}
	verb := ws[i].Low
	negated := ws[i].Negates
	if negated && i+1 < len(ws) {
		verb = ws[i+1].Low
	}
	base := baseForm(verb)
	past := verb != base
	key := keyOf(ws[i:])
	switch {
	case stepVerbs[base]:
		if !listed && (past && strings.HasSuffix(verb, "s") || told && !past) {
			return step{}, false // "I always run" is a habit: see rules
		}
	case listed && !negated && startsAction(ws, i):
		key = strings.TrimSpace(english.Lemma(verb) + " " + keyOf(ws[i+1:]))
	default:
		return step{}, false
	}
	if len(strings.Fields(key)) < 2 {
		return step{}, false
	}
	return step{key: key, text: capitalised(text[ws[i].Start:]), command: !past && !told}, true
}

// keyOf returns the words of a step or a rule without fillers, verbs in their base form.
func keyOf(ws []extract.Word) string {
	var out []string
	for i, w := range ws {
		switch {
		case w.Negates:
			out = append(out, "not")
		case w.Number != "":
			out = append(out, w.Number)
		case fillers[w.Low], w.Low == "i", w.Low == "we":
		case i == 0 || stepVerbs[baseForm(w.Low)]:
			out = append(out, baseForm(w.Low))
		default:
			out = append(out, singularWords(w.Text)...)
		}
	}
	return strings.Join(out, " ")
}

// stepVerbs are the verbs with which a step begins.
var stepVerbs = wordLists.Set("stepVerbs")

// stepVerbsByLemma are the stepVerbs by their lemma.
var stepVerbsByLemma = func() map[string]string {
	m := map[string]string{}
	for act := range stepVerbs {
		m[english.Lemma(act)] = act
	}
	return m
}()

// baseForm returns the base form of an inflected step verb, and other words unchanged.
func baseForm(low string) string {
	inflected := english.IrregularPast(low) || strings.HasSuffix(low, "ing") || strings.HasSuffix(low, "d") || strings.HasSuffix(low, "s")
	if act := stepVerbsByLemma[english.Lemma(low)]; act != "" && inflected {
		return act
	}
	return low
}

// ruleCues say that something is always done so.
var ruleCues = cues("ruleCues")

// rules returns sentences that state the same rule repeatedly.
func rules(sources []Source) []Procedure {
	type rule struct {
		text string
		in   map[string]bool
		from map[graph.ID]bool
	}
	all := map[string]*rule{}
	var order []string
	for i, s := range sources {
		for _, u := range unitsOf(i, s) {
			if u.unusable || len(u.sentences) > 1 {
				continue // it needs context
			}
			x := u.sentences[0]
			ws := wordsOf(x.text)
			if x.question || len(ws) < 4 || len(ws) > 40 || !hasCue(lineOf(x.text), ruleCues) || addressesSomebody(ws, s.Speaker) || slices.ContainsFunc(ws, func(w extract.Word) bool { return uncertainWords[w.Low] }) {
				continue
			}
			key := keyOf(ws)
			if len(x.facts) == 0 || len(strings.Fields(key)) < 3 {
				continue
			}
			r := all[key]
			if r == nil {
				r = &rule{in: map[string]bool{}, from: map[graph.ID]bool{}}
				all[key] = r
				order = append(order, key)
			}
			r.text = u.text
			r.in[occasionOf(s)] = true
			r.from[s.ID] = true
		}
	}
	var out []Procedure
	for _, key := range order {
		r := all[key]
		if len(r.in) < Repeats {
			continue
		}
		trigger := triggerOf(r.text)
		out = append(out, Procedure{Name: cmp.Or(trigger, strings.TrimRight(r.text, ".!")), Trigger: trigger, Steps: []string{r.text}, Text: r.text, Sources: slices.Sorted(maps.Keys(r.from))})
	}
	return out
}

// uncertainWords make a sentence a wish, a guess or a promise.
var uncertainWords = english.WordSet("maybe perhaps might could would wish hope try trying if unless used should will i'll we'll you'll")

// addressesSomebody reports a sentence after a speaker's name that speaks to somebody. It is no
// rule unless it begins with "always" or "never".
func addressesSomebody(ws []extract.Word, speaker string) bool {
	i := slices.IndexFunc(ws, func(w extract.Word) bool { return w.SignAfter == ':' })
	if speaker == "" || i < 0 || i+1 >= len(ws) || ws[i+1].Low == "always" || ws[i+1].Low == "never" {
		return false
	}
	return slices.ContainsFunc(ws, func(w extract.Word) bool { return strings.HasPrefix(w.Low, "you") })
}

// triggerOf returns the condition with which a rule or a heading begins or ends: "whenever the
// alarm rings".
func triggerOf(text string) string {
	ws := wordsOf(text)
	for i, w := range ws {
		switch w.Low {
		case "when", "whenever", "before", "after", "once":
		case "every", "each":
			if i+1 >= len(ws) || ws[i+1].Low != "time" {
				continue
			}
		default:
			continue
		}
		end := len(ws)
		for k := i; k < len(ws); k++ {
			if ws[k].SignAfter == ',' {
				end = k + 1
				break
			}
		}
		if end-i < 2 || i > 0 && end != len(ws) {
			continue
		}
		return text[w.Start:ws[end-1].End]
	}
	return ""
}

// Actions returns the actions that a sentence lists in order, and the occasion that it names:
// "To release, run the tests, build the image and push it". Nil if it lists fewer than three.
func Actions(text string) (occasion string, actions []string) {
	if hasCode(text) {
		return "", nil
	}
	for _, s := range splitSentences(text) {
		if parts, occasion, listed := splitList(s.text); listed && !s.question {
			return occasion, parts
		}
	}
	return "", nil
}
