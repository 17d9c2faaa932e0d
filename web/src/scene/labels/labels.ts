// Names beside the points that matter most: a few elements of the page that are used
// again and again, at most one in each cell of a grid.
import type { World } from '../../state/world'
import { project, type Lens, type Spot } from '../picking/pick'

const POOL = 28
const CELL_W = 210
const CELL_H = 76
const LETTERS = 34

export interface Label {
  node: number
  text: string
}

/** Chooses who gets a name: the most weighty in each cell, the weightiest cells first. */
export function chooseLabels(world: World, lens: Lens, weight: (node: number) => number, pool = POOL): number[] {
  const best = new Map<number, { node: number; weight: number }>()
  const at: Spot = { x: 0, y: 0, far: 0 }
  for (let i = 0; i < world.count; i++) {
    const w = weight(i)
    if (w <= 0 || !project(world, i, lens, at)) continue
    if (at.x < 0 || at.y < 0 || at.x > lens.width || at.y > lens.height) continue
    const cell = Math.floor(at.y / CELL_H) * 1000 + Math.floor(at.x / CELL_W)
    const held = best.get(cell)
    const near = w / at.far
    if (!held || near > held.weight) best.set(cell, { node: i, weight: near })
  }
  return [...best.values()]
    .sort((a, b) => b.weight - a.weight || a.node - b.node)
    .slice(0, pool)
    .map((c) => c.node)
}

export class Labels {
  readonly element = document.createElement('div')
  private readonly pool: HTMLElement[] = []
  private nodes: number[] = []

  constructor() {
    this.element.className = 'labels'
    this.element.setAttribute('aria-hidden', 'true')
  }

  /** Names these nodes; those without words stay nameless. */
  choose(world: World, nodes: number[]): void {
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

  /** Moves the names to where their nodes stand now. */
  place(world: World, lens: Lens): void {
    const at: Spot = { x: 0, y: 0, far: 0 }
    for (let i = 0; i < this.nodes.length; i++) {
      const el = this.pool[i]!
      const seen = project(world, this.nodes[i]!, lens, at)
      el.style.visibility = seen ? '' : 'hidden'
      if (seen) el.style.transform = `translate(${(at.x + 11).toFixed(1)}px, ${(at.y - 7).toFixed(1)}px)`
    }
  }
}

export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= LETTERS) return line
  const cut = line.lastIndexOf(' ', LETTERS)
  return line.slice(0, cut > LETTERS / 2 ? cut : LETTERS) + '…'
}
