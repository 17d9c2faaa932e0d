// Enumerations, in the order of their codes in a frame.
import type { DecayClass, MemoryStatus, MemoryType, SleepPhase, StepVerb, Tier } from './schema.gen'

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

/** "EPISODIC" → "Episodic" */
export function displayName(code: string): string {
  return code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** The phases of a sleep in order: code, name and purpose. */
export const PHASES = [
  ['N1', 'Rank', 'scores every memory'],
  ['N2', 'Strengthen and archive', 'used memories get stronger, faded ones are archived'],
  ['N3', 'Merge', 'merges near-duplicates'],
  ['REM', 'Consolidate and dream', 'promotes, engraves, replays and distils memories'],
  ['REPORT', 'Report', 'writes the report'],
] as const satisfies readonly (readonly [SleepPhase, string, string])[]

/** Past tense of each kind of step; of one and of several where they differ. */
export const STEP_DONE: Record<StepVerb, string | readonly [one: string, several: string]> = {
  STRENGTHEN: 'strengthened',
  ARCHIVE: 'archived',
  MERGE: 'merged',
  PROMOTE: 'promoted',
  ENGRAVE: 'engraved',
  DREAM: 'dreamed',
  DISTIL: 'distilled',
  KEEP: 'kept',
  SUMMARISE: 'summarised',
  PATTERN: ['pattern found', 'patterns found'],
  SPARSIFY: ['relation dropped', 'relations dropped'],
  CLUSTER: ['cluster found', 'clusters found'],
}
