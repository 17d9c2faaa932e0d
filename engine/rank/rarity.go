package rank

import "math"

// priorMemories are memories without the entity that Rareness counts with those there are: a
// store of three says little about who is rare.
const priorMemories = 100

// EntityRarity says how much it tells that a memory mentions an entity, in [0,1]: the
// logarithm of how many memories there are for each that does, over that of how many
// there are. One that all mention, as all turns of two people mention the two, tells
// nothing (Sparck Jones, "A statistical interpretation of term specificity", 1972).
// mentions and memories count from 0.
func EntityRarity(mentions, memories int) float64 {
	n := float64(memories + priorMemories)
	return min(1, max(0, math.Log((n+1)/float64(mentions+1))/math.Log(n+1)))
}

// WeightedJaccard is the entities in common, each by what it tells, over all that either has:
// Jaccard where each tells all. rare has what each entity of the question tells; entities
// are those of a memory, without repeats.
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
