// The health dashboard: score, contents and alerts.
import { fetchAlarms, fetchDeadLetters, fetchHealth, resetAlarm, type Alarm, type DeadLetters, type Health, type Indicator } from '../../api/dashboards'
import { fetchReports, isUnsupported, type Report } from '../../api/sleep'
import { actionText, bandText, countRows, healthAlerts, HEALTHY, indicatorText, openBreakers } from '../../state/dashboards'
import { dayText } from '../../state/clock'
import { trendReports } from '../../state/reports'
import { AsyncContent } from '../asynccontent'
import { barList, lineChart, sparkline } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { breakerList, failedWork } from './failedwork'
import { figures, gradeIcon, type Grade } from './parts'

const TIERS: Record<string, string> = { L0: 'Working buffer (L0)', L1: 'Index (L1)', L2: 'Schema (L2)', L3: 'Recess (L3)' }
const VERDICTS: Record<Health['status'], string> = { HEALTHY: 'Healthy', WARNING: 'Warning', CRITICAL: 'Critical' }
const percent = (v: number): string => `${Math.round(100 * v)} %`

const GRADES: Record<Health['status'], Grade> = { HEALTHY: 'good', WARNING: 'warn', CRITICAL: 'bad' }
const timeText = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Since when, and until when. */
function since(a: Alarm): string {
  if (a.until === null) return `Since ${timeText(a.since)}.`
  return `From ${timeText(a.since)} until ${timeText(a.until)}${a.endedBy === null ? '' : `, ended by ${a.endedBy}`}.`
}

/** Every indicator with its value, its limits and its history. */
function indicatorList(list: readonly Indicator[]): HTMLElement {
  return h(
    'ul',
    { class: 'indicators' },
    ...list.map((i) =>
      h(
        'li',
        {},
        gradeIcon(GRADES[i.status]),
        h('span', { class: 'indicator-name' }, i.subject === null ? i.title : `${i.title}: ${i.subject}`, h('span', { class: 'muted small' }, bandText(i))),
        sparkline(i.history.map((p) => p.value), [i.warning, i.critical]),
        h('b', {}, indicatorText(i.unit, i.value)),
      ),
    ),
  )
}

export class HealthTab implements Tab {
  readonly element: HTMLElement
  private readonly content: AsyncContent<{ health: Health; alarms: Alarm[]; reports: Report[]; failed: DeadLetters }>
  private opened = false

  constructor(s: Session) {
    const body = h('div')
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Health'), body)
    this.content = new AsyncContent(
      body,
      async (signal) => {
        const [health, alarms, reports, failed] = await Promise.all([
          fetchHealth(signal),
          fetchAlarms(signal).catch((e: unknown) => {
            if (signal.aborted) throw e
            return [] // the credentials see only a part of the tenant
          }),
          fetchReports(30, null, signal).then((p) => p.nodes, (e: unknown) => {
            if (isUnsupported(e)) return []
            throw e
          }),
          fetchDeadLetters(signal).catch((e: unknown) => {
            if (signal.aborted) throw e
            return { nodes: [], pageInfo: { hasNextPage: false } } // the caller may not see them
          }),
        ])
        return { health, alarms, reports, failed }
      },
      (a) => this.show(a.health, a.alarms, trendReports(a.reports), a.failed),
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

  private alarmRow(a: Alarm): HTMLElement {
    const words = h('span', { class: 'alarm-words' }, h('b', {}, a.message), h('span', { class: 'muted small' }, [since(a), actionText(a), a.until === null ? `${sentence(a.advice)}.` : ''].filter(Boolean).join(' ')))
    const end = h('button', { class: 'quiet-button', type: 'button' }, 'End')
    end.setAttribute('aria-label', `End the alarm: ${a.message}`)
    end.addEventListener('click', () => void resetAlarm(a.id).then(() => this.content.load(), () => this.content.load()))
    return h('li', {}, a.until !== null ? gradeIcon('good') : gradeIcon(a.severity === 'CRITICAL' ? 'bad' : 'warn'), words, ...(a.until === null ? [end] : []))
  }

  private show(a: Health, alarms: Alarm[], reports: Report[], failed: DeadLetters): Node[] {
    const reload = (): void => void this.content.load()
    const details = (a.details ?? {}) as Record<string, unknown>
    const alerts = healthAlerts(a)
    const grade = a.status === 'HEALTHY' ? 'good' : a.status === 'WARNING' ? 'warn' : 'bad'
    const reached = a.attainable > 0 ? a.score / a.attainable : 1
    const [ended, active] = [alarms.filter((x) => x.until !== null), alarms.filter((x) => x.until === null)]
    const points = reports.flatMap((r) => (r.healthAfter === null ? [] : [{ name: dayText(Date.parse(r.startedAt)), value: r.healthAfter }]))
    return [
      h('p', { class: `verdict ${grade}`, role: 'status' }, gradeIcon(grade), h('b', {}, VERDICTS[a.status]), h('span', { class: 'verdict-reason' }, a.reason)),
      figures([
        ['Score', a.score.toFixed(2), `${percent(reached)} of the attainable ${a.attainable.toFixed(2)}`],
        ['Active', a.memories.toLocaleString('en'), 'memories'],
        ['Engrams', a.engrams.toLocaleString('en'), 'permanent memories'],
      ]),
      ...(active.length > 0 ? [h('h3', {}, 'Active alarms'), h('ul', { class: 'alarms' }, ...active.map((x) => this.alarmRow(x)))] : []),
      ...(alerts.length > 0 ? [h('h3', {}, 'Needs attention'), h('ul', { class: 'alarms' }, ...alerts.map((w) => h('li', {}, gradeIcon(a.checksumFailures > 0 && w === alerts[0] ? 'bad' : 'warn'), w)))] : []),
      ...breakerList(openBreakers(a), reload),
      ...failedWork(failed, reload),
      ...(points.length > 1 ? [h('h3', {}, 'Health after each sleep'), lineChart('Health', points, percent, 1, HEALTHY), h('p', { class: 'muted small' }, 'Mean of 0.6 × confidence + 0.4 × retention over active memories. The band is the good range.')] : []),
      ...(a.indicators.length > 0 ? [h('h3', {}, 'Indicators'), indicatorList(a.indicators), ...(a.refreshedAt === null ? [] : [h('p', { class: 'muted small' }, `Read at ${timeText(a.refreshedAt)}, every minute. The lines are the last six hours, for figures of the daily canary the last 35 days.`)])] : []),
      ...(ended.length > 0 ? [h('h3', {}, 'Ended alarms'), h('ul', { class: 'alarms' }, ...ended.map((x) => this.alarmRow(x)))] : []),
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
