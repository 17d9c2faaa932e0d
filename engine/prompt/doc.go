// Package prompt puts memories into words for a prompt: five layers within a budget
// of tokens, most stable first, with memory text fenced so that it stays data.
//
// What does not fit is made smaller before anything is left out: a summary stands
// for what it covers, near duplicates stand once with a count, long episodes give
// way to their entity–relation lines, and what is too long alone loses its middle.
// Then the lowest-scored go. Core memories are never touched, and the last three
// turns are always there; for the room they need beyond their layer they take from
// the documents first, then from the memories, then from the rest.
//
// The package is pure: no store, no clock, no randomness. The same input gives the
// same text.
package prompt
