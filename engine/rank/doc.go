// Package rank combines the evidence of recall: the weighted formula, reciprocal rank fusion,
// diversity, and the explanation of a score. Its functions are pure and work on plain numbers.
//
// Reciprocal rank fusion: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms
// Condorcet and individual Rank Learning Methods", SIGIR 2009; k = 60. Maximal marginal
// relevance: Carbonell, Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering
// Documents and Producing Summaries", SIGIR 1998.
package rank
