package engine

// surprise is Δ: 1 − how well the schema predicted a memory, SPEC section 4. Half of
// the prediction is the share of its entities that were known, half the nearest
// memory by meaning; without entities the nearest memory is all there is.
func surprise(known, entities int, near []neighbour) float64 {
	nearest := 0.0
	for _, n := range near {
		nearest = max(nearest, n.cosine)
	}
	predicted := nearest
	if entities > 0 {
		predicted = 0.5*nearest + 0.5*float64(known)/float64(entities)
	}
	return max(0, min(1, 1-predicted))
}
