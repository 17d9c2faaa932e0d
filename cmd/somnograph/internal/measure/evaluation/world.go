package evaluation

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Fact is one fact of a world.
type Fact struct {
	Kind  *Kind
	Of    string // person or thing that it is about; empty: the user
	Value string
}

// Subject is the name of what the fact is about.
func (f Fact) Subject() string {
	if f.Of == "" {
		return User
	}
	return f.Of
}

// Say is the i-th statement of the fact.
func (f Fact) Say(i int) string { return f.fill(f.Kind.Say, i) }

// Ask is the i-th question for the fact.
func (f Fact) Ask(i int) string { return f.fill(f.Kind.Ask, i) }

// Echo is a question made by rule: the i-th statement with "what" in place of the value.
func (f Fact) Echo(i int) string {
	f.Value = "what"
	return f.Say(i) + "?"
}

func (f Fact) fill(ways []string, i int) string {
	return fill(ways[i%len(ways)], "{w}", f.Of, "{t}", f.Of, "{v}", f.Value)
}

// Other is the same fact with the value n places on, n from 1.
func (f Fact) Other(n int) Fact {
	for i, v := range f.Kind.Values {
		if v == f.Value {
			// Never the same value, for any n.
			f.Value = f.Kind.Values[(i+1+(n-1)%(len(f.Kind.Values)-1))%len(f.Kind.Values)]
			break
		}
	}
	return f
}

// Episode is an event about the thing of a theme or a routine.
type Episode struct {
	Group string // name of the theme or routine
	Thing string
	Text  string
	Keys  []string // numbers, dates and names that must be kept
	Ask   []string // questions about the thing
	Again bool     // of a routine
}

// World has facts and generates noise.
type World struct {
	Lexicon *Lexicon
	Facts   []Fact
	rand    *rand.Rand
}

// NewWorld generates the world of a seed, with facts about the given numbers of people and
// things per kind. The same seed gives the same world.
func NewWorld(l *Lexicon, seed uint64, people, things int) *World {
	w := &World{Lexicon: l, rand: rand.New(rand.NewPCG(seed, 0x736f6d6e6f)) /* "somno" */}
	for i := range l.Kinds {
		k := &l.Kinds[i]
		switch k.About {
		case Self:
			w.Facts = append(w.Facts, Fact{k, "", pick(w.rand, k.Values)})
		case Person:
			for _, of := range some(w.rand, l.Cast, people) {
				w.Facts = append(w.Facts, Fact{k, of, pick(w.rand, k.Values)})
			}
		case Thing:
			for _, of := range some(w.rand, k.Things, things) {
				w.Facts = append(w.Facts, Fact{k, of, pick(w.rand, k.Values)})
			}
		}
	}
	w.rand.Shuffle(len(w.Facts), func(i, j int) { w.Facts[i], w.Facts[j] = w.Facts[j], w.Facts[i] })
	return w
}

// Exclusive returns at most n facts that another value would contradict.
func (w *World) Exclusive(n int) []Fact {
	var all []Fact
	for _, f := range w.Facts {
		if !f.Kind.Many && len(all) < n {
			all = append(all, f)
		}
	}
	return all
}

// Noise returns n sentences that need not be kept: small talk, sentences on the topics of the
// facts, and facts about people that no question is about.
func (w *World) Noise(n int) []string {
	var all []string
	for range n {
		switch w.rand.IntN(10) {
		case 0, 1:
			all = append(all, w.slots(pick(w.rand, w.Lexicon.Near)))
		case 2, 3:
			k := pick(w.rand, w.Lexicon.Kinds)
			for k.About != Person {
				k = pick(w.rand, w.Lexicon.Kinds)
			}
			f := Fact{&k, pick(w.rand, w.Lexicon.Extras), pick(w.rand, k.Values)}
			all = append(all, f.Say(w.rand.IntN(len(k.Say))))
		default:
			all = append(all, w.slots(pick(w.rand, w.Lexicon.Chat)))
		}
	}
	return all
}

func (w *World) slots(sentence string) string {
	return fill(sentence, "{w}", pick(w.rand, w.Lexicon.Extras), "{n}", fmt.Sprint(2+w.rand.IntN(38)), "{d}", time.Weekday(w.rand.IntN(7)).String())
}

// Episodes returns the episodes about each thing of each theme, one list per thing, in order.
func (w *World) Episodes(things int) [][]Episode {
	var all [][]Episode
	for i := range w.Lexicon.Themes {
		t := &w.Lexicon.Themes[i]
		for _, thing := range some(w.rand, t.Things, things) {
			var around []Episode
			// Three of four episodes are about one person, the fourth about another.
			both := some(w.rand, w.Lexicon.Cast, 2)
			for i, told := range t.Told {
				who, n := both[i%4/3], fmt.Sprint(13+w.rand.IntN(870))
				date := fmt.Sprintf("%d %s", 1+w.rand.IntN(28), time.Month(1+w.rand.IntN(12)))
				e := Episode{Group: t.Name, Thing: thing, Text: fill(told, "{t}", thing, "{p}", who, "{n}", n, "{d}", date)}
				for _, q := range t.Ask {
					e.Ask = append(e.Ask, fill(q, "{t}", thing))
				}
				for slot, key := range map[string]string{"{p}": who, "{n}": n, "{d}": date} {
					if strings.Contains(told, slot) {
						e.Keys = append(e.Keys, key)
					}
				}
				around = append(around, e)
			}
			all = append(all, around)
		}
	}
	return all
}

// asideShare is the share of the episodes of a routine after which an aside follows.
const asideShare = 0.15

// Repeats returns n episodes about each of some things of each routine, one list per thing, in
// order. Of the wordings of a routine the first is told in half of the episodes, the next in half
// of the others, and so on. Names and numbers are drawn for each episode; two people share the
// work.
func (w *World) Repeats(things, n int) [][]Episode {
	var all [][]Episode
	for i := range w.Lexicon.Routines {
		r := &w.Lexicon.Routines[i]
		for _, thing := range some(w.rand, r.Things, things) {
			both := some(w.rand, w.Lexicon.Cast, 2)
			var around []Episode
			for range n {
				told := r.Again[len(r.Again)-1]
				for _, wording := range r.Again {
					if w.rand.IntN(2) == 0 {
						told = wording
						break
					}
				}
				if w.rand.Float64() < asideShare {
					told += ". " + pick(w.rand, w.Lexicon.Asides)
				}
				slots := map[string]string{"{p}": pick(w.rand, both), "{q}": pick(w.rand, w.Lexicon.Cast), "{n}": fmt.Sprint(13 + w.rand.IntN(870)), "{m}": fmt.Sprint(2 + w.rand.IntN(90))}
				e := Episode{Group: r.Name, Thing: thing, Again: true, Text: fill(told, "{t}", thing, "{p}", slots["{p}"], "{q}", slots["{q}"], "{n}", slots["{n}"], "{m}", slots["{m}"])}
				for _, slot := range slices.Sorted(maps.Keys(slots)) {
					if strings.Contains(told, slot) {
						e.Keys = append(e.Keys, slots[slot])
					}
				}
				for _, q := range r.Ask {
					e.Ask = append(e.Ask, fill(q, "{t}", thing))
				}
				around = append(around, e)
			}
			all = append(all, around)
		}
	}
	return all
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// some returns n different elements in random order, or all if there are fewer.
func some[T any](r *rand.Rand, from []T, n int) []T {
	order := r.Perm(len(from))
	var all []T
	for _, at := range order[:min(n, len(from))] {
		all = append(all, from[at])
	}
	return all
}
