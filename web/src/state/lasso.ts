// Which memories are inside a line that was drawn on the page.
import { project, type Projection, type ScreenPoint } from '../scene/picking/pick'
import type { World } from './world'

export interface LassoPoint {
  x: number
  y: number
}

/** Whether a point is inside a closed line, by the number of its edges to the right of the point. */
export function isInside(line: readonly LassoPoint[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, k = line.length - 1; i < line.length; k = i++) {
    const [a, b] = [line[i]!, line[k]!]
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside
  }
  return inside
}

/** The drawn nodes inside a line on the page. */
export function nodesInside(world: World, drawn: (node: number) => boolean, projection: Projection, line: readonly LassoPoint[]): number[] {
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  const [left, right] = [Math.min(...line.map((p) => p.x)), Math.max(...line.map((p) => p.x))]
  const out: number[] = []
  for (let i = 0; i < world.count; i++) {
    if (!project(world, i, projection, at) || at.x < left || at.x > right) continue
    if (isInside(line, at.x, at.y) && drawn(i)) out.push(i)
  }
  return out
}
