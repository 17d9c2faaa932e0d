// Package project gives every memory a place in space, so that alike memories stand
// together and a memory stays about where it stood.
//
// An [Atlas] answers places at once, from a map of some (viz/umap), and is told to draw
// the map of all when there is time for it. Between two drawings nothing moves: what is
// new is placed on the map there is. A drawing starts from the places there are and
// leaves them about there. The places can be kept, so that a restart shows the same.
package project
