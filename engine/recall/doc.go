// Package recall answers read queries: search, prompt contexts, the lineage of a memory and the
// timeline.
//
// A search plans a query from its input (search.go, question.go) and asks the index for the
// candidates of every channel that pass the filter. It scores the candidates, reranks the best
// ones with a cross-encoder if one is configured (rerank.go), and chooses diverse hits by MMR.
// It then ranks disputed memories below the memories that contradict them (disputed.go), and
// reads the hits from the store (hits.go, storedhits.go).
//
// The package reads through workspace.Space. Its seams are Sessions (open tasks, prompt notes)
// and models.Reranker.
package recall
