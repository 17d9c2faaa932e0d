// Package frame packs a scene, every memory with its times, place and edges, into
// one little-endian block of columns that a browser reads into typed arrays. The
// layout is described in docs/formats/viz-frame.md.
//
// A frame holds enough of each memory's history to answer, for any millisecond on
// either clock, whether the memory is part of the picture and how far it has
// faded: it agrees with an as-of read of the same instant.
package frame
