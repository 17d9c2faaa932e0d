package prompt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNearDuplicatesAppearOnceWithACount(t *testing.T) {
	v := func(x, y float32) []float32 { return []float32{x, y} }
	for _, f := range formats {
		in := Input{Format: f, Memories: []Item{
			{ID: "a", Text: "Ines likes strong tea", Score: 0.9, Vector: v(1, 0)},
			{ID: "b", Text: "Ines likes her strong tea", Score: 0.8, Vector: v(0.9, 0.436)},
			{ID: "c", Text: "Ines likes strong tea", Score: 0.7}, // equal text, without a vector
			{ID: "d", Text: "the boiler hums", Score: 0.6, Vector: v(0.8, 0.6)},
		}, Documents: []Item{{ID: "e", Text: "Ines likes tea that is strong", Score: 0.99, Vector: v(1, 0)}}}
		res := assemble(t, in)
		if ids := layerOf(res, Memories).MemoryIDs; !slices.Equal(ids, []string{"d"}) {
			t.Errorf("%s: memories %q", f, ids)
		}
		if ids := layerOf(res, Documents).MemoryIDs; !slices.Equal(ids, []string{"e"}) {
			t.Errorf("%s: the best of the duplicates is not the one that is kept: %q", f, ids)
		}
		want := map[Format]string{Markdown: "(×4)", XML: `count="4"`, JSON: `"count":4`}[f]
		if !strings.Contains(layerOf(res, Documents).Text, want) || res.Truncated {
			t.Errorf("%s: no count of duplicates, or marked as truncated:\n%s", f, res.Text)
		}
	}
}

// Texts that differ in a number, a name or a negation are not duplicates, however similar.
func TestSimilarTextsWithDifferentFactsStaySeparate(t *testing.T) {
	v := []float32{1}
	for _, pair := range [][2]string{
		{"the dentist expects us at 9:30", "the dentist expects us at 10:30"},
		{"we gave the key to Anna", "we gave the key to Hanna"},
		{"he does eat fish", "he does not eat fish"},
		{"she can swim", "she can't swim"},
		{"Pia works at the ferry office.", "Otis works at the ferry office."},
		{"never copy data from staging to production", "never copy data from production to staging"},
	} {
		res := assemble(t, Input{Memories: []Item{{ID: "a", Text: pair[0], Vector: v}, {ID: "b", Text: pair[1], Vector: v}}})
		if n := len(layerOf(res, Memories).MemoryIDs); n != 2 {
			t.Errorf("%q and %q appear as %d entries", pair[0], pair[1], n)
		}
	}
}

func TestCoreMemoryIsNotDeduplicated(t *testing.T) {
	v := []float32{1}
	res := assemble(t, Input{
		Project:  []Item{{ID: "a", Text: "no nuts please", Core: true, Vector: v}, {ID: "b", Text: "please no nuts", Core: true, Vector: v}},
		Memories: []Item{{ID: "c", Text: "no nuts, please", Score: 1, Vector: v}},
	})
	if ids := layerOf(res, Project).MemoryIDs; len(ids) != 2 {
		t.Errorf("core %q", ids)
	}
	if ids := layerOf(res, Memories).MemoryIDs; len(ids) != 0 {
		t.Errorf("repeated: %q", ids)
	}
}

func TestSummaryReplacesItsMembersIfTheBudgetIsShort(t *testing.T) {
	long := strings.Repeat(" and it would not stop", 12)
	in := Input{Memories: []Item{
		{ID: "sum", Text: "The trip was rained off three times.", Score: 0.1, Covers: []string{"m1", "m2", "absent", "sum"}},
		{ID: "m1", Text: "Rain again, no trip" + long, Score: 0.9},
		{ID: "m2", Text: "The trip fell through, it poured" + long, Score: 0.2},
		{ID: "other", Text: "The tram is late on Mondays.", Score: 0.5},
	}}
	res := assemble(t, in)
	if ids := layerOf(res, Memories).MemoryIDs; !slices.Equal(ids, []string{"m1", "other", "m2", "sum"}) || res.Truncated {
		t.Errorf("memories %q, truncated %v: with room for all, all appear", ids, res.Truncated)
	}
	in.Budget = 150
	res = assemble(t, in)
	if ids := layerOf(res, Memories).MemoryIDs; !slices.Equal(ids, []string{"sum", "other"}) || res.Truncated {
		t.Errorf("memories %q, truncated %v: the summary must be at the position of its best member", ids, res.Truncated)
	}
	in.Memories[1].Core = true
	if text := assemble(t, in).Text; !strings.Contains(text, "Rain again") {
		t.Error("a core memory was left out for its summary")
	}
	round := Input{Budget: 200, Memories: []Item{
		{ID: "a", Text: "alpha" + long, Covers: []string{"b"}}, {ID: "b", Text: "beta" + long, Covers: []string{"a", "c"}}, {ID: "c", Text: "gamma" + long},
	}}
	if ids := layerOf(assemble(t, round), Memories).MemoryIDs; !slices.Equal(ids, []string{"b"}) {
		t.Errorf("two that sum up each other: %q", ids)
	}
}

// A rule may summarise items of another layer. Only items of an overflowing layer are replaced.
func TestSummaryReplacesMembersInTheOverflowingLayer(t *testing.T) {
	long := strings.Repeat(" step by step", 200)
	in := Input{Budget: 500, Procedural: []Item{{ID: "rule", Text: "Rinse, then dry.", Covers: []string{"m1", "p1"}}},
		Project:  []Item{{ID: "p1", Text: "Rinsed the crates."}},
		Memories: []Item{{ID: "m1", Text: "Rinsed the jars" + long}, {ID: "m2", Text: "The jars are blue."}},
	}
	res := assemble(t, in)
	for name, want := range map[Name][]string{Procedural: {"rule"}, Project: {"p1"}, Memories: {"m2"}} {
		if ids := layerOf(res, name).MemoryIDs; !slices.Equal(ids, want) {
			t.Errorf("%s: %q, want %q", name, ids, want)
		}
	}
	in.Procedural[0].Text += strings.Repeat(" Rinse again.", 30)
	res = assemble(t, in)
	if ids := layerOf(res, Memories).MemoryIDs; len(layerOf(res, Procedural).MemoryIDs)+len(ids) < 2 {
		t.Errorf("memories %q left for a rule that has no room itself", ids)
	}
}

func TestLongEpisodesAreReplacedByTheirLines(t *testing.T) {
	var in Input
	for i := range 30 {
		in.Memories = append(in.Memories, Item{
			ID: fmt.Sprintf("m%02d", i), Score: 1 - float64(i)/100,
			Text:  fmt.Sprintf("episode%d ", i) + strings.Repeat("and so it went on for a while ", 20),
			Lines: []string{fmt.Sprintf("person%d – visited → town%d", i, i)},
		})
	}
	res := assemble(t, in)
	if n := len(layerOf(res, Memories).MemoryIDs); n != 30 {
		t.Errorf("%d of 30 memories appear, although their lines would fit", n)
	}
	if !strings.Contains(res.Text, "episode0 ") || strings.Contains(res.Text, "episode29 ") || !strings.Contains(res.Text, "town29") {
		t.Error("the best must keep their text, the worst must be shortened to lines")
	}
	if !res.Truncated {
		t.Error("not called truncated")
	}
	in.Memories = in.Memories[:2]
	if res := assemble(t, in); strings.Contains(res.Text, "town") || res.Truncated {
		t.Error("shortened though there was room")
	}
}

func TestLongTextLosesItsMiddle(t *testing.T) {
	in := Input{Memories: append(items("m", 3, 10), Item{ID: "huge", Score: 5,
		Text: "beginning " + strings.Repeat("water under the bridge ", 2000) + " ending"})}
	res := assemble(t, in)
	l := layerOf(res, Memories)
	if len(l.MemoryIDs) != 4 || l.MemoryIDs[0] != "huge" || res.TotalTokens > DefaultBudget || res.TotalTokens < DefaultBudget-40 {
		t.Fatalf("memories %q, %d tokens", l.MemoryIDs, l.Tokens)
	}
	for _, want := range []string{"beginning", "ending", strings.TrimSpace(elision)} {
		if !strings.Contains(l.Text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestElideKeepsWholeCharactersAndBothEnds(t *testing.T) {
	for _, text := range []string{strings.Repeat("日本語🎉", 300), strings.Repeat("wörter ", 300), strings.Repeat(" ", 3000) + "x"} {
		for _, limit := range []int{5, 17, 100} {
			got := elide(text, len(text), func(s string) bool { return Count(s) <= limit })
			if !utf8.ValidString(got) || Count(got) > limit {
				t.Errorf("limit %d: %d tokens, valid %v", limit, Count(got), utf8.ValidString(got))
			}
			head, tail, ok := strings.Cut(got, elision)
			if !ok || !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) {
				t.Errorf("limit %d: %q is not the two ends of the text", limit, got)
			}
			if limit == 100 && text[0] != ' ' && Count(got) < 80 {
				t.Errorf("only %d of %d tokens are used", Count(got), limit)
			}
		}
	}
	if got := elide("some text", 9, func(string) bool { return false }); got != "" {
		t.Errorf("content that never fits gives %q", got)
	}
}

// A long history shrinks to at most a quarter and keeps its content.
func TestLongHistoryShrinks(t *testing.T) {
	var in Input
	for i := range 40 {
		for j := range 10 {
			v := make([]float32, 40)
			v[i] = 1
			in.Memories = append(in.Memories, Item{ID: fmt.Sprintf("%d-%d", i, j), Score: 1 / float64(1+i), Vector: v,
				Text: fmt.Sprintf("the %s grows slowly in the %s of the greenhouse, said the gardener for the %s time",
					word(i), word(i+40), word(j+80))})
		}
	}
	res := assemble(t, in)
	if rawTokens := res.TotalTokens + res.TokensSaved; res.TotalTokens*4 > rawTokens {
		t.Errorf("%d tokens of %d", res.TotalTokens, rawTokens)
	}
	if n := len(layerOf(res, Memories).MemoryIDs); n < 30 {
		t.Errorf("only %d of 40 facts appear", n)
	}
}

// word is a made-up word for a number.
func word(i int) string {
	return string([]rune{rune('b' + i%5), 'a', rune('k' + i/5%7), 'o', rune('p' + i/35)})
}
