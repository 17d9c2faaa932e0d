// Package sleep answers how a tenant's memories are consolidated in the background: which are
// strengthened, archived, merged, promoted, engraved, replayed and distilled, and how all of it
// is undone.
//
// A sleep is a cycle of phases. Each phase plans at a frozen instant, stores its plan, and
// carries it out in batches. A batch is one transaction: it carries out some steps, writes
// their undo record, and moves the checkpoint. A cycle that is interrupted at any point resumes
// from its checkpoint and ends as if it had never stopped.
//
//   - N1 ranks every ACTIVE memory by S(t)·(1+U)·A.
//   - N2 raises the confidence of used memories and archives weak ones after long disuse.
//   - N3 merges memories that say the same into one.
//   - REM promotes from L1 to L2 by score and from L2 to L3 through the three gates, turns
//     episodes on one matter into one statement, repeated workflows into procedures and a
//     project's month into a page, and replays salient memories.
//   - The morning report accounts for every memory.
//
// Consolidation loses nothing: a derived text says only what its sources say, and a source is
// merged into it only if all its statements are in the text.
//
// A lease in the store lets one server at a time sleep in a tenant. Every transaction checks it.
// If several servers use the store, a watcher reads the progress of all of them from it. ADR 31.
//
// Seams: [Serial] runs the transactions between writes, the workspace.Space gives the store,
// the index, the models and the recess, and [Options] sets times and batch sizes.
package sleep
