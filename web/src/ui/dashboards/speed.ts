// The speed dashboard: the server's own measurements, and those of this page.
import { fetchPerformance, type Timing } from '../../api/dashboards'
import { ApiError } from '../../api/graphql'
import { bytesText, millisText, percentile, READ_P95, slowestRead } from '../../state/dashboards'
import { AsyncContent } from '../asynccontent'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { figures, gradeIcon } from './parts'

const REFRESH_MS = 5000

export class SpeedTab implements Tab {
  readonly element: HTMLElement
  private readonly pageElement = h('div')
  private readonly content: AsyncContent<Timing[] | null>
  private timer = 0

  constructor(private readonly s: Session) {
    const server = h('div')
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Speed'), server, this.pageElement)
    this.content = new AsyncContent(
      server,
      async (signal) => {
        try {
          return await fetchPerformance(signal)
        } catch (e) {
          if (e instanceof ApiError && e.code === 'FORBIDDEN') return null
          throw e
        }
      },
      (timings) => this.show(timings),
      'server timings',
    )
  }

  open(): void {
    this.update()
    clearInterval(this.timer)
    this.timer = window.setInterval(() => !document.hidden && this.update(), REFRESH_MS)
  }

  close(): void {
    clearInterval(this.timer)
    this.content.stop()
  }

  private update(): void {
    void this.content.load()
    this.pageElement.replaceChildren(...this.page())
  }

  private show(timings: Timing[] | null): Node[] {
    if (!timings) return [h('p', { class: 'muted' }, 'Server timings cover all tenants; only administrators can see them.')]
    const worst = slowestRead(timings)
    const grade = !worst || worst.p95Ms <= READ_P95[0] ? 'good' : worst.p95Ms <= READ_P95[1] ? 'warn' : 'bad'
    const max = Math.max(...timings.map((t) => t.p95Ms), 0.01)
    return [
      worst
        ? h('p', { class: `verdict ${grade}` }, gradeIcon(grade), h('b', {}, `Of every kind of read, 95 % take at most ${millisText(worst.p95Ms)}`), h('span', { class: 'muted' }, `slowest: ${worst.name}; up to ${READ_P95[0]} ms is good`))
        : h('p', { class: 'muted' }, 'Not enough requests yet.'),
      h('h3', {}, 'Server: last 1,024 requests of each kind'),
      h(
        'table',
        { class: 'timings' },
        h('thead', {}, h('tr', {}, ...['Operation', 'Requests', 'Median', '95 %', '99 %'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, ...timings.map((t) => this.row(t, max))),
      ),
    ]
  }

  private row(t: Timing, most: number): HTMLElement {
    const fill = h('i')
    fill.style.width = `${(100 * t.p95Ms) / most}%`
    return h('tr', {}, h('th', { scope: 'row' }, t.name, h('span', { class: 'bar', 'aria-hidden': 'true' }, fill)), h('td', {}, t.count.toLocaleString('en')), h('td', {}, millisText(t.p50Ms)), h('td', {}, millisText(t.p95Ms)), h('td', {}, millisText(t.p99Ms)))
  }

  /** From the browser's record of its requests. */
  private page(): Node[] {
    const { world } = this.s.live.get()
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scene = entries.filter((e) => new URL(e.name).pathname.endsWith('/viz/graph')).filter((e) => e.transferSize > 0 && e.decodedBodySize > 0)
    const requests = entries.filter((e) => new URL(e.name).pathname.endsWith('/graphql')).map((e) => e.duration)
    const first = scene[0]
    return [
      h('h3', {}, 'This page'),
      figures([
        ['Map', first ? bytesText(first.transferSize) : '–', first ? `transferred in ${millisText(first.duration)}` : 'not measured by this browser'],
        ['Memories', world ? world.count.toLocaleString('en') : '–', world ? `${world.frame.edgeCount.toLocaleString('en')} edges` : ''],
        ['Requests', requests.length.toLocaleString('en'), requests.length > 0 ? `median ${millisText(percentile(requests, 50))}` : 'none yet'],
      ]),
    ]
  }
}
