package prompt

import "unicode/utf8"

// elision replaces the middle of a text.
const elision = " […] "

// elide keeps as much as possible of the beginning and the end of text around an elision, so
// that fits accepts it and at most keep bytes remain. fits must be monotonic, else the result
// may be shorter than possible. elide returns "" if not even one byte fits. The caller has
// checked that text as a whole does not fit.
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

// keepEnds keeps at most keep bytes of text, half at each end, without splitting characters.
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
