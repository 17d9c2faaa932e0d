// The legend and the filters: symbols, counts, and what is shown.
import { DECAY_CLASSES, STATUSES, TIERS, TYPES, displayName } from '../api/vocabulary'
import type { DecayClass, MemoryStatus, MemoryType, Tier } from '../api/schema.gen'
import type { Dictionary } from '../api/frame'
import { chosenStatuses, countValues, hiddenText, shownStatuses } from '../state/filters'
import { clusterHues, COLOR_NAMES, coloring, colorings, valueHues } from '../state/colorby'
import { DARK, LIGHT, type Palette } from '../scene/theme'
import { COLOR_BY, NO_CLUSTER, EDGE_GROUPS, FILTERS, isFiltered, NO_FILTERS, type EdgeGroup, type ColorBy, type EdgeMode, type View } from '../state/view'
import { stateAt, statusAt, visibleAt } from '../state/visibility'
import { spanText } from '../state/clock'
import { glyph, h, iconButton, swatch } from './dom'
import { layoutControl } from './layoutcontrol'
import type { Session } from './session'
import type { World } from '../state/world'

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
const CLUSTER_ROWS = 8
const MAX_CLUSTER_ROWS = 100

type ListField = 'projects' | 'namespaces' | 'users'

interface Counts {
  byType: Uint32Array
  byStatus: Uint32Array
  byTier: Uint32Array
  byDecay: Uint32Array
  /** memories in no cluster, then those of each cluster */
  byCluster: Uint32Array
  /** 1 for each visible node */
  visible: Uint8Array
}

const NO_COUNTS: Counts = {
  byType: new Uint32Array(TYPES.length), byStatus: new Uint32Array(STATUSES.length), byTier: new Uint32Array(TIERS.length), byDecay: new Uint32Array(DECAY_CLASSES.length),
  byCluster: new Uint32Array(1), visible: new Uint8Array(0),
}

export class Filters {
  readonly element: HTMLElement
  private readonly body = h('div', { class: 'panel-body' })
  private readonly hiddenNote = h('p', { class: 'hidden-note', hidden: true })
  private readonly expanded = new Set<string>()
  private readonly colorBy = h('select', { id: 'color-by' })
  private offered = ''

  constructor(private readonly s: Session) {
    this.colorBy.addEventListener('change', () => this.s.view.set({ color: COLOR_BY.find((by) => by === this.colorBy.value) ?? null }))
    const reset = h('button', { type: 'button', class: 'link reset', onclick: () => this.reset() }, 'Reset')
    this.element = h(
      'aside',
      { class: 'filters panel', 'aria-label': 'Legend and filters' },
      h('header', { class: 'panel-head' }, h('h2', {}, 'Memories'), reset, iconButton('close', 'Hide filters', () => document.body.classList.remove('show-filters'))),
      this.hiddenNote,
      h('div', { class: 'color-by' }, h('label', { for: 'color-by' }, 'Colour by'), this.colorBy),
      layoutControl(s),
      this.body,
    )
    s.live.on(['world', 'light'], () => this.update())
    s.view.on([...FILTERS, 'edges', 'color', 'recorded', 'valid'], (v, before) => {
      const instantOnly = v.edges === before.edges && v.color === before.color && FILTERS.every((field) => v[field] === before[field])
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
    const by = coloring(view.color, world?.frame ?? null)
    this.updateColorBy(by)
    const focusedKey = document.activeElement instanceof HTMLElement && this.body.contains(document.activeElement) ? document.activeElement.dataset['key'] : undefined
    const counts = world ? this.count(world) : NO_COUNTS
    this.hiddenNote.textContent = hiddenText(counts.byStatus, shownStatuses(view.statuses, view.valid))
    this.hiddenNote.hidden = this.hiddenNote.textContent === ''
    const types = TYPES.map((t, i) => this.toggle(view.types, t, glyph(t), displayName(t), counts.byType[i]!, MEANING[t], (types) => this.s.view.set({ types })))
    const groups: [ColorBy | '', HTMLElement | null][] = [['type', this.group('Type', types)], ['', this.group('Edges', EDGE_GROUPS.map((g) => this.edge(g, view.edges[g])))]]
    if (world) {
      const statuses = STATUSES.filter((s, i) => counts.byStatus[i]! > 0 || view.statuses.includes(s)).filter((s) => s !== 'FORGOTTEN')
      if (by === 'cluster' || view.clusters.length > 0) groups.push(['cluster', this.clusterGroup(world, counts.byCluster, by === 'cluster')])
      if (by === 'retention' || by === 'age' || by === 'confidence') groups.push([by, this.scale(world, by)])
      if (statuses.length > 0) groups.push(['', this.group('Status', statuses.map((st) => this.status(st, counts.byStatus[STATUSES.indexOf(st)]!)))])
      groups.push(['', this.valueGroup(view, 'projects', 'Project', 'none', world.frame.project, counts.visible, false)])
      groups.push(['namespace', this.valueGroup(view, 'namespaces', 'Namespace', 'default', world.frame.namespace, counts.visible, by === 'namespace')])
      groups.push(['user', this.valueGroup(view, 'users', 'User', 'no user', world.frame.user, counts.visible, by === 'user')])
      groups.push(['', this.codeGroup(TIERS, counts.byTier, view.tiers, 'Tier', TIER_NAMES, (tiers) => this.s.view.set({ tiers }))])
      groups.push(['', this.codeGroup(DECAY_CLASSES, counts.byDecay, view.decays, 'Decay', DECAY_NAMES, (decays) => this.s.view.set({ decays }))])
    }
    // The meaning of the colours comes first.
    groups.sort(([a], [b]) => Number(b === by) - Number(a === by))
    this.body.replaceChildren(...groups.flatMap(([, group]) => group ?? []))
    this.element.classList.toggle('plain-types', by !== 'type')
    if (focusedKey) this.body.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusedKey)}"]`)?.focus()
    this.element.classList.toggle('narrowed', isFiltered(view))
  }

  /** Offers the ways to colour the scene. */
  private updateColorBy(by: ColorBy): void {
    const offered = colorings(this.s.live.get().world?.frame ?? null)
    if (offered.join() !== this.offered) this.colorBy.replaceChildren(...offered.map((c) => h('option', { value: c }, COLOR_NAMES[c])))
    this.offered = offered.join()
    this.colorBy.value = by
  }

  /** Numbers of visible memories. */
  private count(world: World): Counts {
    const f = world.frame
    const counts: Counts = {
      byType: new Uint32Array(TYPES.length), byStatus: new Uint32Array(STATUSES.length), byTier: new Uint32Array(TIERS.length), byDecay: new Uint32Array(DECAY_CLASSES.length),
      byCluster: new Uint32Array(f.clusters.length + 1), visible: new Uint8Array(world.count),
    }
    const at = this.s.moment()
    for (let i = 0; i < world.count; i++) {
      if (visibleAt(world, i, at)) {
        counts.byType[f.type[i]!]!++
        counts.byTier[f.stateTier[stateAt(world, i, at.recorded)]!]!++
        counts.byDecay[f.decayClass[i]!]!++
        counts.byCluster[f.cluster[i]! + 1]!++
        counts.visible[i] = 1
      }
      const status = statusAt(world, i, at.recorded)
      if (status >= 0) counts.byStatus[status]!++
    }
    return counts
  }

  private palette(): Palette {
    return this.s.live.get().light ? LIGHT : DARK
  }

  /** The largest clusters. A click shows only the cluster and moves the camera to it; the button beside it opens its panel. */
  private clusterGroup(world: World, counts: Uint32Array, colored: boolean): HTMLElement {
    const { clusters } = world.frame
    const chosen = this.s.view.get().clusters
    const { hues } = this.palette()
    const sign = (hue: number) => (colored ? swatch(hues[hue]!) : h('i', { class: 'tick-box' }))
    const hueOf = clusterHues(clusters)
    const open = this.expanded.has('clusters')
    const some = clusters.map((c, k) => ({ c, k })).filter(({ c, k }) => open ? k < MAX_CLUSTER_ROWS : k < CLUSTER_ROWS || chosen.includes(c.id))
    const rows: Node[] = some.map(({ c, k }) => {
      const show = (list: string[]) => {
        if (list.includes(c.id)) this.s.showArea(c.position, c.radius)
        this.s.view.set({ clusters: list })
      }
      const row = this.toggle(chosen, c.id, sign(hueOf[k]!), c.label, counts[k + 1]!, c.label, show)
      const about = iconButton('right', `About the cluster ${c.label}`, () => this.s.openCluster(c.id))
      about.dataset['key'] = `about:${c.id}`
      return h('div', { class: 'row-pair' }, row, about)
    })
    if (clusters.length > CLUSTER_ROWS) rows.push(this.more('clusters', open, `${Math.min(clusters.length, MAX_CLUSTER_ROWS) - CLUSTER_ROWS} more`))
    rows.push(this.toggle(chosen, NO_CLUSTER, sign(0), 'In no cluster', counts[0]!, 'Memories that are in no cluster', (list) => this.s.view.set({ clusters: list })))
    return this.group('Cluster', rows)
  }

  /** The colours of a value from low to high. */
  private scale(world: World, by: 'retention' | 'age' | 'confidence'): HTMLElement {
    const { ramp } = this.palette()
    const bar = h('i', { class: 'ramp' })
    bar.style.background = `linear-gradient(to right, ${ramp.join(', ')})`
    const span = spanText(this.s.clock.now() - world.firstBorn)
    const [low, high] = by === 'retention' ? ['faded', 'as new'] : by === 'confidence' ? ['doubtful', 'certain'] : [`${span} old`, 'new']
    return this.group(COLOR_NAMES[by], [h('div', { class: 'scale' }, bar, h('span', {}, low!), h('span', {}, high!))])
  }

  private codeGroup<T extends string>(all: readonly T[], counts: Uint32Array, chosen: T[], name: string, names: Record<T, [string, string]>, set: (list: T[]) => void): HTMLElement | null {
    const some = all.filter((c, i) => counts[i]! > 0 || chosen.includes(c))
    if (some.length < 2 && chosen.length === 0) return null
    return this.group(name, some.map((c) => this.toggle(chosen, c, h('i', { class: 'tick-box' }), names[c][0], counts[all.indexOf(c)]!, names[c][1], set)))
  }

  private group(name: string, rows: Node[]): HTMLElement {
    return h('section', { class: `group group-${name.toLowerCase()}`, role: 'group', 'aria-label': name }, h('h3', {}, name), ...rows)
  }

  /** The values of a dictionary; `colored`: the points have their colours. */
  private valueGroup(view: View, field: ListField, name: string, empty: string, texts: Dictionary, seen: Uint8Array, colored: boolean): HTMLElement | null {
    const all = countValues(texts, seen)
    if (all.length < 2 && view[field].length === 0 && !colored) return null
    const open = this.expanded.has(field)
    const hueOf = colored ? valueHues(texts) : null
    const sign = (word: string) => (hueOf ? swatch(this.palette().hues[hueOf[texts.values.indexOf(word)]!]!) : h('i', { class: 'tick-box' }))
    const rows: Node[] = (open ? all : all.slice(0, COLLAPSED_ROWS)).map(({ word, count }) =>
      this.toggle(view[field], word, sign(word), word || empty, count, '', (list) => this.s.view.set({ [field]: list })),
    )
    if (all.length > COLLAPSED_ROWS) rows.push(this.more(field, open, `${all.length - COLLAPSED_ROWS} more`))
    return this.group(name, rows)
  }

  /** A button that shows all rows of a group, or the first ones. */
  private more(group: string, open: boolean, text: string): HTMLElement {
    const more = h('button', { type: 'button', class: 'link more', 'data-key': `more:${group}`, 'aria-expanded': String(open) }, open ? 'Show less' : text)
    more.addEventListener('click', () => {
      if (open) this.expanded.delete(group)
      else this.expanded.add(group)
      this.update()
    })
    return more
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
          type: 'button', role: 'radio', 'aria-checked': String(m === mode), tabindex: m === mode ? 0 : -1, 'data-key': `edge:${group}:${m}`,
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
      h('div', { class: 'segmented small', role: 'radiogroup', 'aria-label': `${name}: edges shown`, onkeydown: (e: KeyboardEvent) => this.stepMode(e, group) }, ...choices),
    )
  }
  /** Arrow keys choose the next mode of a group, which is one tab stop. */
  private stepMode(e: KeyboardEvent, group: EdgeGroup): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key]
    if (!step) return
    e.preventDefault()
    e.stopPropagation()
    const { edges } = this.s.view.get()
    const next = MODES[(MODES.indexOf(edges[group]) + step + MODES.length) % MODES.length]!
    this.s.view.set({ edges: { ...edges, [group]: next } })
    this.element.querySelector<HTMLElement>(`[data-key="edge:${group}:${next}"]`)?.focus()
  }
}
