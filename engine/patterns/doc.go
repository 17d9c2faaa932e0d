// Package patterns answers which patterns a tenant has: what repeats in its memories, as sleeps found
// it.
//
// A pattern is a memory whose Pattern is set (graph.Pattern). Sight, erasure, rollback, search and
// export apply to it as to any other. Its versions are its supersede chain, and its sources are
// the memories to which it has DERIVED_FROM edges. Package sleep stores patterns that
// engine/pattern finds in what [ReadEvidence] reads. This package lists them, shows their lineage,
// provenance and conflicts, and carries out what a person decides: it compares a pattern with today's
// memories, and ends one of two that contradict each other.
package patterns
