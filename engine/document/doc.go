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
// The package knows no store and writes nothing but the cache directory of the PDF reader. That
// reader is loaded when the first PDF needs it and unloaded when none has needed it for some
// minutes; besides it the package keeps no state. Time and memory are bounded by Limits. No
// input makes Read panic: a document that cannot be read is an *Error.
package document
