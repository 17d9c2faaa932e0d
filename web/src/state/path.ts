// A way between two memories, told step by step.
import type { EdgeKind } from '../api/vocabulary'

export interface Leg<M> {
  memory: M
  /** how the one before leads here; "" for the first */
  by: string
}

/** What an edge says from its beginning, and from its end. */
const SAYS: Record<EdgeKind, readonly [out: string, back: string]> = {
  SUPERSEDES: ['replaces', 'replaced by'],
  DERIVED_FROM: ['derived from', 'source of'],
  CONSOLIDATED_INTO: ['folded into', 'took in'],
  EVIDENCE_FOR: ['evidence for', 'supported by'],
  CONTRADICTS: ['contradicts', 'contradicts'],
  SAME_SESSION: ['same session', 'same session'],
  TEMPORAL_SEQ: ['then', 'before that'],
  ENTITY_OVERLAP: ['names the same', 'names the same'],
}

/** The memories of a way in their order, each with what joins it to the one before. */
export function legsOf<M extends { id: string }>(memories: readonly M[], edges: readonly { from: string; to: string; kind: EdgeKind }[]): Leg<M>[] {
  return memories.map((memory, i) => {
    const before = memories[i - 1]?.id
    const out = edges.find((e) => e.from === before && e.to === memory.id)
    const back = edges.find((e) => e.to === before && e.from === memory.id)
    const by = before === undefined ? '' : out ? SAYS[out.kind][0] : back ? SAYS[back.kind][1] : 'linked'
    return { memory, by }
  })
}
