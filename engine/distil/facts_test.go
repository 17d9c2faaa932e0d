package distil

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// short formats facts as "KIND canonical".
func short(facts []Fact) []string {
	var out []string
	for _, f := range facts {
		out = append(out, fmt.Sprintf("%s %s", f.Kind, f.Canonical))
	}
	return out
}

func TestKeyFacts(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // sorted
	}{
		{"", ""},
		{"Thanks, that's great!", ""},
		{"How was your weekend?", ""},
		{"Mara's dog is named Rex.", "NAME mara, NAME rex, OBJECT named, SUBJECT mara dog"},
		{"The rent is 960 euros.", "NUMBER 960, OBJECT euro, SUBJECT rent"},
		{"Discount: 15% or $40, at 6 pm.", "NUMBER 15%, NUMBER 40$, NUMBER 6pm, OBJECT discount"},
		{"It was -5 degrees in Oslo.", "NAME oslo, NUMBER -5, OBJECT degree"},
		{"We have two dogs.", "NUMBER 2, OBJECT dog"},
		{"Bram left yesterday.", "DATE 2026-03-02, NAME bram, OBJECT left"},
		{"The bridge opened on 14 June 2025.", "DATE 2025-06-14, OBJECT bridge, OBJECT opened"},
		{"Ana moved to Graz in May 2024.", "DATE 2024-05, NAME ana, NAME graz, SUBJECT ana"},
		{"The bridge is closed until 14 June 2026.", "DATE /2026-06-14, OBJECT closed, SUBJECT bridge"},
		{"Bram doesn't like walnuts.", "NAME bram, OBJECT not walnut, SUBJECT bram"},
	} {
		got := short(KeyFacts(Source{Text: c.text, At: said}))
		slices.Sort(got)
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %s, want %s", c.text, strings.Join(got, ", "), c.want)
		}
	}
}

func TestFactsOfASpeaker(t *testing.T) {
	got := short(KeyFacts(Source{Text: "I live in Bergen.", Speaker: "Ingrid", At: said}))
	for _, want := range []string{"SUBJECT ingrid", "NAME bergen", "NAME ingrid"} {
		if !slices.Contains(got, want) {
			t.Errorf("%v lack %s", got, want)
		}
	}
	if f := KeyFacts(Source{Text: "We met Leo Brandt's aunt.", At: said})[0]; f != (Fact{Name, "Leo Brandt", "leo brandt"}) {
		t.Errorf("%+v", f)
	}
	got = short(KeyFacts(Source{Text: "kestrel ships soon", Entities: []string{"Kestrel"}, At: said}))
	if !slices.Contains(got, "NAME kestrel") {
		t.Errorf("a known entity is not a name: %v", got)
	}
}

func TestMissing(t *testing.T) {
	facts := KeyFacts(Source{Text: "Bram doesn't like walnuts. The rent is 960 euros since yesterday.", At: said})
	for text, want := range map[string]int{
		"Bram doesn't like walnuts. The rent is 960 euros since 2 March 2026.":      0,
		"Bram doesn't like the walnut. Since 2 March 2026 the rents are 960 euros.": 0,
		"Bram likes walnuts. The rent is 960 euros since 2 March 2026.":             1,
		"Bram doesn't like walnuts. The rent is 900 euros since 2 March 2026.":      1,
		"Bram doesn't like walnuts. The rent is 960 euros since 3 March 2026.":      1,
		"Bram doesn't like walnuts. The rent is 960 euros since yesterday.":         1,
	} {
		if got := Missing(text, facts); len(got) != want {
			t.Errorf("%q lacks %v, want %d", text, short(got), want)
		}
	}
	if got := Missing("", facts); len(got) != len(facts) {
		t.Errorf("nothing holds %d of %d", len(facts)-len(got), len(facts))
	}
}

// A text that can be used alone holds its own facts, and no text makes a function panic.
func TestTextContainsItsKeyFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom(corpus), rapid.StringMatching(`([A-Z]?[a-z]{1,6}|[0-9]{1,3}|not|on Friday|yesterday|'s|I|my)( ([A-Z]?[a-z]{1,6}|[0-9,.:%$]{1,5}|never|tomorrow|in May|’s)){0,8}[.?!]?`)).Draw(t, "text")
		for _, s := range read(Source{Text: text, At: said, Speaker: rapid.SampledFrom([]string{"", "Mara"}).Draw(t, "speaker")}) {
			for _, f := range s.facts {
				if !s.unusable && !s.holds(f) {
					t.Fatalf("%q does not hold %v", s.text, f)
				}
				if f.Canonical == "" || f.Text == "" {
					t.Fatalf("%q: an empty fact %+v", s.text, f)
				}
			}
		}
	})
}
