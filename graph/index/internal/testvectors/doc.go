// Package testvectors makes vectors for the tests and benchmarks of the index: random ones,
// ones that resemble embeddings of texts, and ones determined by a seed.
package testvectors
