package prompt

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every need is met, nothing is given twice, and layers that need not give keep their share.
func TestAllocateMeetsNeedsAndNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(-10, 20_000).Draw(t, "total")
		var need [layers]int
		needs := 0
		for i := range need {
			need[i] = rapid.IntRange(0, 3000).Draw(t, "need")
			needs += need[i]
		}
		got := allocate(total, need)
		sum := 0
		for i := range got {
			if got[i] < need[i] {
				t.Fatalf("layer %s needs %d, got %d", layerNames[i], need[i], got[i])
			}
			sum += got[i]
		}
		if sum > max(total, needs, 0) {
			t.Fatalf("%d tokens given of %d, where %d are needed", sum, total, needs)
		}
		// Donors give in order: a donor keeps more than it needs only if the donors before it
		// gave everything they could.
		share := func(i int) int { return max(total, 0) * shares[i] / DefaultBudget }
		for place, i := range donorLayers {
			if got[i] >= share(i) {
				continue
			}
			for _, before := range donorLayers[:place] {
				if got[before] > need[before] {
					t.Fatalf("%s gave tokens before %s had given all", layerNames[i], layerNames[before])
				}
			}
		}
	})
}

// Core memories count in every layer.
func TestCoreInAnyLayer(t *testing.T) {
	long := strings.Repeat("steady as the tide ", 150) // about 600 tokens
	for i, put := range []func(*Input, Item){
		func(in *Input, it Item) { in.Procedural = append(in.Procedural, it) },
		func(in *Input, it Item) { in.Project = append(in.Project, it) },
		func(in *Input, it Item) { in.Memories = append(in.Memories, it) },
		func(in *Input, it Item) { in.Documents = append(in.Documents, it) },
	} {
		in := Input{Budget: 2000, Procedural: items("p", 40, 10), Project: items("q", 40, 10), Memories: items("m", 80, 10),
			Documents: items("d", 60, 10), Turns: items("t", 40, 10)}
		put(&in, Item{ID: "core", Text: long, Core: true, Lines: []string{"tide – is → steady"}})
		res := assemble(t, in)
		if res.TotalTokens > 2000 || !strings.Contains(res.Text, strings.TrimSpace(long)) {
			t.Errorf("in %s: %d tokens", layerNames[i], res.TotalTokens)
		}
		if ids := res.Layers[i].MemoryIDs; len(ids) == 0 || ids[0] != "core" {
			t.Errorf("in %s: core is not first: %q", layerNames[i], ids)
		}
	}
}

func TestEqualTurnsGetEqualShares(t *testing.T) {
	text := strings.Repeat("and another thing ", 1000)
	in := Input{Turns: []Item{{ID: "a", Text: text}, {ID: "b", Text: "short"}, {ID: "c", Text: text}}}
	var sizes []int
	for _, s := range must(read(JSON, assemble(t, Input{Turns: in.Turns, Format: JSON}).Text)) {
		sizes = append(sizes, Count(s.Text))
	}
	if len(sizes) != 3 || sizes[1] != Count("short") || sizes[0]-sizes[2] > 3 || sizes[2]-sizes[0] > 3 || sizes[0] < 650 {
		t.Errorf("turns of %v tokens", sizes)
	}
	same := assemble(t, Input{Turns: []Item{{ID: "a", Text: "yes"}, {ID: "b", Text: "yes"}}})
	if ids := layerOf(same, Conversation).MemoryIDs; !slices.Equal(ids, []string{"a", "b"}) {
		t.Errorf("two equal turns appear as %q", ids)
	}
}
