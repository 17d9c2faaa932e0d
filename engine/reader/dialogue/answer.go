package dialogue

import (
	"regexp"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/question"
	"github.com/somnograph/somnograph/internal/english"
)

var (
	yes = regexp.MustCompile(`^(?:yes|yeah|yep|yup|ya|exactly|correct|right|indeed|true|sure|absolutely|definitely|mhm|of course|that'?s (?:right|correct|true|it)|` +
		`(?:i|we) (?:do|am|are|have|did|was)|(?:it|he|she|that) (?:is|does|was|has)|they (?:are|do|have))(?:\W+(?:yes|exactly|that'?s right|i do|i am|it is|thanks|thank you))*$`)
	no = regexp.MustCompile(`^(?:no|nope|nah|never|not (?:really|at all|anymore|any more)|wrong|that'?s (?:wrong|not right|not true)|` +
		`(?:i|we) (?:don'?t|do not|am not|'?m not|haven'?t|have not|didn'?t)|i'm not|(?:it|he|she|that) (?:isn'?t|is not|doesn'?t)|they (?:aren'?t|don'?t))(?:\W+(?:no|not at all|thanks|i don't|i'm not|it isn't))*$`)
	leadIn = regexp.MustCompile(`(?i)^(?:(?:so|and|but|then|ok|okay|well|great|nice|thanks|just to (?:be sure|confirm|check)|by the way|to confirm|oh|right|also)[\s,:]+)+`)
	tag    = regexp.MustCompile(`(?i)[\s,]+(?:right|correct|yes|no|is that (?:right|correct|true)|am i right|(?:don't|aren't|isn't|doesn't|haven't|do|are|is) (?:you|it|she|he|they))$`)
	checks = regexp.MustCompile(`(?i)^(?:is|was) (?:that|this|it) (?:right|correct|true|so|still (?:right|correct|true))$`)
	// now are the words of a question that its answer leaves out.
	now = regexp.MustCompile(`(?i)\s+(?:now|currently|these days|at the moment|right now|again|then)$`)
)

// inverted are the auxiliaries with which a question about what is so begins.
var inverted = english.WordSet("is are am was were do does did have has")

// pronounOnly are subjects that stand for what was said before.
var pronounOnly = english.WordSet("it that this these those there anything everything something someone anyone he she they")

// Answered returns the statement that the answer of a user makes of the question before it, in the words of the user: "And you live in
// Ulm?" with "exactly" is "I live in Ulm.", "So where do you work now?" with "Siemens" is "I work at Siemens.".
func Answered(asked, answer string) (string, bool) {
	asked = strings.TrimSpace(strings.ReplaceAll(asked, "’", "'"))
	sentences := sentencesOf(asked)
	if len(sentences) == 0 || !strings.HasSuffix(asked, "?") || len(answer) > 200 {
		return "", false
	}
	last := strings.Trim(leadIn.ReplaceAllString(sentences[len(sentences)-1], ""), " ?!.")
	reply := plain(answer)
	positive, negative := yes.MatchString(reply), no.MatchString(reply)
	if checks.MatchString(last) {
		if len(sentences) < 2 {
			return "", false
		}
		last = strings.Trim(leadIn.ReplaceAllString(sentences[len(sentences)-2], ""), " ?!.")
		last += ", right"
	}
	if positive || negative {
		return confirmed(last, negative)
	}
	if !isFragment(strings.TrimRight(strings.TrimSpace(answer), " .!")) {
		return "", false
	}
	value := strings.TrimRight(strings.TrimSpace(answer), " .!")
	if r, ok := Correction(answer); ok { // "No, on 5 May"
		statement, whole := confirmed(last, false)
		if !whole {
			return "", false
		}
		return Corrected(statement, r, func(string) string { return "" })
	}
	return stated(now.ReplaceAllString(turned(last), ""), value)
}

// persons are the words of a question to the user, as the user says them.
var persons = map[string]string{
	"you": "I", "your": "my", "yours": "mine", "yourself": "myself", "you're": "I'm", "you've": "I've", "you'd": "I'd", "you'll": "I'll",
	"i": "you", "me": "you", "my": "your", "mine": "yours",
}

// turned says the words of a question from the side of the user.
func turned(text string) string {
	all := strings.Fields(text)
	for i, w := range all {
		end := len(strings.TrimRight(w, ",;:"))
		if other, ok := persons[strings.ToLower(w[:end])]; ok {
			all[i] = other + w[end:]
		}
		if i == 0 {
			continue
		}
		switch pair := all[i-1] + " " + strings.ToLower(all[i]); pair {
		case "I are":
			all[i] = "am"
		case "I were":
			all[i] = "was"
		}
	}
	return strings.Join(all, " ")
}

// confirmed returns what the answer yes, or no, to a question says.
func confirmed(asked string, negative bool) (string, bool) {
	declared := tag.ReplaceAllString(asked, "")
	all := strings.Fields(declared)
	if len(all) < 3 {
		return "", false
	}
	first := strings.ToLower(all[0])
	if !inverted[first] {
		if !strings.HasPrefix(first, "you") && !determiners[first] || pronounOnly[first] {
			return "", false // "Shall I book it?", "What about Ulm?"
		}
		statement := turned(declared)
		if negative {
			return negated(strings.Fields(statement))
		}
		return sentence(statement), true
	}
	if strings.ToLower(all[1]) == "i" || pronounOnly[strings.ToLower(all[1])] || strings.HasPrefix(strings.ToLower(declared), "do you want me") {
		return "", false
	}
	n := subjectWords(all[1:], first)
	if n == 0 || n+1 >= len(all) {
		return "", false
	}
	subject, rest := all[1:1+n], all[1+n:]
	you := strings.EqualFold(subject[0], "you")
	verb := []string{first}
	switch {
	case first == "do" && !negative:
		verb = nil
	case first == "does" && !negative:
		verb, rest = []string{thirdPerson(rest[0])}, rest[1:]
	case you && first == "are":
		verb = []string{"am"}
	case you && first == "were":
		verb = []string{"was"}
	}
	if negative {
		verb = append(verb, "not")
	}
	return sentence(turned(strings.Join(subject, " ")) + " " + strings.Join(slices.Concat(verb, strings.Fields(turned(strings.Join(rest, " ")))), " ")), true
}

// negated puts a negation into a statement after its first form of "be", or before its verb after "I".
func negated(all []string) (string, bool) {
	for i, w := range all {
		switch low := strings.ToLower(w); {
		case low == "i'm", i > 0 && (low == "am" || low == "is" || low == "are" || low == "was" || low == "were" || low == "have" && i+1 < len(all) && strings.HasSuffix(all[i+1], "ed")):
			return sentence(strings.Join(slices.Insert(slices.Clone(all), i+1, "not"), " ")), true
		case i == 1 && all[0] == "I":
			return sentence(strings.Join(slices.Insert(slices.Clone(all), 1, "do", "not"), " ")), true
		}
	}
	return "", false
}

// subjectWords returns the number of words of the subject after an auxiliary.
func subjectWords(all []string, auxiliary string) int {
	low := strings.ToLower(all[0])
	if low == "you" {
		return 1
	}
	if !determiners[low] {
		return 1 // a name
	}
	acts := auxiliary == "do" || auxiliary == "does"
	for i := 2; i < len(all); i++ {
		w := strings.ToLower(all[i])
		switch {
		case acts && i < 3:
		case prepositions[w] && w != "of", determiners[w], w == "not", w == "still", w == "really", w == "always", kindOfWord(all[i], true) != words:
			if acts {
				return i - 1 // the verb stands before its object
			}
			return i
		case !acts && (strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing")):
			return i
		}
	}
	if acts {
		return 2
	}
	return max(len(all)-1, 2)
}

// thirdPerson returns the form of a verb after "she".
func thirdPerson(verb string) string {
	switch {
	case verb == "have":
		return "has"
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "x"), verb == "go", verb == "do":
		return verb + "es"
	case strings.HasSuffix(verb, "y") && len(verb) > 2 && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// stated returns the statement that a value makes of a question, said from the side of the user.
func stated(asked, value string) (string, bool) {
	parts := question.Answers(asked)
	if len(parts) != 1 || len(parts[0]) == 0 {
		return "", false
	}
	first, _, more := strings.Cut(value, " ")
	prefixed := more && prepositions[strings.ToLower(first)]
	_, k := bare(value)
	best := ""
	for _, x := range parts[0] {
		before, after, found := strings.Cut(x.Text, question.Unknown)
		if !found {
			continue
		}
		head := strings.Fields(before)
		preposition := ""
		if len(head) > 0 && prepositions[strings.ToLower(head[len(head)-1])] {
			preposition = strings.ToLower(head[len(head)-1])
		}
		if prefixed && preposition != "" {
			before = strings.Join(head[:len(head)-1], " ") + " "
		}
		said := sentence(strings.TrimRight(before+value+after, ". "))
		if best == "" || preposition == fitting(head, k) && preposition != "" {
			best = said
		}
	}
	return best, best != ""
}

// fitting returns the preposition of a value of a kind after the words of a statement.
func fitting(head []string, k kind) string {
	switch k {
	case weekday, date:
		return "on"
	case number:
		return "at"
	}
	if len(head) > 1 && (strings.HasPrefix(head[len(head)-2], "work") || strings.HasPrefix(head[len(head)-2], "stud")) {
		return "at"
	}
	return "in"
}

// sentence writes words as a sentence.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
