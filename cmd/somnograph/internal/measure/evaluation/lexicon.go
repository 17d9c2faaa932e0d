package evaluation

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// About is what the facts of a kind are about.
type About string

// The values of About.
const (
	Self   About = "self"   // the user
	Person About = "person" // a person that the user knows, {w}
	Thing  About = "thing"  // a thing, place or project, {t}
)

// Kind is a kind of fact with a value, {v}.
type Kind struct {
	Name   string
	About  About
	Many   bool     // several values can be true at once; otherwise another value contradicts
	Things []string // for kinds about things
	Values []string
	Say    []string // statements, at least 3
	Ask    []string // questions, at least 3, in other words than the statements
}

// Wish is a wish that a user states once, with later requests for which it matters.
type Wish struct {
	Text  string
	Tasks []string // at least 2
}

// Theme is a series of events about one thing, {t}, with a person {p}, a number {n} and a date
// {d}.
type Theme struct {
	Name   string
	Things []string
	Told   []string
	Ask    []string
}

// Routine is what happens again and again to one thing, {t}, told each time in one of several
// wordings, with names {p} and {q} and numbers {n} and {m}.
type Routine struct {
	Name   string
	Things []string
	Again  []string // wordings, the more frequent ones first
	Ask    []string
}

// Lexicon is the input of world generation.
type Lexicon struct {
	Kinds  []Kind
	Wishes []Wish
	Themes []Theme

	Routines []Routine
	Asides   []string // sentences that may follow what a routine tells, with {p} and {q}

	Chat   []string // small talk, with {w}, {n}, {d}
	Near   []string // sentences on the topics of facts that state no fact
	Cast   []string // people that facts are about
	Extras []string // people in the noise, that no question is about
}

// ReadLexicon reads the embedded lexicon.
func ReadLexicon() (*Lexicon, error) { return readLexicon(lexiconFiles) }

func readLexicon(files fs.FS) (*Lexicon, error) {
	names, err := fs.Glob(files, "lexicon/*.txt")
	if err != nil {
		return nil, err
	}
	l := &Lexicon{}
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		about := About(strings.TrimSuffix(strings.TrimPrefix(name, "lexicon/"), ".txt"))
		for i, line := range strings.Split(string(raw), "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			word, rest, _ := strings.Cut(line, " ")
			if err := l.add(about, word, strings.TrimSpace(rest)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
		}
	}
	return l, l.check()
}

// add adds a line.
func (l *Lexicon) add(about About, word, rest string) error {
	if rest == "" {
		return fmt.Errorf("%s has no value", word)
	}
	kind, theme, wish, routine := last(l.Kinds), last(l.Themes), last(l.Wishes), last(l.Routines)
	switch word {
	case "routine":
		l.Routines = append(l.Routines, Routine{Name: rest})
	case "again":
		return put(routine, func() { routine.Again = append(routine.Again, rest) })
	case "aside":
		l.Asides = append(l.Asides, rest)
	case "kind":
		l.Kinds = append(l.Kinds, Kind{Name: rest, About: about})
	case "theme":
		l.Themes = append(l.Themes, Theme{Name: rest})
	case "wish":
		l.Wishes = append(l.Wishes, Wish{Text: rest})
	case "chat":
		l.Chat = append(l.Chat, rest)
	case "near":
		l.Near = append(l.Near, rest)
	case "cast":
		l.Cast = list(rest)
	case "extras":
		l.Extras = list(rest)
	case "task":
		return put(wish, func() { wish.Tasks = append(wish.Tasks, rest) })
	case "told":
		return put(theme, func() { theme.Told = append(theme.Told, rest) })
	case "values":
		return put(kind, func() { kind.Values = list(rest) })
	case "many":
		return put(kind, func() { kind.Many = true })
	case "say":
		return put(kind, func() { kind.Say = append(kind.Say, rest) })
	case "things":
		switch about {
		case "themes":
			return put(theme, func() { theme.Things = list(rest) })
		case "routines":
			return put(routine, func() { routine.Things = list(rest) })
		}
		return put(kind, func() { kind.Things = list(rest) })
	case "ask":
		switch about {
		case "themes":
			return put(theme, func() { theme.Ask = append(theme.Ask, rest) })
		case "routines":
			return put(routine, func() { routine.Ask = append(routine.Ask, rest) })
		}
		return put(kind, func() { kind.Ask = append(kind.Ask, rest) })
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

func put[T any](at *T, do func()) error {
	if at == nil {
		return fmt.Errorf("no line before it starts an entry")
	}
	do()
	return nil
}

func last[T any](all []T) *T {
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

func list(s string) []string {
	all := strings.Split(s, ";")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// check checks that the lexicon has what the measures need.
func (l *Lexicon) check() error {
	for _, k := range l.Kinds {
		switch {
		case len(k.Values) < 4 || len(k.Say) < 3 || len(k.Ask) < 3:
			return fmt.Errorf("kind %s has too few values, statements or questions", k.Name)
		case (k.About == Thing) != (len(k.Things) > 0):
			return fmt.Errorf("kind %s: must have things if, and only if, it is about things", k.Name)
		}
		slot := map[About]string{Person: "{w}", Thing: "{t}"}[k.About]
		for _, s := range k.Say {
			if !strings.Contains(s, "{v}") || !strings.Contains(s, slot) {
				return fmt.Errorf("kind %s: %q lacks a slot", k.Name, s)
			}
		}
		for _, s := range k.Ask {
			if strings.Contains(s, "{v}") || !strings.Contains(s, slot) {
				return fmt.Errorf("kind %s: %q lacks a slot or contains the value", k.Name, s)
			}
		}
	}
	for _, w := range l.Wishes {
		if len(w.Tasks) < 2 {
			return fmt.Errorf("wish %q has too few tasks", w.Text)
		}
	}
	for _, t := range l.Themes {
		if len(t.Things) < 2 || len(t.Told) < 3 || len(t.Ask) < 2 || slices.ContainsFunc(t.Told, func(s string) bool { return !strings.Contains(s, "{t}") }) {
			return fmt.Errorf("theme %s is incomplete", t.Name)
		}
	}
	for _, r := range l.Routines {
		if len(r.Things) < 2 || len(r.Again) < 3 || len(r.Ask) < 2 || slices.ContainsFunc(slices.Concat(r.Again, r.Ask), func(s string) bool { return !strings.Contains(s, "{t}") }) {
			return fmt.Errorf("routine %s is incomplete", r.Name)
		}
	}
	return nil
}

// fill replaces the slots of a sentence and capitalises it.
func fill(sentence string, slots ...string) string {
	s := strings.NewReplacer(slots...).Replace(sentence)
	return strings.ToUpper(s[:1]) + s[1:]
}
