package ingest

import (
	"testing"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// A preference for a form of answers is a rule, any other one is a fact.
func TestAPreferenceForAFormOfAnswersIsARule(t *testing.T) {
	for text, want := range map[string]graph.Type{
		"I prefer bullet points over long paragraphs": graph.Procedural,
		"I prefer short answers":                      graph.Procedural,
		"I prefer concise replies to long essays.":    graph.Procedural,
		"I prefer tea over coffee":                    graph.Semantic,
		"I prefer table tennis to squash":             graph.Semantic,
		"I prefer phone calls to emails":              graph.Semantic,
		"I prefer tables by the window":               graph.Semantic,
		"I prefer the long list":                      graph.Semantic,
		"I prefer novels with short sentences":        graph.Semantic,
	} {
		if got := TypeOf(text, graph.FromUser, extract.Text(text, extract.Hints{})); got != want {
			t.Errorf("%q is %s", text, got)
		}
	}
}
