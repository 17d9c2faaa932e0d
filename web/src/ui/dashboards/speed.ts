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
  private readonly own = h('div')
  private readonly content: AsyncContent<Timing[] | null>
  private timer = 0

  constructor(private readonly s: Session) {
    const server = h('div')
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Speed'), server, this.own)
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
      'What the server measures',
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
    this.own.replaceChildren(...this.page())
  }

  private show(timings: Timing[] | null): Node[] {
    if (!timings) return [h('p', { class: 'muted' }, 'The server’s own figures are of all tenants: they are for administrators.')]
    const worst = slowestRead(timings)
    const standing = !worst || worst.p95Ms <= READ_P95[0] ? 'good' : worst.p95Ms <= READ_P95[1] ? 'warn' : 'bad'
    const most = Math.max(...timings.map((t) => t.p95Ms), 0.01)
    return [
      worst
        ? h('p', { class: `verdict ${standing}` }, gradeIcon(standing), h('b', {}, `Of every kind of read 95 % within ${millisText(worst.p95Ms)}`), h('span', { class: 'muted' }, `“${worst.name}” is the slowest kind; ${READ_P95[0]} ms is good`))
        : h('p', { class: 'muted' }, 'Too little was asked since the start to say.'),
      h('h3', {}, 'The server, over its last 1,024 answers of each kind'),
      h(
        'table',
        { class: 'timings' },
        h('thead', {}, h('tr', {}, ...['Operation', 'Answers', 'Half within', '95 %', '99 %'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, ...timings.map((t) => this.row(t, most))),
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
    const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scene = fetched.filter((e) => new URL(e.name).pathname.endsWith('/viz/graph')).filter((e) => e.transferSize > 0 && e.decodedBodySize > 0)
    const asked = fetched.filter((e) => new URL(e.name).pathname.endsWith('/graphql')).map((e) => e.duration)
    const first = scene[0]
    return [
      h('h3', {}, 'This page'),
      figures([
        ['The map', first ? bytesText(first.transferSize) : '–', first ? `on the wire, ${millisText(first.duration)}` : 'not measured by this browser'],
        ['In it', world ? world.count.toLocaleString('en') : '–', world ? `memories, ${world.frame.edgeCount.toLocaleString('en')} edges` : ''],
        ['Questions', asked.length.toLocaleString('en'), asked.length > 0 ? `half within ${millisText(percentile(asked, 50))}` : 'none yet'],
      ]),
    ]
  }
}
