// Package extract reads a text by rule: the entities that it names, the statements that it makes,
// the type of memory that it is, and its salience. Its functions are pure: they use one text, no
// store and no model. The rules are for English.
//
// Entities are found by their capitals, by the words around them and by short lists of first
// names, places, software and endings. A capital at the beginning of a sentence needs further
// evidence. Dates, weekdays, months and "I" are never entities.
//
// Statements are subject, predicate and object of a clause whose verb or copula is in the tables
// of predicates.go. "I" and "my" mean the speaker, "he" and "she" the only person named so far.
// Questions, conditions and wishes state nothing, nor does what may or should be. A predicate that
// has one object at a time is functional.
//
//	My dog's name is Rex.            Caroline's dog –name→ Rex
//	The deploy window is Tuesday.    deploy window –scheduled_for→ Tuesday
//	I used to work at Acme.          Caroline –formerly_works_at→ Acme
//	We picked Hetzner for hosting.   hosting –decision→ Hetzner
//
// Anonymise hides what could identify a person.
//
// Salience is 1 − (1 − base)·Π(1 − weight) over the cues found in a text, in [0,1].
package extract
