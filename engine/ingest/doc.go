// Package ingest takes memories in: from a draft to a committed memory.
//
// A verb validates its input, reads the text by rule and embeds it, all outside any
// transaction. The writer of the tenant groups the drafts that wait, looks for their
// neighbours, tells conflicts from duplicates, scores them, and commits them together
// (writer.go, writetx.go). Adjudications pass the writer too (decisions.go, adjudicate.go).
//
// Other packages write through the same writer: a draft with an [Item] is stored in the
// item's own way, and [Service.RunExclusive] runs a job between two groups.
package ingest
