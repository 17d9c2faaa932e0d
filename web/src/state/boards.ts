// The numbers of the boards: from the scene at the instant shown, or from the API's answers, within a time range.
import type { Decision, Indicator } from '../api/dashboards'
import type { Report } from '../api/sleep'
import { STATUSES } from '../api/vocabulary'
import { dayText } from './clock'
import { DAY } from './decay'
import { FAINT_RETENTION } from './dashboards'
import { retentionAt, statusAt, type Moment } from './visibility'
import type { World } from './world'

/** A time range, ms since 1970; empty: all. */
export type Range = readonly [] | readonly [from: number, to: number]

export function within(range: Range, at: number): boolean {
  return range.length === 0 || (at >= range[0] && at <= range[1])
}

/** A step of the waterfall: a total, or what leaves it. */
export interface WaterfallStep {
  key: string
  label: string
  /** number of memories */
  value: number
  /** where the bar begins and ends */
  from: number
  to: number
  nodes: number[]
}

const LOSSES: [status: string, label: string][] = [['SUPERSEDED', 'Corrected'], ['CONSOLIDATED', 'Merged'], ['ARCHIVED', 'Archived'], ['EXPIRED', 'Expired'], ['FORGOTTEN', 'Forgotten']]

/** What became of the memories learned in a range: learned, minus each loss, active, minus the faint, well remembered. `passes` are the filters. */
export function waterfall(world: World, passes: Uint8Array, at: Moment, range: Range): WaterfallStep[] {
  const byStatus = new Map<string, number[]>()
  const faint: number[] = []
  const well: number[] = []
  const learned: number[] = []
  for (let i = 0; i < world.count; i++) {
    const status = statusAt(world, i, at.recorded)
    if (!passes[i] || status < 0 || !within(range, world.frame.born[i]!)) continue
    learned.push(i)
    const name = STATUSES[status]!
    byStatus.set(name, [...(byStatus.get(name) ?? []), i])
    if (name === 'ACTIVE') (retentionAt(world, i, at.recorded) < FAINT_RETENTION ? faint : well).push(i)
  }
  let left = learned.length
  const total = (key: string, label: string, nodes: number[]): WaterfallStep => ({ key, label, value: nodes.length, from: 0, to: nodes.length, nodes })
  const loss = (key: string, label: string, nodes: number[]): WaterfallStep => {
    left -= nodes.length
    return { key, label, value: nodes.length, from: left + nodes.length, to: left, nodes }
  }
  return [
    total('learned', 'Learned', learned),
    ...LOSSES.map(([status, label]) => loss(status.toLowerCase(), label, byStatus.get(status) ?? [])).filter((s) => s.value > 0),
    total('active', 'Active', byStatus.get('ACTIVE') ?? []),
    loss('faint', 'Faint', faint),
    total('well', 'Remembered well', well),
  ]
}

export interface Bucket {
  name: string
  nodes: number[]
}

const DEGREES: [from: number, to: number][] = [[0, 0], [1, 1], [2, 2], [3, 5], [6, 10], [11, 20], [21, 50], [51, Infinity]]

/** The memories of `drawn` by the number of edges to others of them. */
export function degreeHistogram(world: World, drawn: (node: number) => boolean, range: Range): Bucket[] {
  const f = world.frame
  const shown = Uint8Array.from({ length: world.count }, (_, i) => (drawn(i) && within(range, f.born[i]!) ? 1 : 0))
  const degree = new Uint32Array(world.count)
  for (let e = 0; e < f.edgeCount; e++) {
    const [from, to] = [f.from[e]!, f.to[e]!]
    if (from === to || !shown[from] || !shown[to]) continue
    degree[from]!++
    degree[to]!++
  }
  const out: Bucket[] = DEGREES.map(([a, b]) => ({ name: a === b ? String(a) : b === Infinity ? `${a}+` : `${a}–${b}`, nodes: [] }))
  for (let i = 0; i < world.count; i++) if (shown[i]) out[DEGREES.findIndex(([a, b]) => degree[i]! >= a && degree[i]! <= b)]!.nodes.push(i)
  while (out.length > 1 && out.at(-1)!.nodes.length === 0) out.pop()
  return out
}

/** Gate decisions by their quorum in steps of 0.1: counts by decision, and the memories that they are about. */
export function quorumHistogram(decisions: readonly Decision[], range: Range): { name: string; values: Record<string, number>; memories: string[] }[] {
  const steps = 11
  const out = Array.from({ length: steps }, (_, i) => ({ name: (i / 10).toFixed(1), values: {} as Record<string, number>, memories: [] as string[] }))
  for (const d of decisions) {
    if (!within(range, Date.parse(d.at))) continue
    if (d.quorum === null || d.decision === null) continue // erased
    const row = out[Math.min(Math.max(Math.floor(d.quorum * 10 + 1e-9), 0), steps - 1)]!
    const key = `gate-${d.decision.toLowerCase()}`
    row.values[key] = (row.values[key] ?? 0) + 1
    row.memories.push(...d.memoryIds)
  }
  return out
}

const WEEK = 7 * DAY
/** 1970 began on a Thursday; weeks begin on Mondays. */
const MONDAY = 4 * DAY

/** The beginning of the week of an instant, UTC. */
export function weekOf(at: number): number {
  return Math.floor((at - MONDAY) / WEEK) * WEEK + MONDAY
}

/** The sleeps of a range by week, without gaps: sums of what they did. */
export function reportsByWeek(reports: readonly Report[], keys: readonly (keyof Report)[], range: Range): { from: number; values: Record<string, number> }[] {
  const some = reports.filter((r) => within(range, Date.parse(r.startedAt)))
  if (some.length === 0) return []
  const weeks = some.map((r) => weekOf(Date.parse(r.startedAt)))
  const [first, last] = [Math.min(...weeks), Math.max(...weeks)]
  const out = Array.from({ length: Math.round((last - first) / WEEK) + 1 }, (_, i) => ({ from: first + i * WEEK, values: {} as Record<string, number> }))
  some.forEach((r, i) => {
    const { values } = out[Math.round((weeks[i]! - first) / WEEK)]!
    for (const key of keys) values[key] = (values[key] ?? 0) + (r[key] as number)
  })
  return out
}

/** The end of a week that begins at an instant. */
export function weekEnd(from: number): number {
  return from + WEEK - 1
}

/** What the daily canary measures; engine/alarm has the same names. */
const CANARY = ['recall_14d', 'drift_resistance', 'correction_persistence', 'repetition', 'compression']

/** The indicators of the canary, with their history in the range. */
export function recallIndicators(indicators: readonly Indicator[], range: Range): Indicator[] {
  return indicators.filter((i) => CANARY.includes(i.name)).map((i) => ({ ...i, history: i.history.filter((p) => within(range, Date.parse(p.at))) }))
}

/** A range in words. */
export function rangeText(range: Range): string {
  return range.length === 0 ? 'all time' : `${dayText(range[0])} to ${dayText(range[1])}`
}

/** Rows as CSV by RFC 4180. What a spreadsheet would take for a formula, also behind what nobody sees, begins with an apostrophe. */
export function csv(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (v: string | number): string => {
    const text = typeof v === 'string' && /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r])/u.test(v) ? `'${v}` : String(v)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n'
}

interface CheckedChain {
  readonly keys: boolean
  readonly rows: number
  readonly waiting: number
  readonly roots: number
}

/**
 * What a check of the audit says. The rows of a chain whose keys are not on this server (another server's, or lost ones) can't be
 * checked, so "intact" is said only if the keys of every chain are there, and if there is something to check.
 */
export function auditVerdict(check: { intact: boolean; chains: readonly CheckedChain[] }): { grade: 'good' | 'warn' | 'bad'; text: string } {
  if (!check.intact) return { grade: 'bad', text: 'The audit was changed' }
  const unchecked = check.chains.filter((c) => !c.keys).length
  if (unchecked > 0) return { grade: 'warn', text: `${unchecked} of ${check.chains.length} chains of the audit could not be checked: their keys are not on this server` }
  if (!check.chains.some((c) => c.rows + c.waiting + c.roots > 0)) return { grade: 'warn', text: 'The audit was not checked: it has no rows' }
  return { grade: 'good', text: 'The audit is intact' }
}
