package conflict

import (
	"slices"
	"strings"
)

// triple is a normalised subject, predicate and object of a Statement.
type triple struct {
	subject, predicate string
	object             assertion
	value              []value
	ok                 bool
}

// functionalPredicates have one object at a time.
var functionalPredicates = func() map[string]bool {
	m := map[string]bool{}
	for _, line := range wordLists.Lines("functionalPredicates") {
		for p := range strings.SplitSeq(line, ",") {
			m[predicateKey(strings.TrimSpace(p))] = true
		}
	}
	return m
}()

// predicateKey maps "lives_in", "livesIn", "LIVES_IN" and "lives in" to one key.
func predicateKey(p string) string {
	if strings.ToUpper(p) == p { // its capitals do not begin words; a predicate without any letter has none
		p = strings.ToLower(p)
	}
	var b strings.Builder
	for i, r := range p {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.':
			b.WriteByte(' ')
		case r >= 'A' && r <= 'Z':
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteRune(r + 'a' - 'A')
		default:
			b.WriteRune(r)
		}
	}
	var out []string
	for _, w := range strings.Fields(b.String()) {
		if w != "is" && w != "the" && w != "has" || len(p) < 4 {
			out = append(out, lemma(w))
		}
	}
	return strings.Join(out, " ")
}

func tripleOf(s Statement) triple {
	if s.Subject == "" || s.Predicate == "" || s.Object == "" {
		return triple{}
	}
	var subject []string
	for _, w := range strings.Fields(strings.ToLower(s.Subject)) {
		w = strings.Trim(w, ".,'\"")
		switch {
		case w == "the" || w == "a" || w == "an" || w == "":
		case isSelf(w):
			subject = append(subject, "@i")
		default:
			subject = append(subject, lemma(strings.TrimSuffix(w, "'s")))
		}
	}
	t := triple{subject: strings.Join(subject, " "), predicate: predicateKey(s.Predicate)}
	tokens := tokenise(s.Object)
	t.value = values(tokens, s.At)
	t.object.predicate = "is"
	var name []string
	for _, x := range tokens {
		if x.punctuation || x.is(determiner) {
			if x.low == "," {
				break
			}
			continue
		}
		name = append(name, x.low)
		t.object.object = append(t.object.object, x.lem)
	}
	t.object.name = strings.Join(name, " ")
	t.object.proper = true
	t.ok = t.subject != "" && len(t.object.object) > 0
	return t
}

// isFavourite reports a predicate such as "favourite dish". What somebody prefers is of many kinds.
func isFavourite(p string) bool {
	return p != preferKey && slices.ContainsFunc(strings.Fields(p), func(w string) bool { return uniqueWords[w] })
}

// compareTriples compares the subjects, predicates and objects of two statements.
func compareTriples(a, b *Analysis) Result {
	x, y := a.triple, b.triple
	if !x.ok || !y.ok || x.subject != y.subject {
		return Result{}
	}
	if x.predicate != y.predicate {
		if areOpposed(x.predicate, y.predicate) && slices.Equal(x.object.object, y.object.object) && isCurrent(a) && isCurrent(b) {
			return Result{scoreTriple, KindAntonym}
		}
		return Result{}
	}
	if x.predicate == preferKey && isCurrent(a) && isCurrent(b) && preferOneKind(x.object.object, y.object.object) {
		return Result{scoreTriple, KindObject}
	}
	if !functionalPredicates[x.predicate] && !isFavourite(x.predicate) || !isCurrent(a) || !isCurrent(b) {
		return Result{}
	}
	if len(x.value) > 0 && len(y.value) > 0 {
		for _, v := range x.value {
			for _, w := range y.value {
				if v.kind == w.kind && v.same(w) {
					return Result{}
				}
			}
		}
		if x.value[0].kind != y.value[0].kind || x.value[0].unit != y.value[0].unit {
			return Result{}
		}
		return Result{scoreTriple, KindObject}
	}
	if len(x.value) != len(y.value) || !objectsDiffer(&x.object, &y.object) || slices.ContainsFunc(x.object.object, func(w string) bool { return slices.Contains(y.object.object, w) && len(w) > 4 }) {
		return Result{}
	}
	return Result{scoreTriple, KindObject}
}

// isCurrent reports that a statement is about the present: it has no clause, or one that is
// neither past nor a mere possibility.
func isCurrent(a *Analysis) bool {
	if a.statement.Text == "" {
		return true
	}
	for _, c := range a.clauses {
		if c.tense != past && !c.negated || len(c.assertions) > 0 && !c.assertions[0].past && !c.assertions[0].ended {
			return true
		}
		if c.passive || onceVerbs[c.verb] {
			return true
		}
	}
	return len(a.clauses) == 0 && !strings.Contains(a.statement.Text, "?") && !strings.Contains(strings.ToLower(a.statement.Text), "if ")
}
