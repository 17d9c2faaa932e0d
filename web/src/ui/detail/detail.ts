// The memory panel: text, history, why it was found, links, and last the numbers.
import { ApiError } from '../../api/graphql'
import { fetchDetail, type Detail as Answer, type DetailMemory } from '../../api/operations'
import type { AsOf } from '../../api/schema.gen'
import { DECAY_CLASSES, displayName } from '../../api/vocabulary'
import { actionsFor, type Action } from '../../state/actions'
import { clusterName, clusterOf } from '../../state/clusters'
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

/** A part is at the top from so many pixels before it. */
const TAB_SLACK = 24

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
  private readonly tabs = h('nav', { class: 'detail-tabs', 'aria-label': 'Parts of the memory' })
  private readonly numbersBody = h('div')
  /** closed until it is opened; it stays as it is from memory to memory */
  private readonly numbers = h('details', { class: 'detail-part detail-numbers', id: 'part-numbers' }, h('summary', {}, 'Numbers', h('small', {}, 'retention, signals, tiers, provenance')), this.numbersBody)
  private parts: { button: HTMLButtonElement; element: HTMLElement }[] = []
  /** the part that a tab led to, and where the panel stood then */
  private jump: { element: HTMLElement; top: number } | null = null

  constructor(private readonly s: Session) {
    this.plasticity = new PlasticitySection(s)
    this.pathFinder = new PathFinder(s)
    this.previous = iconButton('left', 'Previous version', () => s.stepVersion(-1), '[')
    this.next = iconButton('right', 'Next version', () => s.stepVersion(1), ']')
    this.element = h(
      'aside',
      { class: 'detail panel', 'aria-label': 'Memory', hidden: true },
      h('header', { class: 'panel-head' }, this.title, this.previous, this.next, iconButton('target', 'Centre on the map', () => this.centre(), 'f'), iconButton('close', 'Close', () => s.close(), 'Esc')),
      this.tabs,
      this.body,
    )
    this.numbers.addEventListener('toggle', () => this.markTab())
    this.body.addEventListener('scroll', () => this.markTab())
    s.live.on(['scopes'], () => this.load(true))
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
      this.tabs.replaceChildren()
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
    this.tabs.replaceChildren()
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
    const { recorded, valid } = this.s.view.get()
    const past = recorded !== null || valid !== null
    const reason = versions[position]?.reason
    const actions = actionsFor(this.s.live.get().scopes, { ...m, revised: m.supersedes !== null && (reason === 'REVISED' || reason === 'CORRECTED') }, past)
    const acting = h('div')
    const conflicts = h('div', { class: 'detail-part' })
    this.fill(acting, m, versions.map((x) => x.memory.id), actions)
    this.fillConflicts(conflicts, m)
    const text = part('text', h('p', { class: m.content === null ? 'content gone' : 'content' }, m.content ?? m.unavailable?.message ?? 'The content was erased.'), this.facts(m), acting, conflicts, place(this.s, m))
    const versionsPart = versions.length > 1 ? part('history', history(this.s, m, versions)) : null
    const why = this.explanation(m)
    const linked = links(this.s, m)
    const related = part('links', m.entities.length > 0 && entities(this.s, m), linked, this.pathFinder.section(m.id))
    this.numbersBody.replaceChildren(this.strength(m), this.plasticity.show(m, asOf, versions.map((x) => x.memory.id)), provenance(this.s, m))
    this.body.replaceChildren(...[text, versionsPart, why, related, this.numbers].filter((p): p is HTMLElement => p !== null))
    this.showTabs([
      ['Text', null, text],
      ['History', versions.length > 1 ? versions.length : null, versionsPart],
      ['Links', related.querySelectorAll('.links > li, .chips > .chip').length, related],
      ['Numbers', null, this.numbers],
    ])
    if (announce) {
      this.element.scrollTop = 0
      this.body.scrollTop = 0
      this.jump = null
      this.markTab()
      this.s.announce(`${displayName(m.type)} memory, ${displayName(m.status)}: ${m.content ?? 'erased'}`)
    }
  }

  /** The buttons that change the memory; their code is loaded when there are any. */
  private fill(into: HTMLElement, m: DetailMemory, versions: readonly string[], actions: readonly Action[]): void {
    into.hidden = actions.length === 0
    if (actions.length > 0) void import('../acting/bar').then(({ actionBar }) => into.replaceChildren(actionBar(this.s, m, versions, actions, () => void this.load(true))), ignoreMissing)
  }

  private fillConflicts(into: HTMLElement, m: DetailMemory): void {
    if (m.conflict > 0) void import('./contested').then(({ contested }) => contested(this.s, m, () => void this.load(true))).then((section) => section && into.replaceChildren(section), ignoreMissing)
  }

  /** The tabs lead to the parts of the panel, which are one below the other. */
  private showTabs(parts: [name: string, count: number | null, element: HTMLElement | null][]): void {
    const focused = this.parts.findIndex((p) => p.button === document.activeElement)
    this.parts = parts.flatMap(([name, count, element]) => {
      if (!element || (count === 0 && name === 'Links' && element.childElementCount === 0)) return []
      const button = h('button', { type: 'button', onclick: () => this.goTo(element) }, name, count !== null && h('small', {}, String(count)))
      return [{ button, element }]
    })
    this.tabs.replaceChildren(...this.parts.map((p) => p.button))
    if (focused >= 0) this.parts[Math.min(focused, this.parts.length - 1)]?.button.focus({ preventScroll: true })
    this.markTab()
  }

  private goTo(element: HTMLElement): void {
    if (element === this.numbers) this.numbers.open = true
    element.scrollIntoView({ block: 'start', behavior: 'instant' })
    this.jump = { element, top: this.body.scrollTop }
    this.markTab()
  }

  /** Marks the tab of the part at the top. After a tab was chosen it stays marked until the panel is scrolled: the last parts may not reach the top. */
  private markTab(): void {
    const { scrollTop } = this.body
    if (this.jump && Math.abs(this.jump.top - scrollTop) > 1) this.jump = null
    const current = this.jump?.element ?? (this.parts.filter((p) => p.element.offsetTop <= scrollTop + TAB_SLACK).at(-1) ?? this.parts[0])?.element
    for (const p of this.parts) {
      if (p.element === current) p.button.setAttribute('aria-current', 'true')
      else p.button.removeAttribute('aria-current')
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
    return cluster && h('button', { type: 'button', class: 'chip', title: 'Show this cluster', onclick: () => this.s.openCluster(cluster.id) }, clusterName(cluster.label, ':'))
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

/** A part of the panel, which a tab leads to. */
function part(name: string, ...content: (Node | false | null)[]): HTMLElement {
  return h('div', { class: 'detail-part', id: `part-${name}` }, ...content)
}

/** Code or an answer that does not arrive leaves its place empty; a notice says that the server is away. */
function ignoreMissing(): void {}
