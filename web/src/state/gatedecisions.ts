// The gate's decisions as numbers.
import type { Decision } from '../api/dashboards'
import type { GateDecision } from '../api/schema.gen'

export const DECISIONS = ['STORED', 'MERGED', 'REPLACED', 'REJECTED'] as const satisfies readonly GateDecision[]

type Counts = Record<GateDecision, number>
const none = (): Counts => ({ STORED: 0, MERGED: 0, REPLACED: 0, REJECTED: 0 })

/** Decisions by kind, in total and in equal spans from the first to the last. Erased ones are not counted. */
export function countDecisions(decisions: readonly Pick<Decision, 'at' | 'decision' | 'erased'>[], spans: number): { counts: Counts; spans: { from: number; counts: Counts }[] } {
  const some = decisions.flatMap((d) => (d.erased || !d.decision ? [] : [{ at: Date.parse(d.at), decision: d.decision }]))
  const counts = none()
  for (const d of some) counts[d.decision]++
  const first = Math.min(...some.map((d) => d.at))
  const width = (Math.max(...some.map((d) => d.at)) - first) / spans
  if (!(width > 0)) return { counts, spans: [] }
  const out = Array.from({ length: spans }, (_, i) => ({ from: first + i * width, counts: none() }))
  for (const d of some) out[Math.min(Math.floor((d.at - first) / width), spans - 1)]!.counts[d.decision]++
  return { counts, spans: out }
}

/** Evidence and quorum, and their places on a bar with some room above the larger one. */
export function quorumBar(d: Pick<Decision, 'decision' | 'quorum' | 'required'>): { reached: number; required: number; part: number; mark: number } | null {
  if (d.quorum === null || d.required === null || d.decision === 'STORED' || d.decision === 'MERGED') return null
  const room = Math.max(d.quorum, d.required, 0.01) * 1.15
  return { reached: d.quorum, required: d.required, part: d.quorum / room, mark: d.required / room }
}
