// Package conflict says how far two statements contradict each other. It is the second stage of
// conflict detection: the caller has already found the candidates, which are similar in meaning or
// share a subject or entities in a namespace.
//
// It is pure: rules over the words of two texts, no model, no clock, no store. A text is read once
// into clauses ([Analyse]): subject, verb, predicate, numbers and dates, negation, tense, and
// modality (questions, conditions, wishes and hearsay state nothing). Clauses are then compared
// pair by pair ([Compare]):
//
//   - negation: one denies what the other affirms, or a class that it belongs to;
//   - antonyms: opposite words in the same place, reversed comparisons;
//   - numbers, times, dates: another value of the same thing;
//   - objects: another object of a predicate that has one at a time (residence, work,
//     name, leader);
//   - change: "moved from", "switched from", "no longer", "sold", "quit";
//   - states: finished and under way, encrypted and in plain text, an early bird and a
//     night owl;
//   - rare facts: what somebody does without, has given away or replaced, prefers,
//     travels by, uses for a purpose, allows.
//
// The rules prefer a missed contradiction to a false one: the subjects must be the same, the past
// does not contradict the present, one may like two things, and a narrow denial does not
// contradict a wider statement.
//
// The rules are for English. Texts in other languages give 0, except for numbers and names given
// as subject, predicate and object.
package conflict
