// How edges are curved. Edges between two groups of memories bend towards one point between the middles of the groups, so
// that they come together to bundles; those within a group are slight arcs. Versions and derivations are straight, because
// their arrows are.
import { EDGE_KINDS } from '../../api/vocabulary'
import type { World } from '../../state/world'
import { nearestRegions } from '../labels/regions'
import { groupOf } from './choose'

/** Straight pieces of a curved edge. */
export const SEGMENTS = 6
/** With more edges than this all are straight: single curves would not be seen. */
export const CURVE_LIMIT = 6000

/** The height of an arc, as a part of the distance of its ends. */
const ARC = 0.14
/** How far edges between groups leave the straight way for that of their bundle, [0,1]. */
const BUNDLE = 0.75

export type Point = readonly [number, number, number]

/** Whether edges of a kind are curved. */
export function isCurved(kind: number): boolean {
  return !['supersedes', 'derivation'].includes(groupOf(kind))
}

/** The number of leading rows that are curved. Rows at rest are first; of the others the curved kinds are. */
export function curvedRows(rows: Uint32Array, restCount: number): number {
  const count = rows.length / 4
  let n = restCount
  while (n < count && rows[4 * n + 2]! < EDGE_KINDS.length && isCurved(rows[4 * n + 2]!)) n++
  return n <= CURVE_LIMIT ? n : 0
}

/** The group of each node, and the middles of the groups; -1: none. */
export interface Groups {
  of: ArrayLike<number>
  middles: readonly Point[]
}

/** The clusters of a world; without clusters its regions. */
export function groupsOf(world: World): Groups {
  const { clusters, cluster, regions } = world.frame
  if (clusters.length > 0) return { of: cluster, middles: clusters.map((c) => c.position) }
  return { of: nearestRegions(world), middles: (regions ?? []).map((r) => r.position) }
}

/** The offset of the control point of each of the first rows from the middle between its ends, four numbers each; the last is not used. */
export function bendsOf(world: World, rows: Uint32Array, count: number, groups: Groups): Float32Array {
  const p = world.frame.positions
  const out = new Float32Array(4 * count)
  for (let row = 0; row < count; row++) {
    if (!isCurved(rows[4 * row + 2]!)) continue
    const [from, to] = [rows[4 * row]!, rows[4 * row + 1]!]
    const [a, b] = [at(p, from), at(p, to)]
    const [ga, gb] = [groups.of[from]!, groups.of[to]!]
    const [ca, cb] = [groups.middles[ga], groups.middles[gb]]
    if (!ca || !cb || ga === gb) {
      out.set(arc(a, b), 4 * row)
      continue
    }
    // The bundle is an arc itself, the same in both directions.
    const side = ga < gb ? arc(ca, cb) : arc(cb, ca)
    for (let d = 0; d < 3; d++) out[4 * row + d] = BUNDLE * ((ca[d]! + cb[d]!) / 2 + side[d]! - (a[d]! + b[d]!) / 2)
  }
  return out
}

function at(p: ArrayLike<number>, node: number): Point {
  return [p[3 * node]!, p[3 * node + 1]!, p[3 * node + 2]!]
}

/** The offset of the control point of an arc, at a right angle in the plane of the flat map. */
function arc(a: Point, b: Point): Point {
  return [-ARC * (b[1] - a[1]), ARC * (b[0] - a[0]), 0]
}

/** The point of a curve at t, [0,1], for the ends and the offset of the control point. */
export function curvePoint(a: Point, b: Point, bend: Point, t: number): [number, number, number] {
  const weight = 2 * t * (1 - t)
  return [0, 1, 2].map((d) => a[d]! + t * (b[d]! - a[d]!) + weight * bend[d]!) as [number, number, number]
}
