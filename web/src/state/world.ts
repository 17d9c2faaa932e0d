// The scene as the page holds it: the columns of the frame and what is looked up in them.
import type { Frame } from '../api/frame'
import { EDGE_KINDS, SUPERSEDED } from '../api/vocabulary'

export interface World {
  frame: Frame
  count: number
  /** the memory before and behind in the chain; -1: none */
  previous: Int32Array
  next: Int32Array
  /** edges at node i: adjacency[start[i]] … adjacency[start[i+1]-1] */
  edgeStart: Uint32Array
  edgesAt: Uint32Array
  /** first birth and first truth, for the scrubber */
  firstBorn: number
  firstValid: number
  /** when each was first superseded; Infinity: never */
  superseded: Float64Array
  idOf(node: number): string
  /** -1 where there is no such memory */
  indexOf(id: string): number
  /** where each node stood in a world before, -1: nowhere */
  origin(before: World): Int32Array
  /** ids of its nodes, and behind them those of worlds that grew out of it */
  index(): Map<string, number>
}

/** What a world was made from: a world before, and where each of the nodes stood in it. */
export interface Descent {
  parent: World
  stood: Int32Array
}

/** An id of 16 bytes as text. */
export function idText(ids: Uint8Array, at: number): string {
  let s = ''
  for (let b = 0; b < 16; b++) s += HEX[ids[16 * at + b]!] + (b === 3 || b === 5 || b === 7 || b === 9 ? '-' : '')
  return s
}

const HEX = Array.from({ length: 256 }, (_, b) => b.toString(16).padStart(2, '0'))

export function makeWorld(frame: Frame, descent?: Descent): World {
  const n = frame.count
  const previous = new Int32Array(n).fill(-1)
  const next = new Int32Array(n).fill(-1)
  const degree = new Uint32Array(n + 1)
  for (let e = 0; e < frame.edgeCount; e++) {
    const from = frame.from[e]!
    const to = frame.to[e]!
    degree[from]!++
    if (to !== from) degree[to]!++
    if (EDGE_KINDS[frame.edgeKind[e]!] === 'SUPERSEDES') {
      previous[from] = to
      next[to] = from
    }
  }
  const edgeStart = new Uint32Array(n + 1)
  for (let i = 0; i < n; i++) edgeStart[i + 1] = edgeStart[i]! + degree[i]!
  const fill = edgeStart.slice()
  const edgesAt = new Uint32Array(edgeStart[n]!)
  for (let e = 0; e < frame.edgeCount; e++) {
    const from = frame.from[e]!
    const to = frame.to[e]!
    edgesAt[fill[from]!++] = e
    if (to !== from) edgesAt[fill[to]!++] = e
  }
  const superseded = new Float64Array(n).fill(Infinity)
  for (let i = 0; i < n; i++) {
    for (let s = frame.stateStart[i]!; s < frame.stateStart[i + 1]!; s++) {
      if (frame.stateStatus[s] === SUPERSEDED) {
        superseded[i] = frame.stateFrom[s]!
        break
      }
    }
  }
  // Where nobody left, one index serves both worlds.
  let index: Map<string, number> | undefined
  const ids = (): Map<string, number> => {
    if (index) return index
    const grown = descent && descent.stood.length >= descent.parent.count && descent.stood[descent.parent.count - 1] === descent.parent.count - 1
    index = grown ? descent.parent.index() : new Map()
    for (let i = grown ? descent.parent.count : 0; i < n; i++) index.set(idOf(i), i)
    return index
  }
  const idOf = (i: number): string => idText(frame.ids, i)
  return {
    frame,
    count: n,
    previous,
    next,
    edgeStart,
    edgesAt,
    firstBorn: least(frame.born),
    firstValid: firstTruth(frame),
    superseded,
    idOf,
    indexOf(id) {
      const node = ids().get(id)
      return node === undefined || node >= n ? -1 : node
    },
    index: ids,
    origin(before) {
      if (before === descent?.parent) return descent.stood
      return Int32Array.from({ length: n }, (_, i) => before.indexOf(idOf(i)))
    },
  }
}

/** The versions of a node's chain, oldest first. */
export function chainOf(world: World, node: number): number[] {
  let first = node
  for (let steps = 0; world.previous[first]! >= 0 && steps < world.count; steps++) first = world.previous[first]!
  const chain = [first]
  while (world.next[chain.at(-1)!]! >= 0 && chain.length <= world.count) chain.push(world.next[chain.at(-1)!]!)
  return chain
}

/** The memory said before or behind one in its session; -1: none. */
export function alongSession(world: World, node: number, direction: -1 | 1): number {
  const f = world.frame
  for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
    const e = world.edgesAt[k]!
    if (EDGE_KINDS[f.edgeKind[e]!] !== 'TEMPORAL_SEQ') continue
    const other = f.from[e] === node ? f.to[e]! : f.from[e]!
    if (Math.sign(f.validFrom[other]! - f.validFrom[node]! || f.born[other]! - f.born[node]!) === direction) return other
  }
  return -1
}

function least(times: Float64Array): number {
  let min = Infinity
  for (const t of times) if (t < min) min = t
  return min
}

// A birthday long ago must not squeeze half a year of memory into a pixel: one memory
// in fifty may lie before the valid scrubber's first instant.
function firstTruth(frame: Frame): number {
  const times = frame.validFrom.filter(Number.isFinite).sort()
  return times.length === 0 ? least(frame.born) : times[Math.floor(times.length / 50)]!
}
