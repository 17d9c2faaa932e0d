// Everything about one memory: what it says, how strong it is, what it replaced, and
// where it comes from.
import { ApiError } from '../api/graphql'
import { fetchDetail, type Detail as Answer, type DetailMemory, type Versions } from '../api/operations'
import type { AsOf } from '../api/schema.gen'
import { DECAY_CLASSES, EDGE_KINDS, TYPES, spoken } from '../api/vocabulary'
import { dayText, momentText, spanText } from '../state/clock'
import { diffWords } from '../state/diff'
import { memoryChecksum, provable } from '../state/proof'
import { retentionAt } from '../state/visibility'
import type { World } from '../state/world'
import { shorten } from '../scene/labels/labels'
import { fadesAt } from '../state/growth'
import { curve } from './curve'
import { glyph, h, icon, iconButton } from './dom'
import { Growth, signals } from './growth'
import type { Session } from './session'
import { Way } from './way'
import { whyFound } from './why'

const STRENGTHS: [keyof DetailMemory, string, string][] = [
  ['confidence', 'Confidence', 'how sure it is'],
  ['importance', 'Importance', 'as given or scored'],
]

export class Detail {
  readonly element: HTMLElement
  private readonly body = h('div', { class: 'panel-body' })
  private readonly title = h('div', { class: 'kind' })
  private readonly previous: HTMLButtonElement
  private readonly next: HTMLButtonElement
  private running: AbortController | null = null
  private asked = ''
  private retention: HTMLElement | null = null
  private readonly growth: Growth
  private readonly way: Way
  private timer = 0

  constructor(private readonly s: Session) {
    this.growth = new Growth(s)
    this.way = new Way(s)
    this.previous = iconButton('left', 'Previous version', () => s.step(-1), '[')
    this.next = iconButton('right', 'Next version', () => s.step(1), ']')
    this.element = h(
      'aside',
      { class: 'detail panel', 'aria-label': 'Memory', hidden: true },
      h('header', { class: 'panel-head' }, this.title, this.previous, this.next, iconButton('target', 'Fly there', () => this.fly(), 'f'), iconButton('close', 'Close', () => s.close(), 'Esc')),
      this.body,
    )
    s.view.on(['selected'], () => this.load())
    s.view.on(['recorded', 'valid'], () => {
      this.curveNow()
      clearTimeout(this.timer)
      this.timer = window.setTimeout(() => this.load(), 300)
    })
    s.live.on(['world'], () => this.load(true))
    this.load()
  }

  private fly(): void {
    const id = this.s.view.get().selected
    if (id) this.s.open(id, true)
  }

  private async load(again = false): Promise<void> {
    const v = this.s.view.get()
    this.element.hidden = v.selected === null
    if (v.selected === null) {
      this.asked = ''
      this.running?.abort()
      this.growth.stop()
      this.way.stop()
      if (this.s.live.get().kin.length > 0) this.s.live.set({ kin: [] })
      return
    }
    const asOf = v.recorded === null ? null : { recorded: new Date(v.recorded).toISOString() }
    const question = `${v.selected} ${asOf?.recorded ?? ''}`
    if (question === this.asked && !again) return
    const other = this.asked.slice(0, 36) !== v.selected
    this.asked = question
    this.running?.abort()
    this.running = new AbortController()
    const { signal } = this.running
    if (other) {
      if (this.s.live.get().kin.length > 0) this.s.live.set({ kin: [] })
      this.title.replaceChildren()
      this.body.replaceChildren(h('div', { class: 'skeleton', 'aria-label': 'Loading' }, h('i'), h('i'), h('i'), h('i')))
      this.element.scrollTop = 0
    }
    try {
      const answer = await fetchDetail(v.selected, asOf, signal)
      if (signal.aborted) return
      this.show(answer, other, asOf)
    } catch (e) {
      if (signal.aborted) return
      this.fail(e)
    }
  }

  private fail(e: unknown): void {
    const gone = e instanceof ApiError && e.code === 'MEMORY_NOT_FOUND'
    const past = this.s.view.get().recorded !== null
    const text = gone ? (past ? 'This memory did not exist at the instant that is shown.' : 'There is no such memory (any more).') : e instanceof ApiError ? e.message : 'It could not be read.'
    const retry = h('button', { type: 'button', class: 'button', onclick: () => void this.load(true) }, 'Try again')
    this.title.replaceChildren()
    this.body.replaceChildren(h('div', { class: 'notice' }, h('p', {}, text), gone ? null : retry))
  }

  private show(answer: Answer, announce: boolean, asOf: AsOf | null): void {
    const m = answer.memory
    if (!m) {
      this.fail(new ApiError('', 'MEMORY_NOT_FOUND'))
      return
    }
    const versions = answer.lineage ?? []
    this.s.versions = versions
    const kin = [
      ...m.derivedFrom.map((d) => ({ from: m.id, to: d.id, kind: 'DERIVED_FROM' as const })),
      ...(m.consolidatedInto ? [{ from: m.id, to: m.consolidatedInto.id, kind: 'CONSOLIDATED_INTO' as const }] : []),
    ]
    if (kin.length + this.s.live.get().kin.length > 0) this.s.live.set({ kin })
    const place = versions.findIndex((x) => x.memory.id === m.id)
    this.previous.disabled = place <= 0
    this.next.disabled = place < 0 || place >= versions.length - 1
    this.title.replaceChildren(glyph(m.type), h('span', {}, spoken(m.type)))
    if (m.status !== 'ACTIVE') this.title.append(h('span', { class: `tag status-${m.status.toLowerCase()}` }, spoken(m.status)))
    if (m.core) this.title.append(h('span', { class: 'tag core' }, 'Core'))
    const parts: (Node | false | null)[] = [
      h('p', { class: m.content === null ? 'content gone' : 'content' }, m.content ?? m.unavailable?.message ?? 'The content was erased.'),
      this.facts(m),
      this.found(m),
      this.strength(m),
      this.growth.show(m, asOf, versions.map((v) => v.memory.id)),
      versions.length > 1 && this.history(m, versions),
      m.entities.length > 0 && this.entities(m),
      this.links(m),
      this.way.offer(m.id),
      this.provenance(m),
    ]
    this.body.replaceChildren(...parts.filter((p): p is HTMLElement => Boolean(p)))
    if (announce) {
      this.element.scrollTop = 0
      this.body.scrollTop = 0
      this.s.announce(`${spoken(m.type)} memory, ${spoken(m.status)}: ${m.content ?? 'erased'}`)
    }
  }

  private found(m: DetailMemory): HTMLElement | null {
    const why = this.s.why(m.id)
    return why && whyFound(why)
  }

  private facts(m: DetailMemory): HTMLElement {
    const now = this.s.clock.now()
    const born = Date.parse(m.recordedAt)
    const chips: [string, string | null][] = [['Project', m.project], ['Namespace', m.namespace === 'default' ? null : m.namespace], ['User', m.user], ['Agent', m.agent]]
    return h(
      'div',
      { class: 'facts' },
      h('p', { class: 'muted', title: `${momentText(born)} UTC` }, `Learned ${dayText(born)}, ${spanText(now - born)} ago`, m.version > 1 ? ` · version ${m.version}` : ''),
      h('div', { class: 'chips' }, ...chips.map(([name, text]) => text && h('span', { class: 'chip', title: name }, text))),
    )
  }

  private strength(m: DetailMemory): HTMLElement {
    this.retention = h('div', { class: 'retention' })
    this.curveNow()
    const meters = STRENGTHS.map(([key, name, meaning]) => {
      const value = m[key] as number
      const fill = h('i')
      fill.style.width = `${Math.round(value * 100)}%`
      return h('div', { class: `meter meter-${key}`, title: meaning }, h('span', {}, name), h('b', {}, value.toFixed(2)), h('div', { class: 'bar' }, fill))
    })
    return h('section', {}, h('h3', {}, 'Retention'), this.retention, h('h3', {}, 'The five signals'), signals(m), h('div', { class: 'meters' }, ...meters))
  }

  /** The curve follows the scrubber without a question to the server. */
  private curveNow(): void {
    const { world } = this.s.live.get()
    const id = this.s.view.get().selected
    const node = world && id ? world.indexOf(id) : -1
    if (!this.retention || !world || node < 0) return
    const at = this.s.moment().recorded
    if (at < world.frame.born[node]!) {
      this.retention.replaceChildren(h('p', { class: 'muted small' }, 'Not yet learned at this instant.'))
      return
    }
    const left = retentionAt(world, node, at)
    this.retention.replaceChildren(
      h('div', { class: 'big' }, h('b', {}, `${Math.round(left * 100)}`), h('span', {}, '%')),
      curve(world, node, at, this.s.clock.now()),
      h('p', { class: 'muted small fade-note' }, this.forecast(world, node, at)),
    )
  }

  private forecast(world: World, node: number, at: number): string {
    const speed = `fades ${spoken(DECAY_CLASSES[world.frame.decayClass[node]!]!).toLowerCase()}`
    const fades = fadesAt(world, node, at)
    if (!Number.isFinite(fades)) return 'It never fades.'
    const now = this.s.clock.now()
    if (fades > now) return `Below a fifth on ${dayText(fades)}, in ${spanText(fades - now)}, unless it is used; ${speed}`
    return `Below a fifth since ${dayText(fades)}; ${speed}`
  }

  private history(m: DetailMemory, versions: Versions): HTMLElement {
    const rows = versions.map((v, i) => {
      const before = versions[i - 1]?.memory.content
      const text = v.memory.content
      const words = h('p', { class: 'version-text' })
      if (text === null) words.append(v.memory.unavailable?.message ?? 'Erased')
      else if (before) {
        for (const piece of diffWords(before, text)) {
          words.append(piece.kind === 'same' ? piece.text : h(piece.kind === 'gone' ? 'del' : 'ins', {}, piece.text))
        }
      } else words.append(text)
      const row = h(
        'li',
        { class: v.memory.id === m.id ? 'version at' : 'version' },
        h(
          'button',
          { type: 'button', 'aria-current': v.memory.id === m.id ? 'true' : null, onclick: () => this.s.open(v.memory.id, true) },
          h('span', { class: 'version-head' }, h('b', {}, `v${v.version}`), dayText(Date.parse(v.recordedAt)), v.supersededAt ? h('span', { class: 'muted' }, `until ${dayText(Date.parse(v.supersededAt))}`) : h('span', { class: 'tag current' }, 'Current')),
          words,
          v.reason ? h('span', { class: 'reason' }, `“${v.reason}”`) : null,
        ),
      )
      return row
    })
    return h('section', { class: 'history' }, h('h3', {}, `History · ${versions.length} versions`), h('ol', {}, ...rows))
  }

  private entities(m: DetailMemory): HTMLElement {
    return h(
      'section',
      {},
      h('h3', {}, 'Entities'),
      h(
        'div',
        { class: 'chips' },
        ...m.entities.map((e) =>
          h('button', { type: 'button', class: 'chip', title: `${spoken(e.type)}, mentioned ${e.mentionCount} times: what else is known of it`, onclick: () => this.s.view.set({ panel: 'entities', report: null, entity: e.id }) }, e.name, h('small', {}, spoken(e.type).toLowerCase())),
        ),
      ),
    )
  }

  private links(m: DetailMemory): HTMLElement | null {
    const { world } = this.s.live.get()
    const node = world?.indexOf(m.id) ?? -1
    if (!world || node < 0) return null
    const f = world.frame
    const at = this.s.moment().recorded
    const rows: { node: number; name: string; kind: string; weight: number }[] = []
    for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
      const e = world.edgesAt[k]!
      const kind = EDGE_KINDS[f.edgeKind[e]!]!
      const out = f.from[e] === node
      const other = out ? f.to[e]! : f.from[e]!
      if (kind === 'SUPERSEDES' || f.born[other]! > at) continue
      const name: Record<string, string> = {
        SAME_SESSION: 'same session', TEMPORAL_SEQ: out ? 'then' : 'before', ENTITY_OVERLAP: `shares ${f.edgeWeight[e]! > 254 ? 'all' : Math.round((f.edgeWeight[e]! / 255) * 100) + ' %'} of the entities`,
        DERIVED_FROM: out ? 'derived from' : 'source of', CONSOLIDATED_INTO: out ? 'folded into' : 'took in', EVIDENCE_FOR: out ? 'evidence for' : 'supported by', CONTRADICTS: 'contradicts',
      }
      rows.push({ node: other, name: name[kind] ?? kind, kind, weight: f.edgeWeight[e]! })
    }
    if (rows.length === 0) return null
    const order = ['CONTRADICTS', 'DERIVED_FROM', 'CONSOLIDATED_INTO', 'EVIDENCE_FOR', 'TEMPORAL_SEQ', 'ENTITY_OVERLAP', 'SAME_SESSION']
    rows.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.weight - a.weight)
    const seen = new Set<number>()
    const some = rows.filter((r) => !seen.has(r.node) && seen.add(r.node)).slice(0, 12)
    return h(
      'section',
      {},
      h('h3', {}, 'Linked'),
      h(
        'ul',
        { class: 'links' },
        ...some.map((r) =>
          h('li', {}, h('button', { type: 'button', onclick: () => this.s.open(world.idOf(r.node), true) }, glyph(TYPES[f.type[r.node]!]!), h('span', { class: 'name' }, shorten(f.label(r.node)) || 'memory'), h('span', { class: `edge-name edge-${r.kind.toLowerCase()}` }, r.name))),
        ),
      ),
    )
  }

  /** Content, time and source must hash to the checksum; the sum is done here. */
  private proof(m: DetailMemory): HTMLElement | null {
    if (m.content === null || m.checksum === null || !provable()) return null
    const [content, said] = [m.content, h('span', { role: 'status' })]
    const check = async () => {
      const whole = (await memoryChecksum({ ...m, content })) === m.checksum
      said.replaceChildren(whole ? icon('check') : '', whole ? ' It is what was written.' : 'It is not what was written!')
      said.className = whole ? 'proof good' : 'proof bad'
    }
    return h('p', { class: 'small proof-line' }, h('button', { type: 'button', class: 'link', onclick: () => void check() }, 'Check the sum'), ' ', said)
  }

  private provenance(m: DetailMemory): HTMLElement {
    const rows: [string, string | null][] = [
      ['Source', [spoken(m.sourceKind), m.source].filter(Boolean).join(' · ')],
      ['Consent', spoken(m.consent)],
      ['Belief', m.subject ? [m.subject, m.predicate, m.object].filter(Boolean).join(' → ') : null],
      ['Tier', m.tier],
      ['Recorded', `${momentText(Date.parse(m.recordedAt))} UTC`],
      ['Happened', m.occurredAt === m.recordedAt ? null : `${momentText(Date.parse(m.occurredAt))} UTC`],
      ['True', `from ${dayText(Date.parse(m.validFrom))}${m.validTo ? ` until ${dayText(Date.parse(m.validTo))}` : ''}`],
      ['Expires', m.expiresAt ? `${momentText(Date.parse(m.expiresAt))} UTC` : null],
      ['Session', m.session],
      ['Tags', m.tags.length > 0 ? m.tags.join(', ') : null],
      ['Meta', m.meta === null || m.meta === undefined ? null : JSON.stringify(m.meta)],
      ['Id', m.id],
      ['Checksum', m.checksum],
    ]
    const list = h('dl', { class: 'provenance' })
    for (const [name, text] of rows) {
      if (!text) continue
      list.append(h('dt', {}, name), h('dd', { class: name === 'Id' || name === 'Checksum' ? 'mono' : null, title: text }, text))
    }
    const proof = this.proof(m)
    const from = [...m.derivedFrom.map((d) => [d, 'derived from'] as const), ...(m.consolidatedInto ? [[m.consolidatedInto, 'folded into'] as const] : [])]
    return h(
      'section',
      {},
      h('h3', {}, 'Provenance'),
      list,
      proof,
      from.length > 0 &&
        h('ul', { class: 'links' }, ...from.map(([d, name]) => h('li', {}, h('button', { type: 'button', onclick: () => this.s.open(d.id, true) }, glyph(d.type), h('span', { class: 'name' }, shorten(d.content ?? '')), h('span', { class: 'edge-name' }, name))))),
      h('button', { type: 'button', class: 'link copy', onclick: () => void navigator.clipboard?.writeText(location.href).then(() => this.s.announce('Link copied')) }, icon('target'), 'Copy a link to this view'),
    )
  }
}
