// Package storetest tests the contract of package graph. A store has a test that calls
// Run with a Harness. The tests use only the graph.Store interface, and each test works
// in a tenant of its own, so a store that is shared or outlives the run can be tested
// as well.
//
// Model implements the contract with maps: quick to make, slow with much data, and held
// to the same tests. Random operations compare a store with it, and tests of other
// packages may use it as a store.
package storetest
