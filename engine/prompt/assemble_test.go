package prompt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var formats = []Format{Markdown, XML, JSON}

func assemble(t testing.TB, in Input) *Result {
	t.Helper()
	res, err := Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// items makes n items of about the given number of words each; the first has the highest score.
func items(prefix string, n, words int) []Item {
	var out []Item
	for i := range n {
		var b strings.Builder
		for w := range words {
			fmt.Fprintf(&b, "%s%s%d ", prefix, []string{"harbour", "lantern", "copper", "meadow", "violin"}[(i+w)%5], i*words+w)
		}
		out = append(out, Item{ID: fmt.Sprintf("%s-%03d", prefix, i), Text: b.String(), Score: 1 - float64(i)/float64(n)})
	}
	return out
}

func layerOf(res *Result, n Name) Layer {
	return res.Layers[slices.IndexFunc(res.Layers, func(l Layer) bool { return l.Name == n })]
}

func TestEmptyInputGivesEmptyContext(t *testing.T) {
	for _, f := range formats {
		res := assemble(t, Input{Format: f, Memories: []Item{{ID: "blank", Text: " \n\t"}}})
		want := map[Format]string{XML: "<context></context>\n", JSON: "{}\n"}[f]
		if got, err := read(f, res.Text); err != nil || len(got) != 0 || res.Text != want || res.TotalTokens != Count(want) || res.Truncated || res.TokensSaved < 0 || len(res.Layers) != 5 {
			t.Errorf("%s: %+v", f, res)
		}
		for i, l := range res.Layers {
			if l.Name != layerNames[i] || l.Text != "" || l.Tokens != 0 || l.MemoryIDs == nil || len(l.MemoryIDs) != 0 {
				t.Errorf("%s: layer %+v", f, l)
			}
		}
	}
	if _, err := Assemble(Input{Format: "YAML"}); err == nil || !strings.Contains(err.Error(), "YAML") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestLayersAreInOrderWithTheirIDs(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	in := Input{
		Procedural: []Item{{ID: "p", Text: "Run the linter before every push."}},
		Project:    []Item{{ID: "c", Text: "The user is called Ines.", Core: true}},
		Memories:   []Item{{ID: "m", Text: "Ines plays the cello.", Score: 0.9, At: at, Who: "Ines"}},
		Documents:  []Item{{ID: "d", Text: "Chapter one: the harbour."}},
		Turns:      []Item{{ID: "t", Text: "What do I play?", At: at, Role: "user"}, {Text: "Let me think.", Role: "assistant"}},
	}
	for _, f := range formats {
		in.Format = f
		res := assemble(t, in)
		place := 0
		for i, want := range []string{"p", "c", "m", "d", "t"} {
			l := res.Layers[i]
			if !slices.Equal(l.MemoryIDs, []string{want}) {
				t.Errorf("%s: layer %s holds %q", f, l.Name, l.MemoryIDs)
			}
			at := strings.Index(res.Text, l.Text)
			if l.Text == "" || at < place {
				t.Errorf("%s: layer %s starts at %d, the previous one ends at %d", f, l.Name, at, place)
			}
			place = at + len(l.Text)
			if l.Tokens != Count(l.Text) {
				t.Errorf("%s: layer %s counts %d tokens, has %d", f, l.Name, l.Tokens, Count(l.Text))
			}
		}
		if res.TotalTokens != Count(res.Text) || res.Truncated || !strings.Contains(res.Text, notice) {
			t.Errorf("%s: %+v", f, res)
		}
		for _, want := range []string{"2026-03-02 09:30", "Ines", "Let me think."} {
			if !strings.Contains(res.Text, want) {
				t.Errorf("%s: %q is missing in\n%s", f, want, res.Text)
			}
		}
	}
}

func TestBudgetsByLayer(t *testing.T) {
	for _, f := range formats {
		for _, total := range []int{0, 1100, 4400, 9000} {
			in := Input{Format: f, Budget: total, Procedural: items("p", 60, 12), Project: items("q", 60, 12),
				Memories: items("m", 200, 12), Documents: items("d", 40, 60), Turns: items("t", 80, 20)}
			res := assemble(t, in)
			if total == 0 {
				total = DefaultBudget
			}
			if res.TotalTokens > total || res.TotalTokens < total*3/4 || !res.Truncated {
				t.Errorf("%s of %d: %d tokens, truncated %v", f, total, res.TotalTokens, res.Truncated)
			}
			for i, l := range res.Layers {
				if share := total * shares[i] / DefaultBudget; l.Tokens > share+80 || l.Tokens < share/2 { // one entry more if others leave room
					t.Errorf("%s of %d: layer %s has %d tokens of %d", f, total, l.Name, l.Tokens, share)
				}
			}
		}
	}
}

func TestLowestScoresAreDroppedFirst(t *testing.T) {
	in := Input{Memories: items("m", 200, 12)}
	slices.Reverse(in.Memories)
	ids := layerOf(assemble(t, in), Memories).MemoryIDs
	if len(ids) < 60 || len(ids) == 200 { // the other layers lend their shares
		t.Fatalf("%d memories", len(ids))
	}
	for i, id := range ids {
		if id != fmt.Sprintf("m-%03d", i) {
			t.Fatalf("place %d has %s", i, id)
		}
	}
}

func TestCoreIsNeverCutAndTakesTokensFromDocumentsThenMemories(t *testing.T) {
	core := items("core", 12, 22) // about 1,300 tokens in a layer of 600
	for i := range core {
		core[i].Core, core[i].Score = true, -1
	}
	in := Input{Project: append(items("q", 40, 12), core...), Procedural: items("p", 60, 12),
		Memories: items("m", 200, 12), Documents: items("d", 100, 12), Turns: items("t", 80, 20)}
	res := assemble(t, in)
	if res.TotalTokens > DefaultBudget {
		t.Errorf("%d tokens", res.TotalTokens)
	}
	for _, c := range core {
		if !strings.Contains(res.Text, strings.TrimSpace(c.Text)) {
			t.Errorf("%s was cut", c.ID)
		}
	}
	over := layerOf(res, Project).Tokens - 600
	if over < 100 {
		t.Fatalf("the core does not need more than its layer: %d", over)
	}
	if d := layerOf(res, Documents).Tokens; d > max(0, 800-over) {
		t.Errorf("documents kept %d tokens, the core took %d", d, over)
	}
	for _, c := range []struct {
		n     Name
		floor int
	}{{Procedural, 250}, {Memories, 900}, {Conversation, 1300}} {
		if got := layerOf(res, c.n).Tokens; got < c.floor {
			t.Errorf("%s was left %d tokens", c.n, got)
		}
	}
	in.Budget = 500 // less than the core alone: as much of it as fits, each memory whole
	res = assemble(t, in)
	whole := 0
	for _, c := range core {
		if strings.Contains(res.Text, strings.TrimSpace(c.Text)) {
			whole++
		}
	}
	if n := len(layerOf(res, Project).MemoryIDs); whole < 3 || whole == len(core) || n != whole || res.TotalTokens > 500 || !res.Truncated {
		t.Errorf("%d core memories are whole, %d appear, in %d tokens", whole, n, res.TotalTokens)
	}
	if n := len(layerOf(res, Memories).MemoryIDs) + len(layerOf(res, Documents).MemoryIDs) + len(layerOf(res, Procedural).MemoryIDs); n != 0 {
		t.Errorf("%d other memories appear although the core fills the budget", n)
	}
	if n := slices.IndexFunc(res.Items, func(p Placed) bool { return p.ID == "core-011" && !p.Shown && p.Reason == "the budget was spent" }); n < 0 {
		t.Errorf("items %+v", res.Items)
	}
}

func TestAllocate(t *testing.T) {
	for _, c := range []struct {
		total      int
		need, want [layers]int
	}{
		{4400, [layers]int{}, shares},
		{8800, [layers]int{}, [layers]int{600, 1200, 2400, 1600, 3000}},
		{4400, [layers]int{project: 1000}, [layers]int{300, 1000, 1200, 400, 1500}},
		{4400, [layers]int{project: 1500}, [layers]int{300, 1500, 1100, 0, 1500}},
		{4400, [layers]int{project: 1500, documents: 100}, [layers]int{300, 1500, 1000, 100, 1500}},
		{440, [layers]int{project: 1500, conversation: 90}, [layers]int{0, 1500, 0, 0, 90}},
		{-5, [layers]int{}, [layers]int{}},
	} {
		if got := allocate(c.total, c.need); got != c.want {
			t.Errorf("allocate(%d, %v) = %v, want %v", c.total, c.need, got, c.want)
		}
	}
}

func TestLastTurnsAlwaysAppear(t *testing.T) {
	long := func(name string) Item {
		return Item{ID: name, Who: "user", Text: "begin-" + name + " " + strings.Repeat("some words in between ", 800) + " end-" + name}
	}
	in := Input{Turns: append(items("old", 20, 10), long("one"), Item{ID: "two", Text: "short and whole"}, long("three"))}
	for _, f := range formats {
		in.Format = f
		for _, budget := range []int{4400, 1500, 600} {
			in.Budget = budget
			res := assemble(t, in)
			l := layerOf(res, Conversation)
			if n := len(l.MemoryIDs); n < 3 || !slices.Equal(l.MemoryIDs[n-3:], []string{"one", "two", "three"}) {
				t.Fatalf("%s of %d: turns %q", f, budget, l.MemoryIDs)
			}
			for _, want := range []string{"begin-one", "end-one", "short and whole", "begin-three", "end-three", strings.TrimSpace(elision)} {
				if !strings.Contains(l.Text, want) {
					t.Errorf("%s of %d: %q is missing", f, budget, want)
				}
			}
			if res.TotalTokens > budget || !res.Truncated {
				t.Errorf("%s of %d: %d tokens, truncated %v", f, budget, res.TotalTokens, res.Truncated)
			}
			if l.Tokens < budget/4 {
				t.Errorf("%s of %d: only %d tokens of conversation", f, budget, l.Tokens)
			}
		}
		in.Budget = 1
		if res := assemble(t, in); len(layerOf(res, Conversation).MemoryIDs) != 0 || res.TotalTokens != LeastTokens(f) || !res.Truncated {
			t.Errorf("%s where there is no room at all: %+v", f, res)
		}
	}
}

func TestNewestTurnsAppearInOrder(t *testing.T) {
	turns := items("t", 200, 10)
	ids := layerOf(assemble(t, Input{Turns: turns}), Conversation).MemoryIDs
	for i, id := range ids {
		if want := turns[len(turns)-len(ids)+i].ID; id != want {
			t.Fatalf("place %d of %d has %s, want %s", i, len(ids), id, want)
		}
	}
	if len(ids) < 10 || len(ids) == len(turns) {
		t.Errorf("%d turns", len(ids))
	}
}

func TestMemoryAppearsOnce(t *testing.T) {
	same := Item{ID: "x", Text: "The key is under the pot."}
	core := same
	core.Core = true
	res := assemble(t, Input{Memories: []Item{same, same}, Documents: []Item{same}, Project: []Item{core, core}, Procedural: []Item{same}})
	if n := strings.Count(res.Text, same.Text); n != 1 || len(layerOf(res, Project).MemoryIDs) != 1 {
		t.Errorf("core appears %d times", n)
	}
	res = assemble(t, Input{Memories: []Item{same}, Turns: []Item{same}})
	if n := strings.Count(res.Text, same.Text); n != 1 || len(layerOf(res, Conversation).MemoryIDs) != 1 {
		t.Errorf("a turn appears %d times", n)
	}
	// A turn that does not fit into the conversation can still appear as a memory.
	in := Input{Memories: []Item{same}, Turns: append([]Item{same}, items("t", 200, 10)...)}
	if ids := layerOf(assemble(t, in), Memories).MemoryIDs; !slices.Equal(ids, []string{"x"}) {
		t.Errorf("memories %q", ids)
	}
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	in := Input{Memories: items("m", 120, 12), Project: items("q", 30, 12)}
	for i := range in.Memories {
		in.Memories[i].Score = float64(i % 3) // ties
	}
	want := assemble(t, in)
	slices.Reverse(in.Memories)
	slices.Reverse(in.Project)
	if got := assemble(t, in); got.Text != want.Text {
		t.Error("the reversed input gives another text")
	}
}

func TestTokensSaved(t *testing.T) {
	in := Input{Memories: items("m", 300, 40)}
	res := assemble(t, in)
	sum := 0
	for i, m := range in.Memories {
		sum += Count(m.Text)
		in.Memories[i].Tokens = Count(m.Text)
	}
	if res.TokensSaved != sum-res.TotalTokens || res.TotalTokens*4 > sum {
		t.Errorf("saved %d of %d, total %d", res.TokensSaved, sum, res.TotalTokens)
	}
	if again := assemble(t, in); again.TokensSaved != res.TokensSaved {
		t.Errorf("with known counts %d saved, without %d", again.TokensSaved, res.TokensSaved)
	}
	if few := assemble(t, Input{Memories: []Item{{Text: "Tea."}}}); few.TokensSaved != 0 {
		t.Errorf("one short memory saved %d", few.TokensSaved)
	}
}

func BenchmarkAssemble(b *testing.B) {
	in := Input{Procedural: items("p", 20, 12), Project: items("q", 20, 12), Memories: items("m", 100, 30),
		Documents: items("d", 20, 100), Turns: items("t", 40, 20)}
	b.ReportAllocs()
	for b.Loop() {
		assemble(b, in)
	}
}
