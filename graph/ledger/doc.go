// Package ledger records erasures outside the store: which memories were erased, and when. It
// holds ids, instants and HMACs of users of whom everything was erased, no content.
//
// An erasure is in the ledger before its receipt is COMPLETE. After every start and every
// import the engine erases again what the ledger names and the store or the recess still has,
// so that an older copy of either, or an older export, does not bring it back. ADR 75.
//
// A ledger lies in a directory of its own below the directory of all keys:
//
//	DIR/<store>/erased.log  the record, one line per batch of ids
//	DIR/<store>/revoked.log revoked API keys, ended sessions and erased owners, one line each
//	DIR/<store>/positions.json  how far the records had come
//	DIR/<store>/keys.id     fingerprint of the directory
//	DIR/<store>/data        path of the data directory, to find the ledger again
//	DIR/<store>/lock
//
// <store> is the identity of the store: 32 hexadecimal digits, also in the file store.id of the
// data directory. A copy of a data directory has the same identity, and so the same ledger.
//
// The store keeps the fingerprint of its directory and how far the records had come, in keys.json beside
// its files. Another directory, or an older one, is refused. ADR 111. positions.json has the latter too, so that
// an older record is refused together with an older store.
//
// A line of erased.log is the CRC-32C of the rest in 8 hexadecimal digits, a space, a JSON
// object {"tenant", "at", "receipt", "ids"}, and a newline. An incomplete last line is what a crash left
// of an append that was not acknowledged; Open removes it. Any other damage is
// graph.ErrIntegrity.
// A line of revoked.log is alike, with {"kind", "id", "at"}.
package ledger
