// Package storetest is the contract of package graph as code. A store passes it by
// a test that calls Run with a Harness; it needs nothing but the graph.Store
// interface, and every test works in a tenant of its own, so that a store that is
// shared or outlives the run can be tested as well.
//
// Model is the contract in maps: slow to grow, quick to make, and held to the same
// suite. Random operations compare a store with it, and tests of other rooms may use
// it as a store.
package storetest
