// Package recall answers questions to memory: search, prompt contexts, the surroundings of a
// memory, and how it came to be.
//
// A search is planned from its input (search.go), asks the index for candidates of every
// channel that pass the filter, scores them (search.go, question.go), moves disputed memories
// behind the ones that contradict them (disputed.go), reranks the best where there is a model
// for it, and reads the chosen ones from the store (hits.go, storedhits.go).
package recall
