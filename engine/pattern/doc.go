// Package pattern finds what repeats in memories on one matter: workflows, preferences, constraints
// and failure signatures. Its functions are pure: no store, no clock.
//
// A sentence is read by its structure into a statement: the clauses that say when it applies, the
// clause that says what is done, a direction (do or do not, prefers or avoids, fails or does not),
// and values with their units. "Never run the winch above 12 knots" and "the winch may run at up to
// 12 knots" give the same upper bound; "no deploy without a review" and "a deploy needs a review"
// the same requirement. Steps are read from numbered lists, arrows and words of order.
//
// Statements are about one matter if they share most of their content words, as stems. Inside a
// matter they agree or contradict each other by direction, value, order, and by package conflict.
// What most of the sources say that speak of the matter is a candidate, which becomes a pattern if
//
//   - it occurs often enough in one mature cluster, or in three clusters, or is said in clusters on four separate
//     occasions, more among many sources; one session is one occasion, and so is one day; days that only the caller
//     names count half;
//   - more than 80 % of the sources kept aside agree. A fifth of the sources, chosen by a hash of
//     their ids, is kept aside; the rest decides what is said, and those kept aside are compared with
//     it. This is done for each fifth, so that each source is kept aside once (cross-validation:
//     Stone, "Cross-Validatory Choice and Assessment of Statistical Predictions", JRSS B 36, 1974);
//   - its confidence is at least .6: n/(n+1) · (1 − .4·c/(n+c)) · h for n sources that agree, c that
//     contradict, and the share h of those kept aside that agree.
//
// So less than a fifth of those that speak of a matter never make a pattern against the rest, and
// no pattern is made of a matter on which the sources disagree, unless there is one already. Then
// new evidence splits it ([Find]).
//
// A pattern says only what its sources say: its text is a sentence of one of them, or consists of
// their steps. The rules are for English.
package pattern
