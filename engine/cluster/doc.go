// Package cluster groups memories: duplicates (N3), episodes on one topic (REM), and clusters of
// similar vectors that keep their identity over nights (Settle). By day a new memory joins the
// nearest of them (Centroids), and Label says in words what one is about. Its functions are pure.
// They work on vectors, entities, texts and ids, without a store or a clock.
//
// All decisions are made in the order of ids, on one goroutine, so the result does not depend
// on the order of the input. Ids must be unique. Vectors have unit length. The similarity of
// two vectors of different dimension is 0.
//
// Average linkage: Sokal, Michener, "A Statistical Method for Evaluating Systematic
// Relationships", Univ. Kansas Sci. Bull. 1958. Complete linkage: Sørensen, 1948. Prefix
// filtering of set overlaps: Chaudhuri, Ganti, Kaushik, "A Primitive Operator for Similarity
// Joins in Data Cleaning", ICDE 2006. HDBSCAN: Campello, Moulavi, Sander, "Density-Based
// Clustering Based on Hierarchical Density Estimates", PAKDD 2013.
package cluster
