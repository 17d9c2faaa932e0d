// Package wire defines the stored form of the domain types for all stores: the rows as
// CBOR with numbered fields, instants and ids. Domain types carry no tags. A field number
// is never used again for another field; docs/formats lists the fields. Each store seals,
// hashes or compresses its rows itself.
package wire
