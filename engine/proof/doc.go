// Package proof makes and checks proofs of erasures that need no server.
//
// The receipt of a completed erasure is a leaf of a Merkle log of its tenant (RFC 6962, section 2).
// A checkpoint is the size and the root of the log, signed with Ed25519 in the format of signed
// notes (golang.org/x/mod/sumdb/note). A [Document] holds a receipt with its ids, the checkpoint of
// the erasure, a later one, the proofs that the leaf is in the log and that the log only grew, and
// for every erased id the proof that a signed sorted Merkle tree over the live memories, as of the
// making of the document, lacks it. The tree holds hashes of ids, so that a document names no
// memories of others.
//
// A key can be replaced ([Rotate]): it signs which key comes after it, and documents carry these
// statements.
package proof
