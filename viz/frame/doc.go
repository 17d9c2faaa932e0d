// Package frame encodes a scene, all memories with their times, positions and edges, as one
// little-endian block of columns that a browser maps to typed arrays. docs/formats/viz-frame.md
// describes the layout.
//
// A frame contains enough history to decide, for any millisecond of recorded and valid time,
// whether a memory is visible and how far it has faded, in agreement with an as-of read of the
// same time.
package frame
