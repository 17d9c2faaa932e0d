package prompt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Open tasks stand before the turns, in the given order, and take at most a third of the layer.
func TestTasksLeadTheConversation(t *testing.T) {
	var tasks []Item
	for i := range 40 {
		tasks = append(tasks, Item{ID: fmt.Sprintf("task-%02d", i), Text: fmt.Sprintf("Order %d coils of rope for the harbour.", i), Mark: "open task"})
	}
	for _, f := range formats {
		for _, budget := range []int{600, 1500, 4400} {
			in := Input{Format: f, Budget: budget, Tasks: tasks, Turns: items("t", 80, 20), Memories: items("m", 60, 20)}
			res := assemble(t, in)
			l := layerOf(res, Conversation)
			n := 0
			for n < len(l.MemoryIDs) && strings.HasPrefix(l.MemoryIDs[n], "task") {
				if l.MemoryIDs[n] != tasks[n].ID {
					t.Fatalf("%s of %d: %q", f, budget, l.MemoryIDs)
				}
				n++
			}
			if n == 0 || n == len(tasks) || len(l.MemoryIDs)-n < lastTurns || slices.ContainsFunc(l.MemoryIDs[n:], func(id string) bool { return strings.HasPrefix(id, "task") }) {
				t.Errorf("%s of %d: %d tasks, %d turns", f, budget, n, len(l.MemoryIDs)-n)
			}
			if res.TotalTokens > budget || !res.Truncated {
				t.Errorf("%s of %d: %d tokens, truncated %v", f, budget, res.TotalTokens, res.Truncated)
			}
		}
	}
}

// Without turns the tasks are the conversation. A task that is one of the last turns stands there.
func TestTasksWithoutTurns(t *testing.T) {
	task := Item{ID: "a", Text: "Mend the keel.", Mark: "open task, due 2026-03-06"}
	res := assemble(t, Input{Tasks: []Item{task, {ID: "b", Text: " "}}})
	if l := layerOf(res, Conversation); !slices.Equal(l.MemoryIDs, []string{"a"}) || !strings.Contains(l.Text, "(open task, due 2026-03-06) Mend the keel.") || res.Truncated {
		t.Errorf("%+v", res)
	}
	res = assemble(t, Input{Tasks: []Item{task}, Turns: []Item{{ID: "a", Text: "Mend the keel.", Role: "user"}}})
	if l := layerOf(res, Conversation); !slices.Equal(l.MemoryIDs, []string{"a"}) || !strings.Contains(l.Text, "user: Mend") {
		t.Errorf("%+v", l)
	}
	// The last turns go before the tasks where there is no room for both.
	turns := []Item{{ID: "1", Text: strings.Repeat("The rope is long. ", 40)}, {ID: "2", Text: "Yes."}, {ID: "3", Text: "So what?"}}
	res = assemble(t, Input{Budget: 90, Tasks: []Item{task}, Turns: turns})
	if l := layerOf(res, Conversation); len(l.MemoryIDs) < 3 || !slices.Equal(l.MemoryIDs[len(l.MemoryIDs)-3:], []string{"1", "2", "3"}) {
		t.Errorf("%+v", l)
	}
}
