// Package document reads documents: it turns the bytes of a file into elements, and elements
// into chunks that are small enough for an embedder.
//
// Read recognises the media type and returns a Document: sections, paragraphs, lists, code
// blocks, tables and rows in their order, each with the headings that lead to it. Chunks packs
// the elements. A chunk never contains parts of two sections. An element is split only if it is
// larger than a chunk by itself, at a row, a line or a sentence, and its header is repeated.
// An edit changes the chunks around it and no others, so a caller that compares hashes writes
// only what is new.
//
// The package keeps no state, knows no store and no clock, and reads what it is given through
// an io.ReaderAt. Time and memory are bounded by Limits. No input makes it panic: what cannot be
// read is an *Error.
package document
