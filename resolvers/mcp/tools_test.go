package mcp

import (
	"encoding/json"
	"testing"

	"github.com/somnograph/somnograph/engine/prompt"
)

// What tools/list and the instructions cost every conversation, in tokens.
func TestDeclarationsAreSmall(t *testing.T) {
	size := func(minimal bool) int {
		var list []any
		for i := range tools {
			if tools[i].minimal || !minimal {
				list = append(list, tools[i].declaration())
			}
		}
		raw, err := json.Marshal(map[string]any{"tools": list})
		if err != nil {
			t.Fatal(err)
		}
		return prompt.Count(string(raw)) + prompt.Count(instructions)
	}
	full, minimal := size(false), size(true)
	t.Logf("full %d, minimal %d tokens", full, minimal)
	if full > 1500 || minimal > 400 {
		t.Errorf("full has %d tokens, want at most 1,500; minimal %d, want at most 400", full, minimal)
	}
}
