// Package conflict says how far two statements contradict each other. It is the
// second stage of conflict detection: whoever calls it has already found the
// candidates, near in meaning or sharing a subject or entities in a namespace.
//
// It is pure: rules over the words of two texts, no model, no clock, no store. A
// text is read once into clauses ([Analyse]): subject, verb, what is said, numbers
// and dates, negation, tense, and whether it is meant at all (questions, conditions,
// wishes and hearsay are not). Clauses are then compared pair by pair ([Compare]):
//
//   - negation: one denies what the other affirms, or a kind that it belongs to;
//   - antonyms: opposite words in the same place, comparisons turned round;
//   - numbers, times, dates: another value where all else is the same, for one thing;
//   - objects: another object of a predicate that has one at a time (where one lives,
//     works, what one is called, who leads);
//   - change: "moved from", "switched from", "no longer", "sold", "quit";
//   - states: finished and under way, encrypted and in plain text, an early bird and a
//     night owl;
//   - habits, which few texts tell of: what one leaves out, has parted with or replaced,
//     chooses before something else, goes by, uses for what, allows.
//
// It would rather miss a contradiction than invent one: subjects must be the same,
// what was does not contradict what is, two things one likes do not exclude each
// other, and a narrower denial leaves the wider statement standing.
//
// The rules are English. Texts in other languages give 0, but for numbers and names
// given as subject, predicate and object.
package conflict
