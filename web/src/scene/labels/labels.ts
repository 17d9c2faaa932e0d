// Labels the most important points with a few reused elements, at most one in each cell of a
// grid.
import type { World } from '../../state/world'
import { radiusOf, scaleFor } from '../size'
import { project, type Projection, type ScreenPoint } from '../picking/pick'

const MAX_LABELS = 28
const CELL_W = 210
const CELL_H = 76
const MAX_LETTERS = 34
const LETTER_WIDTH = 6.3
const LINE = 20

/** Distance from the edge of a ringed point to its label, in pixels; without a ring it is smaller. */
const RING = 11

export interface Label {
  node: number
  text: string
}

/** Space that a label takes on the page: left, middle and width in pixels. */
export interface Box {
  x: number
  y: number
  width: number
}

/** Chooses the labelled nodes: the one with the largest weight in each cell, the heaviest cells first, without overlap. */
export function chooseLabels(world: World, projection: Projection, weight: (node: number) => number, max = MAX_LABELS, boxes: readonly Box[] = []): number[] {
  const best = new Map<number, { node: number; weight: number; x: number; y: number }>()
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  for (let i = 0; i < world.count; i++) {
    const w = weight(i)
    if (w <= 0 || !project(world, i, projection, at)) continue
    if (at.x < 0 || at.y < 0 || at.x > projection.width || at.y > projection.height) continue
    const cell = Math.floor(at.y / CELL_H) * 1000 + Math.floor(at.x / CELL_W)
    const held = best.get(cell)
    const near = w / at.distance
    if (!held || near > held.weight) best.set(cell, { node: i, weight: near, x: at.x, y: at.y })
  }
  const taken: Box[] = [...boxes]
  const chosen: number[] = []
  for (const c of [...best.values()].sort((a, b) => b.weight - a.weight || a.node - b.node)) {
    if (chosen.length === max) break
    const width = labelWidth(shorten(world.frame.label(c.node)))
    const box = { x: isLeftOfNode(c.x, width, projection) ? c.x - width : c.x, y: c.y, width }
    if (taken.some((t) => Math.abs(t.y - box.y) < LINE && t.x < box.x + box.width && box.x < t.x + t.width)) continue
    taken.push(box)
    chosen.push(c.node)
  }
  return chosen
}

/** Width of a label with its distance from the node, in pixels. */
function labelWidth(text: string): number {
  return 30 + LETTER_WIDTH * text.length
}

/** Whether a label is placed left of its node because it would be cut off on the right. */
function isLeftOfNode(x: number, width: number, projection: Projection): boolean {
  const { left, right } = projection.free ?? { left: 0, right: projection.width }
  return x + width > right && x - width > left
}

export class Labels {
  readonly element = document.createElement('div')
  private readonly pool: HTMLElement[] = []
  private nodes: number[] = []

  /** `ringed` tells which nodes have a ring. */
  constructor(private readonly ringed: (node: number) => boolean) {
    this.element.className = 'labels'
    this.element.setAttribute('aria-hidden', 'true')
  }

  /** Labels these nodes; those without a text get no label. */
  setNodes(world: World, nodes: number[]): void {
    this.nodes = nodes.filter((n) => world.frame.label(n) !== '')
    while (this.pool.length < this.nodes.length) {
      const el = document.createElement('span')
      el.className = 'label'
      this.pool.push(el)
      this.element.append(el)
    }
    this.pool.forEach((el, i) => {
      const node = this.nodes[i]
      el.hidden = node === undefined
      if (node !== undefined) el.textContent = shorten(world.frame.label(node))
    })
  }

  /** The elements of the labels on the page, the most important first. */
  shown(): HTMLElement[] {
    return this.pool.filter((el) => !el.hidden && el.style.visibility !== 'hidden')
  }

  /** Moves the labels to where their nodes are now. */
  move(world: World, projection: Projection): void {
    const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
    const scale = scaleFor(world.count)
    for (let i = 0; i < this.nodes.length; i++) {
      const el = this.pool[i]!
      const seen = project(world, this.nodes[i]!, projection, at)
      el.style.visibility = seen ? '' : 'hidden'
      if (!seen) continue
      const node = this.nodes[i]!
      const aside = radiusOf(world.frame.importance[node]! / 255, scale, projection.pixelsPerUnit, at.distance) + (this.ringed(node) ? RING : 6)
      const left = isLeftOfNode(at.x, labelWidth(el.textContent), projection)
      el.style.transform = left ? `translate(${(at.x - aside).toFixed(1)}px, ${(at.y - 9).toFixed(1)}px) translateX(-100%)` : `translate(${(at.x + aside).toFixed(1)}px, ${(at.y - 9).toFixed(1)}px)`
    }
  }
}

export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_LETTERS) return line
  const cut = line.lastIndexOf(' ', MAX_LETTERS)
  return line.slice(0, cut > MAX_LETTERS / 2 ? cut : MAX_LETTERS) + '…'
}
