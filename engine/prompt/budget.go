package prompt

// DefaultBudget is the default number of tokens of a context.
const DefaultBudget = 4400

// The layers by number, in the order of the text.
const (
	procedural = iota
	project
	memories
	documents
	conversation
	layers
)

var layerNames = [layers]Name{Procedural, Project, Memories, Documents, Conversation}

// shares are the tokens of each layer for DefaultBudget. Other budgets are divided in
// proportion.
var shares = [layers]int{300, 600, 1200, 800, 1500}

// donorLayers are the layers that give up tokens for what can't be cut, in this order.
var donorLayers = [layers]int{documents, memories, procedural, project, conversation}

// allocate divides total tokens among the layers. No layer gets less than its need. What
// exceeds its share is taken from the donor layers, but never what they need themselves. The
// sum is at most total, unless the needs alone exceed it.
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

// lendingOrder is the order in which layers get what other layers leave unused, and in which
// they are filled.
var lendingOrder = [layers]int{memories, procedural, project, documents, conversation}

// lend passes on what layers leave unused. want is what each layer needs for all its entries. No
// layer gets more than it wants, and the sum does not grow.
func lend(room, want [layers]int) [layers]int {
	spare := 0
	for i := range room {
		if unused := room[i] - want[i]; unused > 0 {
			room[i] -= unused
			spare += unused
		}
	}
	for _, i := range lendingOrder {
		more := min(spare, want[i]-room[i])
		room[i] += more
		spare -= more
	}
	return room
}
