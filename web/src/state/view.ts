// What the page shows: everything that a link carries, and a store that tells who listens.
import type { ContextFormat, DecayClass, MemoryStatus, MemoryType, Tier } from '../api/schema.gen'

export type Clock = 'recorded' | 'valid'
export type EdgeGroup = 'supersedes' | 'session' | 'sequence' | 'overlap' | 'derivation'
export type EdgeMode = 'focus' | 'all' | 'off'

/** What can lie open at the left, by room: the panels of one room are tabs of each other. */
export const PANEL_GROUPS = {
  memories: ['list', 'entities'],
  sleep: ['sleep', 'mornings', 'fading', 'conflicts', 'policy'],
  dashboards: ['health', 'quality', 'gate', 'privacy', 'speed'],
  agent: ['prompt', 'tasks'],
} as const
export type PanelGroup = keyof typeof PANEL_GROUPS
export type Panel = (typeof PANEL_GROUPS)[PanelGroup][number]
export const PANELS: readonly Panel[] = Object.values(PANEL_GROUPS).flat()

export function panelGroupOf(panel: Panel): PanelGroup {
  return (Object.keys(PANEL_GROUPS) as PanelGroup[]).find((group) => (PANEL_GROUPS[group] as readonly Panel[]).includes(panel))!
}

/** by which likeness a search finds */
export type SearchMode = 'both' | 'meaning' | 'words'

export interface Camera {
  position: [number, number, number]
  target: [number, number, number]
}

/** What the preview of a prompt asks for. */
export interface PromptInput {
  query: string
  session: string
  /** "": nobody in particular */
  user: string
  project: string
  /** tokens in all */
  budget: number
  format: ContextFormat
}

export const DEFAULT_PROMPT: PromptInput = { query: '', session: 'preview', user: '', project: '', budget: 4400, format: 'MARKDOWN' }
export const PROMPT_BUDGET = { min: 250, max: 32_000 } as const

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
  /** where they stand at the instant that is shown */
  tiers: Tier[]
  decays: DecayClass[]
  /** learned from here until there, ms since 1970; empty: whenever */
  learned: readonly [] | readonly [from: number, to: number]
  /** empty: as an as-of read has it */
  statuses: MemoryStatus[]
  edges: Record<EdgeGroup, EdgeMode>
  selected: string | null
  query: string
  searchMode: SearchMode
  flat: boolean
  /** what is joined draws near, in the picture */
  attraction: boolean
  /** null: the whole map */
  camera: Camera | null
  panel: Panel | null
  /** the morning report that is open in its panel */
  report: string | null
  /** the entity that is open in its panel */
  entity: string | null
  prompt: PromptInput
}

export const INITIAL: View = {
  recorded: null,
  valid: null,
  clock: 'recorded',
  types: [],
  projects: [],
  namespaces: [],
  users: [],
  tiers: [],
  decays: [],
  learned: [],
  statuses: [],
  edges: { supersedes: 'focus', session: 'focus', sequence: 'focus', overlap: 'focus', derivation: 'focus' },
  selected: null,
  query: '',
  searchMode: 'both',
  flat: false,
  attraction: false,
  camera: null,
  panel: null,
  report: null,
  entity: null,
  prompt: DEFAULT_PROMPT,
}

/** What narrows the picture down, and what stands there when nothing does. */
export const NO_FILTERS = { types: [], projects: [], namespaces: [], users: [], tiers: [], decays: [], learned: [], statuses: [] } as const satisfies Partial<View>
export const FILTERS = Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]

export function isFiltered(view: View): boolean {
  return FILTERS.some((field) => view[field].length > 0)
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
