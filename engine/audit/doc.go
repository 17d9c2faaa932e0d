// Package audit records who called which verb: rows that commit with the writes they describe, a
// chain over them that shows later changes, and the reading and checking of both.
//
// # Rows
//
// A [Row] names time, principal, verb, namespaces, ids, outcome, decision and duration of a call,
// and no content. Each transaction of a call that writes has its own row in the same commit
// ([Log.Update]), so that no write is without a row. Steps of background work have rows too, with
// the principal [Server]. Calls that wrote nothing, such as reads and refusals, are counted: one
// row per principal, verb, outcome and minute, written within a second ([Log.End]).
//
// # Chain
//
// A row is first stored as a note graph.NoteAudit. The sealer ([Log.Seal]) moves such rows into
// blocks, graph.NoteAuditBlock, and gives them numbers without gaps. The row with number n has
//
//	mac(n) = HMAC-SHA-256(K, mac(n−1) ∥ n ∥ row)
//
// where K is the MAC key of the epoch, n has 8 bytes, big-endian, row is its JSON, and mac(0) is
// zero. An epoch is a day with rows. After it the sealer signs a root, graph.NoteAuditRoot: the
// number and MAC of the last row, a hash of K, and the public key of the next epoch, by Ed25519.
// The seed of the next epoch is the SHA-256 of the present one, which is then destroyed, so that
// who steals the keys can't sign a different past. The name of a chain is a hash of its first
// public key.
//
// The secrets lie outside of the store ([Keys]): seed, number and MAC of the last row, and the MAC
// keys of earlier epochs, with which [Verify] names the row that was changed.
//
// Forward-secure chains: Schneier and Kelsey, Secure audit logs to support computer forensics,
// ACM TISSEC 2 (1999).
package audit
