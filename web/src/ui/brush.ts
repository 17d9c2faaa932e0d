// The brush on the timeline: shows only what was learned in a span of time. Its ends and the
// span itself can be moved by pointer and keys.
import { dayText, spanText } from '../state/clock'
import { moveSpan, type Handle, type Span } from '../state/brush'
import { h, iconButton } from './dom'
import type { Session } from './session'

/** Initial width as a share of the timeline, and minimum width. */
const INITIAL_SHARE = 0.25
const MIN_SHARE = 1 / 500
const STEPS: Record<string, number> = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1, Home: -2, End: 2 }

export class Brush {
  readonly element: HTMLElement
  readonly button: HTMLButtonElement
  private readonly handles: Record<Handle, HTMLElement>

  constructor(
    private readonly s: Session,
    private readonly span: () => Span,
  ) {
    const grip = (which: Handle, name: string) => {
      const el = h('div', { class: `grip grip-${which}`, role: 'slider', tabindex: 0, 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 1000 })
      el.addEventListener('pointerdown', (e) => this.onPointerDown(e, which))
      el.addEventListener('keydown', (e) => this.onKey(e, which))
      return el
    }
    this.handles = { both: grip('both', 'Time span'), from: grip('from', 'Learned from'), to: grip('to', 'Learned until') }
    this.element = h('div', { class: 'brush', hidden: true }, ...Object.values(this.handles))
    this.button = iconButton('range', 'Filter by time learned', () => this.toggle(), 'r')
    s.view.on(['learned', 'clock'], () => this.update())
    this.update()
  }

  toggle(): void {
    if (this.s.view.get().learned.length > 0) {
      this.s.view.set({ learned: [] })
      this.s.announce('Time filter off')
      return
    }
    this.s.view.set({ clock: 'recorded' }) // the span is that of the recorded clock
    const [first, now] = this.span()
    const to = Math.max(this.s.view.get().recorded ?? now, first + (now - first) * MIN_SHARE)
    this.s.view.set({ learned: [Math.round(Math.max(to - (now - first) * INITIAL_SHARE, first)), Math.round(to)] })
    this.handles.from.focus()
  }

  /** Updates the brush from the view. */
  update(): void {
    const { learned, clock } = this.s.view.get()
    this.button.setAttribute('aria-pressed', String(learned.length > 0))
    this.element.hidden = learned.length === 0 || clock !== 'recorded'
    if (learned.length === 0) return
    const [first, last] = this.span()
    const part = (t: number) => Math.min(Math.max((t - first) / (last - first), 0), 1)
    const [a, b] = [part(learned[0]), part(learned[1])]
    this.handles.from.style.left = `${100 * a}%`
    this.handles.to.style.left = `${100 * b}%`
    this.handles.both.style.left = `${100 * a}%`
    this.handles.both.style.width = `${100 * (b - a)}%`
    const words: Record<Handle, string> = { from: dayText(learned[0]), to: dayText(learned[1]), both: `${dayText(learned[0])} to ${dayText(learned[1])}, ${spanText(learned[1] - learned[0])}` }
    for (const grip of ['from', 'to', 'both'] as const) {
      this.handles[grip].setAttribute('aria-valuenow', String(Math.round(1000 * (grip === 'to' ? b : a))))
      this.handles[grip].setAttribute('aria-valuetext', words[grip])
      this.handles[grip].title = words[grip]
    }
  }

  private move(start: Span, handle: Handle, by: number): void {
    const span = this.span()
    const [from, to] = moveSpan(start, handle, by, span, (span[1] - span[0]) * MIN_SHARE)
    this.s.view.set({ learned: [Math.round(from), Math.round(to)] })
  }

  private onPointerDown(e: PointerEvent, handle: Handle): void {
    const { learned } = this.s.view.get()
    if (e.button !== 0 || learned.length === 0) return
    const start: Span = learned
    const el = this.handles[handle]
    el.setPointerCapture(e.pointerId)
    const scale = () => (this.span()[1] - this.span()[0]) / this.element.getBoundingClientRect().width
    const follow = (m: PointerEvent) => this.move(start, handle, (m.clientX - e.clientX) * scale())
    el.addEventListener('pointermove', follow)
    const done = () => el.removeEventListener('pointermove', follow)
    el.addEventListener('pointerup', done, { once: true })
    el.addEventListener('pointercancel', done, { once: true })
  }

  private onKey(e: KeyboardEvent, handle: Handle): void {
    const { learned } = this.s.view.get()
    const step = STEPS[e.key]
    if (e.key === 'Escape') {
      this.toggle()
      this.button.focus()
    } else if (step !== undefined && learned.length === 2) this.move(learned, handle, step * (this.span()[1] - this.span()[0]))
    else return
    e.preventDefault()
    e.stopPropagation()
  }
}
