// The events on the axis of time: corrections, losses and sleeps. A click or Enter goes to the time of one.
import { fetchReports } from '../api/sleep'
import { dayText } from '../state/clock'
import { eventMarks, type EventKind, type EventMark } from '../state/timeevents'
import { h } from './dom'
import type { Session } from './session'

const SLEEPS = 100
/** Marks of one kind are merged within so many pixels. */
const GAP_PX = 12
const NAMES: Record<EventKind, [one: string, many: string]> = { correction: ['correction', 'corrections'], loss: ['loss', 'losses'], sleep: ['sleep', 'sleeps'] }

export class TimeEvents {
  readonly element = h('div', { class: 'time-events', role: 'toolbar', 'aria-label': 'Events' })
  private sleeps: number[] = []
  private marks: EventMark[] = []
  private at = 0

  constructor(
    private readonly s: Session,
    private readonly goTo: (at: number) => void,
    private readonly repaint: () => void,
  ) {
    this.element.addEventListener('keydown', (e) => this.onKey(e))
    // The follower of sleeps is made after the timeline; with the first scene it is there.
    s.live.on(['world'], ({ world }, before) => {
      if (!world || before.world) return
      void this.loadSleeps()
      s.sleepFollower.store.on(['revision'], () => void this.loadSleeps())
    })
  }

  /** A server without reports has no sleeps on its axis. */
  private async loadSleeps(): Promise<void> {
    try {
      const { nodes } = await fetchReports(SLEEPS, null)
      this.sleeps = nodes.filter((r) => !r.dryRun).map((r) => Date.parse(r.startedAt))
      this.repaint()
    } catch {
      this.sleeps = []
    }
  }

  /** Draws the marks of a span on an axis of this width. Valid time has no events: they are recorded. */
  paint(from: number, to: number, width: number): void {
    const { world, filterMask } = this.s.live.get()
    const focused = this.element.contains(document.activeElement)
    this.marks = world && this.s.view.get().clock === 'recorded' && width > 0 ? eventMarks(world, filterMask, this.sleeps, from, to, ((to - from) * GAP_PX) / width) : []
    this.at = Math.min(this.at, Math.max(this.marks.length - 1, 0))
    this.element.replaceChildren(
      ...this.marks.map((m, i) => {
        const text = this.text(m)
        const el = h('button', { type: 'button', class: `time-event event-${m.kind}`, title: text, 'aria-label': text, tabindex: i === this.at ? 0 : -1, onclick: () => this.goTo(m.last) })
        el.style.left = `${((100 * (m.at - from)) / (to - from)).toFixed(3)}%`
        el.addEventListener('pointerdown', (e) => e.stopPropagation())
        return el
      }),
    )
    if (focused) (this.element.children[this.at] as HTMLElement | undefined)?.focus({ preventScroll: true })
  }

  private text(m: EventMark): string {
    const { world } = this.s.live.get()
    const label = m.node >= 0 ? world?.frame.label(m.node) : ''
    const days = dayText(m.at) === dayText(m.last) ? dayText(m.at) : `${dayText(m.at)} to ${dayText(m.last)}`
    return `${m.count === 1 ? `1 ${NAMES[m.kind][0]}` : `${m.count} ${NAMES[m.kind][1]}`}, ${days}${label ? `: “${label}”` : ''}`
  }

  private onKey(e: KeyboardEvent): void {
    const n = this.marks.length
    const to = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: n - 1 }[e.key]
    if (e.key === ' ' || e.key === 'Enter') e.stopPropagation() // presses the button, and does not play
    if (to === undefined || n === 0) return
    e.preventDefault()
    e.stopPropagation()
    const old = this.element.children[this.at] as HTMLElement
    this.at = Math.min(Math.max(to, 0), n - 1)
    const next = this.element.children[this.at] as HTMLElement
    old.tabIndex = -1
    next.tabIndex = 0
    next.focus({ preventScroll: true })
  }
}
