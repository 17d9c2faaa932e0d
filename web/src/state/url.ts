// Converts a view to the hash of a link and back. Default values are left out.
import { DECAY_CLASSES, STATUSES, TIERS, TYPES } from '../api/vocabulary'
import { DEFAULT_PROMPT, PROMPT_BUDGET, COLOR_BY, EDGE_GROUPS, INITIAL, LAYOUTS, NO_CLUSTER, PANELS, type PromptInput, type Camera, type EdgeMode, type View } from './view'

const OPENED = ['selected', 'panel', 'report', 'entity', 'cluster', 'pattern', 'about'] as const
const LIST_KEYS = { project: 'projects', ns: 'namespaces', user: 'users' } as const
const PROMPT_KEYS = [['ask', 'query'], ['session', 'session'], ['for', 'user'], ['in', 'project'], ['budget', 'budget'], ['as', 'format']] as const
const FORMATS = ['MARKDOWN', 'XML', 'JSON'] as const
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function toHash(view: View): string {
  const q = new URLSearchParams()
  if (view.recorded !== null) q.set('t', formatInstant(view.recorded))
  if (view.valid !== null) q.set('v', formatInstant(view.valid))
  if (view.clock === 'valid') q.set('clock', 'valid')
  if (view.types.length > 0) q.set('type', view.types.join(','))
  if (view.statuses.length > 0) q.set('status', view.statuses.join(','))
  if (view.tiers.length > 0) q.set('tier', view.tiers.join(','))
  if (view.decays.length > 0) q.set('decay', view.decays.join(','))
  if (view.learned.length > 0) q.set('learned', view.learned.map(formatInstant).join(','))
  for (const [key, field] of Object.entries(LIST_KEYS)) for (const word of view[field]) q.append(key, word)
  const edges = EDGE_GROUPS.filter((g) => view.edges[g] !== INITIAL.edges[g]).map((g) => `${g}:${view.edges[g]}`)
  if (edges.length > 0) q.set('edges', edges.join(','))
  if (view.query) q.set('q', view.query)
  if (view.searchMode !== 'both') q.set('by', view.searchMode)
  if (view.selected) q.set('sel', view.selected)
  if (view.panel) q.set('panel', view.panel)
  if (view.report) q.set('report', view.report)
  if (view.entity) q.set('entity', view.entity)
  if (view.cluster) q.set('cluster', view.cluster)
  if (view.pattern) q.set('pattern', view.pattern)
  if (view.clusters.length > 0) q.set('within', view.clusters.join(','))
  if (view.color) q.set('color', view.color)
  if (!view.areas) q.set('areas', '0')
  if (view.about) q.set('about', view.about)
  if (view.compare.length > 0) q.set('between', view.compare.map(formatInstant).join(','))
  for (const [key, field] of PROMPT_KEYS) if (view.prompt[field] !== DEFAULT_PROMPT[field]) q.set(key, String(view.prompt[field]))
  if (view.flat) q.set('flat', '1')
  if (view.wide && view.panel) q.set('wide', '1')
  if (view.layout !== INITIAL.layout) q.set('layout', view.layout)
  if (view.hubs) q.set('hubs', '1')
  if (view.camera) q.set('c', [...view.camera.position, ...view.camera.target].map((x) => x.toFixed(3)).join(','))
  return q.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
}

/** Tells whether a view opens or closes something compared with another: a memory, a panel, a report, an entity, a user or a search. */
export function opensAnother(before: View, after: View): boolean {
  return OPENED.some((field) => before[field] !== after[field]) || (before.query === '') !== (after.query === '')
}

/** Parses a link. Values that it does not understand become defaults. */
export function fromHash(hash: string): View {
  const q = new URLSearchParams(hash.replace(/^#/, ''))
  const view: View = { ...INITIAL, edges: { ...INITIAL.edges } }
  view.recorded = parseInstant(q.get('t'))
  view.valid = parseInstant(q.get('v'))
  if (q.get('clock') === 'valid') view.clock = 'valid'
  view.types = TYPES.filter((t) => parseList(q, 'type').includes(t))
  view.statuses = STATUSES.filter((s) => parseList(q, 'status').includes(s))
  view.tiers = TIERS.filter((t) => parseList(q, 'tier').includes(t))
  view.learned = parseSpan(parseList(q, 'learned'))
  view.decays = DECAY_CLASSES.filter((d) => parseList(q, 'decay').includes(d))
  for (const [key, field] of Object.entries(LIST_KEYS)) view[field] = [...new Set(q.getAll(key))]
  for (const word of parseList(q, 'edges')) {
    const [group, mode] = word.split(':')
    const known = EDGE_GROUPS.find((g) => g === group)
    if (known && (mode === 'focus' || mode === 'all' || mode === 'off')) view.edges[known] = mode satisfies EdgeMode
  }
  view.query = q.get('q') ?? ''
  const by = q.get('by')
  view.searchMode = by === 'meaning' || by === 'words' ? by : 'both'
  view.selected = parseUuid(q.get('sel'))
  view.panel = PANELS.find((p) => p === q.get('panel')) ?? null
  view.report = parseUuid(q.get('report'))
  view.entity = parseUuid(q.get('entity'))
  view.cluster = parseUuid(q.get('cluster'))
  view.pattern = parseUuid(q.get('pattern'))
  view.clusters = parseList(q, 'within').filter((id) => id === NO_CLUSTER || UUID.test(id))
  view.color = COLOR_BY.find((c) => c === q.get('color')) ?? null
  view.areas = q.get('areas') !== '0'
  view.about = (q.get('about') ?? '').slice(0, 512)
  view.compare = parseSpan(parseList(q, 'between'))
  view.prompt = parsePrompt(q)
  view.flat = q.get('flat') === '1'
  // Links of earlier versions have springs=1.
  view.layout = q.get('springs') === '1' ? 'links' : (LAYOUTS.find((l) => l === q.get('layout')) ?? INITIAL.layout)
  view.hubs = q.get('hubs') === '1'
  view.wide = q.get('wide') === '1' && view.panel !== null
  view.camera = parseCamera(q.get('c'))
  return view
}

function parsePrompt(q: URLSearchParams): PromptInput {
  const text = (key: string, otherwise: string) => (q.get(key) ?? otherwise).slice(0, 512)
  const budget = Math.round(Number(q.get('budget') ?? NaN))
  return {
    query: text('ask', DEFAULT_PROMPT.query),
    session: text('session', DEFAULT_PROMPT.session) || DEFAULT_PROMPT.session,
    user: text('for', DEFAULT_PROMPT.user),
    project: text('in', DEFAULT_PROMPT.project),
    budget: budget >= PROMPT_BUDGET.min && budget <= PROMPT_BUDGET.max ? budget : DEFAULT_PROMPT.budget,
    format: FORMATS.find((f) => f === q.get('as')) ?? DEFAULT_PROMPT.format,
  }
}

function parseSpan(ends: string[]): readonly [] | readonly [from: number, to: number] {
  const [from, to] = ends.map(Date.parse)
  return ends.length === 2 && Number.isFinite(from) && Number.isFinite(to) && from! < to! ? [from!, to!] : []
}

function parseUuid(text: string | null): string | null {
  return text !== null && UUID.test(text) ? text : null
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

function parseInstant(text: string | null): number | null {
  const ms = text ? Date.parse(text) : NaN
  return Number.isFinite(ms) ? ms : null
}

function parseList(q: URLSearchParams, key: string): string[] {
  return (q.get(key) ?? '').split(',').filter(Boolean)
}

function parseCamera(text: string | null): Camera | null {
  const n = (text ?? '').split(',').map(Number)
  if (n.length !== 6 || !n.every(Number.isFinite)) return null
  return { position: [n[0]!, n[1]!, n[2]!], target: [n[3]!, n[4]!, n[5]!] }
}
