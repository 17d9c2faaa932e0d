// A sleep as people can follow it. A server sleeps over a few hundred memories in a blink;
// the show gives every phase and every step its moment, in their order, and catches up
// where the sleep is slower than the show. It knows no clock: seconds are passed in.
import type { SleepPhase, StepVerb } from '../api/schema.gen'
import { PHASES } from '../api/vocabulary'

/** What one memory goes through in a step; the numbers are those of scene/node.glsl. */
export const EFFECTS = ['NONE', 'STRENGTHEN', 'ARCHIVE', 'MERGE', 'RECEIVE', 'PROMOTE', 'ENGRAVE', 'DREAM', 'GIVE', 'BORN'] as const
export type EffectKind = Exclude<(typeof EFFECTS)[number], 'NONE'>

/** Whether this is the last that is told of a sleep. */
export function isLastProgress(progress: Pick<SleepProgress, 'phase' | 'done' | 'total'>): boolean {
  return progress.phase === 'REPORT' && progress.total > 0 && progress.done >= progress.total
}

export interface Effect {
  /** of the memory */
  id: string
  kind: EffectKind
  /** second of the show at which it begins */
  at: number
  /** the memory that it goes to */
  to: string | null
}

export interface SleepProgress {
  phase: SleepPhase
  done: number
  total: number
  steps: readonly { verb: StepVerb; from: readonly string[]; to: string | null }[]
}

/** Where the show stands at a second. */
export interface ReplayState {
  phase: SleepPhase
  /** of PHASES */
  index: number
  done: number
  total: number
  /** memories by what was done to them so far */
  tally: Partial<Record<StepVerb, number>>
}

interface Cue {
  at: number
  phase: SleepPhase
  done: number
  total: number
}

/** Seconds that an act takes; the same number stands in scene/node.glsl. */
export const EFFECT_SECONDS = 1.6
/** A phase is seen at least so long. */
const MIN_PHASE_SECONDS = 1.1
/** Steps of one kind take at most so long, and each at most its share. */
const MAX_RUN_SECONDS = 2.4
const SECONDS_PER_STEP = 0.16
/** The show is hardly further behind the sleep than this. */
const MAX_LAG_SECONDS = 30
/** What was done last is seen so long before the day returns. */
const FINAL_SECONDS = 2.6

export class SleepReplay {
  readonly effects: Effect[] = []
  private readonly cues: Cue[] = []
  private readonly counts: { at: number; verb: StepVerb; count: number }[] = []
  /** the next thing is shown no earlier */
  private nextAt = 0
  private phaseStart = 0
  private end = Infinity

  constructor(
    /** id of the report of the sleep that is shown */
    readonly report: string,
    /** it was over when the show began */
    readonly replay = false,
  ) {}

  /** The sleep came so far, at this second. */
  add(progress: SleepProgress, now: number): void {
    const last = this.cues.at(-1)
    this.end = Infinity // what was taken for its end was not
    this.nextAt = Math.max(this.nextAt, now)
    if (last?.phase !== progress.phase) {
      if (last) this.nextAt = Math.max(this.nextAt, this.phaseStart + MIN_PHASE_SECONDS)
      this.phaseStart = this.nextAt
      this.cues.push({ at: this.nextAt, phase: progress.phase, done: 0, total: progress.total })
    }
    let done = this.cues.at(-1)!.done
    consecutiveSteps(progress.steps).forEach((run, i, runs) => {
      // The further behind a sleep under way, the quicker.
      const pace = this.replay ? 1 : Math.max(1 - (this.nextAt - now) / MAX_LAG_SECONDS, 0)
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

  /** Whether the sleep itself has ended, seen or not. */
  get finished(): boolean {
    return this.end < Infinity
  }

  /** Whether all of it was seen. */
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
      case 'KEEP': // the memory itself becomes another kind
        all('PROMOTE')
        break
      case 'DISTIL':
      case 'SUMMARISE':
      case 'PATTERN':
        all('GIVE', s.to)
        if (s.to) this.effects.push({ id: s.to, kind: 'BORN', at: at + EFFECT_SECONDS * 0.4, to: null })
        count = s.to ? 1 : from.length
        break
      case 'SPARSIFY': // relations, which the scene does not draw
        break
      default:
        all(s.verb)
    }
    const last = this.counts.at(-1)
    if (last?.verb === s.verb && last.at === at) last.count += count
    else this.counts.push({ at, verb: s.verb, count })
  }
}

/** Steps of one kind that follow each other. */
function consecutiveSteps(steps: SleepProgress['steps']): SleepProgress['steps'][number][][] {
  const runs: SleepProgress['steps'][number][][] = []
  for (const s of steps) {
    if (runs.at(-1)?.[0]!.verb === s.verb) runs.at(-1)!.push(s)
    else runs.push([s])
  }
  return runs
}

/** The show of a sleep that is long over, phase by phase. */
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
