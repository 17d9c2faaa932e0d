// The steps of a path between two memories.
import type { EdgeKind } from '../api/schema.gen'

export interface PathStep<M> {
  memory: M
  /** relation to the previous memory; "" for the first */
  relation: string
}

/** The relation of an edge, seen from its start and from its end. */
const RELATIONS: Record<EdgeKind, readonly [out: string, back: string]> = {
  SUPERSEDES: ['replaces', 'replaced by'],
  DERIVED_FROM: ['derived from', 'source of'],
  CONSOLIDATED_INTO: ['merged into', 'merged from'],
  EVIDENCE_FOR: ['evidence for', 'supported by'],
  CONTRADICTS: ['contradicts', 'contradicts'],
  SAME_SESSION: ['same session', 'same session'],
  TEMPORAL_SEQ: ['followed by', 'preceded by'],
  ENTITY_OVERLAP: ['shares entities with', 'shares entities with'],
  RELATION: ['related to', 'related to'],
}

/** The memories of a path in order, each with its relation to the previous one. */
export function pathSteps<M extends { id: string }>(memories: readonly M[], edges: readonly { from: string; to: string; kind: EdgeKind }[]): PathStep<M>[] {
  return memories.map((memory, i) => {
    const before = memories[i - 1]?.id
    const out = edges.find((e) => e.from === before && e.to === memory.id)
    const back = edges.find((e) => e.to === before && e.from === memory.id)
    const relation = before === undefined ? '' : out ? RELATIONS[out.kind][0] : back ? RELATIONS[back.kind][1] : 'linked'
    return { memory, relation }
  })
}
