// The enumerations in the order of their codes in a frame.
import type { DecayClass, MemoryStatus, MemoryType, Tier } from './schema.gen'

export const TYPES = ['EPISODIC', 'SEMANTIC', 'WORKING', 'DOCUMENT', 'PROCEDURAL'] as const satisfies readonly MemoryType[]
export const STATUSES = ['ACTIVE', 'SUPERSEDED', 'CONSOLIDATED', 'ARCHIVED', 'EXPIRED', 'FORGOTTEN'] as const satisfies readonly MemoryStatus[]
export const TIERS = ['L0', 'L1', 'L2', 'L3'] as const satisfies readonly Tier[]
export const DECAY_CLASSES = ['NONE', 'SLOW', 'MEDIUM', 'FAST'] as const satisfies readonly DecayClass[]
export const EDGE_KINDS = [
  'SUPERSEDES',
  'DERIVED_FROM',
  'CONSOLIDATED_INTO',
  'EVIDENCE_FOR',
  'CONTRADICTS',
  'SAME_SESSION',
  'TEMPORAL_SEQ',
  'ENTITY_OVERLAP',
] as const

export type EdgeKind = (typeof EDGE_KINDS)[number]

export const ACTIVE = 0
export const SUPERSEDED = 1
export const EXPIRED = 4

/** "EPISODIC" as people read it: "Episodic". */
export function spoken(code: string): string {
  return code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
}
