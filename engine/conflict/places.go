package conflict

import (
	"iter"
	"slices"
	"strings"
)

// placeAliases maps other names of places to the usual ones.
var placeAliases = func() map[string]string {
	m := map[string]string{}
	for place, aliases := range placeLists("placeAliases") {
		for _, alias := range aliases {
			m[alias] = place
		}
	}
	return m
}()

// regionsOf maps each place to the regions that contain it. A town and its country do not
// contradict each other; two towns do.
var regionsOf = func() map[string][]string {
	m := map[string][]string{}
	for region, towns := range placeLists("regions") {
		if _, ok := m[region]; !ok {
			m[region] = nil
		}
		for _, town := range towns {
			m[town] = append(m[town], region)
		}
	}
	return m
}()

// placeLists reads a word list of entries "place:name,name".
func placeLists(list string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, line := range wordLists.Lines(list) {
			place, names, _ := strings.Cut(line, ":")
			if !yield(place, strings.FieldsFunc(names, func(r rune) bool { return r == ',' })) {
				return
			}
		}
	}
}

// canonicalPlace returns the usual name of a place.
func canonicalPlace(name string) string {
	if p, ok := placeAliases[name]; ok {
		return p
	}
	return name
}

// isPlace reports whether a name is a known place.
func isPlace(name string) bool { _, ok := regionsOf[canonicalPlace(name)]; return ok }

// samePlace reports whether two names may denote the same place: they are equal, or one contains
// the other.
func samePlace(a, b string) bool {
	a, b = canonicalPlace(a), canonicalPlace(b)
	return a == b || liesIn(a, b, 4) || liesIn(b, a, 4)
}

func liesIn(a, b string, depth int) bool {
	if depth == 0 {
		return false
	}
	return slices.ContainsFunc(regionsOf[a], func(r string) bool { return r == b || liesIn(r, b, depth-1) })
}

// isRegion reports a known country, state or continent.
func isRegion(name string) bool { return regionNames[canonicalPlace(name)] }

var regionNames = func() map[string]bool {
	m := wordLists.Set("countries")
	for region := range placeLists("regions") {
		m[region] = true
	}
	return m
}()
