package distil

import "slices"

// Reworded reports whether a text, for example one that a language model wrote, says exactly what
// another text says. It may join sentences about one subject, reorder them and leave out fillers.
// Its content words must be those of the other text, in the same order within each statement.
// Sentences with different names, numbers or dates, or with a negation, may not be joined, because
// it would be unclear what belongs together.
func Reworded(text, of string) bool {
	said, now := read(Source{Text: of}), read(Source{Text: text})
	kept := make([]bool, len(said))
	for _, t := range now {
		var joined []*sentence
		for i, x := range said {
			if len(x.facts) > 0 && containsAll(t, x) {
				joined, kept[i] = append(joined, x), true
			}
		}
		if !isComposedOf(t, joined) {
			return false
		}
	}
	for i, x := range said {
		if len(x.facts) > 0 && !kept[i] {
			return false
		}
	}
	return len(now) > 0
}

// containsAll reports whether sentence t contains all of sentence x.
func containsAll(t, x *sentence) bool {
	if (t.antecedent == nil) != (x.antecedent == nil) || x.antecedent != nil && !containsAll(t.antecedent, x.antecedent) {
		return false
	}
	return t.question == x.question && t.negations == x.negations && isSubsequence(x.content, t.content) && isSubsequence(x.numbers, t.numbers) && isSubset(x.dates, t.dates) &&
		!slices.ContainsFunc(x.facts, func(f Fact) bool { return !t.holds(f) })
}

// isComposedOf reports whether a sentence is composed of these and nothing else.
func isComposedOf(t *sentence, of []*sentence) bool {
	if len(of) == 0 || t.unusable {
		return false
	}
	first := of[0]
	known := func(in func(*sentence) []string, w string) bool {
		return slices.ContainsFunc(of, func(x *sentence) bool { return slices.Contains(in(x), w) })
	}
	for _, w := range t.content {
		if !slices.ContainsFunc(of, func(x *sentence) bool { return x.words[w] }) {
			return false
		}
	}
	for _, in := range []func(*sentence) []string{
		func(s *sentence) []string { return s.numbers }, func(s *sentence) []string { return s.dates }, func(s *sentence) []string { return s.names },
	} {
		if slices.ContainsFunc(in(t), func(w string) bool { return !known(in, w) }) {
			return false
		}
	}
	whole := func(x *sentence) bool {
		return slices.Equal(x.content, t.content) && slices.Equal(x.numbers, t.numbers) && slices.Equal(x.dates, t.dates) && slices.Equal(x.names, t.names)
	}
	if slices.ContainsFunc(of, whole) {
		return true
	}
	return len(t.numbers) == len(first.numbers) && !slices.ContainsFunc(of, func(x *sentence) bool {
		return len(of) > 1 && t.negations > 0 || !slices.Equal(x.numbers, first.numbers) || !slices.Equal(x.dates, first.dates) ||
			!slices.Equal(x.names, first.names) || !slices.Equal(x.content[:min(1, len(x.content))], first.content[:min(1, len(first.content))]) ||
			!slices.Equal(subjectsOf(x), subjectsOf(first))
	})
}

// subjectsOf returns the subjects of the statements of a sentence.
func subjectsOf(s *sentence) []string {
	var out []string
	for _, f := range s.facts {
		if f.Kind == Subject {
			out = append(out, f.Canonical)
		}
	}
	slices.Sort(out)
	return out
}
