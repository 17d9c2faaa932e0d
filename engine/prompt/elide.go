package prompt

import "unicode/utf8"

// elision stands where the middle of a text was left out.
const elision = " […] "

// elide keeps as much of the beginning and the end of text around a gap as fits, at
// most keep bytes; less than fits where fits does not grow with the text. It answers
// "" where not even one byte fits. text itself is known not to fit.
func elide(text string, keep int, fits func(string) bool) string {
	best := ""
	low, high := 1, min(len(text)-1, keep)
	for low <= high {
		middle := (low + high) / 2
		if try := keepEnds(text, middle); fits(try) {
			best, low = try, middle+1
		} else {
			high = middle - 1
		}
	}
	return best
}

// keepEnds keeps at most so many bytes of text, one half at each end, whole characters
// only.
func keepEnds(text string, keep int) string {
	head, tail := (keep+1)/2, len(text)-keep/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + elision + text[tail:]
}
