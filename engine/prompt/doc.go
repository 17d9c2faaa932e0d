// Package prompt puts memories into words for a prompt: five layers within a budget
// of tokens, most stable first, with memory text fenced so that it stays data.
//
// It is pure: no store, no clock, no randomness. The same input gives the same text.
package prompt
