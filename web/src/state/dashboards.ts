// The numbers of the dashboards, from the scene at the instant shown or from the API's answers.
import type { Alarm, Health, Indicator, Timing } from '../api/dashboards'
import { STATUSES, TYPES, displayName } from '../api/vocabulary'
import { retentionAt, stateAt, statusAt, visibleAt, type Moment } from './visibility'
import type { World } from './world'

/** Retention below which a memory counts as faint. */
export const FAINT_RETENTION = 0.2
export const HEALTHY = [0.85, 1] as const
/** Limits for the 95th percentile of reads in ms: good, and acceptable. */
export const READ_P95 = [120, 200] as const

export interface Row {
  key: string
  label: string
  value: number
}

/** Counts by name, largest first. */
export function countRows(counts: unknown, names: (key: string) => string = displayName): Row[] {
  if (counts === null || typeof counts !== 'object') return []
  return Object.entries(counts)
    .filter((e): e is [string, number] => typeof e[1] === 'number')
    .map(([key, value]) => ({ key: key.toLowerCase(), label: names(key), value }))
    .sort((a, b) => b.value - a.value || a.label.localeCompare(b.label))
}

/** The alerts of a health report, as text. */
export function healthAlerts(h: Pick<Health, 'checksumFailures' | 'details'>): string[] {
  const details = (h.details ?? {}) as Record<string, unknown>
  const out: string[] = []
  if (h.checksumFailures > 0) out.push(`${h.checksumFailures} records failed their checksum and are not served.`)
  const waiting = Number(details['pendingEmbeddings'] ?? 0)
  if (waiting > 0) out.push(`${waiting.toLocaleString('en')} memories have no vector yet: search finds them by words only.`)
  if (Array.isArray(details['away'])) for (const part of details['away']) out.push(`${String(part)} does not answer.`)
  for (const b of openBreakers(h)) out.push(`${sentenceCase(b.name)} is not called after failures${b.reason === '' ? '' : `: ${b.reason}`}.`)
  const ahead = Number(details['clockAheadSeconds'] ?? 0)
  if (ahead > 0) out.push(`The clock of the machine is ${ahead.toLocaleString('en')} s behind what was recorded: until it has caught up, time stands still and nothing expires.`)
  const failed = (details['backup'] as { error?: string } | undefined)?.error
  if (failed) out.push(`The last try of the backup failed: ${failed}`)
  for (const [key, value] of Object.entries(details)) {
    if (KNOWN_DETAILS.has(key) || value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0)) continue
    out.push(`${sentenceCase(key)}: ${Array.isArray(value) ? value.length.toLocaleString('en') : typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
  }
  return out
}

export interface OpenBreaker {
  name: string
  reason: string
}

/** The circuit breakers that are not closed. */
export function openBreakers(h: Pick<Health, 'details'>): OpenBreaker[] {
  const all = ((h.details ?? {}) as Record<string, unknown>)['breakers']
  if (all === null || typeof all !== 'object') return []
  return Object.entries(all as Record<string, { state?: string; reason?: string }>)
    .filter(([, b]) => b.state === 'OPEN' || b.state === 'HALF_OPEN')
    .map(([name, b]) => ({ name, reason: b.reason ?? '' }))
}

/** The value of an indicator with its unit: "0.95", "140 ms", "3". */
export function indicatorText(unit: string, value: number): string {
  switch (unit) {
    case 'ms':
      return millisText(value)
    case 's':
      return value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`
    case 'count':
      return value.toLocaleString('en')
  }
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

/** The limits of an indicator in words: "healthy up to 120 ms, critical above 200 ms". */
export function bandText(i: Pick<Indicator, 'unit' | 'higherIsBetter' | 'warning' | 'critical'>): string {
  const warning = indicatorText(i.unit, i.warning)
  const critical = indicatorText(i.unit, i.critical)
  if (i.warning === i.critical) return i.higherIsBetter ? `critical below ${critical}` : `critical above ${critical}`
  return i.higherIsBetter ? `healthy from ${warning}, critical below ${critical}` : `healthy up to ${warning}, critical above ${critical}`
}

/** What the server does while an alarm lasts, in words. */
const ACTIONS: Record<string, string> = {
  RAISE_ETA: 'Sleeps strengthen used memories with twice the rate',
  RAISE_QUORUM: 'Beliefs change only with a quorum of 0.9',
  BLOCK_DAMAGED: 'Damaged records are not served',
  HALT_READS: 'Reads of this tenant are refused',
  HALT_WRITES: 'Writes are refused',
  SPARSIFY: 'The weakest relations of the node are dropped',
  FALLBACK: 'Searches use the built-in model in place of a remote embedder',
  REBUILD_INDEX: 'Damaged files of the index are made again',
  REFUSE_WRITES: 'Writes and erasures are refused while the disk is nearly full',
}

export function actionText(a: Pick<Alarm, 'action' | 'byHand' | 'until'>): string {
  if (a.action === null) return ''
  const what = ACTIONS[a.action] ?? sentenceCase(a.action)
  if (a.until !== null) return `${what}, until it ended.`
  return a.byHand ? `${what}, until a person ends the alarm.` : `${what}, until the alarm ends.`
}

const KNOWN_DETAILS = new Set(['byType', 'byStatus', 'byTier', 'byConsent', 'bySensitivity', 'pendingEmbeddings', 'embedder', 'claimsRead', 'uses', 'exposures', 'away', 'backup', 'breakers', 'clockAheadSeconds', 'letters', 'deadLetters', 'unengraved'])

/** "stuckInBuffer" → "Stuck in buffer" */
export function sentenceCase(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export interface Cohort {
  /** start of the time span */
  from: number
  values: Record<string, number>
}

/** The status at the instant of the memories learned in each of some time spans: counts by status. */
export function cohorts(world: World, at: number, spans: number): Cohort[] {
  const f = world.frame
  const first = world.firstBorn
  const width = (at - first) / spans
  if (!(width > 0)) return []
  const out: Cohort[] = Array.from({ length: spans }, (_, i) => ({ from: first + i * width, values: {} }))
  for (let i = 0; i < world.count; i++) {
    const status = statusAt(world, i, at)
    if (status < 0) continue
    const { values } = out[Math.min(Math.floor((f.born[i]! - first) / width), spans - 1)]!
    const key = STATUSES[status]!.toLowerCase()
    values[key] = (values[key] ?? 0) + 1
  }
  return out
}

/** Visible memories by retention in equal steps, lowest first: counts by type. */
export function retentionHistogram(world: World, filterMask: Uint8Array, at: Moment, steps = 10): Record<string, number>[] {
  const out: Record<string, number>[] = Array.from({ length: steps }, () => ({}))
  for (let i = 0; i < world.count; i++) {
    if (!filterMask[i] || !visibleAt(world, i, at)) continue
    const step = Math.min(Math.floor(retentionAt(world, i, at.recorded) * steps), steps - 1)
    const key = TYPES[world.frame.type[i]!]!.toLowerCase()
    out[step]![key] = (out[step]![key] ?? 0) + 1
  }
  return out
}

export interface QualityStats {
  shown: number
  /** mean retention of the visible memories, [0,1] */
  retention: number
  faint: number
  /** number of corrected beliefs, and of their versions */
  corrected: number
  versions: number
  core: number
}

/** Statistics of the visible memories. */
export function qualityStats(world: World, filterMask: Uint8Array, at: Moment): QualityStats {
  const q: QualityStats = { shown: 0, retention: 0, faint: 0, corrected: 0, versions: 0, core: 0 }
  let sum = 0
  for (let i = 0; i < world.count; i++) {
    if (!filterMask[i] || !visibleAt(world, i, at)) continue
    const left = retentionAt(world, i, at.recorded)
    q.shown++
    sum += left
    if (left < FAINT_RETENTION) q.faint++
    if (world.frame.stateCore[stateAt(world, i, at.recorded)] === 1) q.core++
    if (world.frame.version[i]! > 1) {
      q.corrected++
      q.versions += world.frame.version[i]!
    }
  }
  q.retention = q.shown > 0 ? sum / q.shown : 0
  return q
}

/** Operations that write; the others are reads. */
const WRITE_OPERATIONS = /^(remember|rememberMany|observe|closeSession|supersede|adjudicate|update|expire|pin|unpin|ingest|sleep|consolidate|rollback|withdrawSource|confirmTask|completeTask|dismissTask|feedback|resolveConflict|forget|setNamespacePolicy|advanceClock)$/

/** The read with the largest 95th percentile, among those with enough calls. */
export function slowestRead(timings: readonly Timing[], least = 5): Timing | null {
  return timings.filter((t) => !WRITE_OPERATIONS.test(t.name) && t.count >= least).reduce<Timing | null>((worst, t) => (worst && worst.p95Ms >= t.p95Ms ? worst : t), null)
}

/** The percentile of the values; NaN if there are none. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return NaN
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)]!
}

/** "0.42 ms", "12 ms", "1.3 s" */
export function millisText(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** "312 B", "46 KB", "2.4 MB" */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
