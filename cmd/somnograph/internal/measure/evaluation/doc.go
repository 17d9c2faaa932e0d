// Package evaluation measures how good memory is over weeks, on a seeded world of its own
// writing and a clock that stands still until it is moved (SPEC section 17).
//
// A world is made from the lexicon: kinds of facts with several ways to say each and
// several ways to ask for it, written by hand so that a question does not repeat the
// words of what was said; wishes with the later requests they matter for; episodes that
// repeat around one thing; and noise. A seed chooses who, what and how.
//
// Each measure stands in a file of its own: a runner that lives through the days with
// the verbs of the engine, over a fresh store, and a pure function that scores what
// was seen. No constant of the engine is tuned to this world.
package evaluation
