// Package reader reads claims in utterances and decides how a later statement relates to an
// earlier one: the same, compatible, changed, corrected, contradicting or unrelated.
//
// Read splits a text into clauses and returns a claim for each: subject, predicate, object,
// qualifiers, negation, modality and the hints on its valid interval. Prepare reads a
// statement once for any number of comparisons; Relate compares two prepared statements.
//
// Relate works in three steps. Hard vetoes come first: a question, a condition, a wish, a
// quotation, a report, fiction, a bounded stay, another owner or entity, a single event, a
// detail and another value of a predicate with many values never revise. Then
// values are compared in normal form (numbers, clock times, money, dates); an equal value is
// the same statement. Then a model decides: logistic regression on features of the alignment
// of the two clauses and on hashed n-grams of the later one, with words that both clauses
// share masked. It has three heads (asserted as a current fact; same slot; values that
// exclude each other), and the certainty is a Platt-calibrated combination of them.
//
// What syntax cannot tell is in tables under data: predicates with one value at a time
// (frames.txt), words of one kind and words that exclude each other (sets.txt, kinds.txt),
// words that say the same (synonyms.txt), cues (cues.txt) and word classes (words.txt). A
// predicate outside the table has many values.
//
// The weights are in data/weights.bin. "make train" computes them from the generated pairs
// of package worlds, always the same bytes for the same seed.
//
// RuleIn tells standing rules ("Always answer in Dutch") from requests and descriptions.
//
// The functions are pure and safe for concurrent use. The rules are for English; English
// recognises it.
package reader
