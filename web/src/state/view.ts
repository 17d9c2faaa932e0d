// What the page shows: everything that a link carries, and a store that tells who listens.
import type { MemoryStatus, MemoryType } from '../api/schema.gen'

export type Clock = 'recorded' | 'valid'
export type EdgeGroup = 'supersedes' | 'session' | 'sequence' | 'overlap' | 'derivation'
export type EdgeMode = 'focus' | 'all' | 'off'

/** what lies open at the left: a sleep, its reports, and what comes of them */
export type Panel = 'sleep' | 'mornings' | 'fading' | 'conflicts' | 'policy'
export const PANELS = ['sleep', 'mornings', 'fading', 'conflicts', 'policy'] as const satisfies readonly Panel[]

export interface Camera {
  position: [number, number, number]
  target: [number, number, number]
}

export interface View {
  /** what was known then, ms since 1970; null: now */
  recorded: number | null
  /** what was true then; null: whenever */
  valid: number | null
  /** the clock that the scrubber moves */
  clock: Clock
  /** empty: all */
  types: MemoryType[]
  projects: string[]
  namespaces: string[]
  users: string[]
  /** empty: as an as-of read has it */
  statuses: MemoryStatus[]
  edges: Record<EdgeGroup, EdgeMode>
  selected: string | null
  query: string
  flat: boolean
  /** null: the whole map */
  camera: Camera | null
  panel: Panel | null
  /** the morning report that is open in its panel */
  report: string | null
}

export const INITIAL: View = {
  recorded: null,
  valid: null,
  clock: 'recorded',
  types: [],
  projects: [],
  namespaces: [],
  users: [],
  statuses: [],
  edges: { supersedes: 'focus', session: 'focus', sequence: 'focus', overlap: 'focus', derivation: 'focus' },
  selected: null,
  query: '',
  flat: false,
  camera: null,
  panel: null,
  report: null,
}

export const EDGE_GROUPS = Object.keys(INITIAL.edges) as EdgeGroup[]

export class Store<T extends object> {
  private listeners: { keys: (keyof T)[]; fn: (state: T, before: T) => void }[] = []

  constructor(private state: T) {}

  get(): T {
    return this.state
  }

  /** Changes some fields; who listens to one of those that differ is told, once. */
  set(change: Partial<T>): void {
    const before = this.state
    const changed = (Object.keys(change) as (keyof T)[]).filter((k) => before[k] !== change[k])
    if (changed.length === 0) return
    this.state = { ...before, ...change }
    for (const l of [...this.listeners]) if (l.keys.some((k) => changed.includes(k))) l.fn(this.state, before)
  }

  on(keys: (keyof T)[], fn: (state: T, before: T) => void): void {
    this.listeners.push({ keys, fn })
  }
}
