// Package arrow writes tables as Arrow IPC streams, so that other tools can read what the
// explorer draws: pyarrow, polars, DuckDB, Arrow for JavaScript.
//
// It writes a small part of the format: flat columns of texts, numbers, booleans and
// instants, uncompressed, in little-endian batches, without dictionaries. The source is
// "Arrow Columnar Format", version 1.5, section "Serialization and Interprocess
// Communication", with the tables of Schema.fbs and Message.fbs. Apache's own library does
// all of this and far more; it would bring a JSON parser and newer versions of gRPC and
// compressors into a server that needs none of them for it (ADR 32).
package arrow
