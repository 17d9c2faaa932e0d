// Package wire says how domain types are written down, for every store of them: the rows
// as CBOR with numbered fields, instants, ids. Domain types carry no tags. A number is
// given to a field once and never again to another; docs/formats has the fields. What is
// sealed, hashed or compressed around a row is its store's affair.
package wire
