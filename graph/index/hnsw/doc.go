// Package hnsw finds what lies near by walking a graph of neighbours: Hierarchical
// Navigable Small World, Malkov and Yashunin, "Efficient and robust approximate nearest
// neighbor search using HNSW graphs" (IEEE TPAMI 2020, arXiv:1603.09320). Names of the
// paper are given where a constant or a step is theirs.
//
// # Two halves
//
// A [Graph] holds who is a neighbour of whom and nothing else; a [Space] says how alike
// two nodes are. So a graph that changes can be walked together with vectors that do
// not: the graph proposes nodes, the space and the caller's set of nodes decide what
// counts. A link that is out of date costs a comparison, never a wrong answer.
// [Floats] and [Codes] are spaces of their own vectors, as float32 and as 8 bits.
//
// # At once
//
// Any number of searches and insertions run at the same time. A search takes no lock:
// links are read and written one by one, atomically, and every value that a link ever
// had is a node. An insertion locks one node at a time while it rewrites its links.
//
// # Deletion
//
// A deleted node is first only no longer part of the set that a search may answer; it
// still leads on, as far as its vector is there. [Graph.Repair] then gives everybody who
// linked to the deleted the best of what those linked to, so that recall does not fade
// with deletions, and frees their places.
//
// # Same graph
//
// Levels come from a hash of the node and the seed. One insertion after the other, in
// one order, makes the same graph on every machine with the same kernel.
package hnsw
