package attribute

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// A question asks for attributes of somebody, in whatever words.
func TestQuestionsAskForAttributes(t *testing.T) {
	for question, want := range map[string][]Asked{
		"Where do I work?":                        {{"I", []string{"work"}, false}},
		"What do I do for a living?":              {{"I", []string{"work"}, false}},
		"Do you know what I do for work?":         {{"I", []string{"work"}, false}},
		"What's my job?":                          {{"I", []string{"work"}, false}},
		"What is Anna's line of work?":            {{"Anna", []string{"work"}, false}},
		"Where does Anna Berg work these days?":   {{"Anna Berg", []string{"work"}, false}},
		"What does my sister do?":                 {{"my sister", []string{"work"}, false}},
		"Where did I grow up?":                    {{"I", []string{"origin"}, true}},
		"Which country am I from?":                {{"I", []string{"origin"}, true}},
		"Where am I?":                             {{"I", []string{"location", "residence"}, false}},
		"How old is my son?":                      {{"my son", []string{"age", "birthday"}, false}},
		"Do I have any pets?":                     {{"I", []string{"pet"}, false}},
		"What is my husband's name?":              {{"I", []string{"spouse"}, false}, {"my husband", []string{"name"}, false}},
		"How do I get to work?":                   {{"I", []string{"commute"}, false}},
		"What is it that I do for work?":          {{"I", []string{"work"}, false}},
		"Where is it that Anna Berg works now?":   {{"Anna Berg", []string{"work"}, false}},
		"What's it that my sister does?":          {{"my sister", []string{"work"}, false}},
		"Which country is it I come from?":        {{"I", []string{"origin"}, true}},
		"Tell me where it is that I work.":        {{"I", []string{"work"}, false}},
		"How long are my feet?":                   {{"I", []string{"size"}, false}},
		"What size of boots do I need?":           {{"I", []string{"size"}, false}},
		"When should people congratulate me?":     {{"I", []string{"birthday"}, true}},
		"Which blood type do I have?":             {{"I", []string{"blood"}, true}},
		"At what hour do I rise?":                 {{"I", []string{"waking"}, false}},
		"Where was it that I worked?":             nil,
		"Where did I work?":                       nil,
		"Should I change my job?":                 nil,
		"What should I do about the broken lamp?": nil,
		"Why do people work?":                     nil,
		"I'm an electrician.":                     nil,
		"":                                        nil,
	} {
		if got := Question(question); !reflect.DeepEqual(got, want) {
			t.Errorf("%q asks for %v, want %v", question, got, want)
		}
	}
}

// What somebody moved to is a residence if it may be a place.
func TestMovesStateAResidence(t *testing.T) {
	for text, want := range map[string]bool{
		"I moved to Bergen.": true, "I moved to Haarlem.": true, "I moved to a cottage in the hills.": true,
		"I moved to decaf.": false, "I moved to Linux.": false, "I moved to a standing desk.": false, "I moved into management.": false,
	} {
		if got := slices.Contains(statedBy(text), "residence of ana"); got != want {
			t.Errorf("%q: %q", text, statedBy(text))
		}
	}
}

// statedBy returns what the claims of a text of Ana state, as "attribute of name", of the user "ana".
func statedBy(text string) (out []string) {
	m := &graph.Memory{User: "ana", SourceKind: graph.FromUser, Content: text}
	lifecycle.ReadClaims(m, extract.Statement{}, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	for i := range m.Claims {
		for _, x := range Of(m, &m.Claims[i], m.Claims[i].State()) {
			out = append(out, x.Attribute+" of "+x.Names[0])
		}
	}
	return out
}

// A claim states an attribute by its verb, and by the classes of the words of its object.
func TestClaimsStateAttributes(t *testing.T) {
	for text, want := range map[string]string{
		"I'm a flight nurse with Air Rescue North.": "work of ana",
		"I'm an electrician.":                       "work of ana",
		"I'm a stonecutter.":                        "work of ana",
		"I'm a stonemason.":                         "work of ana",
		"I repair lifts for a living.":              "work of ana",
		"I own a small bike shop.":                  "work of ana",
		"Karim is a pastry chef.":                   "work of karim",
		"My sister Mona is a lawyer.":               "work of ana sister mona",
		"I'm from Estonia.":                         "origin of ana",
		"I was born in Nairobi.":                    "origin of ana",
		"I'm Chilean.":                              "origin of ana",
		"I'm in Lisbon until Friday.":               "location of ana",
		"I'm 34 years old.":                         "age of ana",
		"Dimitri is my boss.":                       "boss of user",
		"I got divorced in 2020.":                   "spouse of ana",
		"Everyone calls me Birdie.":                 "name of user",
		"My cat is called Pixel.":                   "pet of ana",
		"I can't eat shellfish.":                    "allergy of ana",
		"I take a 43 in boots.":                     "size of ana",
		"My blood group is O positive.":             "blood of ana",
		"My alarm clock rings at 6:30.":             "waking of ana alarm clock",
		"I wear shoes in size 41.":                  "size of ana",
	} {
		if got := statedBy(text); !slices.Contains(got, want) {
			t.Errorf("%q states %v, not %q", text, got, want)
		}
	}
	for _, text := range []string{
		"I'm 34 minutes late.", "I'm a mother.", "I'm taller than Ben.", "I'm in trouble.", "I was a nurse.", "I worked at Ericsson.",
		"My old boss was Hugo.", "My dream job is pilot.", "I'm tired.", "I have a question.", "I like the tram.",
	} {
		for _, x := range statedBy(text) {
			if slices.Contains([]string{"work of ana", "age of ana", "location of ana", "boss of user", "boss of ana", "commute of ana"}, x) {
				t.Errorf("%q states %s", text, x)
			}
		}
	}
}

// The table names what there is.
func TestTheTableIsWhole(t *testing.T) {
	all := tables()
	for name, c := range all.classes {
		if len(c.groups)+len(c.lemmas)+len(c.forms) == 0 {
			t.Errorf("the class %s has no words", name)
		}
	}
	for _, a := range all.attributes {
		if len(a.asks)+len(a.named) == 0 || len(a.says)+len(a.nouns) == 0 {
			t.Errorf("%s is never asked for or never stated", a.name)
		}
		for _, name := range a.names {
			if !slices.ContainsFunc(all.attributes, func(b *attribute) bool { return b.name == name }) {
				t.Errorf("%s is near %s, which is no attribute", a.name, name)
			}
		}
		for _, s := range a.says {
			if slices.Contains(s.classes, nil) || len(s.verb) == 0 {
				t.Errorf("%s is said by a form without a verb, or with an unknown class", a.name)
			}
		}
		for _, forms := range [][]pattern{a.named, a.asks} {
			for _, p := range forms {
				if slices.ContainsFunc(p.elements, func(e element) bool { return e.kind == aClass && e.class == nil }) {
					t.Errorf("%s is asked for with an unknown class", a.name)
				}
			}
		}
	}
}

// Question accepts any text.
func FuzzQuestion(f *testing.F) {
	for _, s := range []string{"Where do I live?", "What's", "my my 's", "tell me my", "how many"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		if n := len(Question(question)); n > maxAsked {
			t.Errorf("%d attributes", n)
		}
	})
}

func BenchmarkQuestion(b *testing.B) {
	for b.Loop() {
		Question("Which company did the people of the harbour project talk to about the new crane?")
	}
}

func BenchmarkOf(b *testing.B) {
	m := &graph.Memory{User: "ana"}
	c := &graph.Claim{History: []graph.ClaimState{{Subject: "ana", Predicate: "is", Object: "flight nurse"}}}
	for b.Loop() {
		Of(m, c, c.State())
	}
}
