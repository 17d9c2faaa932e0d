// Mouse and touch on the map: hover, click and double click.
import { pickEdge } from '../scene/picking/edge'
import { pickNode } from '../scene/picking/pick'
import type { Stage } from '../scene/stage'
import type { EdgeCard } from './edgecard'
import type { Session } from './session'
import type { Tooltip } from './tooltip'

/** Maximum movement in pixels between press and release of a click. */
const CLICK_SLACK = 5

export class Pointer {
  private frameRequest = 0
  private down: [number, number] = [0, 0]

  constructor(
    private readonly s: Session,
    private readonly stage: Stage,
    private readonly tooltip: Tooltip,
    private readonly card: EdgeCard,
    /** the cluster whose name is at a point of the map */
    private readonly clusterAt: (x: number, y: number) => string | null,
  ) {
    const { canvas } = stage
    canvas.addEventListener('pointermove', (e) => this.hover(e))
    canvas.addEventListener('pointerleave', () => this.leave())
    canvas.addEventListener('pointerdown', (e) => {
      this.down = [e.clientX, e.clientY]
      document.body.classList.remove('show-filters')
      this.card.hide()
    })
    canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - this.down[0], e.clientY - this.down[1]) < CLICK_SLACK) this.click(e)
    })
    canvas.addEventListener('dblclick', (e) => {
      const node = this.nodeUnder(e)
      if (node >= 0) stage.flyTo(node)
    })
  }

  /** The node under the pointer, at most so many pixels beside its shape; -1: none. */
  private nodeUnder(e: MouseEvent, slack?: number): number {
    const { world } = this.s.live.get()
    if (!world) return -1
    const box = this.stage.canvas.getBoundingClientRect()
    return pickNode(world, (n) => this.s.isDrawn(n), this.stage.projection(), e.clientX - box.left, e.clientY - box.top, slack)
  }

  /** The row of the edge under the pointer; -1: none. */
  private edgeUnder(e: MouseEvent): number {
    const { world } = this.s.live.get()
    if (!world) return -1
    const box = this.stage.canvas.getBoundingClientRect()
    return pickEdge(world, this.stage.edges, (n) => this.s.isDrawn(n), this.stage.projection(), e.clientX - box.left, e.clientY - box.top)
  }

  /** The cluster whose name is under the pointer; null: none, or a shape is there too. */
  private clusterUnder(e: MouseEvent): string | null {
    const box = this.stage.canvas.getBoundingClientRect()
    const cluster = this.clusterAt(e.clientX - box.left, e.clientY - box.top)
    return cluster !== null && this.nodeUnder(e, 0) < 0 ? cluster : null
  }

  // At most once per frame.
  private hover(e: PointerEvent): void {
    if (e.buttons !== 0 || e.pointerType === 'touch') {
      this.leave()
      return
    }
    this.frameRequest ||= requestAnimationFrame(() => {
      this.frameRequest = 0
      const cluster = this.clusterUnder(e)
      const node = cluster === null ? this.nodeUnder(e) : -1
      this.s.live.set({ hovered: node })
      this.tooltip.show(node, e.clientX, e.clientY)
      this.stage.canvas.classList.toggle('over', node >= 0 || cluster !== null || this.edgeUnder(e) >= 0)
    })
  }

  /** Hides the tooltip: the pointer has left the map, or the map has moved. */
  leave(): void {
    cancelAnimationFrame(this.frameRequest)
    this.frameRequest = 0
    if (this.s.live.get().hovered < 0) return
    this.s.live.set({ hovered: -1 })
    this.tooltip.show(-1, 0, 0)
  }

  private click(e: MouseEvent): void {
    const { world } = this.s.live.get()
    const cluster = this.clusterUnder(e)
    const node = cluster === null ? this.nodeUnder(e) : -1
    if (!world) return
    this.leave()
    if (node >= 0) this.s.open(world.idOf(node))
    else if (cluster !== null) this.s.openCluster(cluster)
    else {
      const row = this.edgeUnder(e)
      if (row >= 0) this.card.show(this.stage.edges.rows.subarray(4 * row, 4 * row + 4), e.clientX, e.clientY)
      else if (this.s.view.get().selected) this.s.close()
    }
  }
}
