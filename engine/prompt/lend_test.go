package prompt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLend(t *testing.T) {
	for _, c := range []struct{ room, want, lent [layers]int }{
		{[layers]int{10, 10, 10, 10, 10}, [layers]int{50, 50, 50, 50, 50}, [layers]int{10, 10, 10, 10, 10}},
		{[layers]int{10, 10, 10, 10, 10}, [layers]int{}, [layers]int{}},
		{[layers]int{10, 10, 10, 10, 10}, [layers]int{50, 50, 20, 0, 0}, [layers]int{20, 10, 20, 0, 0}},
		{[layers]int{10, 10, 10, 10, 10}, [layers]int{50, 50, 50, 0, 10}, [layers]int{10, 10, 20, 0, 10}},
		{[layers]int{10, 10, 10, 10, 10}, [layers]int{12, 14, 0, 12, 50}, [layers]int{12, 14, 0, 12, 12}},
	} {
		if got := lend(c.room, c.want); got != c.lent {
			t.Errorf("lend(%v, %v) = %v, want %v", c.room, c.want, got, c.lent)
		}
	}
}

// If something is left out or shortened, what is left of the budget is less than the cheapest of
// what is missing.
func TestTruncatedOnlyIfTheTotalIsSpent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Format: rapid.SampledFrom(formats).Draw(t, "format"), Budget: rapid.IntRange(300, 5000).Draw(t, "budget")}
		for i, list := range []*[]Item{&in.Procedural, &in.Project, &in.Memories, &in.Documents, &in.Turns} {
			*list = items(fmt.Sprint("l", i, "x"), rapid.IntRange(0, 40).Draw(t, "n"), 10)
		}
		res, err := Assemble(in)
		if err != nil {
			t.Fatal(err)
		}
		if res.TotalTokens > in.Budget {
			t.Fatalf("%d tokens of %d", res.TotalTokens, in.Budget)
		}
		if missing := slices.ContainsFunc(res.Items, func(p Placed) bool { return !p.Shown }); missing && !res.Truncated {
			t.Fatal("something is missing, and it is not truncated")
		}
		if res.Truncated && in.Budget-res.TotalTokens > 130 {
			t.Fatalf("truncated at %d tokens of %d", res.TotalTokens, in.Budget)
		}
	})
}

func TestStandingRulesComeFirstByImportance(t *testing.T) {
	in := Input{Budget: 500, Memories: items("m", 100, 12), Turns: items("t", 20, 12)}
	for i := range 30 {
		in.Procedural = append(in.Procedural, Item{ID: fmt.Sprintf("found-%02d", i), Text: fmt.Sprintf("Step %d of the release is done by hand.", i), Score: 0.9})
		in.Procedural = append(in.Procedural, Item{ID: fmt.Sprintf("rule-%02d", i), Text: fmt.Sprintf("Never touch machine %d.", i), Score: float64(i) / 100, Rule: true})
	}
	ids := layerOf(assemble(t, in), Procedural).MemoryIDs
	if len(ids) < 1 || ids[0] != "rule-29" {
		t.Errorf("in a short prompt the rules are %q", ids)
	}
	in.Budget = DefaultBudget
	ids = layerOf(assemble(t, in), Procedural).MemoryIDs
	if len(ids) < 12 || !strings.HasPrefix(ids[11], "rule-") || !slices.IsSortedFunc(ids[:12], func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("the rules are %q", ids)
	}
	in.Memories, in.Turns = nil, nil
	if ids = layerOf(assemble(t, in), Procedural).MemoryIDs; len(ids) != 60 || !strings.HasPrefix(ids[30], "found-") {
		t.Errorf("with room for all, the layer has %d: %q", len(ids), ids)
	}
}

// A turn for which its layer has no room may appear among the memories, once.
func TestATurnWithoutRoomMayBeAMemory(t *testing.T) {
	in := Input{Budget: 600, Turns: items("t", 60, 12)}
	old := in.Turns[0]
	old.Score = 2
	in.Memories = []Item{old}
	res := assemble(t, in)
	if ids := layerOf(res, Memories).MemoryIDs; !slices.Equal(ids, []string{old.ID}) {
		t.Errorf("memories %q", ids)
	}
	if ids := layerOf(res, Conversation).MemoryIDs; slices.Contains(ids, old.ID) || len(ids) < 4 {
		t.Errorf("turns %q", ids)
	}
	in.Budget = DefaultBudget
	res = assemble(t, in)
	if ids := slices.Concat(layerOf(res, Memories).MemoryIDs, layerOf(res, Conversation).MemoryIDs); len(ids) != len(slices.Compact(slices.Sorted(slices.Values(ids)))) {
		t.Errorf("twice: %q", ids)
	}
}

func TestItemsSayWhyTheyAreThereOrLeftOut(t *testing.T) {
	long := strings.Repeat(" and it would not stop", 12)
	in := Input{Budget: 150, Memories: []Item{
		{ID: "sum", Text: "The trip was rained off.", Score: 0.1, Covers: []string{"m1"}, Why: "matches"},
		{ID: "m1", Text: "Rain again" + long, Score: 0.9},
		{ID: "same", Text: "The trip was rained off.", Score: 0.05},
		{ID: "far", Text: "Another tale" + long, Score: 0.01},
		{ID: "big", Text: "The last tale" + strings.Repeat(long, 4), Score: 0.001},
	}, Turns: []Item{{ID: "turn", Text: "Hello", Why: "turn"}}}
	got := map[string]Placed{}
	for _, p := range assemble(t, in).Items {
		got[p.ID] = p
	}
	for id, want := range map[string]Placed{
		"sum": {"sum", Memories, true, "matches"}, "turn": {"turn", Conversation, true, "turn"},
		"m1": {"m1", Memories, false, "covered by the summary sum"}, "same": {"same", Memories, false, "says the same as sum"},
		"big": {"big", Memories, false, "the budget was spent"},
	} {
		if got[id] != want {
			t.Errorf("%s: %+v, want %+v", id, got[id], want)
		}
	}
}
