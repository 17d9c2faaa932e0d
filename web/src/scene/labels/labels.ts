// Labels the most important points with a few reused elements, at most one in each cell of a
// grid.
import type { World } from '../../state/world'
import { radiusOf, scaleFor } from '../size'
import { project, type Projection, type ScreenPoint } from '../picking/pick'
import { labelLines, longestLine, showLines } from './lines'

const MAX_LABELS = 28
const CELL_W = 210
const CELL_H = 76
const MAX_LETTERS = 34
/** A label on the map has at most so many letters, and with more than one line holds it has two. */
const MAX_LABEL_LETTERS = 40
const LINE_LETTERS = 24
const LETTER_WIDTH = 6.3
/** Height of a line in pixels, and the least space between labels. */
const LINE_HEIGHT = 18
const SPACE = 2

/** Distance from the edge of a ringed point to its label, in pixels; without a ring it is smaller. */
const RING = 11

export interface Label {
  node: number
  text: string
}

/** Space that a label takes on the page: left, middle, width and height in pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The lines of a memory's label. */
function linesOf(label: string): string[] {
  return labelLines(shorten(label, MAX_LABEL_LETTERS), LINE_LETTERS)
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
    const lines = linesOf(world.frame.label(c.node))
    const width = labelWidth(lines)
    const box = { x: isLeftOfNode(c.x, width, projection) ? c.x - width : c.x, y: c.y, width, height: LINE_HEIGHT * lines.length }
    if (taken.some((t) => Math.abs(t.y - box.y) < (t.height + box.height) / 2 + SPACE && t.x < box.x + box.width && box.x < t.x + t.width)) continue
    taken.push(box)
    chosen.push(c.node)
  }
  return chosen
}

/** Width of a label with its distance from the node, in pixels. */
function labelWidth(lines: readonly string[]): number {
  return 30 + LETTER_WIDTH * longestLine(lines)
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
  /** the width of each label */
  private widths: number[] = []

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
    const lines = this.nodes.map((n) => linesOf(world.frame.label(n)))
    this.widths = lines.map(labelWidth)
    this.pool.forEach((el, i) => {
      el.hidden = lines[i] === undefined
      if (lines[i]) showLines(el, lines[i])
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
      const left = isLeftOfNode(at.x, this.widths[i]!, projection)
      el.classList.toggle('left', left)
      el.style.transform = `translate(${(left ? at.x - aside : at.x + aside).toFixed(1)}px, ${at.y.toFixed(1)}px) translate(${left ? '-100%' : '0'}, -50%)`
    }
  }
}

/** The beginning of a text with at most so many letters, cut after a word if possible, without the punctuation before the cut. */
export function shorten(text: string, most = MAX_LETTERS): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.lastIndexOf(' ', most)
  return line.slice(0, cut > most / 2 ? cut : most).replace(/[\s.,;:…–-]+$/, '') + '…'
}
