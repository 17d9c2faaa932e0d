// The scene's columns as textures, shared by every layer: a layer asks for a node by
// its number and keeps no copy.
import {
  DataTexture,
  FloatType,
  IntType,
  RedIntegerFormat,
  RGBAFormat,
  RGBAIntegerFormat,
  RGIntegerFormat,
  UnsignedByteType,
  Vector2,
  type PixelFormat,
  type PixelFormatGPU,
  type TextureDataType,
} from 'three'
import { DAY } from '../state/decay'
import { high, low } from '../state/instant'
import type { Moment } from '../state/visibility'
import type { World } from '../state/world'
import { actUniforms } from './acts'

const WIDTH = 2048

/** The uniforms of node.glsl. Their values are replaced, the objects stay. */
export function nodeUniforms() {
  const empty = texture(new Int32Array(4), 4, RGBAIntegerFormat, IntType, 'RGBA32I')
  const nowhere = texture(new Float32Array(4), 4, RGBAFormat, FloatType, 'RGBA32F')
  return {
    uNodes: { value: empty },
    uStates: { value: empty },
    uUses: { value: texture(new Int32Array(2), 2, RGIntegerFormat, IntType, 'RG32I') },
    uMarks: { value: texture(new Uint8Array(1), 1, RedIntegerFormat, UnsignedByteType, 'R8UI') },
    uPlaces: { value: nowhere },
    uOldPlaces: { value: nowhere },
    uMoved: { value: 1 },
    uDepth: { value: 1 },
    uRecorded: { value: new Vector2() },
    uValid: { value: new Vector2() },
    uHasValid: { value: false },
    uStatuses: { value: 1 },
    ...actUniforms(),
  }
}

export type NodeUniforms = ReturnType<typeof nodeUniforms>

/** Fills the textures with a world. Old places are those of the same memories before. */
export function loadNodes(u: NodeUniforms, world: World, oldPlaces: Float32Array): void {
  const f = world.frame
  const nodes = new Int32Array(16 * world.count)
  const bits = new Int32Array(f.k.buffer, f.k.byteOffset, f.k.length)
  for (let i = 0, o = 0; i < world.count; i++, o += 16) {
    nodes[o] = f.stateStart[i]!
    nodes[o + 1] = (f.stateStart[i + 1]! - f.stateStart[i]!) | (f.type[i]! << 16)
    nodes[o + 2] = f.useStart[i]!
    nodes[o + 3] = (f.useStart[i + 1]! - f.useStart[i]!) | (f.importance[i]! << 16)
    put(nodes, o + 4, f.expires[i]!)
    put(nodes, o + 6, f.validFrom[i]!)
    put(nodes, o + 8, laterThanAll(f.anchor[i]!))
    put(nodes, o + 10, f.created[i]!)
    put(nodes, o + 12, laterThanAll(f.lastUse[i]!))
    nodes[o + 14] = bits[i]!
  }
  const states = new Int32Array(4 * f.stateFrom.length)
  for (let s = 0, o = 0; s < f.stateFrom.length; s++, o += 4) {
    states[o] = high(f.stateFrom[s]!)
    states[o + 1] = low(f.stateFrom[s]!) | (f.stateStatus[s]! << 20) | (f.stateTier[s]! << 23) | (f.stateCore[s]! << 25)
    put(states, o + 2, f.stateValidTo[s]!)
  }
  const uses = new Int32Array(2 * f.useDay.length)
  for (let k = 0; k < f.useDay.length; k++) put(uses, 2 * k, f.useDay[k]! * DAY)

  swap(u.uNodes, texture(nodes, 4, RGBAIntegerFormat, IntType, 'RGBA32I'))
  swap(u.uStates, texture(states, 4, RGBAIntegerFormat, IntType, 'RGBA32I'))
  swap(u.uUses, texture(uses, 2, RGIntegerFormat, IntType, 'RG32I'))
  swap(u.uPlaces, texture(fourth(f.places), 4, RGBAFormat, FloatType, 'RGBA32F'))
  swap(u.uOldPlaces, texture(fourth(oldPlaces), 4, RGBAFormat, FloatType, 'RGBA32F'))
}

export function loadMarks(u: NodeUniforms, marks: Uint8Array): void {
  swap(u.uMarks, texture(marks, 1, RedIntegerFormat, UnsignedByteType, 'R8UI'))
}

/** Sets the instant. Three numbers change; nothing is uploaded but uniforms. */
export function setMoment(u: NodeUniforms, at: Moment): void {
  u.uRecorded.value.set(high(at.recorded), low(at.recorded))
  u.uHasValid.value = at.valid !== null
  if (at.valid !== null) u.uValid.value.set(high(at.valid), low(at.valid))
  u.uStatuses.value = at.statuses
}

// An anchor that never was must not be taken for one: it lies after every instant.
function laterThanAll(ms: number): number {
  return ms === -Infinity ? Infinity : ms
}

function put(out: Int32Array, at: number, ms: number): void {
  out[at] = high(ms)
  out[at + 1] = low(ms)
}

function fourth(places: Float32Array): Float32Array {
  const out = new Float32Array((places.length / 3) * 4)
  for (let i = 0, o = 0; i < places.length; i += 3, o += 4) out.set(places.subarray(i, i + 3), o)
  return out
}

function swap(uniform: { value: DataTexture }, next: DataTexture): void {
  uniform.value.dispose()
  uniform.value = next
}

function texture(
  data: Int32Array | Float32Array | Uint8Array,
  parts: number,
  format: PixelFormat,
  type: TextureDataType,
  internal: PixelFormatGPU,
): DataTexture {
  const rows = Math.max(Math.ceil(data.length / parts / WIDTH), 1)
  const full = new (data.constructor as new (n: number) => typeof data)(rows * WIDTH * parts)
  full.set(data as never)
  const t = new DataTexture(full as never, WIDTH, rows, format, type)
  t.internalFormat = internal
  t.unpackAlignment = 1
  t.needsUpdate = true
  return t
}
