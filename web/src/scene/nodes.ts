// The columns of the scene as textures, shared by all layers. A layer refers to a node by its
// index and keeps no copy.
import { FloatType, IntType, RedIntegerFormat, RGBAFormat, RGBAIntegerFormat, RGIntegerFormat, UnsignedByteType, Vector2 } from 'three'
import { DAY } from '../state/decay'
import { high, low } from '../state/instant'
import type { Moment } from '../state/visibility'
import type { World } from '../state/world'
import { effectUniforms } from './effects'
import { paddedTexels, replaceTexture, texture } from './texture'

/** The uniforms of node.glsl. Their values are replaced, the objects stay. */
export function nodeUniforms() {
  const empty = texture(new Int32Array(4), 4, RGBAIntegerFormat, IntType, 'RGBA32I')
  const noPositions = texture(new Float32Array(4), 4, RGBAFormat, FloatType, 'RGBA32F')
  return {
    uNodes: { value: empty },
    uStates: { value: empty },
    uUses: { value: texture(new Int32Array(2), 2, RGIntegerFormat, IntType, 'RG32I') },
    uMarks: { value: texture(new Uint8Array(1), 1, RedIntegerFormat, UnsignedByteType, 'R8UI') },
    uPositions: { value: noPositions },
    uOldPositions: { value: noPositions },
    uPositionMix: { value: 1 },
    uDepth: { value: 1 },
    uRecorded: { value: new Vector2() },
    uValid: { value: new Vector2() },
    uHasValid: { value: false },
    uStatuses: { value: 1 },
    ...effectUniforms(),
  }
}

export type NodeUniforms = ReturnType<typeof nodeUniforms>

/** Uploads a world. `oldPositions` are where the nodes come from; null: no movement. */
export function loadNodes(u: NodeUniforms, world: World, oldPositions: Float32Array | null): void {
  const f = world.frame
  const nodes = new Int32Array(4 * paddedTexels(4 * world.count))
  const bits = new Int32Array(f.decayRate.buffer, f.decayRate.byteOffset, f.decayRate.length)
  for (let i = 0, o = 0; i < world.count; i++, o += 16) {
    nodes[o] = f.stateStart[i]!
    nodes[o + 1] = (f.stateStart[i + 1]! - f.stateStart[i]!) | (f.type[i]! << 16)
    nodes[o + 2] = f.useStart[i]!
    nodes[o + 3] = (f.useStart[i + 1]! - f.useStart[i]!) | (f.importance[i]! << 16)
    putInstant(nodes, o + 4, f.expires[i]!)
    putInstant(nodes, o + 6, f.validFrom[i]!)
    putInstant(nodes, o + 8, neverAsInfinity(f.anchor[i]!))
    putInstant(nodes, o + 10, f.created[i]!)
    putInstant(nodes, o + 12, neverAsInfinity(f.lastUse[i]!))
    nodes[o + 14] = bits[i]!
  }
  const states = new Int32Array(4 * paddedTexels(f.stateFrom.length))
  for (let s = 0, o = 0; s < f.stateFrom.length; s++, o += 4) {
    states[o] = high(f.stateFrom[s]!)
    states[o + 1] = low(f.stateFrom[s]!) | (f.stateStatus[s]! << 20) | (f.stateTier[s]! << 23) | (f.stateCore[s]! << 25)
    putInstant(states, o + 2, f.stateValidTo[s]!)
  }
  const uses = new Int32Array(2 * paddedTexels(f.useDay.length))
  for (let k = 0; k < f.useDay.length; k++) putInstant(uses, 2 * k, f.useDay[k]! * DAY)

  replaceTexture(u.uNodes, texture(nodes, 4, RGBAIntegerFormat, IntType, 'RGBA32I'))
  replaceTexture(u.uStates, texture(states, 4, RGBAIntegerFormat, IntType, 'RGBA32I'))
  replaceTexture(u.uUses, texture(uses, 2, RGIntegerFormat, IntType, 'RG32I'))
  loadPositions(u, f.positions, oldPositions)
}

/** Sets the positions of all nodes and where they come from. */
export function loadPositions(u: NodeUniforms, positions: Float32Array, oldPositions: Float32Array | null): void {
  replaceTexture(u.uPositions, positionsTexture(positions))
  replaceTexture(u.uOldPositions, positionsTexture(oldPositions ?? new Float32Array(3)))
}

export function loadMarks(u: NodeUniforms, marks: Uint8Array): void {
  replaceTexture(u.uMarks, texture(marks, 1, RedIntegerFormat, UnsignedByteType, 'R8UI'))
}

/** Sets the instant. Only uniforms change; nothing else is uploaded. */
export function setMoment(u: NodeUniforms, at: Moment): void {
  u.uRecorded.value.set(high(at.recorded), low(at.recorded))
  u.uHasValid.value = at.valid !== null
  if (at.valid !== null) u.uValid.value.set(high(at.valid), low(at.valid))
  u.uStatuses.value = at.statuses
}

// A time that never was must not count as past: it is moved after every instant.
function neverAsInfinity(ms: number): number {
  return ms === -Infinity ? Infinity : ms
}

function putInstant(out: Int32Array, at: number, ms: number): void {
  out[at] = high(ms)
  out[at + 1] = low(ms)
}

function positionsTexture(positions: Float32Array) {
  const rows = new Float32Array(4 * paddedTexels(positions.length / 3))
  for (let i = 0, o = 0; i < positions.length; i += 3, o += 4) {
    rows[o] = positions[i]!
    rows[o + 1] = positions[i + 1]!
    rows[o + 2] = positions[i + 2]!
  }
  return texture(rows, 4, RGBAFormat, FloatType, 'RGBA32F')
}
