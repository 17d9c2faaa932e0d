// Package vectors answers which vectors of a partition are nearest to a query, and stores the
// vectors.
//
// The exact vectors are in files, one for each tenant and dimension ([Files]). Memory holds
// their 8-bit codes and, on processors that compare them fast, 1-bit sketches. A [Scan] reads
// sketches and codes, and compares exactly only the rows that may be among the best. A large
// partition also has a neighbour graph of package hnsw, which [View.SearchGraph] searches and
// [View.Maintain] keeps current.
//
// One writer changes a [Builder] and publishes a [View]; readers use views without a lock.
//
// The package reads vectors that are missing from a file through the function given to
// [NewFiles], and resolves slots to memories through the function given to [Builder.Publish].
package vectors
