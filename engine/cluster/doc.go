// Package cluster says what belongs together: memories that say the same (N3), episodes
// about one matter (REM), and clusters of what means alike. Pure functions over vectors,
// entities and ids; no store, no clock.
//
// Everything is decided in the order of ids, whatever the order of the input, on one
// goroutine: the same items make the same groups, to the byte. Ids are unique. Vectors
// have unit length; vectors of other lengths have a likeness of 0.
//
// Average linkage: Sokal, Michener, "A Statistical Method for Evaluating Systematic
// Relationships", Univ. Kansas Sci. Bull. 1958. Complete linkage: Sørensen, 1948.
// Prefix filtering of set overlaps: Chaudhuri, Ganti, Kaushik, "A Primitive Operator for
// Similarity Joins in Data Cleaning", ICDE 2006. HDBSCAN: Campello, Moulavi, Sander,
// "Density-Based Clustering Based on Hierarchical Density Estimates", PAKDD 2013.
package cluster
