// Link forces: linked memories attract each other, within a maximum shift from their own
// positions. Each memory is also pulled back to its own position. There is no repulsion. The
// result is used for drawing only.

/** With more visible memories than this, link forces are off. */
export const ATTRACTION_LIMIT = 5000

/** Maximum shift of a memory from its position: 5 % of the map's radius of 108. */
export const MAX_SHIFT = 5.4

/** Linked memories closer than this do not attract each other. */
const REST_LENGTH = 3

/** Strength of an edge, and of the pull back to the own position. */
const EDGE_STRENGTH = 0.4
const ANCHOR_STRENGTH = 0.2
const ITERATIONS = 60

export interface AttractionInput {
  /** x, y, z of every node */
  positions: Float32Array
  /** from and to of every attracting edge */
  ends: Uint32Array
  /** of every edge, (0,1] */
  weights: Float32Array
}

/** The positions at equilibrium. The input is not changed. */
export function attract({ positions, ends, weights }: AttractionInput): Float32Array {
  const at = positions.slice()
  const degree = new Float32Array(positions.length / 3)
  for (const end of ends) degree[end]!++
  const force = new Float32Array(positions.length)
  for (let round = 0; round < ITERATIONS; round++) {
    const heat = 1 - round / ITERATIONS
    force.fill(0)
    for (let e = 0; e < weights.length; e++) {
      const a = 3 * ends[2 * e]!
      const b = 3 * ends[2 * e + 1]!
      const x = at[b]! - at[a]!
      const y = at[b + 1]! - at[a + 1]!
      const z = at[b + 2]! - at[a + 2]!
      const far = Math.hypot(x, y, z)
      if (far <= REST_LENGTH) continue
      const pull = (0.5 * EDGE_STRENGTH * weights[e]! * (far - REST_LENGTH)) / far
      const atA = pull / degree[a / 3]!
      const atB = pull / degree[b / 3]!
      force[a]! += x * atA
      force[a + 1]! += y * atA
      force[a + 2]! += z * atA
      force[b]! -= x * atB
      force[b + 1]! -= y * atB
      force[b + 2]! -= z * atB
    }
    for (let i = 0; i < at.length; i += 3) {
      if (degree[i / 3] === 0) continue
      let x = at[i]! - positions[i]!
      let y = at[i + 1]! - positions[i + 1]!
      let z = at[i + 2]! - positions[i + 2]!
      x += heat * (force[i]! - ANCHOR_STRENGTH * x)
      y += heat * (force[i + 1]! - ANCHOR_STRENGTH * y)
      z += heat * (force[i + 2]! - ANCHOR_STRENGTH * z)
      const limit = Math.min(1, MAX_SHIFT / Math.max(Math.hypot(x, y, z), 1e-9))
      at[i] = positions[i]! + x * limit
      at[i + 1] = positions[i + 1]! + y * limit
      at[i + 2] = positions[i + 2]! + z * limit
    }
  }
  return at
}

/** The edges with both ends visible and a wanted kind; null if there are too many memories. */
export function attractionInput(
  world: { count: number; frame: { positions: Float32Array; from: Uint32Array; to: Uint32Array; edgeKind: Uint8Array; edgeWeight: Uint8Array; edgeCount: number } },
  drawn: (node: number) => boolean,
  wanted: (kind: number) => boolean,
): AttractionInput | null {
  const f = world.frame
  const seen = new Uint8Array(world.count)
  let count = 0
  for (let i = 0; i < world.count; i++) if (drawn(i)) count += seen[i] = 1
  if (count > ATTRACTION_LIMIT) return null
  const ends: number[] = []
  const weights: number[] = []
  for (let e = 0; e < f.edgeCount; e++) {
    const [from, to] = [f.from[e]!, f.to[e]!]
    if (from === to || !seen[from] || !seen[to] || f.edgeWeight[e] === 0 || !wanted(f.edgeKind[e]!)) continue
    ends.push(from, to)
    weights.push(f.edgeWeight[e]! / 255)
  }
  return { positions: f.positions, ends: Uint32Array.from(ends), weights: Float32Array.from(weights) }
}
