// The numbers of the morning report charts.
import type { Report } from '../api/sleep'

/** The normal range of the promotion rate: promoted ÷ memories in L1, per day. */
export const NORMAL_RATE = [0.05, 0.1] as const

export interface StepCount {
  key: keyof Report
  label: string
  meaning: string
  value: number
}

const STEP_KINDS: [keyof Report, string, string][] = [
  ['reinforced', 'Strengthened', 'confidence or salience increased'],
  ['decayed', 'Faded', 'lost more than 1 % of their salience since the last sleep'],
  ['pruned', 'Archived', 'faded too far, or of too little value'],
  ['deduplicated', 'Merged', 'merged into a near-duplicate'],
  ['promoted', 'Promoted', 'from the index (L1) to the schema (L2)'],
  ['engraved', 'Engraved', 'from the schema (L2) into the recess (L3)'],
  ['dreamed', 'Dreamed', 'replayed'],
  ['consolidated', 'Consolidated', 'merged into a derived memory'],
  ['derived', 'Derived', 'new facts, summaries and patterns'],
  ['sparsified', 'Relations dropped', 'weakest relations of entities with too many'],
]

/** The counts of a sleep, in the order of its phases. */
export function stepCounts(r: Report): StepCount[] {
  return STEP_KINDS.map(([key, label, meaning]) => ({ key, label, meaning, value: r[key] as number }))
}

export interface BalancePart {
  key: 'kept' | 'merged' | 'archived' | 'left'
  value: number
  /** of `in` */
  share: number
}

/** in = kept + merged + archived + left; `whole` tells whether the sum is right. */
export function balanceOf(r: Report): { in: number; pieces: BalancePart[]; derived: number; whole: boolean } {
  const b = r.balance
  const keys = ['kept', 'merged', 'archived', 'left'] as const
  const sum = keys.reduce((n, k) => n + b[k], 0)
  return { in: b.in, pieces: keys.map((key) => ({ key, value: b[key], share: sum > 0 ? b[key] / sum : 0 })), derived: b.derived, whole: sum === b.in }
}

/** The phases with their share of the time. */
export function phasesOf(r: Report): { phase: Report['phases'][number]['phase']; items: number; seconds: number; share: number }[] {
  const all = r.phases.reduce((n, p) => n + p.seconds, 0)
  return r.phases.map((p) => ({ ...p, share: all > 0 ? p.seconds / all : 0 }))
}

export type RateBand = 'below' | 'normal' | 'above'

export function rateBand(rate: number): RateBand {
  return rate < NORMAL_RATE[0] ? 'below' : rate > NORMAL_RATE[1] ? 'above' : 'normal'
}

/** Reports for trends: completed, no dry runs, not rolled back; oldest first. */
export function trendReports(reports: readonly Report[]): Report[] {
  return reports.filter((r) => r.completedAt !== null && !r.dryRun && r.rolledBackAt === null).sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.id.localeCompare(b.id))
}

/** Where the budget ended a sleep, and how many owners it found no clusters for; empty if it did not. */
export function cutText(r: Pick<Report, 'cutOff' | 'clustersLeft'>): string {
  if (!r.cutOff) return ''
  const owners = r.clustersLeft === 1 ? '1 owner' : `${r.clustersLeft} owners`
  return `, ended by its budget in ${r.cutOff}${r.clustersLeft > 0 ? ` before the clusters of ${owners}` : ''}`
}

/** 0.008 → "8 ms", 3.2 → "3.2 s", 75 → "1 min 15 s" */
export function secondsText(s: number): string {
  if (s < 0.0005) return '< 1 ms'
  if (s < 1) return `${Math.round(s * 1000)} ms`
  if (s < 60) return `${s.toFixed(1)} s`
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
}

/** Round values for about n grid lines from 0; the last is at or above `most`. */
export function ticks(most: number, n = 3, whole = false): number[] {
  if (!(most > 0)) return [0, 1]
  const raw = whole ? Math.max(most / n, 1) : most / n
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = (whole ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]).map((m) => m * power).find((s) => s >= raw)!
  const steps = Math.ceil(Number((most / step).toPrecision(9))) // 0.1 × 3 is slightly more than 0.3
  return Array.from({ length: steps + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}
