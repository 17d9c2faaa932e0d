package conflict

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func lows(t []token) string {
	var out []string
	for _, x := range t {
		out = append(out, x.low)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"I don't know":             "i do not know",
		"He won’t, she can't":      "he will not , she can not",
		"Ann's dog is called Rex.": "ann 's dog is called rex .",
		"It's 5-year-old code":     "it 's 5 year old code",
		"timeout = 30s":            "timeout : 30s",
		"**Bold** \"quoted\" (x)":  "bold quoted x",
		"a\nb":                     "a . b",
		"Mr. Lee left":             "mr lee left",
		"cannot, wanna, gonna":     "can not , want to , going to",
		"before ```x = 1``` after": "before . after",
	} {
		if got := lows(tokenise(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, x := range tokenise("call f(x) and a[i] with key=value") {
		if strings.ContainsAny(x.raw, "([=") != x.code {
			t.Errorf("%q: code %v", x.raw, x.code)
		}
	}
}

func TestTokensAreBounded(t *testing.T) {
	text := strings.Repeat("é word ", 4000)
	if n := len(tokenise(text)); n > maxText {
		t.Errorf("%d tokens", n)
	}
	if n := len(Analyse(Statement{Text: strings.Repeat("I like tea. ", 4000)}).clauses); n > maxClauses+4 {
		t.Errorf("%d clauses", n)
	}
}

func TestLemma(t *testing.T) {
	for _, family := range []string{
		"live lives living lived", "have has had having", "stop stops stopping stopped", "like enjoy loves adored", "study studies studying studied",
		"child children kids", "cancel cancelled cancels", "go went gone goes", "buy bought purchased", "meeting meetings", "sibling siblings", "use uses using used",
	} {
		f := strings.Fields(family)
		for _, w := range f[1:] {
			if lemma(w) != lemma(f[0]) {
				t.Errorf("%s: %s, %s: %s", f[0], lemma(f[0]), w, lemma(w))
			}
		}
	}
	for _, pair := range [][2]string{{"like", "live"}, {"meet", "meeting"}, {"wed", "wednesday"}, {"new", "news"}, {"hate", "hat "}} {
		if lemma(pair[0]) == lemma(pair[1]) {
			t.Errorf("%v share a key", pair)
		}
	}
}

func TestValues(t *testing.T) {
	at := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]value{
		"at 3pm":               {kind: valueTime, num: 900},
		"at 3:30 pm":           {kind: valueTime, num: 930},
		"at 15:00":             {kind: valueTime, num: 900},
		"at half past seven":   {kind: valueTime, num: 450, partial: true},
		"at quarter to 9":      {kind: valueTime, num: 525, partial: true},
		"at noon":              {kind: valueTime, num: 720},
		"at 12 am":             {kind: valueTime, num: 0},
		"on Friday":            {kind: valueWeekday, num: 5},
		"on Mondays":           {kind: valueWeekday, num: 1, recurring: true},
		"on March 15":          {kind: valueDate, num: 315},
		"on 15th of March":     {kind: valueDate, num: 315},
		"on May 3, 2024":       {kind: valueDate, num: 503, year: 2024},
		"on 2024-05-03":        {kind: valueDate, num: 503, year: 2024},
		"it is tomorrow":       {kind: valueDate, num: 505, year: 2026},
		"in June":              {kind: valueMonth, num: 6},
		"in May 2023":          {kind: valueMonth, num: 5, year: 2023},
		"in 1998":              {kind: valueYear, num: 1998},
		"about $5k":            {kind: valueMoney, num: 5000, unit: "usd", vague: true},
		"for 1,200.50 euros":   {kind: valueMoney, num: 1200.5, unit: "eur"},
		"by 15%":               {kind: valuePercent, num: 15},
		"with 30 seconds":      {kind: valueQuantity, num: 30, unit: "second"},
		"with two minutes":     {kind: valueQuantity, num: 120, unit: "second"},
		"has twenty five cats": {kind: valueQuantity, num: 25, unit: "cat"},
		"is 34 years old":      {kind: valueQuantity, num: 408, unit: "age"},
		"version 2.3.1":        {kind: valueVersion, text: "2.3.1"},
		"port 8080":            {kind: valueNumber, num: 8080},
		"three million users":  {kind: valueQuantity, num: 3e6, unit: "user"},
	} {
		vs := values(tokenise(text), at)
		if len(vs) != 1 {
			t.Errorf("%q: %d values %+v", text, len(vs), vs)
			continue
		}
		v := vs[0]
		v.index, v.prep, v.beforeVerb = 0, "", false
		if v != want {
			t.Errorf("%q: %+v, want %+v", text, v, want)
		}
	}
	for _, text := range []string{"I may go", "we march on", "one of them", "no one came", "the second time", "sun and sea", "just a sec then", "they sat down"} {
		if vs := values(tokenise(text), at); len(vs) != 0 {
			t.Errorf("%q: %+v, want none", text, vs)
		}
	}
}

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"at 3", "at 15:00", true}, {"at 3 pm", "at 15:00", true}, {"at 3 am", "at 3 pm", false},
		{"on the 5th", "on May 5", true}, {"on May 5, 2023", "on May 5", true}, {"on May 5, 2023", "on May 5, 2024", false},
		{"for one hour", "for 60 minutes", true}, {"about 100 guests", "104 guests", true}, {"100 guests", "104 guests", false},
		{"version 2.3", "version 2.3.1", true}, {"version 2.3.1", "version 2.4.0", false}, {"$5k", "$5,000", true}, {"2 km", "2000 metres", true},
	} {
		x, y := values(tokenise(c.a), time.Time{}), values(tokenise(c.b), time.Time{})
		if len(x) != 1 || len(y) != 1 || x[0].kind != y[0].kind {
			t.Errorf("%q %q: %+v %+v", c.a, c.b, x, y)
			continue
		}
		if x[0].same(y[0]) != c.same || y[0].same(x[0]) != c.same {
			t.Errorf("%q and %q: same is not %v", c.a, c.b, c.same)
		}
	}
}

func TestClauses(t *testing.T) {
	for _, c := range []struct {
		text, subj, verb string
		neg              bool
		tense            tense
		mood             modality
	}{
		{"Maria likes olives", "maria", "lik", false, present, asserted},
		{"Maria didn't like olives", "maria", "lik", true, past, asserted},
		{"I have never smoked", "@i", "smok", true, perfect, asserted},
		{"We will not attend", "@we", "attend", true, future, asserted},
		{"Bob used to smoke", "bob", "smok", false, past, asserted},
		{"I'm not going to sell the car", "@i", "sell", true, future, asserted},
		{"Priya is unable to swim", "priya", "swim", true, present, ability},
		{"You must not park here", "@you", "park", true, present, obligation},
		{"Never run the linter", "@you", "run", true, present, obligation},
		{"I don't think Tom smokes", "tom", "smok", true, present, asserted},
		{"The tool is not only fast", "tool", "be", false, present, asserted},
		{"I stopped playing tennis", "@i", "play", true, present, asserted},
		{"Nobody came", "@any", "com", true, past, asserted},
		{"My sister got engaged", "@i sister", "be", false, present, asserted},
		{"Moved to Berlin", "@i", "move", false, past, asserted},
		{"In 2015 I lived in Oslo", "@i", "liv", false, past, asserted},
		{"I couldn't attend", "@i", "attend", true, past, asserted},
	} {
		cs := Analyse(Statement{Text: c.text}).clauses
		if len(cs) == 0 {
			t.Errorf("%q: no clause", c.text)
			continue
		}
		g := cs[0]
		want := c.verb
		if want == "move" {
			want = lemma("move")
		}
		if strings.Join(g.subject, " ") != c.subj || g.verb != want || g.negated != c.neg || g.tense != c.tense || g.modality != c.mood {
			t.Errorf("%q: %v %s neg %v tense %d mood %d", c.text, g.subject, g.verb, g.negated, g.tense, g.modality)
		}
	}
}

func TestNothingIsAsserted(t *testing.T) {
	for _, text := range []string{
		"", "?", "...", "Hello", "Do you like olives?", "If I lived in Berlin I would cycle", "Maybe Tom likes us", "Tom might leave",
		"Bob thinks the deadline is Friday", "I wonder whether he lives here", "x = f(y)", "```\nport is 80\n```", "42", "🙂🙂",
	} {
		if cs := Analyse(Statement{Text: text}).clauses; len(cs) != 0 {
			t.Errorf("%q: %+v", text, cs)
		}
	}
}

func TestFactsOfAClause(t *testing.T) {
	for _, c := range []struct {
		text, pred, name string
		ended            bool
	}{
		{"I live in New York", "place", "new york", false},
		{"I moved to Lisbon", "place", "lisbon", false},
		{"Ines works at Siemens", "employer", "siemens", false},
		{"I quit my job at Orbit", "employer", "orbit", true},
		{"My dog is called Rex", "is", "rex", false},
		{"The novel was written by Okafor", "write by", "okafor", false},
		{"Marek is a nurse", "role", "nurse", false},
		{"Pavel moved out of Prague", "place", "prague", true},
		{"Yusuf is married to Leila", "spouse", "leila", false},
	} {
		var all []assertion
		for _, g := range Analyse(Statement{Text: c.text}).clauses {
			all = append(all, g.assertions...)
		}
		pred := c.pred
		if head, tail, ok := strings.Cut(pred, " "); ok {
			pred = lemma(head) + " " + tail
		}
		if !slices.ContainsFunc(all, func(a assertion) bool { return a.predicate == pred && a.name == c.name && a.ended == c.ended }) {
			t.Errorf("%q: %+v", c.text, all)
		}
	}
}

// One sentence with hundreds of clauses has no more of them read than several sentences have.
func TestClausesOfOneSentenceAreLimited(t *testing.T) {
	for _, text := range []string{strings.Repeat("my flight leaves at 3:40 on Monday and ", 100), strings.Repeat("My flight leaves at 3:40 on Monday. ", 100)} {
		if a := Analyse(Statement{Text: text}); len(a.clauses) != maxClauses {
			t.Errorf("%.50q: %d clauses", text, len(a.clauses))
		}
	}
}
