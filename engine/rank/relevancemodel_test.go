package rank

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func pool(texts ...string) []Text {
	var out []Text
	for i, t := range texts {
		out = append(out, textOf(strings.Fields(t), 1-float64(i)/100, func(string) float64 { return 1 }))
	}
	return out
}

func textOf(words []string, score float64, rarity func(string) float64) Text {
	x := Text{Score: score}
	for _, w := range words {
		if i := slices.IndexFunc(x.Terms, func(t Term) bool { return t.Text == w }); i >= 0 {
			x.Terms[i].Frequency++
		} else {
			x.Terms = append(x.Terms, Term{w, 1, rarity(w)})
		}
	}
	return x
}

func TestTheModelFindsWhatTheBestTextsTalkAbout(t *testing.T) {
	got := ByModel(pool(
		"kayak leak stern", "kayak leak varnish", "kayak stern glue", "kayak paddle leak", "kayak varnish stern",
		"bread oven flour", "leak stern varnish"))
	if got[5] != 0 || got[6] == 0 {
		t.Errorf("%v: the text about bread must get nothing, the text about the leak something", got)
	}
}

func TestCommonWordsAddNothingToTheModel(t *testing.T) {
	texts := pool("kayak said", "kayak said", "kayak", "kayak", "kayak", "said bread")
	for _, x := range texts {
		for i := range x.Terms {
			if x.Terms[i].Text == "said" {
				x.Terms[i].Rarity = 0
			}
		}
	}
	got := ByModel(texts)
	if got[5] != 0 {
		t.Errorf("a text that shares only a common word gets %v", got[5])
	}
}

func TestAModelWithoutTextsOrTermsIsEmpty(t *testing.T) {
	if got := ByModel(nil); len(got) != 0 {
		t.Errorf("no texts: %v", got)
	}
	if got := ByModel([]Text{{}, {}}); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("texts without terms: %v", got)
	}
}

func TestModelValuesAreSharesAndDoNotDependOnTheOrderOfWords(t *testing.T) {
	words := []string{"kayak", "leak", "stern", "oven", "flour", "glue"}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(words), 0, 8), 1, 12).Draw(t, "texts")
		var a, b []Text
		rarity := func(term string) float64 { return float64(len(term)) / 10 }
		for i, terms := range texts {
			score := 1 / float64(1+i)
			turned := slices.Clone(terms)
			slices.Reverse(turned)
			a, b = append(a, textOf(terms, score, rarity)), append(b, textOf(turned, score, rarity))
		}
		got, turned := ByModel(a), ByModel(b)
		for i, v := range got {
			if v < 0 || v > 1 || math.Abs(v-turned[i]) > 1e-12 {
				t.Fatalf("text %d gets %v, turned %v", i, v, turned[i])
			}
		}
	})
}
