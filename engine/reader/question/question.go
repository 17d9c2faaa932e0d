// Package question turns a question into the statements that would answer it.
package question

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Unknown stands for the answer in the statements.
const Unknown = "Xylo"

// maxSubjectWords is the number of words of a subject in a question.
const maxSubjectWords = 5

// Answer is a statement that would answer a question. Its subject is empty if the question asks
// for the subject, or if it is the first person.
type Answer struct{ Text, Subject string }

var askWords = map[string][]string{ // with the prepositions of their answers
	"what": {""}, "which": {""}, "who": {""}, "whom": {""}, "where": {"in", "at"}, "when": {"on", "at"},
}

// Answers returns the statements that would answer each part of a question: "What is my dog
// called, and where do I live?"
func Answers(question string) (all [][]Answer) {
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
func answers(question string) []Answer {
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
	if clause, cleft := clauseOf(ask, rest); cleft {
		if ask == "who" && opensVerb(clause) {
			return []Answer{{Text: Unknown + " " + strings.Join(clause, " ") + "."}}
		}
		return stating(clause, prepositions)
	}
	at := slices.IndexFunc(rest, func(w string) bool { return isAuxiliary(strings.ToLower(w)) })
	switch {
	case at < 0 || at > 0 && ask != "what" && ask != "which":
		if ask != "who" {
			return nil
		}
		return []Answer{{Text: Unknown + " " + strings.Join(rest, " ") + "."}}
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

// clauseOf returns the clause of a cleft question in the present tense: "I do" of "What is it that I do?".
func clauseOf(ask string, rest []string) (clause []string, cleft bool) {
	low := []string{ask}
	for _, w := range rest {
		low = append(low, strings.ToLower(w))
	}
	i, j := english.Cleft(low)
	if j == 0 {
		return nil, false
	}
	if slices.Contains(low[i:j], "was") {
		return nil, true
	}
	return rest[j-1:], true
}

// stating answers a question in the order of a statement, "where SUBJECT VERBS …": SUBJECT VERBS … in Xylo.
func stating(clause, prepositions []string) (all []Answer) {
	for n := 1; n <= min(len(clause)-1, maxSubjectWords); n++ {
		subject := strings.Join(clause[:n], " ")
		plain := isPlainSubject(subject)
		for _, p := range prepositions {
			all = append(all, answered(subject, plain, append(slices.Clone(clause[n:]), p)))
		}
		if plain {
			break
		}
	}
	return all
}

// opensVerb reports whether a clause has no subject: "runs the bakery".
func opensVerb(clause []string) bool {
	if len(clause) == 0 {
		return false
	}
	low := strings.ToLower(clause[0])
	_, pronoun := english.PronounOf(low)
	return !pronoun && !opensNoun[low] && clause[0] == low && !strings.HasSuffix(low, "'s")
}

// isPlainSubject reports a pronoun whose verb has no ending.
func isPlainSubject(subject string) bool {
	return slices.Contains([]string{"i", "we", "you", "they"}, strings.ToLower(subject))
}

// opensNoun are words before a noun.
var opensNoun = map[string]bool{"the": true, "a": true, "an": true, "my": true, "our": true, "your": true, "their": true, "his": true, "her": true, "its": true, "of": true, "for": true, "in": true}

func isAuxiliary(w string) bool { return slices.Contains([]string{"do", "does", "is", "are", "am"}, w) }

// acting answers "where do SUBJECT VERB …": SUBJECT VERBs … in Xylo.
func acting(tail, prepositions []string) (all []Answer) {
	for n := 1; n <= min(len(tail)-1, maxSubjectWords); n++ {
		subject := strings.Join(tail[:n], " ")
		plain := isPlainSubject(subject)
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
func being(tail []string, verb string, prepositions []string) (all []Answer) {
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

func answered(subject string, firstPerson bool, predicate []string) Answer {
	text := strings.Join(strings.Fields(subject+" "+strings.Join(predicate, " ")+" "+Unknown), " ")
	a := Answer{strings.ToUpper(text[:1]) + text[1:] + ".", subject}
	if firstPerson {
		a.Subject = ""
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
