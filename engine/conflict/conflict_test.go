package conflict

import (
	"strings"
	"testing"
	"time"
)

// Score reads and compares two statements.
func Score(a, b Statement) Result { return Compare(Analyse(a), Analyse(b)) }

func score(a, b string) Result { return Score(Statement{Text: a}, Statement{Text: b}) }

func TestKinds(t *testing.T) {
	for _, c := range []struct{ a, b, kind string }{
		{"I like tea", "I don't like tea", KindNegation},
		{"I like tea", "I hate tea", KindAntonym},
		{"The budget is $5,000", "The budget is $8,000", KindNumber},
		{"The call is at 3pm", "The call is at 4pm", KindTime},
		{"The deadline is May 3", "The deadline is May 9", KindDate},
		{"Ana lives in Rome", "Ana lives in Milan", KindObject},
		{"Felix works at Nordbank", "Felix left Nordbank", KindChange},
	} {
		r := score(c.a, c.b)
		if r.Kind != c.kind || r.Score < 0.7 {
			t.Errorf("%s | %s: %+v, want %s", c.a, c.b, r, c.kind)
		}
	}
}

// Each pair has one score in both orders, in [0,1] and outside [0.2, 0.7), and no text contradicts
// itself.
func TestSymmetryAndRange(t *testing.T) {
	for _, file := range []string{"testdata/pairs.json", "testdata/heldout.json", "testdata/wordings.json", "testdata/kept.json"} {
		for _, p := range readPairs(t, file) {
			x, y := score(p.A, p.B), score(p.B, p.A)
			if x.Score != y.Score {
				t.Errorf("%s | %s: %v and %v", p.A, p.B, x, y)
			}
			if x.Score < 0 || x.Score > 1 || x.Score > 0 && x.Score < 0.7 || (x.Score == 0) != (x.Kind == "") {
				t.Errorf("%s | %s: %+v", p.A, p.B, x)
			}
			for _, s := range []string{p.A, p.B} {
				if r := score(s, s); r.Score != 0 {
					t.Errorf("%s contradicts itself: %+v", s, r)
				}
			}
		}
	}
}

// Texts on different topics do not contradict each other: each text of the set is compared with
// texts far from it in the file.
func TestUnrelatedTexts(t *testing.T) {
	ps := readPairs(t, "testdata/pairs.json")
	as := make([]Analysis, len(ps))
	for i, p := range ps {
		as[i] = Analyse(Statement{Text: p.A})
	}
	hits, all := 0, 0
	for i := range as {
		for step := 31; step < len(as)-i; step += 31 {
			if words, other := contentLemmas(tokenise(ps[i].A)), contentLemmas(tokenise(ps[i+step].A)); isSubset(words, other) || isSubset(other, words) || shared(words, other) > 0 {
				continue // may be about the same thing
			}
			all++
			if r := Compare(as[i], as[i+step]); r.Score >= 0.2 {
				hits++
				t.Logf("%s | %s: %+v", ps[i].A, ps[i+step].A, r)
			}
		}
	}
	if all < 2000 || float64(hits) > 0.005*float64(all) {
		t.Errorf("%d of %d", hits, all)
	}
}

func shared(a, b []string) int {
	n := 0
	for _, x := range a {
		for _, y := range b {
			if x == y {
				n++
			}
		}
	}
	return n
}

func TestAt(t *testing.T) {
	day := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	at := func(text string, days int) Statement {
		return Statement{Text: text, At: day.AddDate(0, 0, days)}
	}
	for _, c := range []struct {
		a, b Statement
		want bool
	}{
		{at("The review is tomorrow at 3", 0), at("The review is today at 5", 1), true},
		{at("The review is tomorrow", 0), at("The review is today", 1), false},
		{at("I went to the gym", 0), at("I didn't go to the gym", 3), false},
		{at("I'm tired", 0), at("I'm not tired", 2), false},
		{at("I live in Oslo", 0), at("I live in Bergen", 400), true},
		{at("The budget is $5k", 0), at("The budget is $8k", 90), true},
	} {
		if r := Score(c.a, c.b); (r.Score >= 0.7) != c.want || (r.Score < 0.2) == c.want {
			t.Errorf("%s (%s) | %s (%s): %+v", c.a.Text, c.a.At, c.b.Text, c.b.At, r)
		}
	}
}

func TestSpeakerOfFirstPerson(t *testing.T) {
	by := func(who, text string) Statement { return Statement{Text: text, Subject: who} }
	for _, c := range []struct {
		a, b Statement
		want bool
	}{
		{by("Ann", "I live in Oslo"), by("Ann", "I live in Rome"), true},
		{by("Ann", "I live in Oslo"), by("Bob", "I live in Rome"), false},
		{by("Ann", "I live in Oslo"), by("", "Ann lives in Rome"), true},
		{by("", "Ann: I live in Oslo"), by("", "Bob: I live in Rome"), false},
		{by("", "Ann: I live in Oslo"), by("", "Ann: I live in Rome"), true},
		{by("", "I live in Oslo"), by("", "The user lives in Rome"), true},
		{by("user", "I live in Oslo"), by("", "I live in Rome"), true},
	} {
		if r := Score(c.a, c.b); (r.Score >= 0.7) != c.want {
			t.Errorf("%+v | %+v: %+v", c.a, c.b, r)
		}
	}
}

func TestTriples(t *testing.T) {
	spo := func(s, p, o, text string) Statement {
		return Statement{Text: text, Subject: s, Predicate: p, Object: o}
	}
	for _, c := range []struct {
		a, b Statement
		want bool
	}{
		{spo("Ann", "lives_in", "Oslo", ""), spo("Ann", "lives_in", "Rome", ""), true},
		{spo("ann", "livesIn", "Oslo", ""), spo("Ann", "lives in", "Rome", ""), true},
		{spo("Ann", "lives_in", "Oslo", ""), spo("Ann", "lives_in", "Norway", ""), false},
		{spo("Ann", "lives_in", "Oslo", ""), spo("Bob", "lives_in", "Rome", ""), false},
		{spo("Ann", "likes", "tea", ""), spo("Ann", "likes", "coffee", ""), false},
		{spo("Ann", "likes", "tea", ""), spo("Ann", "dislikes", "tea", ""), true},
		{spo("Ann", "visited", "Oslo", ""), spo("Ann", "visited", "Rome", ""), false},
		{spo("project", "deadline", "March 3", ""), spo("project", "deadline", "March 9", ""), true},
		{spo("project", "deadline", "March 3", ""), spo("project", "deadline", "3 March", ""), false},
		{spo("I", "favorite_color", "blue", ""), spo("user", "favorite color", "green", ""), true},
		{spo("Ann", "lives_in", "Oslo", "Ann used to live in Oslo"), spo("Ann", "lives_in", "Rome", "Ann lives in Rome"), false},
		{spo("Ann", "works_at", "IBM", ""), spo("Ann", "works_at", "International Business Machines", ""), false},
		{spo("Ann", "", "Oslo", ""), spo("Ann", "", "Rome", ""), false},
	} {
		r, q := Score(c.a, c.b), Score(c.b, c.a)
		if (r.Score >= 0.7) != c.want || r.Score != q.Score {
			t.Errorf("%+v | %+v: %+v", c.a, c.b, r)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"nyc", "new york", true}, {"paris", "france", true}, {"munich", "germany", true}, {"oakland", "united states", true},
		{"paris", "lyon", false}, {"paris", "germany", false}, {"springfield", "shelbyville", false}, {"uk", "london", true},
	} {
		if samePlace(c.a, c.b) != c.same || samePlace(c.b, c.a) != c.same {
			t.Errorf("%s and %s: same is not %v", c.a, c.b, c.same)
		}
	}
}

func TestOpposed(t *testing.T) {
	for _, pair := range []string{"open closed", "hot cold", "slower faster", "happy unhappy", "like dislike", "mutable immutable", "married single", "increase fall", "agree disagree"} {
		a, b, _ := strings.Cut(pair, " ")
		if !areOpposed(lemma(a), lemma(b)) || !areOpposed(lemma(b), lemma(a)) {
			t.Errorf("%s is not opposed", pair)
		}
	}
	for _, pair := range []string{"open opened", "hot warm", "tea coffee", "form inform", "play display", "vest invest", "cover discover", "red blue", "like love"} {
		a, b, _ := strings.Cut(pair, " ")
		if areOpposed(lemma(a), lemma(b)) {
			t.Errorf("%s is opposed", pair)
		}
	}
}

// Compare does not change its arguments.
func TestCompareKeepsItsArguments(t *testing.T) {
	a, b := Analyse(Statement{Text: "My age is 34 and I live in Oslo"}), Analyse(Statement{Text: "I am 35 and I live in Rome"})
	first := Compare(a, b)
	for range 3 {
		if r := Compare(a, b); r != first {
			t.Fatalf("%+v, then %+v", first, r)
		}
	}
	if first.Score < 0.7 {
		t.Errorf("%+v", first)
	}
}

func FuzzScore(f *testing.F) {
	for _, s := range []string{"I don't like it", "The $5k budget's 3pm", "no no no longer not never", "the the 's 's", "Ann: I", "at 99:99 on 99 May 9999", "half past", "not only", "1e309 é \xff", "if", "x: y", "Remember that", "one", "n't At 1", "who who who is who who"} {
		f.Add(s, "Ann isn't here at 3")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := score(a, b), score(b, a)
		if x.Score != y.Score || x.Score < 0 || x.Score > 1 {
			t.Errorf("%+v %+v", x, y)
		}
		if r := score(a, a); r.Score != 0 {
			t.Errorf("contradicts itself: %+v", r)
		}
	})
}

func BenchmarkScore(b *testing.B) {
	ps := readPairs(b, "testdata/pairs.json")
	b.ReportAllocs()
	for i := range b.N {
		p := ps[i%len(ps)]
		score(p.A, p.B)
	}
}

func BenchmarkCompare(b *testing.B) {
	ps := readPairs(b, "testdata/pairs.json")
	var as []Analysis
	for _, p := range ps {
		as = append(as, Analyse(Statement{Text: p.A}), Analyse(Statement{Text: p.B}))
	}
	b.ResetTimer()
	b.ReportAllocs()
	for i := range b.N {
		k := i % len(ps)
		Compare(as[2*k], as[2*k+1])
	}
}

// Two hundred repeated words, as written by machines: the worst case for reading and comparing
// clauses.
func BenchmarkRepeated(b *testing.B) {
	for _, word := range []string{"moved", "buffalo", "I live in Rome and", "my dog and my cat,"} {
		text := strings.Repeat(word+" ", 200/len(strings.Fields(word)))
		x, y := Analyse(Statement{Text: text}), Analyse(Statement{Text: text + "not"})
		b.Run("analyse "+word, func(b *testing.B) {
			for b.Loop() {
				Analyse(Statement{Text: text})
			}
		})
		b.Run("compare "+word, func(b *testing.B) {
			for b.Loop() {
				Compare(x, y)
			}
		})
	}
}
