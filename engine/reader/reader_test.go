package reader

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/reader/boosted"
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

func TestReadGolden(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) // a Monday
	for _, c := range []struct {
		text string
		want []string // subject | predicate | object | modality, "not" first if negated
	}{
		{"My dog is called Biscuit, I hate olives, and I ran a marathon yesterday", []string{"My dog|is called|Biscuit|ASSERTED", "Ana|hates|olives|ASSERTED", "Ana|ran|marathon|EVENT"}},
		{"I live in Oslo.", []string{"Ana|lives in|Oslo|ASSERTED"}},
		{"I don't live in Oslo any more.", []string{"not Ana|lives in|Oslo|ASSERTED"}},
		{"log level: debug", []string{"log level|is|debug|ASSERTED"}},
		{"The log level is debug.", []string{"log level|is|debug|ASSERTED"}},
		{"I moved to Bergen.", []string{"Ana|lives in|Bergen|ASSERTED"}},
		{"I'm allergic to peanuts.", []string{"Ana|is allergic to|peanuts|ASSERTED"}},
		{"I can't stand coriander.", []string{"Ana|hates|coriander|ASSERTED"}},
		{"Standup starts at 9:15.", []string{"Standup|starts at|9:15|ASSERTED"}},
		{"Priya leads the mobile team.", []string{"mobile team|is led by|Priya|ASSERTED"}},
		{"Should I move to Porto?", []string{"Ana|lives in|Porto|QUESTION"}},
		{"If I lived in Porto, I would surf.", []string{"Ana|lived in|Porto|CONDITIONAL", "Ana|would surf||CONDITIONAL"}},
		{"I used to work at Nokia.", []string{"Ana|works at|Nokia|PAST"}},
		{"We might move to Bergen.", []string{"Ana|lives in|Bergen|PLAN"}},
		{"In my novel I live in Rome.", []string{"Ana|lives in|Rome|FICTION"}},
		{"Tom says that I live in Rome.", []string{"Tom|says|that I live in Rome|REPORTED"}},
		{"I'm in Bergen this week.", []string{"Ana|is in|Bergen|BOUNDED"}},
		{"I quit smoking.", []string{"not Ana|does smoking||ASSERTED"}},
	} {
		claims := Read(c.text, Hints{Speaker: "Ana", At: at})
		var got []string
		for _, k := range claims {
			not := ""
			if k.Negated {
				not = "not "
			}
			got = append(got, not+strings.Join([]string{k.Subject, k.Predicate, k.Object, k.Modality.String()}, "|"))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestReadIntervals(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	bounded := Read("I'm in Bergen this week.", Hints{At: at})[0]
	if bounded.ValidFrom.IsZero() || bounded.ValidTo.IsZero() {
		t.Errorf("this week: %v to %v", bounded.ValidFrom, bounded.ValidTo)
	}
	from := Read("From Monday on the standup is at 10.", Hints{At: at})[0]
	if from.ValidFrom.IsZero() || !from.ValidTo.IsZero() || from.Modality != Asserted {
		t.Errorf("from Monday on: %v to %v, %v", from.ValidFrom, from.ValidTo, from.Modality)
	}
}

// "Quote", "translate" and "line" are about words only in a request, a question, or beside quoted words.
func TestQuotedWords(t *testing.T) {
	for text, want := range map[string]Modality{
		"The quote for the roof is 4,000 euros.": Asserted, "I translate novels for a living.": Asserted, "The sentence is two years.": Asserted,
		"Translate I live in Oslo into German.": Quoted, "Please translate this: I live in Oslo.": Quoted, `The phrase is "I live in Oslo".`: Quoted,
	} {
		if got := Read(text, Hints{})[0].Modality; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestVetoes(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		veto           Veto
	}{
		{"I live in Oslo.", "Should I live in Bergen?", "question"},
		{"I live in Oslo.", "If I lived in Bergen I would sail.", "conditional"},
		{"I live in Oslo.", "I wish I lived in Bergen.", "wish"},
		{"I live in Oslo.", "I might move to Bergen.", "plan"},
		{"I live in Oslo.", "In my novel I live in Bergen.", "fiction"},
		{"I live in Oslo.", `"I live in Bergen," said the driver.`, "quoted"},
		{"I live in Oslo.", "Tom thinks I live in Bergen.", "reported"},
		{"I live in Oslo.", "I live in Bergen this week.", "bounded"},
		{"I live in Oslo.", "I used to live in Bergen.", "past"},
		{"I like tea.", "I like coffee too.", vetoAlso},
		{"Invoice 12 is paid.", "Invoice 13 is unpaid.", vetoEntity},
		{"My brother's dog is called Rex.", "My sister's dog is called Bo.", vetoOwner},
		{"I live in Oslo.", "Tom lives in Bergen.", vetoSubject},
		{"The front tyre is flat.", "The rear tyre is full.", vetoModifier},
		{"I drink tea in the morning.", "I drink wine in the evening.", vetoQualifier},
		{"I bought a lamp.", "I bought a rug.", vetoOccasion},
		{"I go to work by bike.", "Yesterday I took the tram to work.", vetoEvent},
		{"I have worked in Cairo.", "I have worked in Lagos.", vetoEvent},
		{"I live in Spain.", "I live in a small village in Spain.", vetoDetail},
		{"I'm a doctor.", "I'm a heart surgeon.", vetoDetail},
		{"I work for Bosch.", "Bosch is my employer.", vetoSame},
		{"I like jazz.", "I like techno.", vetoMany},
		{"Don't use emojis.", "Don't use semicolons.", vetoDenials},
		{"Ich wohne in Oslo.", "Ich wohne in Bergen.", ""},
	} {
		r := Relate(Statement{Text: c.earlier}, Statement{Text: c.later})
		if c.veto != "" && r.Veto != c.veto || r.Certainty >= Rivals {
			t.Errorf("%q => %q: %+v, want veto %q", c.earlier, c.later, r, c.veto)
		}
	}
}

func TestRelateKinds(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		kind           Kind
	}{
		{"I live in Oslo.", "I moved to Bergen.", Changed},
		{"log level: info", "log level: debug", Changed},
		{"The standup is at 9:15.", "Correction: the standup is at 10:15.", Corrected},
		{"The standup is at 9:30.", "Stand-up: half past nine.", Compatible},
		{"The budget is 30,000 euros.", "The budget is €30k.", Same},
		{"I have two sisters.", "I've got 2 sisters.", Same},
		{"I can't stand coriander.", "I hate coriander.", Same},
		{"The shop is closed on Sundays.", "The shop isn't open on Sundays.", Same},
		{"I live in Oslo.", "The parcel is late.", Unrelated},
		{"I like jazz.", "I like techno.", Compatible},
	} {
		r := Relate(Statement{Text: c.earlier}, Statement{Text: c.later})
		if r.Kind != c.kind && !(c.kind == Compatible && r.Certainty < Rivals) {
			t.Errorf("%q => %q: %v %.2f %s, want %v", c.earlier, c.later, r.Kind, r.Certainty, r.Veto, c.kind)
		}
	}
}

func TestTriples(t *testing.T) {
	s := func(p, o string) Statement { return Statement{Subject: "Ana", Predicate: p, Object: o} }
	if r := Relate(s("lives_in", "Oslo"), s("lives_in", "Bergen")); r.Kind != Changed || r.Certainty < Revises {
		t.Errorf("lives_in: %+v", r)
	}
	if r := Relate(s("plays", "chess"), s("plays", "tennis")); r.Certainty >= Rivals {
		t.Errorf("plays: %+v", r)
	}
	single := s("mascot", "owl")
	single.Single = true
	if r := Relate(single, s("mascot", "fox")); r.Kind != Changed {
		t.Errorf("declared: %+v", r)
	}
	if r := Relate(s("log_level", "2"), s("log level", "two")); r.Kind != Same {
		t.Errorf("equal values: %+v", r)
	}
}

// Any text is read without a panic, offsets are in the text, and the certainty is in [0, 1] and
// below Revises for a text and itself.
func TestRelateIsRobust(t *testing.T) {
	rows := readRows(t, "unseen.txt")
	texts := []string{"", " ", "?", ":", "a:", "= b", "'s", "I", "and", "\"", "\x00", "…", "I'm", strings.Repeat("word ", 2000), "é'", "€", "half past", "at", "never"}
	for _, r := range rows {
		texts = append(texts, r.earlier)
	}
	for i, text := range texts {
		for _, c := range Read(text, Hints{}) {
			if c.Start < 0 || c.End > len(text) || c.Start > c.End || c.Certainty <= 0 || c.Certainty > 1 {
				t.Errorf("%q: %+v", text, c)
			}
		}
		p := Prepare(Statement{Text: text})
		if r := p.Relate(p); r.Certainty >= Revises {
			t.Errorf("%q revises itself: %+v", text, r)
		}
		q := Prepare(Statement{Text: texts[(i*7+3)%len(texts)]})
		if r := p.Relate(q); math.IsNaN(r.Certainty) || r.Certainty < 0 || r.Certainty > 1 {
			t.Errorf("%q: certainty %v", text, r.Certainty)
		}
		if a, b := p.Relate(q), Prepare(Statement{Text: text}).Relate(q); a != b {
			t.Errorf("%q: %+v, then %+v", text, a, b)
		}
	}
}

// Different speakers have different first persons.
func TestSpeakers(t *testing.T) {
	a := Statement{Text: "I live in Oslo.", Speaker: "Ana"}
	if r := Relate(a, Statement{Text: "I live in Bergen.", Speaker: "Bo"}); r.Certainty >= Rivals {
		t.Errorf("%+v", r)
	}
	if r := Relate(a, Statement{Text: "I live in Bergen.", Speaker: "Ana"}); r.Certainty < Revises {
		t.Errorf("%+v", r)
	}
}

func TestModelRoundTrip(t *testing.T) {
	m, err := linear.Read(weightsFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(m.AppendTo(nil)) != string(weightsFile) {
		t.Error("weights change when written again")
	}
	if _, err := linear.Read(weightsFile[:100]); err == nil {
		t.Error("cut weights are accepted")
	}
}

func TestForestRoundTrip(t *testing.T) {
	f, err := boosted.Read(treesFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Leaves) == 0 || string(f.AppendTo(nil)) != string(treesFile) {
		t.Error("trees change when written again")
	}
	for _, n := range []int{3, 20, 100, len(treesFile) - 1} {
		if _, err := boosted.Read(treesFile[:n]); err == nil {
			t.Errorf("trees cut to %d bytes are accepted", n)
		}
	}
}

func TestWordingRoundTrip(t *testing.T) {
	m, err := wording.Read(wordingFile)
	if err != nil {
		t.Fatal(err)
	}
	if m.Scale == 0 || string(m.AppendTo(nil)) != string(wordingFile) {
		t.Error("weights of the wording change when written again")
	}
	for _, n := range []int{3, 100, len(wordingFile) - 1} {
		if _, err := wording.Read(wordingFile[:n]); err == nil {
			t.Errorf("weights of the wording cut to %d bytes are accepted", n)
		}
	}
}

// What happened stays true, and what happens once more is another event.
func TestEventsThatRecur(t *testing.T) {
	for earlier, later := range map[string]string{
		"The lift was stuck for 20 minutes.":               "The lift was stuck again for 9 minutes.",
		"The power went out for two hours on Monday.":      "The power went out once more, for ten minutes.",
		"The train was 12 minutes late.":                   "The train was 25 minutes late.",
		"We lost 3 to 1 against Kiel.":                     "We won 2 to 0 against Kiel.",
		"I paid 1.79 a litre for petrol.":                  "I paid 1.92 a litre for petrol on the motorway.",
		"The server crashed at 3:12.":                      "The server crashed again at 5:40.",
		"The washing machine leaked on Sunday.":            "The washing machine leaked again this morning.",
		"The customer called about a refund on the third.": "The customer called about a refund on the ninth.",
	} {
		if r := Relate(Statement{Text: earlier, Speaker: "ana"}, Statement{Text: later, Speaker: "ana"}); r.Certainty >= Revises {
			t.Errorf("%q, %q: %+v", earlier, later, r)
		}
	}
}

// The answers fit into Evidence, and the last ones are used.
func TestEvidenceSize(t *testing.T) {
	x, y := Prepare(Statement{Text: "I live in Oslo."}), Prepare(Statement{Text: "I live in Bergen."})
	p := align(&x.clauses[0], &y.clauses[0])
	var e boosted.Evidence
	if n := p.evidence(&e, [linear.Heads]float64{}, "", statements{x.clauses, y.clauses}); n >= boosted.Size || n < boosted.Size-64 {
		t.Errorf("%d answers in %d bytes", n, boosted.Size)
	}
}

func BenchmarkPrepare(b *testing.B) {
	for b.Loop() {
		Prepare(Statement{Text: "We moved the standup to half past nine on Thursdays."})
	}
}

func BenchmarkRelate(b *testing.B) {
	x, y := Prepare(Statement{Text: "The standup is at 9:15 on Mondays."}), Prepare(Statement{Text: "We moved the standup to half past nine on Thursdays."})
	b.ReportAllocs()
	for b.Loop() {
		x.Relate(y)
	}
}
