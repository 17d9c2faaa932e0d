// Package ingest writes memories: from a draft to a committed memory.
//
// An operation validates its input, analyses the text by rule and embeds it, all outside any
// transaction. The writer of the tenant groups the queued drafts, searches their
// neighbours, separates conflicts from duplicates, scores the drafts, and commits them
// together (writer.go, writetx.go). Adjudications use the same writer (decisions.go,
// adjudicate.go).
//
// Other packages write through the same writer. A draft with an [Item] is stored by that
// item, and [Service.RunExclusive] runs a job between two groups.
package ingest
