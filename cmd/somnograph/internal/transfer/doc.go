// Package transfer moves a tenant's memory from one store to another, as JSON lines:
// memories with their vectors, history, chains, usage and edges, entities, relations,
// notes and policies. docs/formats/export.md describes the lines.
//
// It knows stores by the contract of package graph only, so that what moves between two
// kinds of them is what the contract can say; the same memory gives the same lines.
package transfer
