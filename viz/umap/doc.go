// Package umap draws a map of vectors in which similar ones are near each other: UMAP, after
// McInnes, Healy and Melville, "UMAP: Uniform Manifold Approximation and Projection for
// Dimension Reduction" (arXiv 1802.03426, 2018). Sections and algorithms named in comments are
// those of the paper.
//
// [Fit] draws a map. [Map.Place] places one more vector on it at once without moving anything.
// [Grow] draws the map of a changed set from the previous map, so that most positions change
// little.
//
// Only the directions of the vectors matter; the distance is 1 − cosine. The same input gives
// the same bytes on any number and kind of processors: neighbours are compared by integers,
// positions are computed from the previous epoch, random numbers are derived from a seed, and
// no rounding is left to the compiler (see number.go). There is no clock and no state between
// calls.
//
// Differences from the reference implementation, all measured in docs/benchmarks.md:
//
//   - A point moves along its own edges while all others stay, then all move at once. The
//     reference moves both ends of one edge after another, which depends on the order.
//   - An edge therefore attracts a point once instead of twice, at half the rate.
//   - The map starts from principal components instead of eigenvectors of the graph.
package umap
