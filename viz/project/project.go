package project

// Radius is how far from the centre the places of a map reach, a few outliers aside.
const Radius = 100

// Projection places vectors in space.
type Projection interface {
	// Fit learns the map from vectors of one dimension. The same vectors in the same
	// order give the same map. Fitting again starts afresh.
	Fit(vectors [][]float32)
	// Place is where a vector belongs on the fitted map. It moves nothing, gives the
	// same place for the same vector every time, and is safe for concurrent use.
	Place(vector []float32) [3]float32
}
