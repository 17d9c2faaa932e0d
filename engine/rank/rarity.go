package rank

import "math"

// priorMemories is a number of memories without the entity that EntityRarity adds, because a
// small store says little about rarity.
const priorMemories = 100

// EntityRarity is how informative a mention of an entity is, in [0,1]: log(memories/mentions)
// divided by log(memories). An entity in every memory, such as the speakers of a conversation,
// has rarity 0 (Sparck Jones, "A statistical interpretation of term specificity", 1972).
// mentions and memories are ≥ 0.
func EntityRarity(mentions, memories int) float64 {
	n := float64(memories + priorMemories)
	return min(1, max(0, math.Log((n+1)/float64(mentions+1))/math.Log(n+1)))
}

// WeightedJaccard is the total weight of the common entities divided by the size of the union;
// it is the Jaccard index if all weights are 1. rare holds the weight of each entity of the
// question. entities are those of a memory, without duplicates.
func WeightedJaccard[T comparable](rare map[T]float64, entities []T) float64 {
	common, n := 0.0, 0
	for _, id := range entities {
		if w, asked := rare[id]; asked {
			common += w
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return common / float64(len(rare)+len(entities)-n)
}
