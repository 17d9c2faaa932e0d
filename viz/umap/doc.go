// Package umap draws a map of vectors in which alike ones stand together: UMAP, after
// McInnes, Healy and Melville, "UMAP: Uniform Manifold Approximation and Projection for
// Dimension Reduction" (arXiv 1802.03426, 2018). Sections and algorithms named in
// comments are those of the paper.
//
// [Fit] draws a map, [Map.Place] puts one more vector on it at once and moves nothing,
// and [Grow] draws the map of a changed set from the one before, gently, so that what
// stood somewhere stays about there.
//
// What goes in is directions: lengths do not matter, and distance is 1 − cosine. What
// comes out has the same bytes for the same input on any number of processors and on
// any of them: neighbours are compared by whole numbers, places are gathered point by
// point from the epoch before, random numbers are counted off a seed, and no rounding is
// left to the compiler (see number.go). There is no clock and no state between calls.
//
// The departures from the reference implementation, all measured in docs/benchmarks.md:
//
//   - A point walks along its own edges while all others stand still, and all then move
//     at once. The reference moves both ends of one edge after another, which has no
//     answer that two processors could agree on.
//   - An edge therefore pulls a point once where it would pull it twice, at half the rate.
//   - The map starts from principal components instead of eigenvectors of the graph.
package umap
