package distil

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Digest is the digest of a month of a project.
type Digest struct {
	Text      string // heading, sections, a line for each point; empty if there are no points
	Words     int    // separated by white space, at most MaxWords
	Decisions []Point
	Changes   []Point // what a memory says that replaced an earlier one
	Patterns  []Point
	Questions []Point // open ones
}

// Point is a line of a digest.
type Point struct {
	Source graph.ID
	At     time.Time
	Text   string
}

// The cues of the sections. A question mark is a cue for an open question.
var (
	openCues     = cues("openCues")
	decisionCues = cues("decisionCues")
	patternCues  = cues("patternCues")
	// doubtCues make a decision doubtful.
	doubtCues = cues("doubtCues")
	// indirectCues pass a question on.
	indirectCues = cues("indirectCues")
	// decisionLabels stand before a colon.
	decisionLabels = wordLists.Set("decisionLabels")
)

// cues reads a word list of phrases, for hasCue.
func cues(name string) []string {
	var out []string
	for _, phrase := range wordLists.Lines(name) {
		out = append(out, " "+phrase+" ")
	}
	return out
}

func hasCue(line string, cues []string) bool {
	return slices.ContainsFunc(cues, func(c string) bool { return strings.Contains(line, c) })
}

// candidate is a candidate for a digest.
type candidate struct {
	Point
	weight    float64
	words     int
	sentences []*sentence
}

// Project writes the digest of a project for a UTC month from the sources of that month:
// decisions, changes, patterns and open questions. Points are sentences as written, found by their
// cues, each with the day on which it was said. What a source says that replaced an earlier one is
// a change. A question is not open if a later decision has half of
// its content words, and at least two, or a later statement has all of them and a value of the kind that it asks for. If there are more than MaxWords words the points of the
// lowest weight are dropped, from each section in turn. The order of the sources makes no
// difference.
func Project(name string, month time.Time, sources []Source) Digest {
	month = month.UTC()
	sources = slices.DeleteFunc(slices.Clone(sources), func(s Source) bool {
		at := s.At.UTC()
		return at.Year() != month.Year() || at.Month() != month.Month()
	})
	slices.SortStableFunc(sources, func(a, b Source) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	var decisions, changes, patterns, questions, statements []candidate
	for i, s := range sources {
		for _, u := range unitsOf(i, s) {
			// An open question may have a time like "at the weekend", because its day stands next to it.
			lacksContext := slices.ContainsFunc(u.sentences, func(x *sentence) bool { return x.unusable && !x.undated })
			if u.unusable && (lacksContext || sectionOf(u) != "open") {
				continue
			}
			p := candidate{Point{s.ID, s.At.UTC(), u.text}, s.Weight, u.words + 3, u.sentences} // the dash and the day
			section := sectionOf(u)
			if section != "open" {
				statements = append(statements, p)
			}
			switch {
			case section == "open":
				questions = appendNew(questions, p)
			case s.Revises && slices.ContainsFunc(u.sentences, func(x *sentence) bool { return len(x.facts) > 0 }):
				changes = appendNew(changes, p)
			case section == "decision":
				decisions = appendNew(decisions, p)
			case section == "pattern":
				patterns = appendNew(patterns, p)
			}
		}
	}
	questions = slices.DeleteFunc(questions, func(q candidate) bool {
		return slices.ContainsFunc(slices.Concat(decisions, changes), func(d candidate) bool { return answers(d, q) }) ||
			slices.ContainsFunc(statements, func(x candidate) bool { return settles(x, q) })
	})
	heading := strings.TrimSpace(name + ", " + month.Format("January 2006"))
	budget := MaxWords - len(strings.Fields(heading)) - len(strings.Fields("Decisions: Changes: Patterns: Open questions:"))
	kept := selectPoints(budget, decisions, changes, questions, patterns)
	d := Digest{Decisions: kept[0], Changes: kept[1], Questions: kept[2], Patterns: kept[3]}
	var b strings.Builder
	for _, section := range []struct {
		title  string
		points []Point
	}{{"Decisions:", d.Decisions}, {"Changes:", d.Changes}, {"Patterns:", d.Patterns}, {"Open questions:", d.Questions}} {
		if len(section.points) == 0 {
			continue
		}
		b.WriteString("\n" + section.title)
		for _, p := range section.points {
			b.WriteString("\n- " + p.Text + p.At.Format(" (2 January)"))
		}
	}
	if b.Len() > 0 {
		d.Text = heading + b.String()
		d.Words = len(strings.Fields(d.Text))
	}
	return d
}

// sectionOf returns the section of a unit; empty if it belongs to none.
func sectionOf(u *unit) string {
	section := ""
	for _, s := range u.sentences {
		line := lineOf(s.text)
		switch {
		case s.question && len(s.content) > 1 && !strings.Contains(line, " you"), hasCue(line, openCues):
			return "open"
		case s.question:
		case (hasCue(line, decisionCues) || isLabelled(s.text, decisionLabels)) && !hasCue(line, doubtCues) && section == "":
			section = "decision"
		case hasCue(line, patternCues) && section == "":
			section = "pattern"
		}
	}
	return section
}

// lineOf returns the words of a sentence in lower case, with a space around each.
func lineOf(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range wordsOf(text) {
		b.WriteString(w.Low)
		if w.Possessive && !strings.HasSuffix(w.Low, "s") {
			b.WriteString("'s") // let's
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// appendNew appends a point unless an earlier one entails it.
func appendNew(points []candidate, p candidate) []candidate {
	said := func(s *sentence) bool {
		return slices.ContainsFunc(points, func(o candidate) bool {
			return slices.ContainsFunc(o.sentences, func(t *sentence) bool { return entails(t, s) })
		})
	}
	if !slices.ContainsFunc(p.sentences, func(s *sentence) bool { return !said(s) }) {
		return points
	}
	return append(points, p)
}

// answers reports whether a decision is later than a question and about the same.
func answers(d, q candidate) bool {
	if !d.At.After(q.At) {
		return false
	}
	asked, shared := 0, 0
	for _, s := range q.sentences {
		for _, w := range s.content {
			if !isContentWord(w) {
				continue
			}
			asked++
			if slices.ContainsFunc(d.sentences, func(t *sentence) bool { return t.words[w] }) {
				shared++
			}
		}
	}
	return shared >= 2 && 2*shared >= asked
}

// isLabelled reports whether a sentence begins with one of the labels and a colon.
func isLabelled(text string, labels map[string]bool) bool {
	label, _, found := strings.Cut(text, ":")
	words := strings.Fields(strings.ToLower(label))
	return found && len(words) > 0 && len(words) <= 2 && labels[words[len(words)-1]] && words[0] != "no" && words[0] != "not"
}

// settles reports whether a statement is later than a question and answers it: it has all content words of the question but the noun
// that stands for the answer ("which region"), at least two, and says a value of the kind that the question asks for. What is doubtful,
// or passes the question on ("Hanna asks who signs it off"), answers nothing.
func settles(x, q candidate) bool {
	line := lineOf(x.Text)
	if !x.At.After(q.At) || hasCue(line, doubtCues) || hasCue(line, openCues) || hasCue(line, indirectCues) {
		return false
	}
	asked := 0
	for _, s := range q.sentences {
		if !s.question {
			return false
		}
		kind, noun := askedFor(s.text)
		if !saysKind(kind, x.Text, s.text) {
			return false
		}
		for _, w := range s.content {
			switch {
			case !isContentWord(w) || w == noun || isCueWord(w):
			case !slices.ContainsFunc(x.sentences, func(t *sentence) bool { return t.words[w] }):
				return false
			default:
				asked++
			}
		}
	}
	return asked >= 2
}

// askedFor returns the question word of a question, and the noun or the adjective that stands for the answer: "region" after "which".
func askedFor(question string) (kind, noun string) {
	words := wordsOf(question)
	for i, w := range words {
		switch w.Low {
		case "who", "whom", "whose", "where", "when", "why":
			return w.Low, ""
		case "which", "what", "how":
			if i+1 < len(words) {
				noun = english.Singular(words[i+1].Low)
			}
			return w.Low, noun
		}
	}
	return "", ""
}

// saysKind reports whether a statement says a value of a kind that the question does not say.
func saysKind(kind, statement, question string) bool {
	said, known := extract.ValuesOf(statement), extract.ValuesOf(question)
	more := func(values, besides []string) bool {
		return slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(besides, v) })
	}
	switch kind {
	case "":
		return true // yes or no
	case "who", "whom", "whose":
		return more(said.Names, known.Names)
	case "when", "how":
		return more(said.Times, known.Times) || more(said.Numbers, known.Numbers)
	case "why":
		return false
	}
	return len(wordsOf(statement)) > 2
}

// isCueWord reports a word that says that something is open, and not what: "Open question: …".
func isCueWord(word string) bool {
	return slices.ContainsFunc(openCues, func(c string) bool { return strings.Contains(c, " "+word+" ") })
}

// selectPoints takes points from each section in turn, in order of weight, the latest first, while
// there are words left. It returns each section in order of time.
func selectPoints(budget int, sections ...[]candidate) [][]Point {
	out := make([][]Point, len(sections))
	for i := range sections {
		sections[i] = slices.Clone(sections[i])
		slices.SortStableFunc(sections[i], func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), b.At.Compare(a.At), cmp.Compare(a.Source, b.Source))
		})
	}
	for left := true; left; {
		left = false
		for i, points := range sections {
			for len(points) > 0 {
				p := points[0]
				points = points[1:]
				if p.words <= budget {
					budget -= p.words
					out[i] = append(out[i], p.Point)
					break
				}
			}
			sections[i] = points
			left = left || len(points) > 0
		}
	}
	for _, points := range out {
		slices.SortStableFunc(points, func(a, b Point) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Source, b.Source)) })
	}
	return out
}
