// Package hnsw answers which nodes are nearest to a vector, by a search in a graph of
// neighbours: Hierarchical Navigable Small World, Malkov and Yashunin, "Efficient and robust
// approximate nearest neighbor search using HNSW graphs" (IEEE TPAMI 2020, arXiv:1603.09320).
// Comments give the paper's name for each of its constants and steps.
//
// # Graph and space
//
// A [Graph] holds only the links between nodes. A [Space] computes the similarity of two nodes.
// So a search can combine a changing graph with vectors that do not change: the graph proposes
// nodes, and the space and the caller's set of nodes decide the result. An outdated link costs a
// comparison and never causes a wrong answer. [Floats] and [Codes] are spaces that hold their
// own vectors, as float32 and as 8-bit codes.
//
// # Concurrency
//
// Any number of searches and insertions may run at the same time. A search takes no lock: links
// are read and written one by one, atomically, and every value that a link ever had is a node.
// An insertion locks one node at a time while it rewrites its links.
//
// # Deletion
//
// The caller first only removes a deleted node from the set of allowed results; its links still
// lead searches on as long as its vector exists. [Graph.Repair] then links the nodes that linked
// to it to the best of its neighbours, so that recall does not fall with deletions, and frees
// its place.
//
// # Determinism
//
// The level of a node is a hash of the node and the seed. Sequential insertions in the same
// order make the same graph on every machine with the same kernel.
package hnsw
