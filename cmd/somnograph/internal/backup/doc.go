// Package backup keeps a logical log of a store's changes in a directory or a bucket, and makes a
// store from it again. docs/formats/backup.md describes the stored bytes. ADR 97.
//
// A backup is a sequence of generations. A generation begins with a full export of the store and
// goes on with segments: the present values of the rows that were touched since. The end of each
// round is a boundary, to which the store can be restored. All objects are compressed and sealed,
// and each names the hash of the one before. The manifest of a generation is signed and says what
// belongs to it; it is written last.
//
// [Maker] makes the objects from a store, [Run] repeats that, [Restore] writes an empty store from
// them and [Verify] compares the result with the lines. All of them use only the contract of package
// graph, so that a backup of one kind of store can be restored into another kind.
package backup
