// Package extract reads what a text says by rule: the things it names, the statement
// it makes, the kind of memory it is and how much it matters. Pure functions over one
// text; no store, no model. The rules are for English.
//
// Entities are found by their capitals, by the words around them and by short lists
// of first names, places, tools and endings. A capital at the beginning of a sentence
// counts only with more evidence; dates, weekdays, months and "I" are never entities.
//
// Statements are subject, predicate and object of a clause with a verb or a copula
// that the tables in predicates.go know. "I" and "my" stand for the speaker, "he" and
// "she" for the only person named so far. Questions, conditions, wishes and what may
// or should be state nothing. Predicates that have one object at a time are
// functional.
//
//	My dog's name is Rex.            Caroline's dog –name→ Rex
//	The deploy window is Tuesday.    deploy window –scheduled_for→ Tuesday
//	I used to work at Acme.          Caroline –formerly_works_at→ Acme
//	We picked Hetzner for hosting.   hosting –decision→ Hetzner
//
// Salience is 1 − (1 − base)·Π(1 − weight) over the cues that a text shows, in [0,1].
package extract
