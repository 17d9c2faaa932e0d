package wording

// OneForm reports that two statements are made of the same words but for one place with up to maxFilled
// words, as notes of one form about several things are.
func OneForm(x, y []Token) bool {
	n := min(len(x), len(y))
	prefix := 0
	for prefix < n && x[prefix].Low == y[prefix].Low {
		prefix++
	}
	suffix := 0
	for suffix < n-prefix && x[len(x)-1-suffix].Low == y[len(y)-1-suffix].Low {
		suffix++
	}
	same := prefix + suffix
	return same >= minForm && max(len(x), len(y))-same <= maxFilled && (len(x) > same || len(y) > same)
}

// Bounds of a form, in words.
const (
	minForm   = 3 // least number of words that the statements share
	maxFilled = 3 // greatest number of words in the place where they differ
)
