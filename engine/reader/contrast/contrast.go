// Package contrast cuts from a clause what it denies in contrast to what it affirms: "in Bristol not Bath", "not on Tuesday but on
// Wednesday", "coffee instead of tea".
package contrast

// Word is a word of a clause, from its verb on.
type Word struct {
	Low         string
	Sign        byte // the sign before it, 0 if there is none
	Preposition bool
	Verb        bool // it is a form of a verb
	Value       bool // it may be a value that another one is opposed to: a name, a number, a day, a noun
}

// Cut returns the indices of the words that are affirmed, and the range of those that are denied; ok is false without a contrast. states
// reports that the words from an index on are a clause.
func Cut(words []Word, states func(from int) bool) (kept []int, from, to int, ok bool) {
	if kept, from, to, ok = cutBut(words, states); ok {
		return kept, from, to, true
	}
	for i := 1; i+1 < len(words); i++ {
		w, next, skip := &words[i], &words[i+1], 2
		switch {
		case w.Low == "not" && (w.Sign == ',' || opposed(words, i)):
			skip = 1
		case w.Low == "instead" && next.Low == "of", w.Low == "rather" && next.Low == "than":
		default:
			continue
		}
		end := i + 1
		for end < len(words) && words[end].Sign != ',' {
			end++
		}
		from, to = denied(words, min(i+skip, end), end)
		return append(indices(0, i), indices(end, len(words))...), from, to, true
	}
	return nil, 0, 0, false
}

// opposed reports a "not" between two values of one kind without a comma: "I'm in Bristol not Bath", "on Monday not on Tuesday".
func opposed(words []Word, not int) bool {
	if not < 2 || !words[not-1].Value || words[not+1].Sign != 0 {
		return false
	}
	at := not + 1
	if words[at].Preposition {
		at++
	}
	return at < len(words) && words[at].Value && (at+1 == len(words) || words[at+1].Sign == ',' || words[at+1].Value && at+2 == len(words))
}

// cutBut cuts what is denied before "but": "isn't on Tuesday but on Wednesday", "don't drink tea but coffee".
func cutBut(words []Word, states func(from int) bool) (kept []int, from, to int, ok bool) {
	not, but := index(words, "not"), index(words, "but")
	if not < 1 || not > 2 || but < not+2 || but+1 >= len(words) || words[but].Sign != 0 && words[but].Sign != ',' || words[not+1].Low == "only" || words[not+1].Low == "just" || states(but+1) {
		return nil, 0, 0, false
	}
	first := not + 1
	if words[first].Verb && first+1 < but {
		first++
	}
	from, to = denied(words, first, but)
	kept = append(indices(0, not), indices(not+1, first)...)
	return append(kept, indices(but+1, len(words))...), from, to, true
}

// denied leaves out a preposition before what is denied: "not on 3 May".
func denied(words []Word, from, to int) (int, int) {
	if to-from > 1 && words[from].Preposition {
		from++
	}
	return from, to
}

func index(words []Word, low string) int {
	for i := range words {
		if words[i].Low == low {
			return i
		}
	}
	return -1
}

func indices(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}
