// The quality dashboard: retention, what became of memories, and the effects of sleep. The
// numbers from the scene follow the timeline.
import { fetchConflicts, fetchReports, isUnsupported, type Report } from '../../api/sleep'
import { STATUSES, TYPES, displayName } from '../../api/vocabulary'
import { cohorts, retentionHistogram, qualityStats } from '../../state/dashboards'
import { dayText } from '../../state/clock'
import { trendReports, NORMAL_RATE, rateBand } from '../../state/reports'
import { AsyncContent } from '../asynccontent'
import { lineChart, stackedBars, legend, dataTable } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { figures } from './parts'

const STEPS = 10
const SPANS = 12
const MIN_DELAY_MS = 200
const percent = (v: number): string => `${Math.round(100 * v)} %`
const rate = (v: number): string => `${Number((100 * v).toFixed(1))} %`
const TYPE_SERIES = TYPES.map((t) => ({ key: t.toLowerCase(), label: displayName(t) }))
const STATUS_SERIES = STATUSES.map((t) => ({ key: t.toLowerCase(), label: displayName(t) }))

interface SleepStats {
  reports: Report[]
  conflicts: number | null
}

export class QualityTab implements Tab {
  readonly element: HTMLElement
  private readonly sceneElement = h('div')
  private readonly sleepElement = h('div')
  private readonly sleepContent: AsyncContent<SleepStats>
  private opened = false
  private timer = 0
  /** duration of the last update in ms; with many memories updates are less frequent */
  private updateMs = 0

  constructor(private readonly s: Session) {
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Quality'), this.sceneElement, this.sleepElement)
    this.sleepContent = new AsyncContent(
      this.sleepElement,
      async (signal) => {
        const none = <T>(otherwise: T) => (e: unknown) => {
          if (isUnsupported(e)) return otherwise
          throw e
        }
        const [reports, conflicts] = await Promise.all([
          fetchReports(30, null, signal).then((p) => p.nodes).catch(none<Report[]>([])),
          fetchConflicts(null, signal).then((c) => c.length).catch(none<number | null>(null)),
        ])
        return { reports: trendReports(reports), conflicts }
      },
      (n) => this.sleeps(n),
      'What sleeps made of it',
    )
    s.live.on(['world', 'filterMask'], () => this.updateSoon())
    s.view.on(['recorded', 'valid', 'statuses'], () => this.updateSoon())
    s.sleepFollower.store.on(['revision'], () => this.opened && void this.sleepContent.load())
  }

  open(): void {
    this.opened = true
    this.update()
    void this.sleepContent.load()
  }

  close(): void {
    this.opened = false
    this.sleepContent.stop()
  }

  private updateSoon(): void {
    if (!this.opened) return
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      if (this.opened) this.update()
    }, Math.max(MIN_DELAY_MS, 4 * this.updateMs))
  }

  /** Updates the numbers from the scene, at the instant shown. */
  private update(): void {
    const { world, filterMask } = this.s.live.get()
    if (!world || world.count === 0) {
      this.sceneElement.replaceChildren(h('div', { class: 'dock-note' }, h('p', {}, 'Nothing is remembered yet.')))
      return
    }
    const began = performance.now()
    const at = this.s.moment()
    const q = qualityStats(world, filterMask, at)
    const left = retentionHistogram(world, filterMask, at, STEPS).map((values, i) => ({ name: `${i * (100 / STEPS)} %`, values }))
    left[STEPS - 1]!.name = '100 %'
    const fates = cohorts(world, at.recorded, SPANS).map((c) => ({ name: dayText(c.from), values: c.values }))
    const present = (keys: typeof TYPE_SERIES, rows: { values: Record<string, number> }[]) => keys.filter((k) => rows.some((r) => (r.values[k.key] ?? 0) > 0))
    const kinds = present(TYPE_SERIES, left)
    const ways = present(STATUS_SERIES, fates)
    const when = this.s.view.get().recorded === null ? 'now' : `on ${dayText(at.recorded)}`
    this.sceneElement.replaceChildren(
      h('p', { class: 'muted' }, `What is in the picture ${when}. Scrub, and it follows.`),
      figures([
        ['Left of it', percent(q.retention), 'on average'],
        ['Faint', q.shown > 0 ? percent(q.faint / q.shown) : '–', 'less than a fifth left'],
        ['Corrected', q.corrected.toLocaleString('en'), q.corrected > 0 ? `beliefs, ${(q.versions / q.corrected).toFixed(1)} versions each` : 'beliefs'],
      ]),
      h('h3', {}, 'How much is left'),
      stackedBars('Memories by how much is left of them', left, kinds),
      legend(kinds),
      dataTable('how much is left', left, kinds),
      h('h3', {}, 'What became of what was learned'),
      fates.length > 0 ? stackedBars('Memories by when they were learned', fates, ways) : h('p', { class: 'muted small' }, 'Nothing was learned before this instant.'),
      legend(ways),
      dataTable('when they were learned', fates, ways),
    )
    this.updateMs = performance.now() - began
  }

  private sleeps({ reports, conflicts }: SleepStats): Node[] {
    const last = reports.at(-1)
    const saved = reports.reduce((n, r) => n + r.tokensSaved, 0)
    const rates = reports.map((r) => ({ name: dayText(Date.parse(r.startedAt)), value: r.promotionRate }))
    const words = { below: 'less than usual', normal: 'as it should be', above: 'more than usual' }
    return [
      h('h3', {}, 'What sleep makes of it'),
      figures([
        conflicts === null ? ['Contradictions', '–', 'not to be had from this server'] : ['Contradictions', conflicts.toLocaleString('en'), 'unresolved', conflicts === 0],
        ['Promoted', last ? rate(last.promotionRate) : '–', last ? `a day: ${words[rateBand(last.promotionRate)]}` : 'no sleep yet'],
        ['Saved', saved.toLocaleString('en'), 'tokens by folding'],
      ]),
      ...(rates.length > 1 ? [h('h3', {}, 'Promoted, a day'), lineChart('Promotion rate', rates, rate, 0.12, NORMAL_RATE)] : []),
      h('p', { class: 'muted small board-foot' }, 'How well memory recalls, resists drift and keeps corrections is measured on a made-up world: run ', h('code', {}, 'somnograph eval'), '.'),
    ]
  }
}
