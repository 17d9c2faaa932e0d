// Package network is what follows from how memories, entities and relations hang
// together (SPEC sections 3 and 4). Pure functions: no store, no clock, no I/O, and
// every sum is taken in one order, on one core, so that the same graph gives the same
// bits on one kind of processor.
//
//	PageRank    how central a node is; divided by its maximum it is the centrality
//	            that keep-worth asks for
//	Hebb        strength' = strength + ζ·sim(a,b), fading with a half-life of 90 days
//	Sparsify    which relations go, so that no entity has more than it may
//	Surprise    1 − how well the schema predicted a memory
//
// A relation counts at both of its ends.
package network
