// Package engine wires the services of the memory into one Engine, which the API and the tests
// call.
//
// The packages below it do the work: ingest writes memories, session keeps conversations,
// recall answers reads, sleep consolidates, erasure forgets, upkeep embeds again and reports
// health. They share workspace, which holds the state of each tenant. New makes the services
// in order of their dependencies; each Engine method delegates to one service,
// which documents it in full; memories.go, recall.go, sleep.go and others hold them by subject.
// types.go re-exports their types and constants.
//
// Options are the seams: the store, the index, the models, the recess, the clock and the
// source of randomness.
package engine
