// Package scene makes the graph that the explorer draws: the memories that a caller sees, with their histories, and the edges between them.
package scene
