// The effects of a sleep on each memory as a texture: a row per node with the kind of effect,
// its start and its target. The shaders animate it. A row changes only when the next effect of
// its memory begins.
import { DataTexture, FloatType, RGBAFormat } from 'three'
import { EFFECTS, type Effect } from '../state/sleepreplay'
import type { World } from '../state/world'

const WIDTH = 2048

export function effectUniforms() {
  return { uEffects: { value: emptyTexture(1) }, uReplay: { value: -1 }, uReducedMotion: { value: false } }
}

export type EffectUniforms = ReturnType<typeof effectUniforms>

/**
 * The rows of a world at a second of the replay: kind, start, target node (-1: none), and 1 if
 * another effect on the memory follows, 2 if one that follows is ENGRAVE. `next` is the second
 * at which a row changes.
 */
export function effectRows(world: World, effects: readonly Effect[], now: number): { rows: Float32Array; next: number } {
  const byNode = new Map<number, Effect[]>()
  for (const effect of effects) {
    const node = world.indexOf(effect.id)
    if (node < 0) continue
    const own = byNode.get(node)
    if (own) own.push(effect)
    else byNode.set(node, [effect])
  }
  const rows = new Float32Array(4 * world.count)
  let next = Infinity
  for (const [node, own] of byNode) {
    own.sort((a, b) => a.at - b.at)
    let i = 0
    while (i + 1 < own.length && own[i + 1]!.at <= now) i++
    const { kind, at, to } = own[i]!
    const after = own[i + 1]
    if (after) next = Math.min(next, after.at)
    rows.set([EFFECTS.indexOf(kind), at, to ? world.indexOf(to) : -1, after ? (own.slice(i + 1).some((a) => a.kind === 'ENGRAVE') ? 2 : 1) : 0], 4 * node)
  }
  return { rows, next }
}

/** Uploads the rows; null: no effects. */
export function loadEffects(u: EffectUniforms, rows: Float32Array | null): void {
  const texture = emptyTexture(rows ? rows.length / 4 : 1)
  if (rows) (texture.image.data as Float32Array).set(rows)
  u.uEffects.value.dispose()
  u.uEffects.value = texture
}

function emptyTexture(count: number): DataTexture {
  const height = Math.max(Math.ceil(count / WIDTH), 1)
  const t = new DataTexture(new Float32Array(4 * WIDTH * height), WIDTH, height, RGBAFormat, FloatType)
  t.internalFormat = 'RGBA32F'
  t.needsUpdate = true
  return t
}
