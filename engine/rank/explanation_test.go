package rank

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestExplainMarshals(t *testing.T) {
	w, err := WeightsFor(Answer, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(Explain(Parts{Semantic: 0.8}, w))
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Value    float64
		Message  string
		Children []map[string]any
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	near(t, "value", back.Value, 0.8*0.45/1.05)
	if len(back.Children) != 7 || back.Message == "" {
		t.Errorf("%s", raw)
	}
	if leaf := back.Children[0]; len(leaf) != 2 || !strings.Contains(leaf["message"].(string), "semantic 0.800 × weight 0.429") {
		t.Errorf("a leaf is %v", leaf)
	}
}

// A score is the sum of the values in its explanation.
func TestExplanationSumsToTheScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.Float64Range(0, 1)
		p := Parts{unit.Draw(t, "a"), unit.Draw(t, "b"), unit.Draw(t, "c"), unit.Draw(t, "d"), unit.Draw(t, "e"), unit.Draw(t, "f"), unit.Draw(t, "g")}
		w, err := WeightsFor(rapid.SampledFrom([]Mode{Base, Answer, Manager}).Draw(t, "mode"), nil)
		if err != nil {
			t.Fatal(err)
		}
		x := Explain(p, w)
		sum := 0.0
		for _, c := range x.Children {
			sum += c.Value
		}
		if math.Abs(sum-x.Value) > 1e-12 || x.Value != Weighted(p, w) {
			t.Fatalf("parts add up to %v, the score is %v", sum, x.Value)
		}
	})
}

func ExampleExplain() {
	w, err := WeightsFor(Base, nil)
	if err != nil {
		panic(err)
	}
	x := Explain(Parts{Semantic: 0.82, Keyword: 1, Recency: 0.5, Importance: 0.5}, w)
	fmt.Printf("%.3f  %s\n", x.Value, x.Message)
	for _, c := range x.Children[:4] {
		fmt.Printf("  %.3f  %s\n", c.Value, c.Message)
	}
	// Output:
	// 0.612  sum of each part times its weight
	//   0.287  semantic 0.820 × weight 0.350: cosine similarity to the question
	//   0.200  keyword 1.000 × weight 0.200: BM25 relative to the best match
	//   0.075  recency 0.500 × weight 0.150: e^(−days/30) since the last use or the event
	//   0.050  importance 0.500 × weight 0.100: stored value, raised by days of use
}
