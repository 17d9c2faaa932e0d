package english

import "strings"

// NumberWord returns the number that a word in lower case says: zero to twenty, and the
// tens to ninety.
func NumberWord(low string) (n int, ok bool) {
	n, ok = numberWords[low]
	return n, ok
}

// NumberName returns how a number from 0 to 99 is written in words: "forty-one"; empty for others.
func NumberName(n int) string {
	switch {
	case n < 0 || n > 99:
		return ""
	case n < 20 || n%10 == 0:
		return numberNames[n]
	}
	return numberNames[n-n%10] + "-" + numberNames[n%10]
}

// OrdinalWord returns the place that a word in lower case says: first to twentieth, and
// thirtieth. "second" is a unit of time as well.
func OrdinalWord(low string) (n int, ok bool) {
	n, ok = ordinalWords[low]
	return n, ok
}

// CutOrdinal returns a number in digits without the ending of an ordinal: "3" for "3rd". ok is false
// if the word has no such ending.
func CutOrdinal(low string) (number string, ok bool) {
	for _, end := range []string{"st", "nd", "rd", "th"} {
		if cut, ok := strings.CutSuffix(low, end); ok {
			return cut, true
		}
	}
	return low, false
}

// ScaleWord returns what a word in lower case multiplies a number by: dozen, hundred,
// thousand, million, billion.
func ScaleWord(low string) (n int, ok bool) {
	n, ok = scaleWords[low]
	return n, ok
}

var scaleWords = map[string]int{"dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}

var numberWords = func() map[string]int {
	m := counted(0, `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
		sixteen seventeen eighteen nineteen`)
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		m[w] = 10*i + 20
	}
	return m
}()

var numberNames = func() map[int]string {
	m := map[int]string{}
	for w, n := range numberWords {
		m[n] = w
	}
	return m
}()

var ordinalWords = func() map[string]int {
	m := counted(1, `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
		fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`)
	m["thirtieth"] = 30
	return m
}()

// counted numbers the words of a list.
func counted(from int, list string) map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields(list) {
		m[w] = from + i
	}
	return m
}
