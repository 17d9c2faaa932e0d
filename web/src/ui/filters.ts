// The legend and the filters: symbols, counts, and what is shown.
import { DECAY_CLASSES, STATUSES, TIERS, TYPES, displayName } from '../api/vocabulary'
import type { DecayClass, MemoryStatus, MemoryType, Tier } from '../api/schema.gen'
import type { Dictionary } from '../api/frame'
import { chosenStatuses, countValues, shownStatuses } from '../state/filters'
import { EDGE_GROUPS, FILTERS, isFiltered, NO_FILTERS, type EdgeGroup, type EdgeMode, type View } from '../state/view'
import { stateAt, statusAt, visibleAt } from '../state/visibility'
import { glyph, h, iconButton } from './dom'
import type { Session } from './session'

const MEANING: Record<MemoryType, string> = {
  EPISODIC: 'events',
  SEMANTIC: 'facts',
  WORKING: 'current context; expires',
  DOCUMENT: 'reference material',
  PROCEDURAL: 'instructions',
}

const EDGE_NAMES: Record<EdgeGroup, [string, string]> = {
  supersedes: ['Superseded by', 'from a version to the one that replaced it'],
  derivation: ['Derivation', 'sources, evidence and conflicts'],
  session: ['Same session', 'recorded in the same session'],
  sequence: ['Next in session', 'the next memory of the session'],
  overlap: ['Shared entities', 'the more they share, the stronger the line'],
}

const TIER_NAMES: Record<Tier, [string, string]> = {
  L0: ['Buffer', 'L0: the current conversation'],
  L1: ['Index', 'L1: where every memory starts'],
  L2: ['Schema', 'L2: memories that proved important'],
  L3: ['Recess', 'L3: engrams, which never change'],
}

const DECAY_NAMES: Record<DecayClass, [string, string]> = {
  NONE: ['Never', 'does not fade'],
  SLOW: ['Slow', 'facts and instructions'],
  MEDIUM: ['Medium', 'events'],
  FAST: ['Fast', 'current context'],
}

const MODES: EdgeMode[] = ['off', 'focus', 'all']
const COLLAPSED_ROWS = 5

type ListField = 'projects' | 'namespaces' | 'users'

export class Filters {
  readonly element: HTMLElement
  private readonly body = h('div', { class: 'panel-body' })
  private readonly expanded = new Set<string>()

  constructor(private readonly s: Session) {
    const reset = h('button', { type: 'button', class: 'link reset', onclick: () => this.reset() }, 'Reset')
    this.element = h(
      'aside',
      { class: 'filters panel', 'aria-label': 'Legend and filters' },
      h('header', { class: 'panel-head' }, h('h2', {}, 'Memories'), reset, iconButton('close', 'Hide filters', () => document.body.classList.remove('show-filters'))),
      this.body,
    )
    s.live.on(['world'], () => this.update())
    s.view.on([...FILTERS, 'edges', 'recorded', 'valid'], (v, before) => {
      const instantOnly = v.edges === before.edges && FILTERS.every((field) => v[field] === before[field])
      if (instantOnly) this.updateSoon()
      else this.update()
    })
    this.update()
  }

  private timer = 0

  // During playback the counts are updated a few times a second.
  private updateSoon(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      this.update()
    }, 160)
  }

  private reset(): void {
    this.s.view.set({ ...NO_FILTERS })
  }

  private update(): void {
    const { world } = this.s.live.get()
    const view = this.s.view.get()
    const focusedKey = document.activeElement instanceof HTMLElement && this.body.contains(document.activeElement) ? document.activeElement.dataset['key'] : undefined
    const parts: (Node | null)[] = []
    const byType = new Uint32Array(TYPES.length)
    const byStatus = new Uint32Array(STATUSES.length)
    const byTier = new Uint32Array(TIERS.length)
    const byDecay = new Uint32Array(DECAY_CLASSES.length)
    const visible = new Uint8Array(world?.count ?? 0)
    if (world) {
      const at = this.s.moment()
      for (let i = 0; i < world.count; i++) {
        if (visibleAt(world, i, at)) {
          byType[world.frame.type[i]!]!++
          byTier[world.frame.stateTier[stateAt(world, i, at.recorded)]!]!++
          byDecay[world.frame.decayClass[i]!]!++
          visible[i] = 1
        }
        const status = statusAt(world, i, at.recorded)
        if (status >= 0) byStatus[status]!++
      }
    }
    parts.push(
      this.group('Type', TYPES.map((t, i) => this.toggle(view.types, t, glyph(t), displayName(t), byType[i]!, MEANING[t], (types) => this.s.view.set({ types })))),
    )
    parts.push(this.group('Edges', EDGE_GROUPS.map((g) => this.edge(g, view.edges[g]))))
    if (world) {
      const statuses = STATUSES.filter((s, i) => byStatus[i]! > 0 || view.statuses.includes(s)).filter((s) => s !== 'FORGOTTEN')
      if (statuses.length > 0) parts.push(this.group('Status', statuses.map((st) => this.status(st, byStatus[STATUSES.indexOf(st)]!))))
      parts.push(this.valueGroup(view, 'projects', 'Project', 'none', world.frame.project, visible))
      parts.push(this.valueGroup(view, 'namespaces', 'Namespace', 'default', world.frame.namespace, visible))
      parts.push(this.valueGroup(view, 'users', 'User', 'no user', world.frame.user, visible))
      parts.push(this.codeGroup(TIERS, byTier, view.tiers, 'Tier', TIER_NAMES, (tiers) => this.s.view.set({ tiers })))
      parts.push(this.codeGroup(DECAY_CLASSES, byDecay, view.decays, 'Decay', DECAY_NAMES, (decays) => this.s.view.set({ decays })))
    }
    this.body.replaceChildren(...parts.filter((p): p is Node => p !== null))
    if (focusedKey) this.body.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusedKey)}"]`)?.focus()
    this.element.classList.toggle('narrowed', isFiltered(view))
  }

  private codeGroup<T extends string>(all: readonly T[], counts: Uint32Array, chosen: T[], name: string, names: Record<T, [string, string]>, set: (list: T[]) => void): HTMLElement | null {
    const some = all.filter((c, i) => counts[i]! > 0 || chosen.includes(c))
    if (some.length < 2 && chosen.length === 0) return null
    return this.group(name, some.map((c) => this.toggle(chosen, c, h('i', { class: 'tick-box' }), names[c][0], counts[all.indexOf(c)]!, names[c][1], set)))
  }

  private group(name: string, rows: Node[]): HTMLElement {
    return h('section', { class: `group group-${name.toLowerCase()}`, role: 'group', 'aria-label': name }, h('h3', {}, name), ...rows)
  }

  private valueGroup(view: View, field: ListField, name: string, empty: string, texts: Dictionary, seen: Uint8Array): HTMLElement | null {
    const all = countValues(texts, seen)
    if (all.length < 2 && view[field].length === 0) return null
    const open = this.expanded.has(field)
    const rows: Node[] = (open ? all : all.slice(0, COLLAPSED_ROWS)).map(({ word, count }) =>
      this.toggle(view[field], word, h('i', { class: 'tick-box' }), word || empty, count, '', (list) => this.s.view.set({ [field]: list })),
    )
    if (all.length > COLLAPSED_ROWS) {
      const more = h('button', { type: 'button', class: 'link more' }, open ? 'Show less' : `${all.length - COLLAPSED_ROWS} more`)
      more.addEventListener('click', () => {
        if (open) this.expanded.delete(field)
        else this.expanded.add(field)
        this.update()
      })
      rows.push(more)
    }
    return this.group(name, rows)
  }

  // An empty selection means all; the first choice selects only it. With Alt, a click selects
  // only the value.
  private toggle<T extends string>(chosen: T[], value: T, sign: Node, name: string, count: number, meaning: string, set: (list: T[]) => void): HTMLElement {
    const on = chosen.includes(value)
    const row = h(
      'button',
      { type: 'button', class: 'row', 'aria-pressed': String(on), title: meaning || null, 'data-key': `${name}:${value}` },
      sign,
      h('span', { class: 'name' }, name),
      h('span', { class: 'count' }, count.toLocaleString('en')),
    )
    row.classList.toggle('off', chosen.length > 0 && !on)
    row.classList.toggle('on', on)
    row.addEventListener('click', (e) => set(e.altKey ? [value] : on ? chosen.filter((c) => c !== value) : [...chosen, value]))
    return row
  }

  private status(status: MemoryStatus, count: number): HTMLElement {
    const { statuses, valid } = this.s.view.get()
    const dot = h('i', { class: `status-dot status-${status.toLowerCase()}` })
    return this.toggle(shownStatuses(statuses, valid), status, dot, displayName(status), count, '', (list) => this.s.view.set({ statuses: chosenStatuses(list, valid) }))
  }

  private edge(group: EdgeGroup, mode: EdgeMode): HTMLElement {
    const [name, meaning] = EDGE_NAMES[group]
    const choices = MODES.map((m) =>
      h(
        'button',
        {
          type: 'button', role: 'radio', 'aria-checked': String(m === mode), 'data-key': `edge:${group}:${m}`,
          onclick: () => this.s.view.set({ edges: { ...this.s.view.get().edges, [group]: m } }),
        },
        m,
      ),
    )
    return h(
      'div',
      { class: 'row edge-row', title: meaning },
      h('i', { class: `line line-${group}` }),
      h('span', { class: 'name' }, name),
      h('div', { class: 'segmented small', role: 'radiogroup', 'aria-label': `${name}: edges shown` }, ...choices),
    )
  }
}
