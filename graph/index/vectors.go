package index

// hit is a slot with its score in a channel.
type hit struct {
	slot  uint32
	score float32
}

// vectorWriter is the side of the vector channel that changes. What replaces the
// exact scan one day stands behind this pair.
type vectorWriter interface {
	// put takes the vector of a slot that has none. It answers false where the
	// vector cannot be searched, for its dimension is not that of the others.
	put(slot uint32, v []float32) bool
	// drop takes a vector out and leaves no trace of it in what is published next.
	drop(slot uint32)
	// publish makes what was written so far readable.
	publish() vectorReader
}

// vectorReader searches what was published. It never changes.
type vectorReader interface {
	// nearest answers, for every query, the at most k slots of pass with the
	// highest cosine that is at least floor, in no particular order; of equal ones
	// those that come first. Every slot of pass has a vector.
	nearest(queries [][]float32, pass bitmap, k int, floor float32, first order) [][]hit
	// dimension of the vectors that are searched; 0 while there are none.
	dimension() int
}
