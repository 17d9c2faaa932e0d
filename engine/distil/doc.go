// Package distil summarises several texts without a model: a summary that keeps the key facts, the
// monthly digest of a project, and procedures learned from repeated steps. Its functions are pure:
// no store, no clock.
//
// Summaries are extractive. Three things change in a sentence, each by rule and only if the rule
// is certain: a relative time becomes a date ("yesterday" → "on 2 March 2026"), the speaker's "I"
// becomes a name, and a lead-in ("Well, …") is dropped. A sentence for which a rule is not certain
// is not used, so that a summary says nothing that no source says.
//
// A source is covered if each of its sentences with facts is in the text, or another sentence
// there has the same facts. A source that is not covered must be kept next to the summary; then
// consolidation loses nothing.
//
// The choice under a budget is weighted coverage by gain per word: Lin, Bilmes, "Multi-document
// Summarization via Budgeted Maximization of Submodular Functions", NAACL 2010. Packages extract
// and temporal read the texts. The rules are for English.
package distil
