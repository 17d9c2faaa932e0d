// Package library keeps documents: which are known, and what happens when one changes.
//
// A document is named by namespace, owner and path. Its record is a note that lists the memories of
// its chunks in order. Ingest compares the hash of the content first: the same content writes
// nothing. Otherwise it reads the document into chunks (package document), compares their hashes
// with the chunks that are stored (plan.go), and writes the difference.
//
// A difference of at most maxChanges memories is one transaction. A larger one is staged first: the
// new chunks are written as ARCHIVED and noted in the record, then the record names the next
// version, then that version is applied in batches (apply.go). An ingest that is interrupted before
// the record names the next version has changed nothing visible, and a repetition uses what was
// staged. An interrupted application is finished when the tenant is opened, before it is read.
package library
