// Package distil makes a short text of several without a model: a summary that keeps
// the key facts of what it covers, the month of a project, and procedures from what was
// done the same way again and again. Pure functions; no store, no clock.
//
// Everything is extractive. Sentences are taken as they stand; only three things
// change, each by rule and only where the rule is sure: a relative time becomes a date
// ("yesterday" → "on 2 March 2026"), the speaker's "I" becomes a name, and a lead-in
// ("Well, …") goes. What a rule can't settle is not used, so that nothing is said that
// no source says.
//
// A source is covered when each of its sentences that states something stands in the
// text or is said there by another sentence with the same facts. A source that is not
// covered must be kept beside the summary; then consolidation loses nothing.
//
// Choosing under a budget is weighted coverage by gain per word: Lin, Bilmes,
// "Multi-document Summarization via Budgeted Maximization of Submodular Functions",
// NAACL 2010. The reading of texts is that of packages extract and temporal; the rules
// are for English.
package distil
