// Package project gives every memory a position in space. Similar memories are near each other,
// and a memory stays near its position when the map changes.
//
// A [Layout] returns positions at once, from a map of a sample (viz/umap), and redraws the map
// of all memories on request. Between two drawings nothing moves: new memories are placed on
// the current map. A drawing starts from the current positions and changes them little.
// Positions can be saved, so that a restart shows the same map.
package project
