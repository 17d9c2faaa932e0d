// The gate dashboard: evidence against beliefs, and the gate's decisions.
import { fetchGate, type Decision, type Decisions } from '../../api/dashboards'
import { displayName } from '../../api/vocabulary'
import { dayText, momentText } from '../../state/clock'
import { countDecisions, quorumBar, DECISIONS } from '../../state/gatedecisions'
import { AsyncContent, errorText } from '../asynccontent'
import { stackedBars, legend, dataTable } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { figures } from './parts'

const SPANS = 12
const MEANING: Record<(typeof DECISIONS)[number], string> = { STORED: 'nothing stood against it', MERGED: 'it said what was known', REPLACED: 'the evidence was enough', REJECTED: 'the evidence was not enough' }

export class GateTab implements Tab {
  readonly element: HTMLElement
  private readonly content: AsyncContent<Decisions>
  private found: Decision[] = []
  private more: string | null = null
  private opened = false
  private readonly body = h('div')

  constructor(private readonly s: Session) {
    this.element = h('div', { class: 'board' }, h('h2', {}, 'The gate'), h('p', { class: 'muted' }, 'A belief changes only when distinct sources together carry enough weight. Every decision is written down.'), this.body)
    this.content = new AsyncContent(
      this.body,
      (signal) => fetchGate(this.namespaces(), null, signal),
      (page) => {
        this.found = page.nodes
        this.more = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
        return this.show()
      },
      'The record of the gate',
    )
    s.view.on(['namespaces'], () => this.opened && void this.content.load())
    s.live.on(['world'], () => this.opened && void this.content.load())
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private namespaces(): string[] | null {
    const { namespaces } = this.s.view.get()
    return namespaces.length > 0 ? namespaces : null
  }

  private show(): Node[] {
    if (this.found.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, 'Nothing was brought before the gate yet. When evidence is brought against a belief by “adjudicate”, what was decided stands here, with its quorum.'))]
    const { counts, spans } = countDecisions(this.found, SPANS)
    const keys = DECISIONS.map((d) => ({ key: `gate-${d.toLowerCase()}`, label: displayName(d), value: counts[d] })).filter((k) => k.value > 0)
    const rows = spans.map((x) => ({ name: dayText(x.from), values: Object.fromEntries(DECISIONS.map((d) => [`gate-${d.toLowerCase()}`, x.counts[d]])) }))
    const judged = counts.REPLACED + counts.REJECTED
    const more = this.more && h('button', { type: 'button', class: 'link', onclick: (e: Event) => void this.older(e.currentTarget as HTMLButtonElement) }, 'Older decisions')
    return [
      figures([
        ['Decisions', this.found.length.toLocaleString('en') + (this.more ? '+' : ''), 'written down'],
        ['Replaced', counts.REPLACED.toLocaleString('en'), judged > 0 ? `${Math.round((100 * counts.REPLACED) / judged)} % of those disputed` : 'none disputed'],
        ['Rejected', counts.REJECTED.toLocaleString('en'), 'the belief stood'],
      ]),
      ...(rows.length > 1 ? [h('h3', {}, 'Over time'), stackedBars('Decisions', rows, keys)] : []),
      legend(keys),
      ...(rows.length > 1 ? [dataTable('when', rows, keys)] : []),
      h('h3', {}, 'The last ones'),
      h('ol', { class: 'gate-list' }, ...this.found.map((d) => this.row(d))),
      ...(more ? [more] : []),
    ]
  }

  private async older(button: HTMLButtonElement): Promise<void> {
    button.disabled = true
    try {
      const page = await fetchGate(this.namespaces(), this.more)
      this.found = [...this.found, ...page.nodes]
      this.more = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
      this.body.replaceChildren(...this.show())
    } catch (e) {
      button.disabled = false
      button.textContent = `${errorText(e)} Try again`
    }
  }

  private row(d: Decision): HTMLElement {
    const at = Date.parse(d.at)
    if (d.erased || !d.decision) return h('li', { class: 'gate-row' }, h('p', { class: 'muted small' }, `${dayText(at)}: erased with a memory it was about`))
    const bar = quorumBar(d)
    const belief = d.memoryIds[0]
    const track = bar && h('div', { class: 'quorum', role: 'img', 'aria-label': `Evidence ${bar.reached.toFixed(2)} of ${bar.required.toFixed(2)} required` }, h('i', { class: `layer-gate-${d.decision.toLowerCase()}` }), h('b'))
    if (bar && track) {
      ;(track.firstElementChild as HTMLElement).style.width = `${100 * bar.part}%`
      ;(track.lastElementChild as HTMLElement).style.left = `${100 * bar.mark}%`
    }
    return h(
      'li',
      { class: 'gate-row', 'data-id': d.id },
      h('p', { class: 'decision-head' }, h('span', { class: `tag decision-${d.decision.toLowerCase()}`, title: MEANING[d.decision] }, displayName(d.decision)), h('span', { class: 'muted small' }, momentText(at)), d.subject && h('span', { class: 'muted small' }, `about ${d.subject}`)),
      belief ? h('button', { type: 'button', class: 'decision-fact', onclick: () => this.s.open(belief, true) }, d.fact ?? 'Open the belief') : h('p', { class: 'decision-fact' }, d.fact ?? ''),
      track,
      bar && h('p', { class: 'muted small' }, `evidence ${bar.reached.toFixed(2)}, required ${bar.required.toFixed(2)}`),
      d.evidence.length > 0 && h('p', { class: 'muted small' }, `Said by ${d.evidence.map((e) => `${e.source} (${(e.weight * e.confidence).toFixed(2)})`).join(', ')}${d.states.length > 0 ? ` · ${d.states.join(' → ')}` : ''}`),
    )
  }
}
