// Chooses the edges that are drawn while nothing is in focus: the strongest one or two of each memory.
import { ACTIVE } from '../../api/vocabulary'
import type { EdgeGroup, EdgeMode } from '../../state/view'
import type { World } from '../../state/world'
import { EDGE_LIMIT, groupOf } from './choose'

/** With more memories than this, each has one edge at rest, otherwise two. */
const TWO_EDGES_LIMIT = 5000

/** What is only from one session is linked less than what shares entities or sources. */
const WEAK = 0.35

/**
 * The strongest edges of each node, weakest kinds first; of equal ones the earlier. Versions have no edges at rest, and
 * kinds set to "all" are drawn anyway. A memory that holds now prefers one that does too, so that its edges are not
 * hidden; the choice does not depend on the instant shown, so that a step in time changes nothing. `shown` marks the
 * nodes that pass the filters.
 */
export function restEdges(world: World, modes: Record<EdgeGroup, EdgeMode>, shown: Uint8Array): Uint32Array {
  const f = world.frame
  const each = world.count > TWO_EDGES_LIMIT ? 1 : 2
  const holds = holdsNow(world)
  const wanted = f.edgeKind.map((kind) => {
    const group = groupOf(kind)
    if (group === 'supersedes' || modes[group] !== 'focus') return 0
    return group === 'session' || group === 'sequence' ? 1 : 2
  })
  const picked = new Set<number>()
  for (let i = 0; i < world.count; i++) {
    if (!shown[i]) continue
    let [first, second] = [-1, -1]
    let [firstRank, secondRank] = [-1, -1]
    for (let k = world.edgeStart[i]!; k < world.edgeStart[i + 1]!; k++) {
      const e = world.edgesOf[k]!
      const other = f.from[e] === i ? f.to[e]! : f.from[e]!
      if (!wanted[e] || other === i || !shown[other]) continue
      const rank = f.edgeWeight[e]! * (wanted[e] === 1 ? WEAK : 1) + (holds[other] === holds[i] ? 256 : 0)
      if (rank > firstRank) {
        ;[second, secondRank] = [first, firstRank]
        ;[first, firstRank] = [e, rank]
      } else if (rank > secondRank) [second, secondRank] = [e, rank]
    }
    if (first >= 0) picked.add(first)
    if (second >= 0 && each > 1) picked.add(second)
  }
  let edges = Uint32Array.from(picked)
  if (edges.length > EDGE_LIMIT) edges = edges.sort((a, b) => f.edgeWeight[b]! - f.edgeWeight[a]! || a - b).slice(0, EDGE_LIMIT)
  return edges.sort((a, b) => f.edgeKind[b]! - f.edgeKind[a]! || a - b)
}

/** 1 for each node whose last state is active. */
function holdsNow(world: World): Uint8Array {
  const f = world.frame
  return Uint8Array.from({ length: world.count }, (_, i) => (f.stateStatus[f.stateStart[i + 1]! - 1] === ACTIVE ? 1 : 0))
}

/** The edges of a node, at most so many, and the nodes that they reach. Kinds that are off do not count. */
export function edgesAround(world: World, modes: Record<EdgeGroup, EdgeMode>, node: number, max: number): { edges: number[]; near: Set<number> } {
  const f = world.frame
  const edges: number[] = []
  const near = new Set<number>()
  for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
    const e = world.edgesOf[k]!
    if (modes[groupOf(f.edgeKind[e]!)] !== 'off') edges.push(e)
  }
  if (edges.length > max) edges.sort((a, b) => f.edgeWeight[b]! - f.edgeWeight[a]! || a - b).length = max
  for (const e of edges) near.add(f.from[e]!).add(f.to[e]!)
  return { edges, near }
}
