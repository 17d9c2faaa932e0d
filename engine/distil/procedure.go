package distil

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	// Repeats is in how many sessions or on how many days something must be seen to be
	// how it is done.
	Repeats  = 3
	minSteps = 3
	maxSteps = 12
)

// Procedure is how something is done, drawn from what was done the same way again and
// again.
type Procedure struct {
	Name    string     // the heading or the trigger where there is one, else the last step
	Trigger string     // when it is done; empty: nobody says
	Steps   []string   // in order; one for a rule
	Text    string     // all of it in one
	Sources []graph.ID // that show it, sorted
}

// Procedures finds what was done or said the same way in Repeats distinct sessions (days
// where a source has none): three and more steps in the same order without another
// step between them, and rules ("always …", "whenever …, …"). Steps are the same when
// they have the same words but for fillers and the forms of verbs; numbers, names and
// negations count. It would rather miss a habit than make one up. Steps are told in the
// words of the latest time, imperatives before others. The order of the sources does
// not count; procedures come by their text.
func Procedures(sources []Source) []Procedure {
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, func(a, b Source) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	var out []Procedure
	out = append(out, workflows(sources)...)
	out = append(out, rules(sources)...)
	slices.SortFunc(out, func(a, b Procedure) int { return cmp.Compare(a.Text, b.Text) })
	return out
}

// occasionOf is the session of a source, else its day.
func occasionOf(s Source) string {
	if s.Session != "" {
		return "session " + s.Session
	}
	return s.At.UTC().Format(dayForm)
}

// step is something done or to be done.
type step struct {
	key     string // what makes it the same
	text    string
	command bool   // an imperative
	heading string // of the list that it stands in
	source  graph.ID
}

// workflows mines the steps of each occasion for runs that come back.
func workflows(sources []Source) []Procedure {
	var order []string
	done := map[string][]step{}
	for _, s := range sources {
		o := occasionOf(s)
		if _, seen := done[o]; !seen {
			order = append(order, o)
		}
		done[o] = append(done[o], stepsOf(s)...)
	}
	type run struct {
		keys  string
		steps []step // of the latest time
		in    map[string]bool
		from  map[graph.ID]bool
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
					r = &run{keys: keys, in: map[string]bool{}, from: map[graph.ID]bool{}}
					runs[keys] = r
					found = append(found, keys)
				}
				r.in[o] = true
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
		p := Procedure{Name: r.steps[0].heading, Trigger: triggerOf(r.steps[0].heading)}
		for _, s := range r.steps {
			p.Steps = append(p.Steps, s.text)
		}
		p.Name = cmp.Or(p.Name, p.Steps[len(p.Steps)-1])
		p.Text = procedureText(p)
		p.Sources = idsOf(r.from)
		out = append(out, p)
	}
	return out
}

// hasRepeats reports steps of which one comes twice: that is trying again, no procedure.
func hasRepeats(steps []step) bool {
	seen := map[string]bool{}
	for _, s := range steps {
		if seen[s.key] {
			return true
		}
		seen[s.key] = true
	}
	return false
}

func keysOf(steps []step) string {
	keys := make([]string, len(steps))
	for i, s := range steps {
		keys[i] = s.key
	}
	return strings.Join(keys, "\n")
}

// preferredWording chooses the wording of each step: the later one, but a command before a
// report. A heading stays once it was said.
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

func procedureText(p Procedure) string {
	var b strings.Builder
	b.WriteString(p.Name + ":")
	for i, s := range p.Steps {
		b.WriteString(" " + strconv.Itoa(i+1) + ". " + withFullStop(s))
	}
	return b.String()
}

func idsOf(set map[graph.ID]bool) []graph.ID {
	out := make([]graph.ID, 0, len(set))
	for id := range set {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// stepsOf are the steps that a text tells in order: the lines of a list, parts between
// arrows, "first … then … finally", and single actions.
func stepsOf(s Source) []step {
	if hasCode(s.Text) {
		return nil
	}
	var out []step
	heading := ""
	for _, p := range splitSentences(s.Text) {
		if p.question {
			heading = ""
			continue
		}
		text := strings.TrimSpace(strings.TrimLeft(p.text, "-*•"))
		if head, ok := strings.CutSuffix(text, ":"); ok {
			heading = head
			continue
		}
		if ws := wordsOf(text); len(ws) > 1 && ws[0].Start == 0 && isListNumber(ws[0]) {
			text = text[ws[1].Start:]
		}
		for _, part := range splitSteps(text) {
			if x, ok := parseStep(part); ok {
				x.source, x.heading = s.ID, heading
				out = append(out, x)
			}
		}
	}
	return out
}

func isListNumber(w extract.Word) bool {
	return w.Number != "" && w.Number == w.Low && len(w.Low) < 3 && (w.SignAfter == '.' || w.SignAfter == ')')
}

// splitSteps cuts a sentence into steps where it says that one follows the other.
func splitSteps(text string) []string {
	text = strings.NewReplacer(" -> ", " → ", " => ", " → ").Replace(text)
	if strings.Contains(text, " → ") {
		return strings.Split(text, " → ")
	}
	ws := wordsOf(text)
	cuts := []int{0}
	for i := 1; i+1 < len(ws); i++ {
		if low := ws[i].Low; (low == "then" || low == "finally") && (ws[i-1].SignAfter == ',' || ws[i-1].SignAfter == ';' || ws[i-1].Low == "and") {
			cuts = append(cuts, ws[i].Start)
		}
	}
	var out []string
	for i, from := range cuts {
		to := len(text)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		out = append(out, strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(text[from:to]), ",;"), ", and"))
	}
	return out
}

// stepLeads come before the verb of a step.
var stepLeads = english.WordSet("i we first firstly second secondly third thirdly then next finally lastly afterwards just and also please always again")

// parseStep reads one step: a command, or what somebody did.
func parseStep(text string) (step, bool) {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimRight(text, ".!;,"), " and")
	ws := wordsOf(text)
	i, told := 0, false
	for i < len(ws) && stepLeads[ws[i].Low] {
		told = told || ws[i].Low == "i" || ws[i].Low == "we"
		i++
	}
	if i+1 >= len(ws) || len(ws) > 20 || len(timesIn(text, time.Time{})) > 0 {
		return step{}, false // a verb alone says too little, and what has a date was done once
	}
	verb := ws[i].Low
	negated := ws[i].Negates
	if negated && i+1 < len(ws) {
		verb = ws[i+1].Low
	}
	base := baseForm(verb)
	past := verb != base
	if !stepVerbs[base] || past && strings.HasSuffix(verb, "s") || told && !past {
		return step{}, false // I always run: a habit, read as a rule
	}
	key := keyOf(ws[i:])
	if len(strings.Fields(key)) < 2 {
		return step{}, false
	}
	return step{key: key, text: capitalised(text[ws[i].Start:]), command: !past && !told}, true
}

// keyOf is the words of a step or a rule but for fillers, verbs in their base form.
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
			out = append(out, stems(w.Text)...)
		}
	}
	return strings.Join(out, " ")
}

// stepVerbs are the verbs that begin a step.
var stepVerbs = english.WordSet(`run build test check verify deploy release ship merge review commit push pull tag open close restart start stop update upgrade install remove delete copy
back move rename write send call email post print scan upload download export import rotate measure weigh clean wash rinse dry boil heat cool pour mix stir knead bake cook cut
chop slice peel fold shape proof rest drain fill empty water feed walk brush lock unlock switch turn press pull hold lift tie pack unpack charge plug unplug sign file archive
sort label order buy book pay invoice record log note draft edit format lint compile generate migrate seed reset bump announce notify tell ask invite schedule plan prepare
set put take bring fetch collect stretch warm read sweep wipe sand paint glue drill screw mount save load refresh clear disable enable apply create add revoke validate sync`)

// stepVerbsByLemma are the acts by the key that their forms share.
var stepVerbsByLemma = func() map[string]string {
	m := map[string]string{}
	for act := range stepVerbs {
		m[english.Lemma(act)] = act
	}
	return m
}()

// baseForm returns the base form of an inflected act, other words as they are.
func baseForm(low string) string {
	inflected := english.IrregularPast(low) || strings.HasSuffix(low, "ing") || strings.HasSuffix(low, "d") || strings.HasSuffix(low, "s")
	if act := stepVerbsByLemma[english.Lemma(low)]; act != "" && inflected {
		return act
	}
	return low
}

// ruleCues say that it is always done so.
var ruleCues = phrases("always|never|whenever|every time|each time|every morning|every evening|every night|every day|every week|every month|make sure to|before you|as a rule")

// rules are sentences that state the same rule again and again.
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
				continue // it leans on others
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
		out = append(out, Procedure{Name: cmp.Or(trigger, strings.TrimRight(r.text, ".!")), Trigger: trigger, Steps: []string{r.text}, Text: r.text, Sources: idsOf(r.from)})
	}
	return out
}

// uncertainWords words make a wish, a guess or a promise of a rule.
var uncertainWords = english.WordSet("maybe perhaps might could would wish hope try trying if unless used should will i'll we'll you'll")

// addressesSomebody reports a sentence with its speaker before it that speaks to somebody: no rule,
// unless it begins like one.
func addressesSomebody(ws []extract.Word, speaker string) bool {
	i := slices.IndexFunc(ws, func(w extract.Word) bool { return w.SignAfter == ':' })
	if speaker == "" || i < 0 || i+1 >= len(ws) || ws[i+1].Low == "always" || ws[i+1].Low == "never" {
		return false
	}
	return slices.ContainsFunc(ws, func(w extract.Word) bool { return strings.HasPrefix(w.Low, "you") })
}

// triggerOf is the condition that a rule or a heading begins or ends with: "whenever the
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
