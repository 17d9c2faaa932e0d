// Finds the drawn edge under the pointer.
import type { World } from '../../state/world'
import { project, type Projection, type ScreenPoint } from './pick'

/** Four numbers for each edge: from, to, kind, weight (0 to 255). */
export type EdgeRows = Uint32Array

/** The row of the nearest edge within the slack, both of whose ends are drawn; -1: none. */
export function pickEdge(world: World, rows: EdgeRows, drawn: (node: number) => boolean, projection: Projection, x: number, y: number, slack = 5): number {
  const a: ScreenPoint = { x: 0, y: 0, distance: 0 }
  const b: ScreenPoint = { x: 0, y: 0, distance: 0 }
  let best = -1
  let nearest = slack
  for (let row = 0; row < rows.length / 4; row++) {
    const from = rows[4 * row]!
    const to = rows[4 * row + 1]!
    if (!project(world, from, projection, a) || !project(world, to, projection, b)) continue
    const distance = distanceToSegment(x, y, a, b)
    if (distance <= nearest && drawn(from) && drawn(to)) {
      nearest = distance
      best = row
    }
  }
  return best
}

/** Distance of a point from a line segment. */
function distanceToSegment(x: number, y: number, a: ScreenPoint, b: ScreenPoint): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const along = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)
  const t = Math.min(Math.max(along, 0), 1)
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy)
}
