package prompt

import (
	"slices"
	"strings"
	"testing"
)

// A topic replaces what it covers though there is room, lists what it quotes, and its own text counts
// among the tokens that were spent and not among those that were given.
func TestTopicsReplaceWhatTheyCover(t *testing.T) {
	long := strings.Repeat("the winch was greased and the hawser was replaced at the quay ", 8)
	in := Input{Memories: []Item{
		{ID: "a", Text: "The winch is green.", Score: 1},
		{ID: "b", Text: "Second: " + long, Score: .5},
		{ID: "c", Text: "Third: " + long, Score: .4},
		{ID: "d", Text: "Always grease the winch.", Score: .3, Rule: true},
		{Topic: true, Text: `Topic "Winch": 24 memories; latest: "Third"`, Score: .5, Covers: []string{"b", "c", "d", "x"}, Quotes: []string{"c"}},
	}}
	res, err := Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Layers[2].MemoryIDs; !slices.Equal(got, []string{"d", "a", "c"}) {
		t.Errorf("ids %v", got)
	}
	if strings.Contains(res.Text, "greased") || !strings.Contains(res.Text, `Topic "Winch"`) || res.Truncated {
		t.Errorf("truncated %v, text:\n%s", res.Truncated, res.Text)
	}
	raw := 0
	for _, it := range in.Memories[:4] {
		raw += Count(it.Text)
	}
	if res.TokensSaved != raw-res.TotalTokens {
		t.Errorf("%d tokens saved, want %d − %d", res.TokensSaved, raw, res.TotalTokens)
	}
	for _, p := range res.Items {
		if (p.ID == "b" || p.ID == "c") && (p.Shown || p.Reason != "covered by the line about its topic") {
			t.Errorf("%+v", p)
		}
	}
}
