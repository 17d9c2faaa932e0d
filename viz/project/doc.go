// Package project gives every memory a place in space, so that alike memories stand
// together. [Projection] is what a map must be able to do; [Landmarks] is one.
// [Atlas] keeps the places of a growing set: it is a function of the set, not of
// the order in which it came to be known.
package project
