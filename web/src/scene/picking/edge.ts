// Finds the drawn edge under the pointer.
import type { World } from '../../state/world'
import { curvePoint, SEGMENTS, type Point } from '../edges/bends'
import { project, projectPosition, type Projection, type ScreenPoint } from './pick'

/** Four numbers for each edge: from, to, kind, weight (0 to 255). */
export type EdgeRows = Uint32Array

/** What is drawn as edges; see EdgesLayer. */
export interface DrawnEdges {
  rows: EdgeRows
  /** offsets of the control points of the first rows, four numbers each; they count only where the map's own positions are shown */
  bends: Float32Array
}

/** The points between the straight pieces of an edge as it is drawn: its ends, and those between if it is curved. */
export function edgePoints(world: World, { rows, bends }: DrawnEdges, row: number, projection: Projection): Point[] {
  const p = projection.positions ?? world.frame.positions
  const [a, b] = [rows[4 * row]!, rows[4 * row + 1]!].map((n): Point => [p[3 * n]!, p[3 * n + 1]!, p[3 * n + 2]!]) as [Point, Point]
  const bend: Point = [bends[4 * row] ?? 0, bends[4 * row + 1] ?? 0, bends[4 * row + 2] ?? 0]
  if (projection.positions || bend.every((v) => v === 0)) return [a, b]
  return Array.from({ length: SEGMENTS + 1 }, (_, i) => curvePoint(a, b, bend, i / SEGMENTS))
}

/** The row of the nearest edge within the slack, both of whose ends are drawn; -1: none. */
export function pickEdge(world: World, edges: DrawnEdges, drawn: (node: number) => boolean, projection: Projection, x: number, y: number, slack = 5): number {
  const { rows } = edges
  const a: ScreenPoint = { x: 0, y: 0, distance: 0 }
  const b: ScreenPoint = { x: 0, y: 0, distance: 0 }
  let best = -1
  let nearest = slack
  for (let row = 0; row < rows.length / 4; row++) {
    const from = rows[4 * row]!
    const to = rows[4 * row + 1]!
    if (!project(world, from, projection, a) || !project(world, to, projection, b)) continue
    const distance = 4 * row < edges.bends.length && !projection.positions ? distanceToCurve(world, edges, row, projection, x, y) : distanceToSegment(x, y, a, b)
    if (distance <= nearest && drawn(from) && drawn(to)) {
      nearest = distance
      best = row
    }
  }
  return best
}

/** Distance of a point from a curved edge; infinite if a part of it is behind the eye. */
function distanceToCurve(world: World, edges: DrawnEdges, row: number, projection: Projection, x: number, y: number): number {
  let least = Infinity
  let before: ScreenPoint | null = null
  for (const point of edgePoints(world, edges, row, projection)) {
    const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
    if (!projectPosition(point, projection, at)) return Infinity
    if (before) least = Math.min(least, distanceToSegment(x, y, before, at))
    before = at
  }
  return least
}

/** Distance of a point from a line segment. */
function distanceToSegment(x: number, y: number, a: ScreenPoint, b: ScreenPoint): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const along = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)
  const t = Math.min(Math.max(along, 0), 1)
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy)
}
