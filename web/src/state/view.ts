// The view, which is what a link contains, and an observable store.
import type { ContextFormat, DecayClass, MemoryStatus, MemoryType, Tier } from '../api/schema.gen'

export type Clock = 'recorded' | 'valid'
export type EdgeGroup = 'supersedes' | 'session' | 'sequence' | 'overlap' | 'derivation'
export type EdgeMode = 'focus' | 'all' | 'off'

/** The panels of the dock by group; the panels of a group are tabs. */
export const PANEL_GROUPS = {
  memories: ['list', 'entities', 'known', 'documents', 'changes'],
  clusters: ['clusters', 'patterns'],
  sleep: ['sleep', 'mornings', 'fading', 'conflicts', 'policy'],
  dashboards: ['health', 'boards', 'quality', 'gate', 'privacy', 'speed'],
  agent: ['prompt', 'tasks'],
} as const
export type PanelGroup = keyof typeof PANEL_GROUPS
export type Panel = (typeof PANEL_GROUPS)[PanelGroup][number]
export const PANELS: readonly Panel[] = Object.values(PANEL_GROUPS).flat()

export function panelGroupOf(panel: Panel): PanelGroup {
  return (Object.keys(PANEL_GROUPS) as PanelGroup[]).find((group) => (PANEL_GROUPS[group] as readonly Panel[]).includes(panel))!
}

/** What the colour of a point says. */
export const COLOR_BY = ['cluster', 'type', 'namespace', 'user', 'retention', 'age', 'confidence'] as const
export type ColorBy = (typeof COLOR_BY)[number]

/** In a filter: memories that are in no cluster. */
export const NO_CLUSTER = 'none'

export const LAYOUTS = ['meaning', 'links'] as const
export type Layout = (typeof LAYOUTS)[number]

/** by which parts of the score a search ranks */
export type SearchMode = 'both' | 'meaning' | 'words'

export interface Camera {
  position: [number, number, number]
  target: [number, number, number]
}

/** The inputs of the prompt preview. */
export interface PromptInput {
  query: string
  session: string
  /** "": no user */
  user: string
  project: string
  /** of the whole prompt */
  budget: number
  format: ContextFormat
}

export const DEFAULT_PROMPT: PromptInput = { query: '', session: 'preview', user: '', project: '', budget: 4400, format: 'MARKDOWN' }
export const PROMPT_BUDGET = { min: 250, max: 32_000 } as const

export interface View {
  /** recorded time that is shown, ms since 1970; null: now */
  recorded: number | null
  /** valid time that is shown, ms since 1970; null: any */
  valid: number | null
  /** the clock that the timeline moves */
  clock: Clock
  /** empty: all */
  types: MemoryType[]
  projects: string[]
  namespaces: string[]
  users: string[]
  /** ids of clusters, or NO_CLUSTER; ids that the scene does not have are ignored */
  clusters: string[]
  /** tiers at the instant shown */
  tiers: Tier[]
  decays: DecayClass[]
  /** recorded between these times, ms since 1970; empty: any time */
  learned: readonly [] | readonly [from: number, to: number]
  /** empty: those that an as-of read returns */
  statuses: MemoryStatus[]
  edges: Record<EdgeGroup, EdgeMode>
  /** null: by cluster if there are clusters, otherwise by type */
  color: ColorBy | null
  /** the areas of the largest clusters are drawn */
  areas: boolean
  selected: string | null
  query: string
  searchMode: SearchMode
  flat: boolean
  /** what places memories: alike ones are near each other, or linked ones */
  layout: Layout
  /** the entities that most memories mention are drawn, with their relations */
  hubs: boolean
  /** null: the whole map */
  camera: Camera | null
  panel: Panel | null
  /** the dock is as wide as the page */
  wide: boolean
  /** the open morning report */
  report: string | null
  /** the open entity */
  entity: string | null
  /** the open cluster */
  cluster: string | null
  /** the open pattern */
  pattern: string | null
  /** the user of "What I know about you"; "": the first one */
  about: string
  /** the two instants that the panel of changes compares, ms since 1970; empty: the month before the instant shown */
  compare: readonly [] | readonly [from: number, to: number]
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
  clusters: [],
  tiers: [],
  decays: [],
  learned: [],
  statuses: [],
  edges: { supersedes: 'focus', session: 'focus', sequence: 'focus', overlap: 'focus', derivation: 'focus' },
  color: null,
  areas: true,
  selected: null,
  query: '',
  searchMode: 'both',
  flat: false,
  layout: 'meaning',
  hubs: false,
  camera: null,
  panel: null,
  wide: false,
  report: null,
  entity: null,
  cluster: null,
  pattern: null,
  about: '',
  compare: [],
  prompt: DEFAULT_PROMPT,
}

/** Nothing of a panel is open: its list is shown. */
export const NOTHING_OPEN = { report: null, entity: null, cluster: null, pattern: null } as const satisfies Partial<View>

/** The filters of a view, with their values when nothing is filtered. */
export const NO_FILTERS = { types: [], projects: [], namespaces: [], users: [], clusters: [], tiers: [], decays: [], learned: [], statuses: [] } as const satisfies Partial<View>
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

  /** Changes some fields. Listeners of a field that differs are called once. */
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
