// Selects memories with a line drawn around them: Shift and drag.
import type { Stage } from '../scene/stage'
import { nodesInside, type LassoPoint } from '../state/lasso'
import { h, svg } from './dom'
import { Selection } from './selection'
import type { Session } from './session'

/** Points of the line are at least so many pixels apart. */
const STEP = 4

export class Lasso {
  readonly element: HTMLElement
  private readonly path = svg('path', { class: 'lasso-line' })
  private line: LassoPoint[] = []
  private drawing = false
  readonly selection: Selection

  constructor(
    private readonly s: Session,
    private readonly stage: Stage,
  ) {
    this.selection = new Selection(s)
    this.element = h('div', { class: 'lasso' }, svg('svg', { 'aria-hidden': 'true' }, this.path) as unknown as HTMLElement, this.selection.element)
    const { canvas } = stage
    // Before the camera, which would pan.
    canvas.addEventListener('pointerdown', (e) => this.start(e), { capture: true })
    canvas.addEventListener('pointermove', (e) => this.move(e), { capture: true })
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, (e) => this.end(e), { capture: true })
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
    this.selection.select(nodesInside(world, (n) => this.s.isDrawn(n), this.stage.projection(), this.line).map((n) => world.idOf(n)))
  }
}
