// Selects memories with a line drawn around them: Shift and drag. The selection can be exported or forgotten.
import type { Stage } from '../scene/stage'
import { grants, memoriesText } from '../state/actions'
import { exportView } from '../state/export'
import { nodesInside, type LassoPoint } from '../state/lasso'
import { dayText } from '../state/clock'
import { h, svg } from './dom'
import { download } from './image'
import type { Session } from './session'

/** Points of the line are at least so many pixels apart. */
const STEP = 4
/** One request erases at most so many memories. */
const FORGET_LIMIT = 1000

export class Lasso {
  readonly element: HTMLElement
  private readonly path = svg('path', { class: 'lasso-line' })
  private readonly bar = h('div', { class: 'lasso-bar panel', role: 'group', 'aria-label': 'Selection', hidden: true })
  private line: LassoPoint[] = []
  private drawing = false
  private ids: string[] = []

  constructor(
    private readonly s: Session,
    private readonly stage: Stage,
  ) {
    this.element = h('div', { class: 'lasso' }, svg('svg', { 'aria-hidden': 'true' }, this.path) as unknown as HTMLElement, this.bar)
    const { canvas } = stage
    // Before the camera, which would pan.
    canvas.addEventListener('pointerdown', (e) => this.start(e), { capture: true })
    canvas.addEventListener('pointermove', (e) => this.move(e), { capture: true })
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, (e) => this.end(e), { capture: true })
    s.live.on(['highlighted'], ({ highlighted }) => highlighted !== this.ids && this.forget())
  }

  private start(e: PointerEvent): void {
    if (!e.shiftKey || e.button !== 0 || e.pointerType === 'touch') return
    e.stopImmediatePropagation()
    e.preventDefault()
    this.drawing = true
    this.line = []
    this.stage.canvas.setPointerCapture(e.pointerId)
    this.add(e)
  }

  private move(e: PointerEvent): void {
    if (!this.drawing) return
    e.stopImmediatePropagation()
    this.add(e)
  }

  private add(e: PointerEvent): void {
    const box = this.stage.canvas.getBoundingClientRect()
    const at = { x: e.clientX - box.left, y: e.clientY - box.top }
    const last = this.line.at(-1)
    if (last && Math.hypot(at.x - last.x, at.y - last.y) < STEP) return
    this.line.push(at)
    this.path.setAttribute('d', `M${this.line.map((p) => `${p.x.toFixed(0)} ${p.y.toFixed(0)}`).join('L')}Z`)
  }

  private end(e: PointerEvent): void {
    if (!this.drawing) return
    e.stopImmediatePropagation()
    this.drawing = false
    this.path.setAttribute('d', '')
    const { world } = this.s.live.get()
    if (!world || this.line.length < 3) return
    this.select(nodesInside(world, (n) => this.s.isDrawn(n), this.stage.projection(), this.line).map((n) => world.idOf(n)))
  }

  private select(ids: string[]): void {
    this.ids = ids
    this.s.live.set({ highlighted: ids })
    this.bar.hidden = ids.length === 0
    this.s.announce(ids.length === 0 ? 'No memory is inside the line' : `${memoriesText(ids.length)} selected`)
    if (ids.length === 0) return
    const { recorded, valid } = this.s.view.get()
    const present = recorded === null && valid === null
    const button = (name: string, act: () => void) => h('button', { type: 'button', class: 'quiet-button', onclick: act }, name)
    const erase = () => void import('./acting/forget').then(({ forgetSeveral }) => forgetSeveral(this.s, ids, () => this.clear()))
    this.bar.replaceChildren(
      h('b', {}, `${memoriesText(ids.length)} selected`),
      button('Export JSON', () => this.export(ids)),
      ...(present && ids.length <= FORGET_LIMIT && grants(this.s.live.get().scopes, 'MEMORY_WRITE') ? [button('Forget…', erase)] : []),
      button('Clear', () => this.clear()),
    )
  }

  private export(ids: readonly string[]): void {
    const { world } = this.s.live.get()
    if (!world) return
    const chosen = new Set(ids.map((id) => world.indexOf(id)))
    const out = exportView(world, (n) => chosen.has(n), this.s.moment(), this.s.view.get(), { now: this.s.clock.now(), link: location.href })
    download(new Blob([JSON.stringify(out, null, 1)], { type: 'application/json' }), `somnograph selection ${dayText(this.s.moment().recorded)}.json`)
    this.s.announce(`${out.memories.length} memories exported`)
  }

  private clear(): void {
    this.forget()
    this.s.live.set({ highlighted: [] })
  }

  /** Something else is highlighted now. */
  private forget(): void {
    this.ids = []
    this.bar.hidden = true
  }
}
