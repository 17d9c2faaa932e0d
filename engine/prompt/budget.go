package prompt

// DefaultBudget is the tokens of a context whose budget is not given.
const DefaultBudget = 4400

// The layers by number, as they stand in the text.
const (
	procedural = iota
	project
	memories
	documents
	conversation
	layers
)

var layerNames = [layers]Name{Procedural, Project, Memories, Documents, Conversation}

// shares are the tokens of each layer in a context of DefaultBudget. Another total
// scales them.
var shares = [layers]int{300, 600, 1200, 800, 1500}

// donorLayers are the layers that give room to what can't be cut, first the first.
var donorLayers = [layers]int{documents, memories, procedural, project, conversation}

// allocate divides total tokens among the layers. No layer gets less than its need;
// what that takes beyond its share comes from the givers, none of which gives what
// it needs itself. The sum is at most total unless the needs alone are more.
func allocate(total int, need [layers]int) [layers]int {
	var got [layers]int
	missing := 0
	for i, share := range shares {
		got[i] = max(total, 0) * share / DefaultBudget
		if need[i] > got[i] {
			missing += need[i] - got[i]
			got[i] = need[i]
		}
	}
	for _, i := range donorLayers {
		give := min(missing, got[i]-need[i])
		got[i] -= give
		missing -= give
	}
	return got
}
