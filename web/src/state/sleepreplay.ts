// A sleep as people can follow it. A server sleeps over a few hundred memories in a blink;
// the show gives every phase and every step its moment, in their order, and catches up
// where the sleep is slower than the show. It knows no clock: seconds are passed in.
import type { SleepPhase, StepVerb } from '../api/schema.gen'
import { PHASES } from '../api/vocabulary'

/** What one memory goes through in a step; the numbers are those of scene/node.glsl. */
export const PARTS = ['NONE', 'STRENGTHEN', 'ARCHIVE', 'MERGE', 'RECEIVE', 'PROMOTE', 'ENGRAVE', 'DREAM', 'GIVE', 'BORN'] as const
export type Part = Exclude<(typeof PARTS)[number], 'NONE'>

/** Whether this is the last that is told of a sleep. */
export function awake(told: Pick<Told, 'phase' | 'done' | 'total'>): boolean {
  return told.phase === 'REPORT' && told.total > 0 && told.done >= told.total
}

export interface Act {
  /** of the memory */
  id: string
  part: Part
  /** second of the show at which it begins */
  at: number
  /** the memory that it goes to */
  to: string | null
}

export interface Told {
  phase: SleepPhase
  done: number
  total: number
  steps: readonly { verb: StepVerb; from: readonly string[]; to: string | null }[]
}

/** Where the show stands at a second. */
export interface Shown {
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
export const ACT = 1.6
/** A phase is seen at least so long. */
const PHASE_LEAST = 1.1
/** Steps of one kind take at most so long, and each at most its share. */
const STEPS_MOST = 2.4
const STEP_SHARE = 0.16
/** The show is hardly further behind the sleep than this. */
const LAG_MOST = 30
/** What was done last is seen so long before the day returns. */
const LAST = 2.6

export class Show {
  readonly acts: Act[] = []
  private readonly cues: Cue[] = []
  private readonly marks: { at: number; verb: StepVerb; count: number }[] = []
  /** the next thing is shown no earlier */
  private head = 0
  private phaseBegan = 0
  private end = Infinity

  constructor(
    /** id of the report of the sleep that is shown */
    readonly report: string,
    /** it was over when the show began */
    readonly replay = false,
  ) {}

  /** The sleep came so far, at this second. */
  tell(told: Told, now: number): void {
    const last = this.cues.at(-1)
    this.end = Infinity // what was taken for its end was not
    this.head = Math.max(this.head, now)
    if (last?.phase !== told.phase) {
      if (last) this.head = Math.max(this.head, this.phaseBegan + PHASE_LEAST)
      this.phaseBegan = this.head
      this.cues.push({ at: this.head, phase: told.phase, done: 0, total: told.total })
    }
    let done = this.cues.at(-1)!.done
    runsOf(told.steps).forEach((run, i, runs) => {
      // The further behind a sleep under way, the quicker.
      const hurry = this.replay ? 1 : Math.max(1 - (this.head - now) / LAG_MOST, 0)
      const span = hurry * Math.min(STEPS_MOST, STEP_SHARE * run.length)
      this.cues.push({ at: this.head, phase: told.phase, done, total: told.total })
      run.forEach((s, k) => this.act(s, this.head + (span * k) / run.length))
      this.head += span
      done = Math.min(done + run.length, told.done)
      if (i + 1 < runs.length) this.cues.push({ at: this.head, phase: told.phase, done, total: told.total })
    })
    this.cues.push({ at: this.head, phase: told.phase, done: told.done, total: told.total })
    if (awake(told)) this.close(now)
  }

  /** The sleep is over. */
  close(now: number): void {
    if (this.end < Infinity) return
    this.end = Math.max(this.head, this.phaseBegan + PHASE_LEAST, now) + (this.acts.length > 0 ? LAST : 0.4)
  }

  /** Whether the sleep itself has ended, seen or not. */
  get closed(): boolean {
    return this.end < Infinity
  }

  /** Whether all of it was seen. */
  over(now: number): boolean {
    return now >= this.end
  }

  shown(now: number): Shown {
    let i = 0
    while (i + 1 < this.cues.length && this.cues[i + 1]!.at <= now) i++
    const cue = this.cues[i] ?? { at: 0, phase: 'N1' as const, done: 0, total: 0 }
    const next = this.cues[i + 1]
    const goes = next && next.phase === cue.phase && next.at > cue.at ? Math.min(Math.max((now - cue.at) / (next.at - cue.at), 0), 1) : 0
    const tally: Shown['tally'] = {}
    for (const m of this.marks) if (m.at <= now) tally[m.verb] = (tally[m.verb] ?? 0) + m.count
    return {
      phase: cue.phase,
      index: PHASES.findIndex(([p]) => p === cue.phase),
      done: goes > 0 ? Math.round(cue.done + (next!.done - cue.done) * goes) : cue.done,
      total: cue.total,
      tally,
    }
  }

  private act(s: Told['steps'][number], at: number): void {
    const from = s.from.filter((id) => id !== s.to)
    const all = (part: Part, to: string | null = null) => from.forEach((id) => this.acts.push({ id, part, at, to }))
    let count = from.length
    switch (s.verb) {
      case 'MERGE':
        all('MERGE', s.to)
        if (s.to) this.acts.push({ id: s.to, part: 'RECEIVE', at: at + ACT * 0.8, to: null })
        break
      case 'KEEP': // the memory itself becomes another kind
        all('PROMOTE')
        break
      case 'DISTIL':
      case 'SUMMARISE':
      case 'PATTERN':
        all('GIVE', s.to)
        if (s.to) this.acts.push({ id: s.to, part: 'BORN', at: at + ACT * 0.4, to: null })
        count = s.to ? 1 : from.length
        break
      case 'SPARSIFY': // relations, which the scene does not draw
        break
      default:
        all(s.verb)
    }
    const last = this.marks.at(-1)
    if (last?.verb === s.verb && last.at === at) last.count += count
    else this.marks.push({ at, verb: s.verb, count })
  }
}

/** Steps of one kind that follow each other. */
function runsOf(steps: Told['steps']): Told['steps'][number][][] {
  const runs: Told['steps'][number][][] = []
  for (const s of steps) {
    if (runs.at(-1)?.[0]!.verb === s.verb) runs.at(-1)!.push(s)
    else runs.push([s])
  }
  return runs
}

/** The show of a sleep that is long over, phase by phase. */
export function replayed(report: string, phases: readonly { phase: SleepPhase; items: number }[], steps: readonly (Told['steps'][number] & { phase: SleepPhase })[], now: number): Show {
  const show = new Show(report, true)
  for (const { phase, items } of phases) {
    const own = steps.filter((s) => s.phase === phase)
    show.tell({ phase, done: 0, total: items, steps: [] }, now)
    show.tell({ phase, done: items, total: items, steps: own }, now)
  }
  show.tell({ phase: 'REPORT', done: 1, total: 1, steps: [] }, now)
  show.close(now)
  return show
}
