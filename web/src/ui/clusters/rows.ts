// Rows that lead to clusters, patterns and memories.
import type { ClusterSummary, PatternSummary } from '../../api/clusters'
import type { MemoryStatus, MemoryType, PatternStatus } from '../../api/schema.gen'
import { STATUSES, displayName } from '../../api/vocabulary'
import { DARK, LIGHT } from '../../scene/theme'
import { clusterHues } from '../../state/colorby'
import { NOTHING_OPEN } from '../../state/view'
import { glyph, h, swatch } from '../dom'
import type { Session } from '../session'

export const percent = (share: number): string => `${Math.round(100 * share)} %`

export const memories = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'memory' : 'memories'}`

/** What became of a pattern, in words. */
export const PATTERN_STATUS: Record<PatternStatus, string> = { CURRENT: 'Current', CONTESTED: 'Waits for a decision', SUPERSEDED: 'Has a later version', ENDED: 'Ended' }

/** The square with the colour that a cluster has on the map. */
export function clusterSwatch(s: Session, id: string): HTMLElement {
  const { world, light } = s.live.get()
  const { hues } = light ? LIGHT : DARK
  const clusters = world?.frame.clusters ?? []
  const k = clusters.findIndex((c) => c.id === id)
  return swatch(hues[k < 0 ? 0 : clusterHues(clusters)[k]!]!)
}

/** A button that opens a cluster, with a note on its right. */
export function clusterButton(s: Session, c: Pick<ClusterSummary, 'id' | 'label'>, note: string): HTMLElement {
  return h('button', { type: 'button', class: 'cluster-row', 'data-id': c.id, onclick: () => s.openCluster(c.id) }, clusterSwatch(s, c.id), h('span', { class: 'name' }, c.label), h('small', {}, note))
}

export function openPattern(s: Session, id: string): void {
  s.view.set({ ...NOTHING_OPEN, panel: 'patterns', pattern: id })
}

/** A button that opens a pattern: what it says, and how well it is supported. */
export function patternButton(s: Session, p: PatternSummary): HTMLElement {
  return h(
    'button',
    { type: 'button', class: p.status === 'ENDED' || p.status === 'SUPERSEDED' ? 'pattern-row over' : 'pattern-row', 'data-id': p.id, onclick: () => openPattern(s, p.id) },
    h('span', { class: 'pattern-head' }, h('b', {}, displayName(p.kind)), p.status !== 'CURRENT' && h('span', { class: p.status === 'CONTESTED' ? 'tag contested' : 'tag' }, PATTERN_STATUS[p.status]), p.safetyCritical && h('span', { class: 'tag contested' }, 'Safety-critical')),
    h('span', { class: 'pattern-text' }, p.text),
    h('small', {}, supportText(p)),
  )
}

/** "confidence 82 % · seen 14 times · 90 % success" */
export function supportText(p: PatternSummary): string {
  return [`confidence ${percent(p.confidence)}`, `seen ${p.occurrences.toLocaleString('en')} ${p.occurrences === 1 ? 'time' : 'times'}`, p.successRate === null ? 'no feedback yet' : `${percent(p.successRate)} success`].join(' · ')
}

interface LinkedMemory {
  id: string
  type: MemoryType
  status: MemoryStatus
  content: string | null
  summary: string | null
  unavailable: { message: string } | null
}

/** A button that opens a memory, with a note on its right. */
export function memoryRow(s: Session, m: LinkedMemory, note: string, meaning: string | null = null): HTMLElement {
  const gone = m.status !== STATUSES[0]
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: gone ? 'gone' : null, 'data-id': m.id, title: meaning, onclick: () => s.open(m.id, true) },
      glyph(m.type),
      h('span', { class: 'name' }, (m.content ?? m.summary ?? m.unavailable?.message ?? '').slice(0, 160)),
      h('span', { class: 'edge-name' }, gone ? displayName(m.status) : note),
    ),
  )
}

/** "Start a sleep": leads to the panel of sleeps. */
export function sleepButton(s: Session): HTMLElement {
  return h('button', { type: 'button', class: 'button', onclick: () => s.view.set({ ...NOTHING_OPEN, panel: 'sleep' }) }, 'Open the sleep panel')
}
