// Package entities answers which entities and relations are known, how memories are linked, and what became of an entity:
// lists, the neighbourhood of a memory, paths between two, and the lineage of an entity. It only reads.
package entities
