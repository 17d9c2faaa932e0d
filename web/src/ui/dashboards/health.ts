// The health dashboard: score, contents and alerts.
import { fetchDeadLetters, fetchHealth, type DeadLetters, type Health } from '../../api/dashboards'
import { fetchReports, isUnsupported, type Report } from '../../api/sleep'
import { healthAlerts, HEALTHY, countRows, openBreakers } from '../../state/dashboards'
import { dayText } from '../../state/clock'
import { trendReports } from '../../state/reports'
import { AsyncContent } from '../asynccontent'
import { barList, lineChart } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { breakerList, failedWork } from './failedwork'
import { figures, gradeIcon } from './parts'

const TIERS: Record<string, string> = { L0: 'Working buffer (L0)', L1: 'Index (L1)', L2: 'Schema (L2)', L3: 'Recess (L3)' }
const VERDICTS: Record<Health['status'], string> = { HEALTHY: 'Healthy', WARNING: 'Warning', CRITICAL: 'Critical' }
const percent = (v: number): string => `${Math.round(100 * v)} %`

export class HealthTab implements Tab {
  readonly element: HTMLElement
  private readonly content: AsyncContent<{ health: Health; reports: Report[]; failed: DeadLetters }>
  private opened = false

  constructor(s: Session) {
    const body = h('div')
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Health'), body)
    this.content = new AsyncContent(
      body,
      async (signal) => {
        const [health, reports, failed] = await Promise.all([
          fetchHealth(signal),
          fetchReports(30, null, signal).then((p) => p.nodes, (e: unknown) => {
            if (isUnsupported(e)) return []
            throw e
          }),
          fetchDeadLetters(signal).catch((e: unknown) => {
            if (signal.aborted) throw e
            return { nodes: [], pageInfo: { hasNextPage: false } } // the caller may not see them
          }),
        ])
        return { health, reports, failed }
      },
      (a) => this.show(a.health, trendReports(a.reports), a.failed),
      'health',
    )
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

  private show(a: Health, reports: Report[], failed: DeadLetters): Node[] {
    const reload = (): void => void this.content.load()
    const details = (a.details ?? {}) as Record<string, unknown>
    const alerts = healthAlerts(a)
    const grade = a.status === 'HEALTHY' ? 'good' : a.status === 'WARNING' ? 'warn' : 'bad'
    const points = reports.flatMap((r) => (r.healthAfter === null ? [] : [{ name: dayText(Date.parse(r.startedAt)), value: r.healthAfter }]))
    return [
      h('p', { class: `verdict ${grade}`, role: 'status' }, gradeIcon(grade), h('b', {}, VERDICTS[a.status]), h('span', { class: 'muted' }, 'overall status')),
      figures([
        ['Score', a.score.toFixed(2), a.score >= HEALTHY[0] ? 'good: 0.85 or more' : 'below 0.85: low retention or confidence', a.score >= HEALTHY[0]],
        ['Active', a.memories.toLocaleString('en'), 'memories'],
        ['Engrams', a.engrams.toLocaleString('en'), 'permanent memories'],
      ]),
      ...(alerts.length > 0 ? [h('h3', {}, 'Needs attention'), h('ul', { class: 'alarms' }, ...alerts.map((w) => h('li', {}, gradeIcon(a.checksumFailures > 0 && w === alerts[0] ? 'bad' : 'warn'), w)))] : []),
      ...breakerList(openBreakers(a), reload),
      ...failedWork(failed, reload),
      ...(points.length > 1 ? [h('h3', {}, 'Health after each sleep'), lineChart('Health', points, percent, 1, HEALTHY), h('p', { class: 'muted small' }, 'Mean of 0.6 × confidence + 0.4 × retention over active memories. The band is the good range.')] : []),
      h('h3', {}, 'By type'),
      barList(countRows(details['byType']).map((r) => ({ ...r, key: `type-${r.key}` }))),
      h('h3', {}, 'By tier'),
      barList(countRows(details['byTier'], (k) => TIERS[k] ?? k)),
      h('h3', {}, 'By status'),
      barList(countRows(details['byStatus']).map((r) => ({ ...r, key: `status-${r.key}` }))),
      h('p', { class: 'muted small board-foot' }, `${a.entities.toLocaleString('en')} entities. Embedding model: ${String(details['embedder'] ?? 'unknown')}.`),
    ]
  }
}
