// Chooses which edges are drawn: those of the focus, and those of kinds set to "all".
import { EDGE_KINDS, type EdgeKind } from '../../api/vocabulary'
import type { EdgeGroup, EdgeMode } from '../../state/view'
import { versionChain, type World } from '../../state/world'

/** At most this many edges are drawn, the strongest ones. */
export const EDGE_LIMIT = 20_000

/** Up to this many edges are all ribbons; beyond, only versions and derivations are. */
export const RIBBON_LIMIT = 1500

/** At most this many memories of a session are collected. */
const SESSION_LIMIT = 300

const GROUP_OF: Record<EdgeKind, EdgeGroup> = {
  SUPERSEDES: 'supersedes',
  DERIVED_FROM: 'derivation',
  CONSOLIDATED_INTO: 'derivation',
  EVIDENCE_FOR: 'derivation',
  CONTRADICTS: 'derivation',
  SAME_SESSION: 'session',
  TEMPORAL_SEQ: 'sequence',
  ENTITY_OVERLAP: 'overlap',
}

export interface EdgeChoice {
  edges: Uint32Array
  /** the focus and the nodes that its edges reach */
  near: Set<number>
  /** number of edges that were left out because there are too many */
  omitted: number
}

export function groupOf(kind: number): EdgeGroup {
  return GROUP_OF[EDGE_KINDS[kind]!]
}

/** The memories of a node's session, found along its edges. */
export function sessionOf(world: World, node: number): Set<number> {
  const f = world.frame
  const found = new Set([node])
  for (const n of found) {
    for (let k = world.edgeStart[n]!; k < world.edgeStart[n + 1]! && found.size < SESSION_LIMIT; k++) {
      const e = world.edgesOf[k]!
      const group = groupOf(f.edgeKind[e]!)
      if (group === 'session' || group === 'sequence') found.add(f.from[e] === n ? f.to[e]! : f.from[e]!)
    }
  }
  return found
}

/** `shown` marks the nodes that pass the filters. */
export function chooseEdges(world: World, modes: Record<EdgeGroup, EdgeMode>, focus: number, shown: Uint8Array): EdgeChoice {
  const f = world.frame
  const picked = new Set<number>()
  const near = new Set<number>()
  if (focus >= 0) {
    near.add(focus)
    const pick = (node: number, wanted: (group: EdgeGroup) => boolean) => {
      for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
        const e = world.edgesOf[k]!
        const group = groupOf(f.edgeKind[e]!)
        if (modes[group] === 'off' || !wanted(group)) continue
        picked.add(e)
        near.add(f.from[e]!).add(f.to[e]!)
      }
    }
    pick(focus, () => true)
    for (const node of versionChain(world, focus)) pick(node, (g) => g === 'supersedes')
    for (const node of sessionOf(world, focus)) pick(node, (g) => g === 'session' || g === 'sequence')
  }
  if (Object.values(modes).includes('all')) {
    for (let e = 0; e < f.edgeCount; e++) {
      if (modes[groupOf(f.edgeKind[e]!)] === 'all' && shown[f.from[e]!] && shown[f.to[e]!]) picked.add(e)
    }
  }
  let edges = Uint32Array.from(picked)
  const omitted = Math.max(edges.length - EDGE_LIMIT, 0)
  if (omitted > 0) edges = edges.sort((a, b) => f.edgeWeight[b]! - f.edgeWeight[a]! || a - b).slice(0, EDGE_LIMIT)
  // SUPERSEDES edges last: what is drawn last is on top.
  return { edges: edges.sort((a, b) => f.edgeKind[b]! - f.edgeKind[a]! || a - b), near, omitted }
}

/** The first row that is drawn as a ribbon; earlier rows are hairlines. The rows after those at rest are sorted by descending kind. */
export function ribbonsFrom(rows: Uint32Array, atRest = 0): number {
  const count = rows.length / 4
  if (count <= RIBBON_LIMIT) return 0
  const strong = (row: number): boolean => ['supersedes', 'derivation'].includes(groupOf(rows[4 * row + 2]!))
  let first = atRest
  while (first < count && !strong(first)) first++
  return first
}
