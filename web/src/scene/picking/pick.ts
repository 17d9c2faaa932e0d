// Finds the memory under the pointer with one pass over the columns. It uses the page's own
// visibility rules, not the graphics card.
import type { World } from '../../state/world'
import { radiusOf, scaleFor } from '../size'

export interface Projection {
  /** projection × view, column-major */
  matrix: ArrayLike<number>
  width: number
  height: number
  /** pixels of one unit of the map at distance 1: height ÷ 2 tan(fov ÷ 2) */
  pixelsPerUnit: number
  /** 1: three dimensions, 0: flat */
  depth: number
  /** the part of the picture that no panel covers, x in pixels; absent: all of it */
  free?: { left: number; right: number }
  /** positions in place of the map's own; absent: the map's own */
  positions?: Float32Array | null
}

export interface ScreenPoint {
  x: number
  y: number
  /** from the eye, in units of the map */
  distance: number
}

/** Projects a node onto the page; false if it is behind the eye. */
export function project(world: World, node: number, projection: Projection, out: ScreenPoint): boolean {
  const p = projection.positions ?? world.frame.positions
  return toScreen(p[3 * node]!, p[3 * node + 1]!, p[3 * node + 2]!, projection, out)
}

/** Projects a position of the map onto the page; false if it is behind the eye. */
export function projectPosition(position: readonly [number, number, number], projection: Projection, out: ScreenPoint): boolean {
  return toScreen(position[0], position[1], position[2], projection, out)
}

function toScreen(x: number, y: number, depth: number, projection: Projection, out: ScreenPoint): boolean {
  const m = projection.matrix
  const z = depth * projection.depth
  const w = m[3]! * x + m[7]! * y + m[11]! * z + m[15]!
  if (w <= 0) return false
  out.x = ((m[0]! * x + m[4]! * y + m[8]! * z + m[12]!) / w + 1) * 0.5 * projection.width
  out.y = (1 - (m[1]! * x + m[5]! * y + m[9]! * z + m[13]!) / w) * 0.5 * projection.height
  out.distance = w
  return true
}

/** The nearest node whose shape, enlarged by the slack, contains the point; -1: none. */
export function pickNode(world: World, drawn: (node: number) => boolean, projection: Projection, x: number, y: number, slack = 4): number {
  const scale = scaleFor(world.count)
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  let best = -1
  let bestScore = Infinity
  for (let i = 0; i < world.count; i++) {
    if (!project(world, i, projection, at)) continue
    const dx = at.x - x
    const dy = at.y - y
    if (dx > 44 || dx < -44 || dy > 44 || dy < -44) continue
    const radius = radiusOf(world.frame.importance[i]! / 255, scale, projection.pixelsPerUnit, at.distance)
    const distance = Math.hypot(dx, dy)
    if (distance > radius + slack) continue
    // Inside shapes the foremost wins; in the slack around them the closest one.
    const score = distance <= radius ? at.distance : 1e6 + distance
    if (score < bestScore && drawn(i)) {
      best = i
      bestScore = score
    }
  }
  return best
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The next node in a direction on the page: near, and not far to the side; -1: none. */
export function nextInDirection(world: World, drawn: (node: number) => boolean, projection: Projection, from: number, direction: Direction): number {
  const start: ScreenPoint = { x: projection.width / 2, y: projection.height / 2, distance: 0 }
  if (from >= 0) project(world, from, projection, start)
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number]
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  let best = -1
  let bestCost = Infinity
  for (let i = 0; i < world.count; i++) {
    if (i === from || !project(world, i, projection, at)) continue
    if (at.x < 0 || at.y < 0 || at.x > projection.width || at.y > projection.height) continue
    const x = at.x - start.x
    const y = at.y - start.y
    const along = x * dx + y * dy
    const across = Math.abs(x * dy - y * dx)
    if (from >= 0 && (along <= 0.5 || across > 2 * along)) continue
    const cost = from >= 0 ? along + 2 * across : Math.hypot(x, y)
    if (cost < bestCost && drawn(i)) {
      best = i
      bestCost = cost
    }
  }
  return best
}
