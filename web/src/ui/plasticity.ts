// A memory's plasticity score, the criteria for the next tier, its history, and the gate's
// decisions about it.
import { fetchDecisions, fetchPlasticity, fetchPolicy, isUnsupported, type Decision, type PlasticityData as Answer, type Policy } from '../api/sleep'
import type { DetailMemory } from '../api/operations'
import type { AsOf } from '../api/schema.gen'
import { displayName } from '../api/vocabulary'
import { dayText, momentText, spanText } from '../state/clock'
import { DEFAULT_COEFFICIENTS, lifeStages, scoreTerms, nextPromotion, type Term } from '../state/plasticity'
import { h, icon } from './dom'
import type { Session } from './session'

const MEANING: Record<Term['symbol'], string> = {
  S: 'Salience: how much the memory stood out when it was written; it counts less as retention falls',
  U: 'Usage: how often searches and prompts used it',
  A: 'Authority: how much its source is trusted, fixed when it was written',
  C: 'Conflict: the strongest contradiction with another active memory',
  Δ: 'Surprise: how unexpected it was, given what was known',
}

/** The five signals with their meaning. */
export function signals(m: DetailMemory): HTMLElement {
  const rows: [Term['symbol'], string, number, string][] = [
    ['S', 'Salience', m.salience, m.salience.toFixed(2)],
    ['U', 'Usage', Math.min(Math.log1p(m.usage) / Math.log1p(30), 1), `${m.usage}×, ${m.usageDays} ${m.usageDays === 1 ? 'day' : 'days'}`],
    ['A', 'Authority', m.authority, m.authority.toFixed(2)],
    ['C', 'Conflict', m.conflict, m.conflict.toFixed(2)],
    ['Δ', 'Surprise', m.surprise, m.surprise.toFixed(2)],
  ]
  return h(
    'dl',
    { class: 'signals' },
    ...rows.flatMap(([sign, name, part, text]) => {
      const fill = h('i')
      fill.style.width = `${Math.round(100 * part)}%`
      return [
        h('dt', { title: MEANING[sign] }, h('b', { class: `sign sign-${sign === 'Δ' ? 'D' : sign}` }, sign), name),
        h('dd', { title: MEANING[sign] }, h('span', { class: 'bar' }, fill), h('span', { class: 'value' }, text), h('span', { class: 'quiet' }, MEANING[sign])),
      ]
    }),
  )
}

/** Gate decisions are fetched for at most this many versions, the latest ones. */
const MAX_VERSIONS = 6

export class PlasticitySection {
  readonly element = h('div', { class: 'growth' })
  private running: AbortController | null = null
  private shown = ''
  private scoreSection = h('section')
  private decisionSection = h('section')
  /** cached: policies do not change while a memory is open */
  private readonly policies = new Map<string, Policy>()

  constructor(private readonly s: Session) {}

  /** Shows what is known and requests the rest. */
  show(m: DetailMemory, asOf: AsOf | null, chain: string[]): HTMLElement {
    this.running?.abort()
    const running = (this.running = new AbortController())
    const again = this.shown === m.id
    this.shown = m.id
    if (!again) {
      this.scoreSection = h('section', { class: 'plasticity' }, h('div', { class: 'skeleton small-skeleton' }, h('i'), h('i')))
      this.decisionSection = h('section', { class: 'decisions', hidden: true })
    }
    const [score, decisions] = [this.scoreSection, this.decisionSection]
    this.element.replaceChildren(score, ...[this.lifeSection(m)].filter((n) => n !== null), decisions)
    void this.loadScore(m, asOf, score, running.signal)
    void this.loadDecisions(m, chain, decisions, running.signal)
    return this.element
  }

  stop(): void {
    this.running?.abort()
  }

  private async loadScore(m: DetailMemory, asOf: AsOf | null, into: HTMLElement, signal: AbortSignal): Promise<void> {
    try {
      const [growth, policy] = await Promise.all([fetchPlasticity(m.id, asOf, signal), this.policy(m.namespace, signal)])
      if (!signal.aborted) into.replaceChildren(...this.score(m, growth, policy))
    } catch (e) {
      if (signal.aborted) return
      if (isUnsupported(e)) into.remove()
      else into.replaceChildren(h('p', { class: 'muted small' }, 'Plasticity could not be loaded.'))
    }
  }

  /** The policy of a namespace; null if the server has none, and the defaults apply. */
  private async policy(namespace: string, signal: AbortSignal): Promise<Policy | null> {
    const known = this.policies.get(namespace)
    if (known) return known
    try {
      const policy = await fetchPolicy(namespace, signal)
      this.policies.set(namespace, policy)
      return policy
    } catch (e) {
      if (isUnsupported(e)) return null
      throw e
    }
  }

  private score(m: DetailMemory, g: Answer, policy: Policy | null): Node[] {
    const terms = scoreTerms(m, policy ?? DEFAULT_COEFFICIENTS)
    const sum = terms.reduce((n, t) => n + t.value, 0)
    const max = Math.max(g.score, g.promotesAt ?? 0, terms.reduce((n, t) => n + Math.max(t.value, 0), 0), 0.5)
    const rows = terms.map((t) => {
      const fill = h('i', { class: `sign-${t.symbol === 'Δ' ? 'D' : t.symbol}` })
      fill.style.width = `${(100 * Math.abs(t.value)) / max}%`
      return h('li', { title: t.formula }, h('span', {}, t.name), h('span', { class: 'bar' }, fill), h('b', {}, signed(t.value)), h('small', {}, t.formula))
    })
    // The terms are shown only if they add up to the score.
    const adds = Math.abs(sum - g.score) < 0.02
    return [
      h('h3', {}, 'Plasticity'),
      h('div', { class: 'score-line' }, h('b', {}, g.score.toFixed(2)), h('span', { class: 'muted' }, 'score from the five signals')),
      adds ? h('ul', { class: 'terms' }, ...rows) : h('p', { class: 'muted small' }, 'This namespace uses its own weights.'),
      ...this.promotion(m, g),
    ]
  }

  private promotion(m: DetailMemory, g: Answer): Node[] {
    const next = nextPromotion(g)
    if (!next) {
      if (m.tier === 'L3') return [h('p', { class: 'engraved-note' }, icon('check'), 'Permanent: an engram in the recess, which never changes.')]
      return m.status === 'ACTIVE' ? [] : [h('p', { class: 'muted small' }, `${displayName(m.status)} memories are not promoted.`)]
    }
    const tier = { L2: 'schema (L2)', L3: 'recess (L3)' }[next.to]
    const criteria = next.criteria.map((criterion) => {
      const fill = h('i')
      fill.style.width = `${Math.round(100 * criterion.progress)}%`
      return h('li', { class: criterion.met ? 'open' : 'shut' }, h('span', {}, criterion.name), h('span', { class: 'bar' }, fill), h('b', {}, criterion.have), h('small', {}, criterion.met ? 'met' : `needs ${criterion.need}`))
    })
    return [
      h('h3', {}, `Next tier: ${tier}`),
      h('ul', { class: 'gates' }, ...criteria),
      h('p', { class: 'muted small' }, next.met ? 'All criteria are met: the next sleep promotes it.' : next.to === 'L3' ? 'All three criteria must be met at the same time. Memories in the recess never change.' : 'Checked at every write and every sleep.'),
    ]
  }

  /** The stages of the memory, from the scene. */
  private lifeSection(m: DetailMemory): HTMLElement | null {
    const { world } = this.s.live.get()
    const node = world?.indexOf(m.id) ?? -1
    if (!world || node < 0) return null
    const stages = lifeStages(world, node, this.s.moment().recorded)
    if (stages.length === 0) return null
    const now = this.s.moment().recorded
    return h(
      'section',
      { class: 'life' },
      h('h3', {}, 'Stages'),
      h(
        'ol',
        {},
        ...stages.map((stage, i) =>
          h(
            'li',
            { class: `life-stage life-${stage.tier.toLowerCase()} life-${stage.status.toLowerCase()}` },
            h('span', { class: 'what' }, stage.change),
            h('span', { class: 'when', title: `${momentText(stage.from)} UTC` }, dayText(stage.from)),
            h('small', {}, i + 1 < stages.length ? `for ${spanText(stages[i + 1]!.from - stage.from)}` : `for ${spanText(now - stage.from)}`),
          ),
        ),
      ),
    )
  }

  /** The gate's decisions about the memory and its versions. */
  private async loadDecisions(m: DetailMemory, chain: string[], into: HTMLElement, signal: AbortSignal): Promise<void> {
    let decisions: Decision[]
    try {
      decisions = await fetchDecisions([...new Set([m.id, ...chain.slice(-MAX_VERSIONS)])], signal)
    } catch {
      return // decisions are optional here: errors are not shown
    }
    if (signal.aborted || decisions.length === 0) return
    into.hidden = false
    into.replaceChildren(h('h3', {}, `Gate decisions · ${decisions.length}`), h('ul', {}, ...decisions.slice(0, 8).map((d) => this.decision(d))))
  }

  private decision(d: Decision): HTMLElement {
    const when = dayText(Date.parse(d.at))
    if (d.erased || !d.decision) return h('li', {}, h('p', { class: 'muted small' }, `${when}: erased with its memory`))
    const from = d.evidence.map((e) => e.source).join(', ')
    const quorum = d.quorum !== null && d.required !== null && d.decision !== 'STORED' && d.decision !== 'MERGED' ? `quorum ${d.quorum.toFixed(2)} of ${d.required.toFixed(2)}` : ''
    return h(
      'li',
      {},
      h('p', { class: 'decision-head' }, h('span', { class: `tag decision-${d.decision.toLowerCase()}` }, displayName(d.decision)), when),
      d.fact && h('p', { class: 'decision-fact' }, d.fact),
      h('p', { class: 'muted small' }, [quorum, d.conflict !== null ? `conflict ${d.conflict.toFixed(2)}` : '', from && `sources: ${from}`].filter(Boolean).join(' · ')),
    )
  }
}

function signed(v: number): string {
  return `${v < 0 ? '−' : '+'}${Math.abs(v).toFixed(2)}`
}
