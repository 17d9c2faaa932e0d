package evaluation

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func lexicon(t *testing.T) *Lexicon {
	t.Helper()
	l, err := ReadLexicon()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLexiconSize(t *testing.T) {
	l := lexicon(t)
	values, questions := 0, map[string]string{}
	for _, k := range l.Kinds {
		values += len(k.Values)
		for _, q := range append(append([]string{}, k.Ask...), k.Say...) {
			if of, twice := questions[q]; twice {
				t.Errorf("%q is in %s and %s", q, of, k.Name)
			}
			questions[q] = k.Name
		}
	}
	if values < 150 || len(l.Kinds) < 50 || len(l.Wishes) < 40 || len(l.Themes) < 5 || len(l.Routines) < 8 {
		t.Errorf("%d values of %d kinds, %d wishes, %d themes", values, len(l.Kinds), len(l.Wishes), len(l.Themes))
	}
	for _, name := range l.Extras {
		for _, other := range l.Cast {
			if name == other {
				t.Errorf("%s is in the cast and in the noise", name)
			}
		}
	}
}

// A question must not repeat the words of the statement: without names, on average less than
// one content word in ten.
func TestQuestionsShareFewWordsWithStatements(t *testing.T) {
	w := NewWorld(lexicon(t), 1, 3, 2)
	var shared []float64
	for _, f := range w.Facts {
		for i := range f.Kind.Say {
			for j := range f.Kind.Ask {
				shared = append(shared, Overlap(f.Ask(j), f.Say(i), f.Of))
				if contains(f.Ask(j), f.Value) {
					t.Errorf("%q gives the answer away", f.Ask(j))
				}
			}
		}
	}
	if m := mean(shared); m > 0.1 {
		t.Errorf("questions share %.2f of their words", m)
	}
}

func TestWorldIsDeterministic(t *testing.T) {
	l := lexicon(t)
	tell := func(seed uint64) []string {
		w := NewWorld(l, seed, 3, 2)
		var all []string
		for i, f := range w.Facts {
			all = append(all, f.Say(i))
		}
		all = append(all, w.Noise(200)...)
		for _, around := range append(w.Episodes(2), w.Repeats(2, 5)...) {
			for _, e := range around {
				all = append(all, e.Text)
			}
		}
		return all
	}
	if a := tell(7); !reflect.DeepEqual(a, tell(7)) {
		t.Error("one seed gave two worlds")
	} else if reflect.DeepEqual(a, tell(8)) {
		t.Error("two seeds gave one world")
	}
	for _, s := range tell(9) {
		if strings.ContainsAny(s, "{}") || s == "" {
			t.Errorf("a slot is left: %q", s)
		}
	}
}

func TestNoiseNamesNobodyOfTheFacts(t *testing.T) {
	l := lexicon(t)
	w := NewWorld(l, 3, 3, 2)
	for _, s := range w.Noise(2000) {
		for _, name := range l.Cast {
			if contains(s, name) {
				t.Fatalf("%q is about %s", s, name)
			}
		}
	}
}

func TestOtherChangesTheValue(t *testing.T) {
	for _, f := range NewWorld(lexicon(t), 2, 2, 2).Facts {
		for n := 1; n < 9; n++ {
			if o := f.Other(n); o.Value == f.Value || o.Of != f.Of {
				t.Fatalf("Other(%d) of %q is %q", n, f.Value, o.Value)
			}
		}
	}
}

func TestEpisodesListTheirKeyFacts(t *testing.T) {
	for _, around := range NewWorld(lexicon(t), 2, 0, 0).Episodes(3) {
		for _, e := range around {
			if len(e.Keys) < 2 || !contains(e.Text, e.Thing) {
				t.Errorf("%q: keys %q", e.Text, e.Keys)
			}
			for _, k := range e.Keys {
				if !contains(e.Text, k) {
					t.Errorf("%q lacks %q", e.Text, k)
				}
			}
		}
	}
}

func TestInvalidLexicon(t *testing.T) {
	const kind = "kind k\nvalues a; b; c; d\nsay x {v}\nsay y {v}\nsay z {v}\nask x\nask y\nask z\n"
	for name, c := range map[string]struct{ file, text, want string }{
		"unknown word":     {"self", "sort k", "self.txt:1: unknown word"},
		"nothing before":   {"self", "say x {v}", "self.txt:1: no line before it"},
		"empty":            {"self", kind + "ask", "self.txt:9: ask has no value"},
		"few values":       {"self", strings.Replace(kind, "; c; d", "", 1), "too few"},
		"no slot":          {"self", strings.Replace(kind, "x {v}", "x", 1), "lacks a slot"},
		"gives away":       {"self", kind + "ask is it {v}", "contains the value"},
		"no name":          {"person", kind, "lacks a slot"},
		"no things":        {"thing", kind, "must have things"},
		"foreign things":   {"self", kind + "things a; b", "must have things"},
		"few tasks":        {"wishes", "wish w\ntask t", "too few tasks"},
		"incomplete theme": {"themes", "theme t\nthings a; b\ntold {t}\nask q\nask r", "incomplete"},
	} {
		_, err := readLexicon(fstest.MapFS{"lexicon/" + c.file + ".txt": {Data: []byte(c.text)}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want one with %q", name, err, c.want)
		}
	}
}
