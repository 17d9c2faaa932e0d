// Package network computes properties of the graph of memories, entities and relations. Its
// functions are pure: no store, no clock, no I/O. Every sum is computed in a fixed order on one
// core, so the same graph gives the same bits on one kind of processor.
//
//	PageRank    how central a node is; divided by its maximum it is the centrality
//	            in keep-worth
//	Hebb        strength' = strength + ζ·sim(a,b), with a half-life of 90 days
//	Sparsify    the relations to drop so that no entity exceeds the limit
//	Surprise    1 − how well the schema predicted a memory
//
// A relation counts at both of its ends.
package network
