// Package prompt builds a context for a prompt from memories: five layers within a budget of
// tokens, the most stable layer first. Memory text is fenced so that it stays data, and what a
// reader does not see is removed from it. Each line has its date, its speaker in quotation marks,
// and a mark if it is contested or has changed since.
//
// Each layer has a share of the budget. What a layer leaves unused goes to the others, in the
// order memories, procedural, project, documents, conversation. In its layer, a standing rule
// comes before all items that are none.
//
// If the budget is short, texts shrink before any are dropped. Summaries replace the memories
// they cover, near duplicates appear once with a count, long episodes are replaced by their
// entity–relation lines, and other long texts lose their middle. Then the entries with the
// lowest scores are dropped. Core memories are never changed. The last three turns always
// appear; if they need more than their layer has, they take tokens from the documents first,
// then from the memories, then from the rest.
//
// The package is pure: no store, no clock, no randomness. The same input gives the same text.
package prompt
