// Package slots answers which slots are in a set and which are the best: it provides the slot
// numbers, bit sets and top-k heaps of the index. A slot is the number of a memory in its
// partition. [Set] is one bit for each slot. [TopK] keeps the k best scores.
package slots
