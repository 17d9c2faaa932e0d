// Turns the progress of a sleep into an animation that people can follow. A sleep over a few
// hundred memories takes milliseconds; the replay gives each phase and step a minimum time, and
// speeds up when it falls behind a running sleep. It has no clock: seconds are passed in.
import type { SleepPhase, StepVerb } from '../api/schema.gen'
import { PHASES } from '../api/vocabulary'

/** The effects of a step on a memory; scene/node.glsl has the same numbers. */
export const EFFECTS = ['NONE', 'STRENGTHEN', 'ARCHIVE', 'MERGE', 'RECEIVE', 'PROMOTE', 'ENGRAVE', 'DREAM', 'GIVE', 'BORN'] as const
export type EffectKind = Exclude<(typeof EFFECTS)[number], 'NONE'>

/** Whether this is the last message of a sleep. */
export function isLastProgress(progress: Pick<SleepProgress, 'phase' | 'done' | 'total'>): boolean {
  return progress.phase === 'REPORT' && progress.total > 0 && progress.done >= progress.total
}

export interface Effect {
  /** of the memory */
  id: string
  kind: EffectKind
  /** second of the replay at which it begins */
  at: number
  /** the target memory */
  to: string | null
}

export interface SleepProgress {
  phase: SleepPhase
  done: number
  total: number
  steps: readonly { verb: StepVerb; from: readonly string[]; to: string | null }[]
}

/** The state of the replay at a second. */
export interface ReplayState {
  phase: SleepPhase
  /** index in PHASES */
  index: number
  done: number
  total: number
  /** memories processed so far, by kind of step */
  tally: Partial<Record<StepVerb, number>>
}

interface Cue {
  at: number
  phase: SleepPhase
  done: number
  total: number
}

/** Duration of an effect in seconds; scene/node.glsl has the same number. */
export const EFFECT_SECONDS = 1.6
/** Minimum duration of a phase. */
const MIN_PHASE_SECONDS = 1.1
/** Maximum duration of consecutive steps of one kind, and duration of each of a few. */
const MAX_RUN_SECONDS = 2.4
const SECONDS_PER_STEP = 0.16
/** A running sleep is followed with at most about this lag. */
const MAX_LAG_SECONDS = 30
/** Time for the last effects before the replay ends. */
const FINAL_SECONDS = 2.6

export class SleepReplay {
  readonly effects: Effect[] = []
  private readonly cues: Cue[] = []
  private readonly counts: { at: number; verb: StepVerb; count: number }[] = []
  /** no earlier than this does the next effect begin */
  private nextAt = 0
  private phaseStart = 0
  private end = Infinity

  constructor(
    /** id of the sleep's report */
    readonly report: string,
    /** whether the sleep was over when the replay began */
    readonly past = false,
  ) {}

  /** Adds progress that was received at this second. */
  add(progress: SleepProgress, now: number): void {
    const last = this.cues.at(-1)
    this.end = Infinity // the sleep was not over after all
    this.nextAt = Math.max(this.nextAt, now)
    if (last?.phase !== progress.phase) {
      if (last) this.nextAt = Math.max(this.nextAt, this.phaseStart + MIN_PHASE_SECONDS)
      this.phaseStart = this.nextAt
      this.cues.push({ at: this.nextAt, phase: progress.phase, done: 0, total: progress.total })
    }
    let done = this.cues.at(-1)!.done
    consecutiveSteps(progress.steps).forEach((run, i, runs) => {
      // The larger the lag behind a running sleep, the faster.
      const pace = this.past ? 1 : Math.max(1 - (this.nextAt - now) / MAX_LAG_SECONDS, 0)
      const span = pace * Math.min(MAX_RUN_SECONDS, SECONDS_PER_STEP * run.length)
      this.cues.push({ at: this.nextAt, phase: progress.phase, done, total: progress.total })
      run.forEach((s, k) => this.addEffects(s, this.nextAt + (span * k) / run.length))
      this.nextAt += span
      done = Math.min(done + run.length, progress.done)
      if (i + 1 < runs.length) this.cues.push({ at: this.nextAt, phase: progress.phase, done, total: progress.total })
    })
    this.cues.push({ at: this.nextAt, phase: progress.phase, done: progress.done, total: progress.total })
    if (isLastProgress(progress)) this.finish(now)
  }

  /** The sleep is over. */
  finish(now: number): void {
    if (this.end < Infinity) return
    this.end = Math.max(this.nextAt, this.phaseStart + MIN_PHASE_SECONDS, now) + (this.effects.length > 0 ? FINAL_SECONDS : 0.4)
  }

  /** Whether the sleep itself is over. */
  get finished(): boolean {
    return this.end < Infinity
  }

  /** Whether the replay is over. */
  isOver(now: number): boolean {
    return now >= this.end
  }

  stateAt(now: number): ReplayState {
    let i = 0
    while (i + 1 < this.cues.length && this.cues[i + 1]!.at <= now) i++
    const cue = this.cues[i] ?? { at: 0, phase: 'N1' as const, done: 0, total: 0 }
    const next = this.cues[i + 1]
    const part = next && next.phase === cue.phase && next.at > cue.at ? Math.min(Math.max((now - cue.at) / (next.at - cue.at), 0), 1) : 0
    const tally: ReplayState['tally'] = {}
    for (const m of this.counts) if (m.at <= now) tally[m.verb] = (tally[m.verb] ?? 0) + m.count
    return {
      phase: cue.phase,
      index: PHASES.findIndex(([p]) => p === cue.phase),
      done: part > 0 ? Math.round(cue.done + (next!.done - cue.done) * part) : cue.done,
      total: cue.total,
      tally,
    }
  }

  private addEffects(s: SleepProgress['steps'][number], at: number): void {
    const from = s.from.filter((id) => id !== s.to)
    const all = (kind: EffectKind, to: string | null = null) => from.forEach((id) => this.effects.push({ id, kind, at, to }))
    let count = from.length
    switch (s.verb) {
      case 'MERGE':
        all('MERGE', s.to)
        if (s.to) this.effects.push({ id: s.to, kind: 'RECEIVE', at: at + EFFECT_SECONDS * 0.8, to: null })
        break
      case 'KEEP': // the memory changes its type
        all('PROMOTE')
        break
      case 'DISTIL':
      case 'SUMMARISE':
      case 'PATTERN':
        all('GIVE', s.to)
        if (s.to) this.effects.push({ id: s.to, kind: 'BORN', at: at + EFFECT_SECONDS * 0.4, to: null })
        count = s.to ? 1 : from.length
        break
      case 'SPARSIFY': // removes relations, which the scene does not draw
      case 'CLUSTER': // changes no memory
        break
      default:
        all(s.verb)
    }
    const last = this.counts.at(-1)
    if (last?.verb === s.verb && last.at === at) last.count += count
    else this.counts.push({ at, verb: s.verb, count })
  }
}

/** Groups consecutive steps of the same kind. */
function consecutiveSteps(steps: SleepProgress['steps']): SleepProgress['steps'][number][][] {
  const runs: SleepProgress['steps'][number][][] = []
  for (const s of steps) {
    if (runs.at(-1)?.[0]!.verb === s.verb) runs.at(-1)!.push(s)
    else runs.push([s])
  }
  return runs
}

/** The replay of a past sleep, phase by phase. */
export function replayOfReport(report: string, phases: readonly { phase: SleepPhase; items: number }[], steps: readonly (SleepProgress['steps'][number] & { phase: SleepPhase })[], now: number): SleepReplay {
  const replay = new SleepReplay(report, true)
  for (const { phase, items } of phases) {
    const own = steps.filter((s) => s.phase === phase)
    replay.add({ phase, done: 0, total: items, steps: [] }, now)
    replay.add({ phase, done: items, total: items, steps: own }, now)
  }
  replay.add({ phase: 'REPORT', done: 1, total: 1, steps: [] }, now)
  replay.finish(now)
  return replay
}
