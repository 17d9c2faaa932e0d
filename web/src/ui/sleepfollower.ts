// Follows the server's sleeps: replays a running or past one in the scene, and publishes
// morning reports.
import type { MorningReport, Progress } from '../api/live'
import { fetchReport, fetchSteps } from '../api/sleep'
import type { ExtraEdge } from '../scene/edges/edges'
import type { Stage } from '../scene/stage'
import { effectRows } from '../scene/effects'
import { isLastProgress, replayOfReport, SleepReplay } from '../state/sleepreplay'
import { Store } from '../state/view'
import type { World } from '../state/world'
import type { SleepState, Session, SleepFollower } from './session'

const TICK_MS = 150
/** Maximum number of extra edges. */
const MAX_LINES = 5000

export class FeedSleepFollower implements SleepFollower {
  readonly store = new Store<SleepState>({ running: null, replay: null, report: null, revision: 0 })
  private sleepReplay: SleepReplay | null = null
  private startedAt = 0
  private timer = 0
  private effectCount = 0
  private nextChange = Infinity
  /** the sleep whose replay the user has skipped */
  private skippedReport = ''

  constructor(
    private readonly s: Session,
    private readonly stage: () => Stage,
    /** called when the effects have changed: other edges may be drawn */
    private readonly changed: () => void,
  ) {}

  onProgress(p: Progress): void {
    const ended = isLastProgress(p)
    this.store.set({ running: ended ? null : p.reportId })
    if (p.reportId === this.skippedReport) return
    if (this.sleepReplay?.report !== p.reportId || this.sleepReplay.past) {
      if (ended) return
      this.start(new SleepReplay(p.reportId))
    }
    this.sleepReplay!.add(p, this.now())
    this.tick()
  }

  onReport(report: MorningReport): void {
    if (this.sleepReplay?.report === report.id) this.sleepReplay.finish(this.now())
    this.store.set({ running: null, report, revision: this.store.get().revision + 1 })
    this.tick()
  }

  /** Connected again: panels reload what may have changed. */
  onConnected(): void {
    this.store.set({ revision: this.store.get().revision + 1, running: null })
    // The end of the sleep may have been missed; the progress of a running one is sent
    // again.
    this.sleepReplay?.finish(this.now())
  }

  /** Replays a past sleep. Memories that have left since are shown during their effects. */
  async replay(id: string): Promise<void> {
    const [report, steps] = await Promise.all([fetchReport(id), fetchSteps(id)])
    this.start(replayOfReport(id, report.phases, steps, 0))
    this.tick()
  }

  /** Ends the replay; the sleep itself goes on. */
  skip(): void {
    if (this.sleepReplay && !this.sleepReplay.past) this.skippedReport = this.sleepReplay.report
    clearInterval(this.timer)
    this.timer = 0
    this.sleepReplay = null
    this.effectCount = 0
    this.stage().setSleepReplay(null)
    this.stage().setEffects(null)
    this.store.set({ replay: null })
    this.changed()
  }

  /** Edges from derived memories to their sources, and from merged memories to the kept ones. */
  replayEdges(world: World): ExtraEdge[] {
    const lines: ExtraEdge[] = []
    for (const act of this.sleepReplay?.effects ?? []) {
      if (!act.to || (act.kind !== 'GIVE' && act.kind !== 'MERGE')) continue
      const [node, to] = [world.indexOf(act.id), world.indexOf(act.to)]
      if (node < 0 || to < 0 || lines.length === MAX_LINES) continue
      lines.push(act.kind === 'GIVE' ? { from: to, to: node, kind: 'DERIVED_FROM' } : { from: node, to, kind: 'CONSOLIDATED_INTO' })
    }
    return lines
  }

  /** The world or the instant shown has changed. */
  refresh(): void {
    if (!this.sleepReplay) return
    this.effectCount = -1
    this.tick()
  }

  private now(): number {
    return (performance.now() - this.startedAt) / 1000
  }

  private start(replay: SleepReplay): void {
    this.sleepReplay = replay
    this.startedAt = performance.now()
    this.effectCount = -1
    if (!this.timer) this.timer = window.setInterval(() => this.tick(), TICK_MS)
  }

  private tick(): void {
    const { sleepReplay } = this
    if (!sleepReplay) return
    const now = this.now()
    if (sleepReplay.isOver(now)) {
      this.skip()
      return
    }
    const { recorded, valid } = this.s.view.get()
    const { world } = this.s.live.get()
    // Past instants are shown without the replay.
    this.stage().setSleepReplay(recorded === null && valid === null ? this.startedAt : null)
    if (world && (this.effectCount !== sleepReplay.effects.length || now >= this.nextChange)) {
      const { rows, next } = effectRows(world, sleepReplay.effects, now)
      this.nextChange = next
      this.stage().setEffects(rows)
      if (this.effectCount !== sleepReplay.effects.length) this.changed()
      this.effectCount = sleepReplay.effects.length
    }
    this.stage().invalidate()
    this.store.set({ replay: { ...sleepReplay.stateAt(now), report: sleepReplay.report, past: sleepReplay.past, finished: sleepReplay.finished } })
  }
}
