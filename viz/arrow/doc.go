// Package arrow writes tables as Arrow IPC streams, so that other tools (pyarrow, polars,
// DuckDB, Arrow for JavaScript) can read the data of the explorer.
//
// It implements a small part of the format: flat columns of texts, numbers, booleans and times,
// uncompressed, in little-endian batches, without dictionaries. The reference is "Arrow
// Columnar Format", version 1.5, section "Serialization and Interprocess Communication", with
// the tables of Schema.fbs and Message.fbs. Apache's Go library would add a JSON parser and
// newer versions of gRPC and compressors to the server (ADR 32).
package arrow
