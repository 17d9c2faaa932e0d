// The areas of the largest clusters: where their members are and how far they spread.
import type { World } from './world'

/** So many clusters have an area; the shader has arrays of this length. */
export const HULL_LIMIT = 24

/** Smaller clusters have no area. */
const MIN_MEMBERS = 8

/** Members farther from the centre than so many radii do not count: the map may have torn them off. */
const TRIM = 2.5

/** Spread that every area has, so that a dense cluster is not hidden by its points; units of the map, squared. */
const FLOOR = 3

export interface Hull {
  /** index of the cluster */
  cluster: number
  centre: [number, number, number]
  /** covariance of the positions: xx, xy, xz, yy, yz, zz */
  spread: [number, number, number, number, number, number]
}

/** The areas of a world, the largest clusters first. `positions` are those that are drawn. */
export function hullsOf(world: World, positions: Float32Array = world.frame.positions): Hull[] {
  const { clusters, cluster } = world.frame
  const count = Math.min(clusters.length, HULL_LIMIT)
  const sums = Array.from({ length: count }, () => ({ n: 0, x: 0, y: 0, z: 0, xx: 0, xy: 0, xz: 0, yy: 0, yz: 0, zz: 0 }))
  for (let i = 0; i < cluster.length; i++) {
    const k = cluster[i]!
    if (k < 0 || k >= count) continue
    const c = clusters[k]!
    const x = positions[3 * i]! - c.position[0]
    const y = positions[3 * i + 1]! - c.position[1]
    const z = positions[3 * i + 2]! - c.position[2]
    if (x * x + y * y + z * z > (TRIM * c.radius) ** 2) continue
    const s = sums[k]!
    s.n++
    s.x += x
    s.y += y
    s.z += z
    s.xx += x * x
    s.xy += x * y
    s.xz += x * z
    s.yy += y * y
    s.yz += y * z
    s.zz += z * z
  }
  return sums.flatMap((s, k): Hull[] => {
    const c = clusters[k]!
    if (s.n === 0 || c.count < MIN_MEMBERS) return []
    const [x, y, z] = [s.x / s.n, s.y / s.n, s.z / s.n]
    const spread: Hull['spread'] = [s.xx / s.n - x * x + FLOOR, s.xy / s.n - x * y, s.xz / s.n - x * z, s.yy / s.n - y * y + FLOOR, s.yz / s.n - y * z, s.zz / s.n - z * z + FLOOR]
    return [{ cluster: k, centre: [c.position[0] + x, c.position[1] + y, c.position[2] + z], spread }]
  })
}

/** Shares of visible members between which an area fades in; the shader has them too. */
const FADE = [0.1, 0.35] as const

/** How much of an area is drawn if a share [0,1] of its members is visible; [0,1]. */
function drawn(share: number): number {
  const t = Math.min(1, Math.max(0, (share - FADE[0]) / (FADE[1] - FADE[0])))
  return t * t * (3 - 2 * t)
}

/**
 * How strongly each area is drawn, (0,1]: 1 alone, less where others lie over it, so that together they are no darker than one. `shares` are
 * the visible shares of their members: an area that is hidden takes nothing from the others.
 */
export function strengthsOf(hulls: Hull[], shares: ArrayLike<number>): number[] {
  return hulls.map((a, i) => 1 / hulls.reduce((sum, b, k) => sum + (k === i ? 0 : drawn(shares[k]!) * overlap(a, b)), 1))
}

/** How much two areas lie over each other: 1 at the same place, near 0 where they are farther apart than they are wide. */
function overlap(a: Hull, b: Hull): number {
  const apart = a.centre.reduce((sum, x, i) => sum + (x - b.centre[i]!) ** 2, 0)
  const width = [a, b].reduce((sum, { spread: [xx, , , yy, , zz] }) => sum + xx + yy + zz, 0)
  return Math.exp((-3 * apart) / width)
}
