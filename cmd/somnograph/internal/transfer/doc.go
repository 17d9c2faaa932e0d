// Package transfer moves the memory of a tenant from one store to another, as JSON lines:
// memories with their vectors, versions, chains, usage and edges, entities, relations, notes
// and policies. docs/formats/export.md describes the lines.
//
// It uses only the contract of package graph, so that memory moves between all kinds of
// stores. The same memory gives the same lines.
package transfer
