// Package demo is the demo world: half a year of a small cooperative that builds
// weather kites, written by hand, told day by day in world/*.yaml and replayed
// through the engine's own verbs on a clock of its own, so that what is remembered,
// corrected, looked up and let go lies in the past as if it had been lived.
//
// A file is a list of scenes in order of time:
//
//	scene      name; also the session of its memories unless session says otherwise
//	day, at    when it begins: days since the world began, and the hour
//	namespace, project, user   of its memories, unless a step says otherwise
//	steps      one after the other, four minutes apart
//
// A step is one of
//
//	say: text               remember it; see Step for what can be added
//	change: name, to: text  supersede the memory that a say called so with as:
//	weigh: fact, about: subject, evidence: [{of, weight, sure}]   bring it before the gate
//	expire: name            let it go
//	pin: name               put it into every prompt
//	ask: question           search, counted as usage
//
// {N} in a text is the date of day N.
package demo
