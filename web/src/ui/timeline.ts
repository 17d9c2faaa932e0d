// The timeline: a histogram of recorded and superseded memories, a handle, and playback.
import { dayText, minuteText, momentText } from '../state/clock'
import { DAY } from '../state/decay'
import { filterMask } from '../state/filters'
import { histogram } from '../state/histogram'
import { pace, SPEEDS, speedText, type Speed } from '../state/playback'
import { nodeOfDay } from '../state/timeevents'
import { timeTicks } from '../state/timeticks'
import { versionChain } from '../state/world'
import { Brush } from './brush'
import { h, icon, iconButton } from './dom'
import type { Session } from './session'
import { TimeEvents } from './timeevents'

const SLICES = 180
/** smallest distance of two tick labels in pixels */
const TICK_WIDTH = 90

export class Timeline {
  readonly element: HTMLElement
  private readonly bars = h('canvas', { class: 'bars', 'aria-hidden': 'true' })
  private readonly handle = h('div', { class: 'handle', 'aria-hidden': 'true' })
  private readonly ticks = h('div', { class: 'ticks', 'aria-hidden': 'true' })
  private readonly track: HTMLElement
  private readonly day = h('span', { class: 'day' })
  private readonly minute = h('span', { class: 'minute' })
  private readonly playButton: HTMLButtonElement
  private readonly speed: HTMLSelectElement
  private readonly events: TimeEvents
  /** what the day shown is about */
  private readonly caption = h('button', { type: 'button', class: 'day-caption', hidden: true })
  private captionKey = ''
  private readonly nowButton: HTMLButtonElement
  private readonly clocks: Record<'recorded' | 'valid', HTMLButtonElement>
  private readonly otherClock: HTMLElement
  private readonly brush: Brush
  private lastTick = 0

  constructor(private readonly s: Session) {
    this.playButton = iconButton('play', 'Play', () => this.toggle(), 'Space')
    this.playButton.classList.add('play')
    this.speed = h('select', { class: 'speed', 'aria-label': 'Speed', title: 'Speed' }, ...SPEEDS.map((x) => h('option', { value: x }, speedText(x))))
    this.speed.addEventListener('change', () => this.s.live.set({ speed: Number(this.speed.value) as Speed }))
    this.events = new TimeEvents(s, (at) => this.moveTo(at), () => this.paint())
    this.nowButton = h('button', { type: 'button', class: 'now', title: 'Back to now (t)', onclick: () => this.backToNow() })
    const clock = (key: 'recorded' | 'valid', text: string, title: string) =>
      h('button', { type: 'button', role: 'radio', title, onclick: () => this.s.view.set({ clock: key }) }, text)
    this.clocks = {
      recorded: clock('recorded', 'Known by', 'Recorded time: what was known at this time'),
      valid: clock('valid', 'True on', 'Valid time: what was true at this time'),
    }
    this.otherClock = h('button', { type: 'button', class: 'other-clock', hidden: true, title: 'Clear this time' })
    this.otherClock.addEventListener('click', () => {
      const { clock } = this.s.view.get()
      this.s.view.set(clock === 'recorded' ? { valid: null } : { recorded: null })
    })
    this.track = h('div', { class: 'track', role: 'slider', tabindex: 0, 'aria-label': 'Time shown' }, this.bars, this.ticks, this.handle)
    this.brush = new Brush(s, () => this.span())
    this.element = h(
      'section',
      { class: 'timeline panel', 'aria-label': 'Timeline' },
      h(
        'div',
        { class: 'time-head' },
        h('div', { class: 'transport' }, this.playButton, this.speed),
        h('div', { class: 'readout', 'aria-live': 'off' }, this.day, this.minute, this.caption),
        h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Clock' }, this.clocks.recorded, this.clocks.valid),
        this.otherClock,
        this.brush.button,
        h('div', { class: 'time-key', 'aria-hidden': 'true' }, h('i', { class: 'key-born' }), 'learned', h('i', { class: 'key-gone' }), 'corrected', h('i', { class: 'key-loss' }), 'lost', h('i', { class: 'key-sleep' }), 'sleep'),
        this.nowButton,
      ),
      h('div', { class: 'track-wrap' }, this.track, this.events.element, this.brush.element),
    )
    this.caption.addEventListener('click', () => this.caption.dataset['id'] && this.s.open(this.caption.dataset['id'], true))
    this.track.addEventListener('pointerdown', (e) => this.onPointerDown(e))
    this.track.addEventListener('keydown', (e) => this.onKey(e))
    new ResizeObserver(() => this.paint()).observe(this.track)
    s.view.on(['recorded', 'valid', 'clock'], () => this.update())
    s.view.on(['clock', 'selected', 'learned'], () => this.paint())
    s.live.on(['world', 'filterMask', 'light'], () => this.paint())
    s.live.on(['playing', 'speed', 'newWhileInPast'], () => this.update())
    s.live.on(['playing'], (l) => l.playing && requestAnimationFrame(this.tick))
    this.update()
  }

  private span(): [number, number] {
    const world = this.s.live.get().world
    const now = this.s.clock.now()
    const first = this.s.view.get().clock === 'recorded' ? world?.firstBorn : world?.firstValid
    const from = first !== undefined && Number.isFinite(first) ? Math.min(first, now - 1000) : now - DAY
    return [from - (now - from) * 0.012, now]
  }

  private value(): number {
    const v = this.s.view.get()
    return (v.clock === 'recorded' ? v.recorded : v.valid) ?? this.span()[1]
  }

  /** Moves the current clock; the end of the span is now. */
  private moveTo(t: number): void {
    const [from, to] = this.span()
    const at = t >= to ? null : Math.round(Math.max(t, from))
    this.s.view.set(this.s.view.get().clock === 'recorded' ? { recorded: at } : { valid: at })
  }

  toggle(): void {
    const { playing, world } = this.s.live.get()
    if (!world || world.count === 0) return
    const v = this.s.view.get()
    if (!playing && (v.clock === 'recorded' ? v.recorded : v.valid) === null) this.moveTo(this.span()[0])
    this.lastTick = 0
    this.s.live.set({ playing: !playing })
    this.s.announce(playing ? 'Paused' : 'Playing')
  }

  backToNow(): void {
    this.s.live.set({ playing: false, newWhileInPast: 0 })
    this.s.view.set({ recorded: null, valid: null })
  }

  /** Shows or removes the brush. */
  toggleBrush(): void {
    this.brush.toggle()
  }

  /** Moves the current clock by a share of the span. */
  stepBy(part: number): void {
    const [from, to] = this.span()
    this.s.live.set({ playing: false })
    this.moveTo(this.value() + (to - from) * part)
  }

  private tick = (time: number): void => {
    const live = this.s.live.get()
    if (!live.playing) return
    if (this.lastTick > 0) {
      const [from, to] = this.span()
      const step = (pace(to - from, live.speed) * Math.min(time - this.lastTick, 100)) / 1000
      const next = this.value() + step
      this.moveTo(next)
      if (next >= to) {
        this.s.live.set({ playing: false })
        return
      }
    }
    this.lastTick = time
    requestAnimationFrame(this.tick)
  }

  private onPointerDown(e: PointerEvent): void {
    if (e.button !== 0) return
    this.s.live.set({ playing: false })
    this.track.setPointerCapture(e.pointerId)
    const follow = (m: PointerEvent) => {
      const box = this.track.getBoundingClientRect()
      const [from, to] = this.span()
      this.moveTo(from + (to - from) * Math.min(Math.max((m.clientX - box.left) / box.width, 0), 1))
    }
    follow(e)
    this.track.addEventListener('pointermove', follow)
    const done = () => {
      this.track.removeEventListener('pointermove', follow)
      this.s.announce(this.momentLabel())
    }
    this.track.addEventListener('pointerup', done, { once: true })
    this.track.addEventListener('pointercancel', done, { once: true })
  }

  private onKey(e: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1, Home: -2, End: 2,
    }
    const step = steps[e.key]
    if (step === undefined) return
    e.preventDefault()
    e.stopPropagation()
    this.stepBy(step)
  }

  private momentLabel(): string {
    const v = this.s.view.get()
    const at = v.clock === 'recorded' ? v.recorded : v.valid
    return at === null ? 'Now' : `${v.clock === 'recorded' ? 'Known by' : 'True on'} ${momentText(at)} UTC`
  }

  private update(): void {
    const v = this.s.view.get()
    const live = this.s.live.get()
    const at = v.clock === 'recorded' ? v.recorded : v.valid
    const [from, to] = this.span()
    const shown = at ?? to
    const part = Math.min(Math.max((shown - from) / (to - from), 0), 1)
    this.handle.style.left = `${(100 * part).toFixed(3)}%`
    this.day.textContent = at === null ? 'Now' : dayText(shown)
    this.minute.textContent = at === null ? dayText(shown) : `${minuteText(shown)} UTC`
    this.element.classList.toggle('past', at !== null)
    this.track.setAttribute('aria-valuemin', '0')
    this.track.setAttribute('aria-valuemax', '1000')
    this.track.setAttribute('aria-valuenow', String(Math.round(part * 1000)))
    this.track.setAttribute('aria-valuetext', this.momentLabel())
    for (const key of ['recorded', 'valid'] as const) this.clocks[key].setAttribute('aria-checked', String(v.clock === key))
    const other = v.clock === 'recorded' ? v.valid : v.recorded
    this.otherClock.hidden = other === null
    if (other !== null) this.otherClock.replaceChildren(`${v.clock === 'recorded' ? 'true on' : 'known by'} ${dayText(other)}`, icon('close'))
    this.playButton.replaceChildren(icon(live.playing ? 'pause' : 'play'))
    this.playButton.setAttribute('aria-label', live.playing ? 'Pause' : 'Play')
    this.speed.value = String(live.speed)
    this.updateCaption(v.clock === 'recorded' ? at : null)
    this.nowButton.hidden = v.recorded === null && v.valid === null
    this.nowButton.textContent = live.newWhileInPast > 0 ? `Now · ${live.newWhileInPast} new` : 'Now'
  }

  /** Says what the day is about: the most important memory learned on it. It is looked up a few times a day. */
  private updateCaption(at: number | null): void {
    const { world, filterMask } = this.s.live.get()
    const key = at === null || !world ? '' : `${world.frame.cursor} ${Math.floor((4 * at) / DAY)}`
    if (key === this.captionKey) return
    this.captionKey = key
    const node = at === null || !world ? -1 : nodeOfDay(world, filterMask, at)
    const text = node >= 0 ? world!.frame.label(node) : ''
    this.caption.hidden = text === ''
    this.caption.textContent = text
    this.caption.title = text === '' ? '' : `Learned on this day: ${text}`
    this.caption.dataset['id'] = node >= 0 ? world!.idOf(node) : ''
  }

  private paint(): void {
    this.update()
    const { world } = this.s.live.get()
    const view = this.s.view.get()
    this.brush.update()
    const box = this.track.getBoundingClientRect()
    const ratio = Math.min(window.devicePixelRatio, 2)
    this.bars.width = Math.max(Math.round(box.width * ratio), 1)
    this.bars.height = Math.max(Math.round(box.height * ratio), 1)
    const g = this.bars.getContext('2d')
    if (!g || !world) return
    const [from, to] = this.span()
    // The brush filters the map, not the histogram that it is drawn on.
    const shown = view.learned.length > 0 ? filterMask(world, { ...view, learned: [] }, this.s.moment().recorded) : this.s.live.get().filterMask
    const bins = histogram(world, shown, view.clock, from, to, SLICES)
    const top = Math.max(...bins.born, 1)
    const most = Math.max(...bins.ended, 1)
    const style = getComputedStyle(this.element)
    const base = this.bars.height * 0.64
    const width = this.bars.width / SLICES
    const bar = (i: number, y: number, height: number) => {
      g.beginPath()
      g.roundRect(i * width + 0.5, y, Math.max(width - 1.5 * ratio, 1), height, 1.5 * ratio)
      g.fill()
    }
    for (let i = 0; i < SLICES; i++) {
      const up = Math.sqrt(bins.born[i]! / top) * base * 0.94
      const down = Math.sqrt(bins.ended[i]! / most) * this.bars.height * 0.1
      if (up > 0) {
        g.fillStyle = style.getPropertyValue('--bar')
        bar(i, base - up, up)
      }
      if (down > 0) {
        g.fillStyle = style.getPropertyValue('--gone')
        bar(i, base + 1.5 * ratio, Math.max(down, 2 * ratio))
      }
    }
    this.paintVersions(g, from, to, ratio, style)
    this.paintTicks(from, to, box.width)
    this.events.paint(from, to, box.width)
  }

  /** Draws the versions of the open memory. */
  private paintVersions(g: CanvasRenderingContext2D, from: number, to: number, ratio: number, style: CSSStyleDeclaration): void {
    const { world } = this.s.live.get()
    const { selected, clock } = this.s.view.get()
    const node = world && selected ? world.indexOf(selected) : -1
    if (!world || node < 0) return
    const times = clock === 'recorded' ? world.frame.born : world.frame.validFrom
    const at = versionChain(world, node).map((n) => ({ n, x: ((times[n]! - from) / (to - from)) * this.bars.width }))
    const y = 6 * ratio
    g.strokeStyle = g.fillStyle = style.getPropertyValue('--gone')
    g.lineWidth = 1.5 * ratio
    g.beginPath()
    at.forEach(({ x }, i) => (i === 0 ? g.moveTo(x, y) : g.lineTo(x, y)))
    g.stroke()
    for (const { n, x } of at) {
      g.fillStyle = n === node ? style.getPropertyValue('--ink') : style.getPropertyValue('--gone')
      g.beginPath()
      g.arc(x, y, (n === node ? 4.5 : 3.5) * ratio, 0, 2 * Math.PI)
      g.fill()
    }
  }

  private paintTicks(from: number, to: number, width: number): void {
    const marks = timeTicks(from, to, width / TICK_WIDTH).map(({ at, text, major }) => {
      const el = h('span', { class: major ? 'tick year' : 'tick' }, text)
      el.style.left = `${(100 * (at - from)) / (to - from)}%`
      return el
    })
    this.ticks.replaceChildren(...marks)
  }
}
