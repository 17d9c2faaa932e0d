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
      (n) => this.sleepFigures(n),
      'sleep results',
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
      this.sceneElement.replaceChildren(h('div', { class: 'dock-note' }, h('p', {}, 'No memories yet.')))
      return
    }
    const start = performance.now()
    const at = this.s.moment()
    const q = qualityStats(world, filterMask, at)
    const retention = retentionHistogram(world, filterMask, at, STEPS).map((values, i) => ({ name: `${i * (100 / STEPS)} %`, values }))
    retention[STEPS - 1]!.name = '100 %'
    const statuses = cohorts(world, at.recorded, SPANS).map((c) => ({ name: dayText(c.from), values: c.values }))
    const present = (keys: typeof TYPE_SERIES, rows: { values: Record<string, number> }[]) => keys.filter((k) => rows.some((r) => (r.values[k.key] ?? 0) > 0))
    const typeSeries = present(TYPE_SERIES, retention)
    const statusSeries = present(STATUS_SERIES, statuses)
    const when = this.s.view.get().recorded === null ? 'now' : `on ${dayText(at.recorded)}`
    this.sceneElement.replaceChildren(
      h('p', { class: 'muted' }, `Memories shown ${when}. Follows the timeline.`),
      figures([
        ['Average retention', percent(q.retention), 'of shown memories'],
        ['Faint', q.shown > 0 ? percent(q.faint / q.shown) : '–', 'below 20 % retention'],
        ['Corrected', q.corrected.toLocaleString('en'), q.corrected > 0 ? `beliefs, ${(q.versions / q.corrected).toFixed(1)} versions each` : 'beliefs'],
      ]),
      h('h3', {}, 'Retention'),
      stackedBars('Memories by retention', retention, typeSeries),
      legend(typeSeries),
      dataTable('Retention', retention, typeSeries),
      h('h3', {}, 'Status by time learned'),
      statuses.length > 0 ? stackedBars('Memories by time learned', statuses, statusSeries) : h('p', { class: 'muted small' }, 'No memories before this time.'),
      legend(statusSeries),
      dataTable('Learned', statuses, statusSeries),
    )
    this.updateMs = performance.now() - start
  }

  private sleepFigures({ reports, conflicts }: SleepStats): Node[] {
    const last = reports.at(-1)
    const saved = reports.reduce((n, r) => n + r.tokensSaved, 0)
    const rates = reports.map((r) => ({ name: dayText(Date.parse(r.startedAt)), value: r.promotionRate }))
    const bands = { below: 'below normal', normal: 'normal', above: 'above normal' }
    return [
      h('h3', {}, 'Effects of sleep'),
      figures([
        conflicts === null ? ['Conflicts', '–', 'not available'] : ['Conflicts', conflicts.toLocaleString('en'), 'unresolved', conflicts === 0],
        ['Promoted', last ? rate(last.promotionRate) : '–', last ? `a day, ${bands[rateBand(last.promotionRate)]}` : 'no sleep yet'],
        ['Saved', saved.toLocaleString('en'), 'tokens by merging'],
      ]),
      ...(rates.length > 1 ? [h('h3', {}, 'Promotion rate per day'), lineChart('Promotion rate', rates, rate, 0.12, NORMAL_RATE)] : []),
      h('p', { class: 'muted small board-foot' }, 'To measure recall, drift and corrections on a simulated world, run ', h('code', {}, 'somnograph eval'), '.'),
    ]
  }
}
