// Chooses which tiles of a large scene to hold: always the root, and tiles that are viewed
// closely, nearest first, within a budget.
import type { TileList } from '../api/frame'
import type { Projection } from '../scene/picking/pick'

export const ROOT = 1

/** Maximum number of memories to hold. */
export const BUDGET = 300_000

/** A tile is loaded when its edge has this share of the page's height. */
const MIN_HEIGHT = 0.75

export interface Cube {
  x: number
  y: number
  z: number
  half: number
}

/** The cell of a key. */
export function cubeOf(key: number, half: number): Cube {
  const cube = { x: 0, y: 0, z: 0, half }
  const path: number[] = []
  for (let k = key; k > ROOT; k = Math.floor(k / 8)) path.unshift(k % 8)
  for (const octant of path) {
    cube.half /= 2
    cube.x += octant & 1 ? cube.half : -cube.half
    cube.y += octant & 2 ? cube.half : -cube.half
    cube.z += octant & 4 ? cube.half : -cube.half
  }
  return cube
}

/** The size of a cell's edge as a share of the page's height (0: not in view), and the distance of its centre from the middle in half pages. */
export function tileInView(cube: Cube, projection: Projection): { height: number; aside: number } {
  const m = projection.matrix
  const z = cube.z * projection.depth
  const far = m[3]! * cube.x + m[7]! * cube.y + m[11]! * z + m[15]!
  const radius = cube.half * Math.sqrt(3)
  if (far < -radius) return { height: 0, aside: 0 }
  const near = Math.max(far, cube.half) // seen from within, it fills the page
  const x = Math.abs(m[0]! * cube.x + m[4]! * cube.y + m[8]! * z + m[12]!) / near
  const y = Math.abs(m[1]! * cube.x + m[5]! * cube.y + m[9]! * z + m[13]!) / near
  const reach = (2 * radius * projection.pixelsPerUnit) / near
  if (far > radius && (x > 1 + reach / projection.width || y > 1 + reach / projection.height)) return { height: 0, aside: 0 }
  return { height: (2 * cube.half * projection.pixelsPerUnit) / near / projection.height, aside: Math.hypot(x, y) }
}

/** The tile to load next (null: none, or no room for it) and the tiles to drop for it; a pinned tile is never dropped. */
export function nextTile(list: TileList, held: ReadonlySet<number>, projection: Projection, budget = BUDGET, pinned = ROOT): { load: number | null; drop: number[] } {
  const wanted: { key: number; rank: number }[] = []
  const visit = (key: number): void => {
    for (let octant = 0; octant < 8; octant++) {
      const child = 8 * key + octant
      if (!list.counts.has(child)) continue
      const { height, aside } = tileInView(cubeOf(child, list.half), projection)
      if (height < MIN_HEIGHT) continue
      wanted.push({ key: child, rank: height / (1 + aside) })
      visit(child)
    }
  }
  visit(ROOT)
  wanted.sort((a, b) => b.rank - a.rank || a.key - b.key)
  const keep = new Set([ROOT])
  let room = budget - list.counts.get(ROOT)!
  if (pinned !== ROOT) room -= list.counts.get(pinned) ?? 0
  let load: number | null = null
  for (const { key } of wanted) {
    const count = list.counts.get(key)!
    // A tile needs its parent.
    if ((count > room && key !== pinned) || !keep.has(Math.floor(key / 8))) continue
    if (key !== pinned) room -= count
    keep.add(key)
    if (load === null && !held.has(key)) load = key
  }
  if (load === null) return { load, drop: [] }
  return { load, drop: tilesToDrop(list, load, held, new Set([...keep, pinned]), budget) }
}

/** The tiles to drop to make room for another: smallest cells first, except those to keep. */
export function tilesToDrop(list: TileList, load: number, held: ReadonlySet<number>, keep: ReadonlySet<number>, budget = BUDGET): number[] {
  let total = list.counts.get(load) ?? 0
  for (const key of held) total += list.counts.get(key) ?? 0
  const drop: number[] = []
  for (const key of [...held].sort((a, b) => b - a)) {
    if (total <= budget) break
    if (keep.has(key)) continue
    drop.push(key)
    total -= list.counts.get(key) ?? 0
  }
  return drop
}
