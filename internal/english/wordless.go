package english

import "unicode"

// Wordless reports whether a text has no letter, and no number of two digits or more symbols than
// digits: "%%% 3", "9 9 8". Nothing answers it, though the text of a memory may have such a digit.
func Wordless(text string) bool {
	digits, symbols, run, longest := 0, 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			return false
		case unicode.IsDigit(r):
			digits, run = digits+1, run+1
			longest = max(longest, run)
			continue
		case !unicode.IsSpace(r):
			symbols++
		}
		run = 0
	}
	return longest < 2 || symbols > digits
}
