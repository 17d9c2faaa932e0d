// Package evaluation measures the quality of memory over simulated weeks, on a world generated
// from a seed and with a clock that only moves when told.
//
// A world is generated from the lexicon: kinds of facts with several statements and several
// questions each, written by hand so that a question does not repeat the words of the
// statement; wishes with later requests for which they matter; episodes about one thing; and
// noise. The seed chooses people, values and wording.
//
// Each measure has a file: a runner that simulates the days with the verbs of the engine on a
// fresh store, and a pure function that computes the scores. No constant of the engine is
// tuned to this world.
package evaluation
