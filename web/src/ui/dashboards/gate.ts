// The gate dashboard: evidence against beliefs, and the gate's decisions.
import { fetchGate, type Decision, type Decisions } from '../../api/dashboards'
import { displayName } from '../../api/vocabulary'
import { dayText, momentText } from '../../state/clock'
import { DAY } from '../../state/decay'
import { countDecisions, quorumBar, DECISIONS } from '../../state/gatedecisions'
import { AsyncContent, errorText } from '../asynccontent'
import { stackedBars, legend, dataTable } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { figures } from './parts'

const SPANS = 12
const MEANING: Record<(typeof DECISIONS)[number], string> = { STORED: 'no conflicting belief', MERGED: 'already known', REPLACED: 'quorum reached', REJECTED: 'quorum not reached' }

export class GateTab implements Tab {
  readonly element: HTMLElement
  private readonly content: AsyncContent<Decisions>
  private decisions: Decision[] = []
  private nextCursor: string | null = null
  private opened = false
  private readonly body = h('div')

  constructor(private readonly s: Session) {
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Gate'), h('p', { class: 'muted' }, 'A belief is replaced only if the weighted evidence reaches the quorum. Every decision is recorded.'), this.body)
    this.content = new AsyncContent(
      this.body,
      (signal) => fetchGate(this.namespaces(), null, signal),
      (page) => {
        this.decisions = page.nodes
        this.nextCursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
        return this.show()
      },
      'gate decisions',
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
    if (this.decisions.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, 'No decisions yet. Decisions of the “adjudicate” mutation are listed here with their quorum.'))]
    const { counts, spans } = countDecisions(this.decisions, SPANS)
    const keys = DECISIONS.map((d) => ({ key: `gate-${d.toLowerCase()}`, label: displayName(d), value: counts[d] })).filter((k) => k.value > 0)
    const name = spans.length > 1 && spans.at(-1)!.from - spans[0]!.from < 2 * DAY ? momentText : dayText
    const rows = spans.map((x) => ({ name: name(x.from), values: Object.fromEntries(DECISIONS.map((d) => [`gate-${d.toLowerCase()}`, x.counts[d]])) }))
    const disputed = counts.REPLACED + counts.REJECTED
    const more = this.nextCursor && h('button', { type: 'button', class: 'link', onclick: (e: Event) => void this.older(e.currentTarget as HTMLButtonElement) }, 'Older decisions')
    return [
      figures([
        ['Decisions', this.decisions.length.toLocaleString('en') + (this.nextCursor ? '+' : ''), 'recorded'],
        ['Replaced', counts.REPLACED.toLocaleString('en'), disputed > 0 ? `${Math.round((100 * counts.REPLACED) / disputed)} % of disputed` : 'none disputed'],
        ['Rejected', counts.REJECTED.toLocaleString('en'), 'belief kept'],
      ]),
      ...(rows.length > 1 ? [h('h3', {}, 'Over time'), stackedBars('Decisions', rows, keys)] : []),
      legend(keys),
      ...(rows.length > 1 ? [dataTable('Time', rows, keys)] : []),
      h('h3', {}, 'Latest decisions'),
      h('ol', { class: 'gate-list' }, ...this.decisions.map((d) => this.row(d))),
      ...(more ? [more] : []),
    ]
  }

  private async older(button: HTMLButtonElement): Promise<void> {
    button.disabled = true
    try {
      const page = await fetchGate(this.namespaces(), this.nextCursor)
      this.decisions = [...this.decisions, ...page.nodes]
      this.nextCursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
      this.body.replaceChildren(...this.show())
    } catch (e) {
      button.disabled = false
      button.textContent = `${errorText(e)} Try again`
    }
  }

  private row(d: Decision): HTMLElement {
    const at = Date.parse(d.at)
    if (d.erased || !d.decision) return h('li', { class: 'gate-row' }, h('p', { class: 'muted small' }, `${dayText(at)}: erased with its memory`))
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
      belief ? h('button', { type: 'button', class: 'decision-fact', onclick: () => this.s.open(belief, true) }, d.fact ?? 'Open belief') : h('p', { class: 'decision-fact' }, d.fact ?? ''),
      track,
      bar && h('p', { class: 'muted small' }, `evidence ${bar.reached.toFixed(2)}, required ${bar.required.toFixed(2)}`),
      d.evidence.length > 0 && h('p', { class: 'muted small' }, `Sources: ${d.evidence.map((e) => `${e.source} (${(e.weight * e.confidence).toFixed(2)})`).join(', ')}`),
    )
  }
}
