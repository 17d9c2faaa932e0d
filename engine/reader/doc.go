// Package reader reads claims in utterances and decides how a later statement relates to an
// earlier one: the same, compatible, changed, corrected, contradicting or unrelated.
//
// Read splits a text into clauses and returns a claim for each: subject, predicate, object,
// qualifiers, negation, modality and the hints on its valid interval. Prepare reads a
// statement once for any number of comparisons; Relate compares two prepared statements.
//
// A text is read in steps, each in a package of its own that knows nothing of the later ones: token and wordclass cut it into words, syntax cuts
// its sentences into clauses and finds their verbs, verbgroup reads the verbs, phrase the subject and the phrases around them, cueset the words that tell
// how something is meant, and modality what they make of the clause. This package keeps the clauses, finds their predicates and compares them.
//
// Relate works in five steps. Hard vetoes come first: a question, a condition, a wish, a quotation,
// a report, fiction, code, an addition, a detail, an attempt, a bounded stay, another owner or entity,
// what is past, and what happens once more never revise, nor do notes of one form about several things (series.go). Then values are compared in normal form (numbers, clock times, money, dates); an equal value
// is the same statement. Then logistic regression with four heads rates features of the alignment of
// the two clauses and hashed n-grams of the later one, with words that both clauses share masked.
// Another one rates the words of the two whole statements (wording.go). Last, boosted trees ask some
// 500 questions about the alignment, the values, the two statements and what the regressions and the
// other vetoes found, and give the certainty. It stays below Revises for a plan and after an event of the
// past: such statements are at most rivals.
// Another subject, qualifier or occasion is evidence for the trees.
// An end by a form of lexicon/ends.txt (ending.go), or by a denial of what was so until now, needs no trees, and a plan with a day is compared as it is said on that day (dated.go).
// What goes on after a later statement about the same person or thing, such as a habit after one occasion, is in occasion.go.
// A ground that the words give by themselves, such as another date of one thing, raises a certainty that is not low (grounds.go).
//
// What syntax cannot tell is in tables under data, frames and lexicon: predicates with one value at a time
// (frames/frames.txt), words of one kind and words that exclude each other (sets.txt, kinds.txt),
// words that say the same (synonyms.txt), cues (cues.txt) and word classes (words.txt). A
// predicate outside the table has many values.
//
// The weights are in data/weights.bin and data/wording.bin and the trees in data/trees.bin. "make train"
// computes the first from the generated pairs of package worlds and the others from its written pairs,
// always the same bytes for the same seed.
//
// RuleIn tells standing rules ("Always answer in Dutch") from requests and descriptions; package standing finds them, package rule has the rules.
//
// The functions are pure and safe for concurrent use. The rules are for English; English
// recognises it.
package reader
