// Package demo is the demo world: half a year of a fictional cooperative that builds weather
// kites. The files in world/*.yaml tell it day by day. A replay runs the steps through the
// engine's verbs with a clock of its own, so that memories, corrections, searches and expiries
// have times in the past.
//
// A file is a list of scenes in order of time:
//
//	scene      name; also the session of its memories unless session is set
//	day, at    start: days since the start of the world, and the time of day
//	namespace, project, user   of its memories, unless a step overrides them
//	steps      in order, four minutes apart
//
// A step is one of
//
//	say: text               remember it; see Step for further fields
//	change: name, to: text  supersede the memory that an earlier say named with as:
//	weigh: fact, about: subject, evidence: [{of, weight, sure}]   adjudicate it
//	expire: name            expire the memory
//	pin: name               pin the memory
//	ask: question           search, counting uses
//
// {N} in a text is replaced by the date of day N.
//
// The replay sleeps every two weeks, but not at its end: the first sleep of the reader finds work
// for every phase, near-duplicates, a routine to fold, steps to learn and an engram among it.
package demo
