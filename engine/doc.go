// Package engine is what a memory does: one verb a file. A verb reads, takes a
// pure step and writes in one transaction; slow calls to models come before the
// transaction. It knows the store by its contract, the index by its questions and
// the models by their ports; time and randomness are passed in.
package engine
