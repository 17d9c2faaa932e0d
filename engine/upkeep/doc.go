// Package upkeep answers what remains to be done after a write, and how healthy a tenant's
// memory is: it embeds waiting memories, keeps and retries dead letters, reports health, and
// moves a tenant to another embedding model.
//
// A worker per tenant embeds memories that were stored without a vector. A text that the model
// refuses is retried, then given up with a dead letter. Engrams that health lists as unproven can be released from the recess.
//
// A move to another model embeds every memory in the background into separate notes. The old
// model stays in use until [SwitchModel] switches the tenant with one write, before the index is
// opened. Both steps resume after a crash.
//
// Seams: [OpenModel] opens the new model, [Engraver] retries engravings, and the workspace.Space
// gives the store, the index and the embedder.
package upkeep
