// The terms of a memory's plasticity, the criteria for the next tier, its history, and when it
// fades.
import type { PlasticityData, Policy } from '../api/sleep'
import { STATUSES, TIERS } from '../api/vocabulary'
import { DAY } from './decay'
import { anchorAt, stateAt } from './visibility'
import type { World } from './world'

/** Retention below which a memory has faded. */
export const FADED = 0.2

export type Coefficients = Pick<Policy, 'alpha' | 'beta' | 'gamma' | 'lambda' | 'delta'>

/** Coefficients of a namespace without a policy. */
export const DEFAULT_COEFFICIENTS: Coefficients = { alpha: 1, beta: 0.3, gamma: 0.5, lambda: 0.7, delta: 0.4 }

export interface Signals {
  salience: number
  retention: number
  usage: number
  authority: number
  conflict: number
  surprise: number
}

export interface Term {
  symbol: 'S' | 'U' | 'A' | 'C' | 'Δ'
  name: string
  /** the formula with its numbers */
  formula: string
  value: number
}

/** The terms of score = α·S(t) + β·ln(1+U) + γ·A − λ·C + δ·Δ. */
export function scoreTerms(m: Signals, c: Coefficients): Term[] {
  const n = (v: number) => v.toFixed(2)
  return [
    { symbol: 'S', name: 'Salience', formula: `${c.alpha} × ${n(m.salience)} × ${n(m.retention)} retention`, value: c.alpha * m.salience * m.retention },
    { symbol: 'U', name: 'Usage', formula: `${c.beta} × ln(1 + ${m.usage})`, value: c.beta * Math.log1p(m.usage) },
    { symbol: 'A', name: 'Authority', formula: `${c.gamma} × ${n(m.authority)}`, value: c.gamma * m.authority },
    { symbol: 'C', name: 'Conflict', formula: `−${c.lambda} × ${n(m.conflict)}`, value: 0 - c.lambda * m.conflict },
    { symbol: 'Δ', name: 'Surprise', formula: `${c.delta} × ${n(m.surprise)}`, value: c.delta * m.surprise },
  ]
}

export interface Criterion {
  name: string
  /** how far it is met, [0,1] */
  progress: number
  met: boolean
  have: string
  need: string
}

export interface Promotion {
  to: 'L2' | 'L3'
  criteria: Criterion[]
  met: boolean
}

/** The next promotion of a memory and its criteria; null: there is none. */
export function nextPromotion(g: PlasticityData): Promotion | null {
  if (g.promotesAt !== null) {
    const gate = { name: 'Plasticity', progress: clamp(g.score / g.promotesAt), met: g.score > g.promotesAt, have: g.score.toFixed(2), need: `above ${g.promotesAt.toFixed(2)}` }
    return { to: 'L2', criteria: [gate], met: gate.met }
  }
  const e = g.engraveGates
  if (!e) return null
  return {
    to: 'L3',
    criteria: [
      { name: 'Days of use', progress: clamp(e.days / e.neededDays), met: e.days >= e.neededDays, have: String(e.days), need: `${e.neededDays} days` },
      { name: 'Confidence', progress: clamp(e.confidence / e.neededConfidence), met: e.confidence >= e.neededConfidence, have: e.confidence.toFixed(2), need: `at least ${e.neededConfidence.toFixed(2)}` },
      { name: 'Conflict', progress: e.conflict < e.maxConflict ? 1 : clamp(e.maxConflict / e.conflict), met: e.conflict < e.maxConflict, have: e.conflict.toFixed(2), need: `below ${e.maxConflict.toFixed(2)}` },
    ],
    met: e.open,
  }
}

/** When retention falls below FADED without further use, ms since 1970; Infinity: never. */
export function fadesAt(world: World, node: number, now: number): number {
  const f = world.frame
  const s = stateAt(world, node, now)
  const k = f.decayRate[node]!
  if (k <= 0 || (s >= 0 && (f.stateCore[s] === 1 || f.stateTier[s] === 3))) return Infinity
  return anchorAt(world, node, now) + (Math.log(1 / FADED) / k) * DAY
}

export interface LifeStage {
  from: number
  status: (typeof STATUSES)[number]
  tier: (typeof TIERS)[number]
  core: boolean
  /** the difference from the previous stage */
  change: string
}

/** The stages of a memory up to an instant, oldest first. */
export function lifeStages(world: World, node: number, until: number): LifeStage[] {
  const f = world.frame
  const out: LifeStage[] = []
  for (let s = f.stateStart[node]!; s < f.stateStart[node + 1]! && f.stateFrom[s]! <= until; s++) {
    const stage = { from: f.stateFrom[s]!, status: STATUSES[f.stateStatus[s]!]!, tier: TIERS[f.stateTier[s]!]!, core: f.stateCore[s] === 1 }
    const before = out.at(-1)
    const changes: string[] = []
    if (!before) changes.push(`written to ${stage.tier}`)
    else {
      if (before.tier !== stage.tier) changes.push(`${before.tier} → ${stage.tier}`)
      if (before.status !== stage.status) changes.push(stage.status === 'ACTIVE' ? 'active again' : stage.status.toLowerCase())
      if (before.core !== stage.core) changes.push(stage.core ? 'made core' : 'no longer core')
    }
    if (changes.length > 0) out.push({ ...stage, change: changes.join(', ') })
  }
  if (f.expires[node]! <= until && out.at(-1)?.status === 'ACTIVE') out.push({ ...out.at(-1)!, from: f.expires[node]!, status: 'EXPIRED', change: 'expired' })
  return out
}

/** Counts the times that fall into each of some equal slices of the days ahead. */
export function fadingByDay(times: readonly number[], now: number, days: number, slices: number): { from: number; count: number }[] {
  const n = Math.min(slices, days)
  const width = (days * DAY) / n
  const out = Array.from({ length: n }, (_, i) => ({ from: now + i * width, count: 0 }))
  for (const t of times) out[Math.min(Math.max(Math.floor((t - now) / width), 0), n - 1)]!.count++
  return out
}

function clamp(x: number): number {
  return Number.isFinite(x) ? Math.min(Math.max(x, 0), 1) : 0
}
