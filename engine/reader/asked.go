package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
)

// Slot is a subject and a predicate, as claims have them.
type Slot struct{ Subject, Predicate string }

// unknown stands for the answer of a question in the statements that Asked reads.
const unknown = "Xylo"

// maxAsked is the number of slots that a question may ask about.
const maxAsked = 4

// maxSubjectWords is the number of words of a subject in a question.
const maxSubjectWords = 5

// Asked returns the slots that a question in the present tense asks about, the likeliest first;
// none if it can't tell. It reads the statements that would answer the question: "Where do I
// live?" is answered by "I live in …", whose slot is the residence of the speaker. So a question
// finds a claim that says the same in other words, "I moved to Bergen".
func Asked(question string, h Hints) []Slot {
	var slots []Slot
	for _, statement := range slices.Concat(partsAnswered(question)...) {
		for _, c := range Read(statement.text, h) {
			if c.Modality != Asserted || c.Negated || !strings.Contains(c.Object, unknown) || strings.Contains(c.Subject, unknown) {
				continue
			}
			if statement.subject != "" && !strings.HasSuffix(extract.Canonical(c.Subject), lastWord(statement.subject)) {
				continue // the words were divided wrongly
			}
			if s := (Slot{c.Subject, c.Predicate}); !slices.Contains(slots, s) && len(slots) < maxAsked {
				slots = append(slots, s)
			}
		}
	}
	return slots
}

// answer is a statement that would answer a question. Its subject is empty if the question asks
// for the subject, or if it is the first person.
type answer struct{ text, subject string }

var askWords = map[string][]string{ // with the prepositions of their answers
	"what": {""}, "which": {""}, "who": {""}, "whom": {""}, "where": {"in", "at"}, "when": {"on", "at"},
}

// partsAnswered returns the statements that would answer each part of a question: "What is my dog
// called, and where do I live?"
func partsAnswered(question string) (all [][]answer) {
	words := strings.Fields(question)
	from := 0
	for i := 1; i < len(words); i++ {
		ask, _, _ := strings.Cut(strings.ToLower(strings.Trim(words[i], "?!,.;")), "'")
		if _, asks := askWords[ask]; !asks {
			continue
		}
		end := i
		if asksAfter[strings.ToLower(words[end-1])] { // "and on which port"
			end--
		}
		begin := end
		if end > from && strings.EqualFold(words[end-1], "and") {
			end--
		}
		if end > from && (end < begin || strings.HasSuffix(words[end-1], ",")) {
			all = append(all, answers(strings.Join(words[from:end], " ")))
			from = begin
		}
	}
	return append(all, answers(strings.Join(words[from:], " ")))
}

// asksAfter are the prepositions before a question word.
var asksAfter = map[string]bool{"in": true, "on": true, "at": true, "for": true, "with": true, "by": true, "from": true, "to": true}

// answers returns the statements that would answer a question.
func answers(question string) []answer {
	question = strings.TrimSpace(question)
	if i := strings.LastIndexAny(strings.TrimRight(question, "?! "), ".!?;"); i >= 0 {
		question = question[i+1:]
	}
	words := strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("?!,\"", r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(question, "’", "'")))
	if len(words) < 3 {
		return nil
	}
	preposition := ""
	if asksAfter[strings.ToLower(words[0])] {
		preposition, words = strings.ToLower(words[0]), words[1:]
	}
	ask, short, _ := strings.Cut(strings.ToLower(words[0]), "'")
	prepositions, known := askWords[ask]
	if !known {
		return nil
	}
	if preposition != "" {
		prepositions = []string{preposition}
	}
	rest := words[1:]
	if short == "s" {
		rest = append([]string{"is"}, rest...)
	}
	at := slices.IndexFunc(rest, func(w string) bool { return isAuxiliary(strings.ToLower(w)) })
	switch {
	case at < 0 || at > 0 && ask != "what" && ask != "which":
		if ask != "who" {
			return nil
		}
		return []answer{{text: unknown + " " + strings.Join(rest, " ") + "."}}
	case at > 4 || at == len(rest)-1:
		return nil
	}
	tail := rest[at+1:]
	switch strings.ToLower(rest[at]) {
	case "do", "does":
		return acting(tail, prepositions)
	}
	return being(tail, strings.ToLower(rest[at]), prepositions)
}

// opensNoun are words before a noun.
var opensNoun = map[string]bool{"the": true, "a": true, "an": true, "my": true, "our": true, "your": true, "their": true, "his": true, "her": true, "its": true, "of": true, "for": true, "in": true}

func isAuxiliary(w string) bool { return slices.Contains([]string{"do", "does", "is", "are", "am"}, w) }

// acting answers "where do SUBJECT VERB …": SUBJECT VERBs … in Xylo.
func acting(tail, prepositions []string) (all []answer) {
	for n := 1; n <= min(len(tail)-1, maxSubjectWords); n++ {
		subject := strings.Join(tail[:n], " ")
		plain := slices.Contains([]string{"i", "we", "you", "they"}, strings.ToLower(subject))
		for _, said := range coordinated(tail[n:]) {
			verb, more := said[0], said[1:]
			if !plain {
				verb = thirdPerson(verb)
			}
			for _, p := range prepositions {
				all = append(all, answered(subject, plain, slices.Concat([]string{verb}, more, []string{p})))
			}
		}
		if plain {
			break
		}
	}
	return all
}

// coordinated divides two verbs of one subject: "live and work".
func coordinated(words []string) [][]string {
	if len(words) == 3 && strings.EqualFold(words[1], "and") {
		return [][]string{words[:1], words[2:]}
	}
	return [][]string{words}
}

// being answers "what is SUBJECT", "what is SUBJECT called": SUBJECT is Xylo, SUBJECT is called Xylo.
func being(tail []string, verb string, prepositions []string) (all []answer) {
	for _, n := range []int{len(tail), len(tail) - 1, len(tail) - 2} {
		if n < 1 {
			break
		}
		if before := strings.ToLower(tail[n-1]); n < len(tail) && (opensNoun[before] || strings.HasSuffix(before, "'s")) {
			continue // the next word belongs to the subject
		}
		for _, p := range slices.Concat(prepositions, []string{""}) {
			all = append(all, answered(strings.Join(tail[:n], " "), false, slices.Concat([]string{verb}, tail[n:], []string{p})))
		}
	}
	return all
}

func answered(subject string, firstPerson bool, predicate []string) answer {
	text := strings.Join(strings.Fields(subject+" "+strings.Join(predicate, " ")+" "+unknown), " ")
	a := answer{strings.ToUpper(text[:1]) + text[1:] + ".", subject}
	if firstPerson {
		a.subject = ""
	}
	return a
}

// thirdPerson returns the form of a verb that follows "she".
func thirdPerson(verb string) string {
	for _, end := range []string{"s", "sh", "ch", "x", "o"} {
		if strings.HasSuffix(verb, end) {
			return verb + "es"
		}
	}
	if stem, ok := strings.CutSuffix(verb, "y"); ok && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])) {
		return stem + "ies"
	}
	return verb + "s"
}

func lastWord(s string) string {
	words := strings.Fields(extract.Canonical(s))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
