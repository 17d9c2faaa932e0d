// Package worlds generates pairs of statements with the relation that holds between them, to
// train the model of package reader. All sentences come from the templates and values in the
// text files of this package. Generation is deterministic: the same source of randomness gives
// the same pairs.
package worlds

import (
	_ "embed"
	"math/rand/v2"
	"strings"
)

//go:embed families.txt
var familiesFile string

//go:embed values.txt
var valuesFile string

//go:embed people.txt
var peopleFile string

//go:embed wrappers.txt
var wrappersFile string

// Pair is two statements and what is true of the later one.
type Pair struct {
	Family         string
	Situation      string // how the pair was made
	Earlier, Later string
	Fact           bool // the later one is asserted as a current fact
	Slot           bool // both are about one slot
	Other          bool // their values exclude each other
}

// Revises reports whether the later statement revises the earlier one.
func (p Pair) Revises() bool { return p.Fact && p.Slot && p.Other }

// family is a set of templates with one predicate.
type family struct {
	name, cardinality, holder string
	values                    []string          // lists of the values {v} and {x}
	free                      bool              // {x} does not tell slots apart
	templates                 map[byte][]string // by the letter before the template
}

// paired reports a family with values of the form "a>b".
func (f *family) paired() bool { return f.cardinality == "refine" || f.cardinality == "turn" }

var (
	families = readFamilies()
	values   = readLists(valuesFile)
	wrappers = readLists(wrappersFile)
	owners   = strings.Split(strings.TrimSpace(strings.SplitN(peopleFile, "\n", 2)[1]), "|")
)

func readLists(file string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(file) {
		name, list, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if ok && name[0] != '#' {
			m[name] = strings.Split(list, "|")
		}
	}
	return m
}

func readFamilies() (all []*family) {
	for line := range strings.Lines(familiesFile) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if head, ok := strings.CutPrefix(line, "family "); ok {
			f := strings.Fields(head)
			next := &family{name: f[0], cardinality: f[1], holder: f[2], values: f[3:], templates: map[byte][]string{}}
			if last := len(next.values) - 1; last == 1 {
				next.values[1], next.free = strings.CutPrefix(next.values[1], "~")
			}
			all = append(all, next)
			continue
		}
		f := all[len(all)-1]
		letter := line[0]
		if letter == 'r' {
			letter = 's'
		}
		f.templates[letter] = append(f.templates[letter], line[2:])
	}
	return all
}

// Families returns the names of the families, in order.
func Families() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.name
	}
	return names
}

// moreMany is how often, in percent, a family with one value at a time is chosen anew; there
// are fewer families with many values.
const moreMany = 30

// Generate returns n pairs, of the families that keep accepts.
func Generate(rng *rand.Rand, n int, keep func(family string) bool) []Pair {
	var some []*family
	for _, f := range families {
		if keep(f.name) {
			some = append(some, f)
		}
	}
	pairs := make([]Pair, 0, n)
	for len(pairs) < n && len(some) > 0 {
		g := generator{rng: rng, family: some[rng.IntN(len(some))]}
		if g.family.cardinality == "one" && g.chance(moreMany) {
			g.family = some[rng.IntN(len(some))]
		}
		if p, ok := g.pair(); ok && p.Earlier != p.Later {
			pairs = append(pairs, p)
		}
	}
	return pairs
}
