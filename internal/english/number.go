package english

import "strings"

// NumberWord returns the number that a word in lower case says: zero to twenty, and the
// tens to ninety.
func NumberWord(low string) (n int, ok bool) {
	n, ok = numberWords[low]
	return n, ok
}

// OrdinalWord returns the place that a word in lower case says: first to twentieth, and
// thirtieth. "second" is a unit of time as well.
func OrdinalWord(low string) (n int, ok bool) {
	n, ok = ordinalWords[low]
	return n, ok
}

// ScaleWord returns what a word in lower case multiplies a number by: dozen, hundred,
// thousand, million, billion.
func ScaleWord(low string) (n int, ok bool) {
	switch low {
	case "dozen":
		return 12, true
	case "hundred":
		return 100, true
	case "thousand":
		return 1e3, true
	case "million":
		return 1e6, true
	case "billion":
		return 1e9, true
	}
	return 0, false
}

var numberWords = func() map[string]int {
	m := counted(0, `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
		sixteen seventeen eighteen nineteen`)
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		m[w] = 10*i + 20
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
