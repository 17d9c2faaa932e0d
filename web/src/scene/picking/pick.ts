// Which memory lies under the pointer: one pass over the columns, no help from the
// graphics card, so it sees exactly what the rules of visibility say.
import type { World } from '../../state/world'
import { radiusOf, scaleFor } from '../size'

export interface Projection {
  /** projection × view, column-major */
  matrix: ArrayLike<number>
  width: number
  height: number
  /** height ÷ 2 tan(fov ÷ 2) */
  pixelsPerUnit: number
  /** 1 in three dimensions, 0 flat */
  depth: number
  /** from where to where no panel covers the picture, x in pixels; absent: all of it is free */
  free?: { left: number; right: number }
  /** where the nodes stand in the picture; absent: at their own places */
  positions?: Float32Array | null
}

export interface ScreenPoint {
  x: number
  y: number
  /** distance from the eye */
  distance: number
}

/** Where a node stands on the page; false behind the eye. */
export function project(world: World, node: number, lens: Projection, out: ScreenPoint): boolean {
  const p = lens.positions ?? world.frame.positions
  return toScreen(p[3 * node]!, p[3 * node + 1]!, p[3 * node + 2]!, lens, out)
}

/** Where a place of the map stands on the page; false behind the eye. */
export function projectPosition(position: readonly [number, number, number], lens: Projection, out: ScreenPoint): boolean {
  return toScreen(position[0], position[1], position[2], lens, out)
}

function toScreen(x: number, y: number, depth: number, lens: Projection, out: ScreenPoint): boolean {
  const m = lens.matrix
  const z = depth * lens.depth
  const w = m[3]! * x + m[7]! * y + m[11]! * z + m[15]!
  if (w <= 0) return false
  out.x = ((m[0]! * x + m[4]! * y + m[8]! * z + m[12]!) / w + 1) * 0.5 * lens.width
  out.y = (1 - (m[1]! * x + m[5]! * y + m[9]! * z + m[13]!) / w) * 0.5 * lens.height
  out.distance = w
  return true
}

/** The foremost node within its radius and a little slack of the spot; -1: none. */
export function pickNode(world: World, drawn: (node: number) => boolean, lens: Projection, x: number, y: number, slack = 4): number {
  const scale = scaleFor(world.count)
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  let best = -1
  let bestScore = Infinity
  for (let i = 0; i < world.count; i++) {
    if (!project(world, i, lens, at)) continue
    const dx = at.x - x
    const dy = at.y - y
    if (dx > 44 || dx < -44 || dy > 44 || dy < -44) continue
    const radius = radiusOf(world.frame.importance[i]! / 255, scale, lens.pixelsPerUnit, at.distance)
    const distance = Math.hypot(dx, dy)
    if (distance > radius + slack) continue
    // Inside its shape the foremost wins; in the slack around it the nearest does.
    const score = distance <= radius ? at.distance : 1e6 + distance
    if (score < bestScore && drawn(i)) {
      best = i
      bestScore = score
    }
  }
  return best
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The next node from one in a direction on the page: near, and not far off to the side. */
export function nextInDirection(world: World, drawn: (node: number) => boolean, lens: Projection, from: number, direction: Direction): number {
  const start: ScreenPoint = { x: lens.width / 2, y: lens.height / 2, distance: 0 }
  if (from >= 0) project(world, from, lens, start)
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number]
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  let best = -1
  let bestCost = Infinity
  for (let i = 0; i < world.count; i++) {
    if (i === from || !project(world, i, lens, at)) continue
    if (at.x < 0 || at.y < 0 || at.x > lens.width || at.y > lens.height) continue
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
