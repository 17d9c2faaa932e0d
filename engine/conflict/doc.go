// Package conflict says how far two statements contradict each other. It is the
// second stage of conflict detection: whoever calls it has already found the
// candidates (near in meaning, or sharing a subject or entities in a namespace).
package conflict
