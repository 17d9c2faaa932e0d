// Follows the sleeps of the server: makes the show of one under way, gives it to the scene,
// and tells the page when a morning report comes.
import type { Morning, Progress } from '../api/live'
import { fetchReport, fetchSteps } from '../api/sleep'
import type { ExtraEdge } from '../scene/edges/edges'
import type { Stage } from '../scene/stage'
import { effectRows } from '../scene/effects'
import { isLastProgress, replayOfReport, SleepReplay } from '../state/sleepreplay'
import { Store } from '../state/view'
import type { World } from '../state/world'
import type { Asleep, Session, Sleeper } from './session'

const TICK = 150
/** At most so many lines are drawn. */
const LINES = 5000

export class FeedSleeper implements Sleeper {
  readonly store = new Store<Asleep>({ running: null, shown: null, morning: null, news: 0 })
  private show: SleepReplay | null = null
  private began = 0
  private timer = 0
  private known = 0
  private next = Infinity
  /** the sleep that was not to be seen any more */
  private left = ''

  constructor(
    private readonly s: Session,
    private readonly stage: () => Stage,
    /** the acts of the show have changed: other edges may be drawn */
    private readonly changed: () => void,
  ) {}

  onProgress(p: Progress): void {
    const over = isLastProgress(p)
    this.store.set({ running: over ? null : p.reportId })
    if (p.reportId === this.left) return
    if (this.show?.report !== p.reportId || this.show.replay) {
      if (over) return
      this.start(new SleepReplay(p.reportId))
    }
    this.show!.add(p, this.now())
    this.tick()
  }

  onMorning(report: Morning): void {
    if (this.show?.report === report.id) this.show.finish(this.now())
    this.store.set({ running: null, morning: report, news: this.store.get().news + 1 })
    this.tick()
  }

  /** The connection is back: what was missed is asked for anew by who shows it. */
  onOpen(): void {
    this.store.set({ news: this.store.get().news + 1, running: null })
    // A sleep whose end was missed must not be shown for ever; one that runs is told again.
    this.show?.finish(this.now())
  }

  /** Shows a past sleep again. The scene stands as it is now: what has left comes back for its act. */
  async replay(id: string): Promise<void> {
    const [report, steps] = await Promise.all([fetchReport(id), fetchSteps(id)])
    this.start(replayOfReport(id, report.phases, steps, 0))
    this.tick()
  }

  /** Leaves the show; the sleep itself goes on. */
  skip(): void {
    if (this.show && !this.show.replay) this.left = this.show.report
    clearInterval(this.timer)
    this.timer = 0
    this.show = null
    this.known = 0
    this.stage().setSleepReplay(null)
    this.stage().setEffects(null)
    this.store.set({ shown: null })
    this.changed()
  }

  /** Lines from what is made to its sources, and from what is merged to what is kept. */
  lines(world: World): ExtraEdge[] {
    const lines: ExtraEdge[] = []
    for (const act of this.show?.effects ?? []) {
      if (!act.to || (act.kind !== 'GIVE' && act.kind !== 'MERGE')) continue
      const [node, to] = [world.indexOf(act.id), world.indexOf(act.to)]
      if (node < 0 || to < 0 || lines.length === LINES) continue
      lines.push(act.kind === 'GIVE' ? { from: to, to: node, kind: 'DERIVED_FROM' } : { from: node, to, kind: 'CONSOLIDATED_INTO' })
    }
    return lines
  }

  /** The world or the instant that is shown has changed. */
  refresh(): void {
    if (!this.show) return
    this.known = -1
    this.tick()
  }

  private now(): number {
    return (performance.now() - this.began) / 1000
  }

  private start(show: SleepReplay): void {
    this.show = show
    this.began = performance.now()
    this.known = -1
    if (!this.timer) this.timer = window.setInterval(() => this.tick(), TICK)
  }

  private tick(): void {
    const { show } = this
    if (!show) return
    const now = this.now()
    if (show.isOver(now)) {
      this.skip()
      return
    }
    const { recorded, valid } = this.s.view.get()
    const { world } = this.s.live.get()
    // The past is shown as it was.
    this.stage().setSleepReplay(recorded === null && valid === null ? this.began : null)
    if (world && (this.known !== show.effects.length || now >= this.next)) {
      const { rows, next } = effectRows(world, show.effects, now)
      this.next = next
      this.stage().setEffects(rows)
      if (this.known !== show.effects.length) this.changed()
      this.known = show.effects.length
    }
    this.stage().invalidate()
    this.store.set({ shown: { ...show.stateAt(now), report: show.report, replay: show.replay, closed: show.finished } })
  }
}
