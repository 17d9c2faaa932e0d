// The scene in memory: the columns of a frame, and lookups built from them.
import { formatId, type Frame } from '../api/frame'
import { EDGE_KINDS, SUPERSEDED } from '../api/vocabulary'

export interface World {
  frame: Frame
  count: number
  /** neighbours in the version chain; -1: none */
  previousVersion: Int32Array
  nextVersion: Int32Array
  /** the edges of node i are edgesOf[edgeStart[i]] … edgesOf[edgeStart[i+1]-1] */
  edgeStart: Uint32Array
  edgesOf: Uint32Array
  /** earliest recorded time and start of the valid clock, for the timeline */
  firstBorn: number
  firstValid: number
  /** when each was first superseded; Infinity: never */
  supersededAt: Float64Array
  idOf(node: number): string
  /** -1 if there is no such memory */
  indexOf(id: string): number
  /** index of each node in an earlier world; -1: not in it */
  indicesIn(before: World): Int32Array
  /** ids of its nodes; it may also hold later nodes of worlds derived from it */
  idIndex(): Map<string, number>
}

/** The world from which another was derived, and the index that each node had in it. */
export interface Ancestry {
  parent: World
  oldIndex: Int32Array
}

export function makeWorld(frame: Frame, ancestry?: Ancestry): World {
  const n = frame.count
  const previousVersion = new Int32Array(n).fill(-1)
  const nextVersion = new Int32Array(n).fill(-1)
  const degree = new Uint32Array(n + 1)
  for (let e = 0; e < frame.edgeCount; e++) {
    const from = frame.from[e]!
    const to = frame.to[e]!
    degree[from]!++
    if (to !== from) degree[to]!++
    if (EDGE_KINDS[frame.edgeKind[e]!] === 'SUPERSEDES') {
      previousVersion[from] = to
      nextVersion[to] = from
    }
  }
  const edgeStart = new Uint32Array(n + 1)
  for (let i = 0; i < n; i++) edgeStart[i + 1] = edgeStart[i]! + degree[i]!
  const fill = edgeStart.slice()
  const edgesOf = new Uint32Array(edgeStart[n]!)
  for (let e = 0; e < frame.edgeCount; e++) {
    const from = frame.from[e]!
    const to = frame.to[e]!
    edgesOf[fill[from]!++] = e
    if (to !== from) edgesOf[fill[to]!++] = e
  }
  const supersededAt = new Float64Array(n).fill(Infinity)
  for (let i = 0; i < n; i++) {
    for (let s = frame.stateStart[i]!; s < frame.stateStart[i + 1]!; s++) {
      if (frame.stateStatus[s] === SUPERSEDED) {
        supersededAt[i] = frame.stateFrom[s]!
        break
      }
    }
  }
  // If no node was removed, both worlds share one index.
  let index: Map<string, number> | undefined
  const ids = (): Map<string, number> => {
    if (index) return index
    const grown = ancestry && ancestry.oldIndex.length >= ancestry.parent.count && ancestry.oldIndex[ancestry.parent.count - 1] === ancestry.parent.count - 1
    index = grown ? ancestry.parent.idIndex() : new Map()
    for (let i = grown ? ancestry.parent.count : 0; i < n; i++) index.set(idOf(i), i)
    return index
  }
  const idOf = (i: number): string => formatId(frame.ids, i)
  return {
    frame,
    count: n,
    previousVersion,
    nextVersion,
    edgeStart,
    edgesOf,
    firstBorn: minimum(frame.born),
    firstValid: firstValidTime(frame),
    supersededAt,
    idOf,
    indexOf(id) {
      const node = ids().get(id)
      return node === undefined || node >= n ? -1 : node
    },
    idIndex: ids,
    indicesIn(before) {
      if (before === ancestry?.parent) return ancestry.oldIndex
      return Int32Array.from({ length: n }, (_, i) => before.indexOf(idOf(i)))
    },
  }
}

/** The versions of a node's chain, oldest first. */
export function versionChain(world: World, node: number): number[] {
  let first = node
  for (let steps = 0; world.previousVersion[first]! >= 0 && steps < world.count; steps++) first = world.previousVersion[first]!
  const chain = [first]
  while (world.nextVersion[chain.at(-1)!]! >= 0 && chain.length <= world.count) chain.push(world.nextVersion[chain.at(-1)!]!)
  return chain
}

/** The memory recorded before or after a node in its session; -1: none. */
export function sessionNeighbour(world: World, node: number, direction: -1 | 1): number {
  const f = world.frame
  for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
    const e = world.edgesOf[k]!
    if (EDGE_KINDS[f.edgeKind[e]!] !== 'TEMPORAL_SEQ') continue
    const other = f.from[e] === node ? f.to[e]! : f.from[e]!
    if (Math.sign(f.validFrom[other]! - f.validFrom[node]! || f.born[other]! - f.born[node]!) === direction) return other
  }
  return -1
}

/** The memories that contradict a node, strongest conflict first. Conflicts that were dismissed are not in a scene. */
export function conflictsOf(world: World, node: number): { node: number; score: number }[] {
  const f = world.frame
  const scores = new Map<number, number>()
  for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
    const e = world.edgesOf[k]!
    if (EDGE_KINDS[f.edgeKind[e]!] !== 'CONTRADICTS') continue
    const other = f.from[e] === node ? f.to[e]! : f.from[e]!
    if (other !== node) scores.set(other, Math.max(scores.get(other) ?? 0, f.edgeWeight[e]! / 255))
  }
  return [...scores].map(([n, score]) => ({ node: n, score })).sort((a, b) => b.score - a.score || a.node - b.node)
}

function minimum(times: Float64Array): number {
  let min = Infinity
  for (const t of times) if (t < min) min = t
  return min
}

// A valid time long ago must not compress the timeline: the earliest fiftieth of the memories
// may lie before its start.
function firstValidTime(frame: Frame): number {
  const times = frame.validFrom.filter(Number.isFinite).sort()
  return times.length === 0 ? minimum(frame.born) : times[Math.floor(times.length / 50)]!
}
