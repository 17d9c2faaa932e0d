// The layout "Links": memories and entities by what connects them, instead of by meaning. The linked ones are in the
// middle, those without links in a ring around them.
import type { World } from '../world'
import { LINK_LENGTH, settle } from './forces'

/** With more memories than this, the layout is not offered. */
export const LINKS_LIMIT = 20_000

/** Radius of the whole layout, units of the map; that of the map by meaning is 108. */
const RADIUS = 104

/** Share of the radius for memories without links, if there are any. */
const RING = 0.12

export interface LinksInput {
  /** x, y, z of every node of the world, where it starts */
  positions: Float32Array
  /** the nodes that are laid out; after those of the world come the entities */
  nodes: Uint32Array
  /** number of entities */
  hubs: number
  /** from and to of every link */
  ends: Uint32Array
  /** of every link, (0,1] */
  weights: Float32Array
  /** of every link, in units before the layout is scaled */
  lengths: Float32Array
}

/** A link between an entity and a memory, or between two entities; entities are counted from world.count. */
export interface HubEnd {
  from: number
  to: number
  weight: number
  /** times the length of other links */
  length: number
}

/**
 * What is laid out: the nodes that pass the filters at whatever time, so that a step in time moves nothing, and the
 * entities. Null: there are too many.
 */
export function linksInput(world: World, shown: Uint8Array, wanted: (kind: number) => boolean, hubs: number, hubEnds: readonly HubEnd[]): LinksInput | null {
  const f = world.frame
  const nodes: number[] = []
  for (let i = 0; i < world.count; i++) if (shown[i]) nodes.push(i)
  if (nodes.length > LINKS_LIMIT) return null
  for (let k = 0; k < hubs; k++) nodes.push(world.count + k)
  const ends: number[] = []
  const weights: number[] = []
  const lengths: number[] = []
  for (let e = 0; e < f.edgeCount; e++) {
    const [from, to] = [f.from[e]!, f.to[e]!]
    if (from === to || !shown[from] || !shown[to] || f.edgeWeight[e] === 0 || !wanted(f.edgeKind[e]!)) continue
    ends.push(from, to)
    weights.push(f.edgeWeight[e]! / 255)
    lengths.push(LINK_LENGTH)
  }
  for (const l of hubEnds) {
    if ((l.from < world.count && !shown[l.from]) || (l.to < world.count && !shown[l.to])) continue
    ends.push(l.from, l.to)
    weights.push(l.weight)
    lengths.push(LINK_LENGTH * l.length)
  }
  return { positions: f.positions, nodes: Uint32Array.from(nodes), hubs, ends: Uint32Array.from(ends), weights: Float32Array.from(weights), lengths: Float32Array.from(lengths) }
}

/** x, y, z of every node and then of every entity. What is not laid out keeps its place. */
export function linksLayout(input: LinksInput): Float32Array {
  const { positions, nodes, hubs, ends, weights, lengths } = input
  const total = positions.length / 3 + hubs
  const out = new Float32Array(3 * total)
  out.set(positions)
  const linked = new Uint8Array(total)
  for (const end of ends) linked[end] = 1
  const inner = nodes.filter((n) => linked[n] === 1 || n >= positions.length / 3)
  const outer = nodes.filter((n) => linked[n] === 0 && n < positions.length / 3)
  const index = new Int32Array(total).fill(-1)
  inner.forEach((n, i) => (index[n] = i))
  const middles = hubStarts(input, index)
  const graph = {
    x: Float64Array.from(inner, (n) => middles.get(n)?.[0] ?? positions[3 * n]!),
    y: Float64Array.from(inner, (n) => middles.get(n)?.[1] ?? positions[3 * n + 1]!),
    ends: ends.map((n) => index[n]!),
    weights,
    lengths,
  }
  const { x, y } = settle(graph)
  const free = outer.length > 0 && inner.length > 0 ? 1 - Math.min(RING + Math.sqrt(outer.length / total) / 3, 0.45) : 1
  const scale = fitScale(x, y, RADIUS * free)
  inner.forEach((n, i) => out.set([scale.factor * (x[i]! - scale.x), scale.factor * (y[i]! - scale.y), 0], 3 * n))
  placeAround(outer, inner.length > 0 ? RADIUS * (free + 0.04) : 0, out)
  return out
}

/** An entity starts in the middle of what it is linked to. */
function hubStarts({ positions, ends }: LinksInput, index: Int32Array): Map<number, [number, number]> {
  const memories = positions.length / 3
  const sums = new Map<number, [x: number, y: number, n: number]>()
  for (let e = 0; e < ends.length; e += 2) {
    for (const [hub, other] of [[ends[e]!, ends[e + 1]!], [ends[e + 1]!, ends[e]!]] as const) {
      if (hub < memories || other >= memories) continue
      const s = sums.get(hub) ?? [0, 0, 0]
      sums.set(hub, [s[0] + positions[3 * other]!, s[1] + positions[3 * other + 1]!, s[2] + 1])
    }
  }
  const out = new Map<number, [number, number]>()
  for (let n = memories; n < index.length; n++) {
    const [x, y, count] = sums.get(n) ?? [10 * Math.cos(n), 10 * Math.sin(n), 1]
    out.set(n, [x / count, y / count])
  }
  return out
}

/** What brings the points around the origin, all but one in fifty within the radius. */
function fitScale(x: Float64Array, y: Float64Array, radius: number): { x: number; y: number; factor: number } {
  if (x.length === 0) return { x: 0, y: 0, factor: 1 }
  const mean = (v: Float64Array) => v.reduce((a, b) => a + b, 0) / v.length
  const [mx, my] = [mean(x), mean(y)]
  const far = Float64Array.from(x, (v, i) => Math.hypot(v - mx, y[i]! - my)).sort()
  const most = far[Math.floor((far.length - 1) * 0.98)]!
  return { x: mx, y: my, factor: radius / Math.max(most, 1e-6) }
}

/** Spreads nodes evenly over the ring from a radius to that of the layout: neighbours in number turn by the golden angle. */
function placeAround(nodes: Uint32Array, from: number, out: Float32Array): void {
  const turn = Math.PI * (3 - Math.sqrt(5))
  nodes.forEach((n, i) => {
    const part = (i + 0.5) / nodes.length
    const far = Math.sqrt(from * from + part * (RADIUS * RADIUS * 1.06 - from * from))
    out.set([far * Math.cos(i * turn), far * Math.sin(i * turn), 0], 3 * n)
  })
}
