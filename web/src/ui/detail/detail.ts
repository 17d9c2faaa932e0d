// The memory panel: content, strength, versions, links and provenance.
import { ApiError } from '../../api/graphql'
import { fetchDetail, type Detail as Answer, type DetailMemory } from '../../api/operations'
import type { AsOf } from '../../api/schema.gen'
import { DECAY_CLASSES, displayName } from '../../api/vocabulary'
import { clusterOf } from '../../state/clusters'
import { dayText, momentText, spanText } from '../../state/clock'
import { retentionAt } from '../../state/visibility'
import type { World } from '../../state/world'
import { fadesAt } from '../../state/plasticity'
import { retentionCurve } from '../retentioncurve'
import { glyph, h, iconButton } from '../dom'
import { PlasticitySection, signals } from '../plasticity'
import type { Session } from '../session'
import { PathFinder } from '../path'
import { explanationSection } from '../explanation'
import { history } from './history'
import { entities, links } from './links'
import { place } from './place'
import { provenance } from './provenance'

const STRENGTHS: [keyof DetailMemory, string, string][] = [
  ['confidence', 'Confidence', 'how certain it is'],
  ['importance', 'Importance', 'given or computed'],
]

export class Detail {
  readonly element: HTMLElement
  private readonly body = h('div', { class: 'panel-body' })
  private readonly title = h('div', { class: 'kind' })
  private readonly previous: HTMLButtonElement
  private readonly next: HTMLButtonElement
  private running: AbortController | null = null
  private question = ''
  private retention: HTMLElement | null = null
  private readonly plasticity: PlasticitySection
  private readonly pathFinder: PathFinder
  private timer = 0

  constructor(private readonly s: Session) {
    this.plasticity = new PlasticitySection(s)
    this.pathFinder = new PathFinder(s)
    this.previous = iconButton('left', 'Previous version', () => s.stepVersion(-1), '[')
    this.next = iconButton('right', 'Next version', () => s.stepVersion(1), ']')
    this.element = h(
      'aside',
      { class: 'detail panel', 'aria-label': 'Memory', hidden: true },
      h('header', { class: 'panel-head' }, this.title, this.previous, this.next, iconButton('target', 'Centre on the map', () => this.centre(), 'f'), iconButton('close', 'Close', () => s.close(), 'Esc')),
      this.body,
    )
    s.view.on(['selected'], () => this.load())
    s.view.on(['recorded', 'valid'], () => {
      this.updateCurve()
      clearTimeout(this.timer)
      this.timer = window.setTimeout(() => this.load(), 300)
    })
    s.live.on(['world'], () => this.load(true))
    this.load()
  }

  private centre(): void {
    const id = this.s.view.get().selected
    if (id) this.s.open(id, true)
  }

  private async load(reload = false): Promise<void> {
    const v = this.s.view.get()
    this.element.hidden = v.selected === null
    if (v.selected === null) {
      this.question = ''
      this.running?.abort()
      this.plasticity.stop()
      this.pathFinder.stop()
      if (this.s.live.get().relations.length > 0) this.s.live.set({ relations: [] })
      return
    }
    const asOf = v.recorded === null ? null : { recorded: new Date(v.recorded).toISOString() }
    const question = `${v.selected} ${asOf?.recorded ?? ''}`
    if (question === this.question && !reload) return
    const isOther = this.question.slice(0, 36) !== v.selected
    this.question = question
    this.running?.abort()
    this.running = new AbortController()
    const { signal } = this.running
    if (isOther) {
      if (this.s.live.get().relations.length > 0) this.s.live.set({ relations: [] })
      this.title.replaceChildren()
      this.body.replaceChildren(h('div', { class: 'skeleton', 'aria-label': 'Loading' }, h('i'), h('i'), h('i'), h('i')))
      this.element.scrollTop = 0
    }
    try {
      const answer = await fetchDetail(v.selected, asOf, signal)
      if (signal.aborted) return
      this.show(answer, isOther, asOf)
    } catch (e) {
      if (signal.aborted) return
      this.fail(e)
    }
  }

  private fail(e: unknown): void {
    const missing = e instanceof ApiError && e.code === 'MEMORY_NOT_FOUND'
    const inPast = this.s.view.get().recorded !== null
    const text = missing ? (inPast ? 'This memory did not exist at the time shown.' : 'This memory doesn’t exist or was forgotten.') : e instanceof ApiError ? e.message : 'The memory could not be loaded.'
    const retry = h('button', { type: 'button', class: 'button', onclick: () => void this.load(true) }, 'Try again')
    this.title.replaceChildren()
    this.body.replaceChildren(h('div', { class: 'notice' }, h('p', {}, text), missing ? null : retry))
  }

  private show(answer: Answer, announce: boolean, asOf: AsOf | null): void {
    const m = answer.memory
    if (!m) {
      this.fail(new ApiError('', 'MEMORY_NOT_FOUND'))
      return
    }
    const versions = answer.lineage ?? []
    this.s.versions = versions
    const relations = [
      ...m.derivedFrom.map((d) => ({ from: m.id, to: d.id, kind: 'DERIVED_FROM' as const })),
      ...(m.consolidatedInto ? [{ from: m.id, to: m.consolidatedInto.id, kind: 'CONSOLIDATED_INTO' as const }] : []),
    ]
    if (relations.length + this.s.live.get().relations.length > 0) this.s.live.set({ relations })
    const position = versions.findIndex((x) => x.memory.id === m.id)
    this.previous.disabled = position <= 0
    this.next.disabled = position < 0 || position >= versions.length - 1
    this.title.replaceChildren(glyph(m.type), h('span', {}, displayName(m.type)))
    if (m.status !== 'ACTIVE') this.title.append(h('span', { class: `tag status-${m.status.toLowerCase()}` }, displayName(m.status)))
    if (m.core) this.title.append(h('span', { class: 'tag core' }, 'Core'))
    const parts: (Node | false | null)[] = [
      h('p', { class: m.content === null ? 'content gone' : 'content' }, m.content ?? m.unavailable?.message ?? 'The content was erased.'),
      this.facts(m),
      place(this.s, m),
      this.explanation(m),
      this.strength(m),
      this.plasticity.show(m, asOf, versions.map((v) => v.memory.id)),
      versions.length > 1 && history(this.s, m, versions),
      m.entities.length > 0 && entities(this.s, m),
      links(this.s, m),
      this.pathFinder.section(m.id),
      provenance(this.s, m),
    ]
    this.body.replaceChildren(...parts.filter((p): p is HTMLElement => Boolean(p)))
    if (announce) {
      this.element.scrollTop = 0
      this.body.scrollTop = 0
      this.s.announce(`${displayName(m.type)} memory, ${displayName(m.status)}: ${m.content ?? 'erased'}`)
    }
  }

  private explanation(m: DetailMemory): HTMLElement | null {
    const why = this.s.explain(m.id)
    return why && explanationSection(why)
  }

  private facts(m: DetailMemory): HTMLElement {
    const now = this.s.clock.now()
    const born = Date.parse(m.recordedAt)
    const chips: [string, string | null][] = [['Project', m.project], ['Namespace', m.namespace === 'default' ? null : m.namespace], ['User', m.user], ['Agent', m.agent]]
    return h(
      'div',
      { class: 'facts' },
      h('p', { class: 'muted', title: `${momentText(born)} UTC` }, `Learned ${dayText(born)}, ${spanText(now - born)} ago`, m.version > 1 ? ` · version ${m.version}` : ''),
      h('div', { class: 'chips' }, this.cluster(m.id), ...chips.map(([name, text]) => text && h('span', { class: 'chip', title: name }, text))),
    )
  }

  private cluster(id: string): HTMLElement | null {
    const cluster = clusterOf(this.s.live.get().world, id)
    return cluster && h('button', { type: 'button', class: 'chip', title: 'Show this cluster', onclick: () => this.s.openCluster(cluster.id) }, `Cluster: ${cluster.label}`)
  }

  private strength(m: DetailMemory): HTMLElement {
    this.retention = h('div', { class: 'retention' })
    this.updateCurve()
    const meters = STRENGTHS.map(([key, name, meaning]) => {
      const value = m[key] as number
      const fill = h('i')
      fill.style.width = `${Math.round(value * 100)}%`
      return h('div', { class: `meter meter-${key}`, title: meaning }, h('span', {}, name), h('b', {}, value.toFixed(2)), h('div', { class: 'bar' }, fill))
    })
    return h('section', {}, h('h3', {}, 'Retention'), this.retention, h('h3', {}, 'Five signals'), signals(m), h('div', { class: 'meters' }, ...meters))
  }

  /** Redraws the curve for the instant shown; needs no request. */
  private updateCurve(): void {
    const { world } = this.s.live.get()
    const id = this.s.view.get().selected
    const node = world && id ? world.indexOf(id) : -1
    if (!this.retention || !world || node < 0) return
    const at = this.s.moment().recorded
    if (at < world.frame.born[node]!) {
      this.retention.replaceChildren(h('p', { class: 'muted small' }, 'Not learned yet at this time.'))
      return
    }
    const left = retentionAt(world, node, at)
    this.retention.replaceChildren(
      h('div', { class: 'big' }, h('b', {}, `${Math.round(left * 100)}`), h('span', {}, '%')),
      retentionCurve(world, node, at, this.s.clock.now()),
      h('p', { class: 'muted small fade-note' }, this.forecast(world, node, at)),
    )
  }

  private forecast(world: World, node: number, at: number): string {
    const decay = `(${displayName(DECAY_CLASSES[world.frame.decayClass[node]!]!).toLowerCase()} decay)`
    const fades = fadesAt(world, node, at)
    if (!Number.isFinite(fades)) return 'Never fades'
    const now = this.s.clock.now()
    if (fades > now) return `Drops below 20 % on ${dayText(fades)} if unused ${decay}`
    return `Below 20 % since ${dayText(fades)} ${decay}`
  }
}
