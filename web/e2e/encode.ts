// Encodes frames for tests of scenes that take too long to write through the API.
// docs/formats/viz-frame.md has the layout; the page reads them with its own decoder.
import { TYPES } from '../src/api/vocabulary'

const SIZES = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 } as const
const KINDS = { u8: 1, u16: 2, u32: 3, f32: 4, f64: 5 } as const
const CLUSTERS = 60
type Column = [name: string, kind: keyof typeof SIZES, values: ArrayLike<number>]

/** Additional content of a frame that is part of a tiled scene. */
export interface Tiled {
  /** number of its first memory; ids are made from it */
  first: number
  /** memories in all tiles */
  total: number
  /** in the root: key and number of memories of every tile */
  tiles?: [number, number][]
  /** the first words of each memory; absent: none */
  text?: (i: number) => string
}

/** The id of the k-th labelled cluster. */
export const clusterId = (k: number): string => `01010101-0101-7001-8001-${k.toString(16).padStart(12, '0')}`

/** A frame of n memories in groups, recorded evenly over the days before `now`. The first groups are clusters with these labels. */
export function largeFrame(n: number, now: number, days: number, tiled: Tiled = { first: 0, total: n }, labels: readonly string[] = []): Uint8Array {
  const fill = (value: (i: number) => number, per = 1) => Float64Array.from({ length: n * per }, (_, i) => value(i))
  const noise = (i: number) => {
    const x = Math.sin(i * 12.9898 + 78.233) * 43758.5453
    return x - Math.floor(x)
  }
  const cluster = (i: number) => i % CLUSTERS
  const id = (i: number) => {
    const [node, b] = [tiled.first + Math.floor(i / 16), i % 16]
    return b === 6 ? 0x70 : b === 8 ? 0x80 : b > 11 ? (node >> (8 * (15 - b))) & 255 : 1
  }
  const constant = (v: number) => fill(() => v)
  const texts = Array.from({ length: n }, (_, i) => new TextEncoder().encode(tiled.text?.(i) ?? ''))
  let end = 0
  const textEnds = texts.map((t) => (end += t.length))
  const bytes = new Uint8Array(end)
  texts.forEach((t, i) => bytes.set(t, textEnds[i]! - t.length))
  const columns: Column[] = [
    ['id', 'u8', fill(id, 16)],
    ['pos', 'u16', fill((i) => 32768 + (noise(cluster(Math.floor(i / 3)) * 3 + (i % 3)) - 0.5) * 44000 + (noise(i * 7 + 1) - 0.5) * 9000, 3)],
    ['type', 'u8', fill((i) => i % TYPES.length)], ['flags', 'u8', constant(0)], ['class', 'u8', constant(2)],
    ['import', 'u8', fill((i) => 255 * noise(i + 5) ** 3)], ['version', 'u16', constant(1)], ['k', 'f32', constant(0.01)],
    ['born', 'f64', fill((i) => now - days * 86_400_000 * (1 - i / n))],
    ['created', 'f64', constant(0)], ['anchor', 'f64', constant(-Infinity)], ['valid', 'f64', constant(0)],
    ['expires', 'f64', constant(Infinity)], ['lastuse', 'f64', constant(-Infinity)],
    ['states', 'u16', constant(1)], ['st.from', 'f64', constant(0)], ['st.vto', 'f64', constant(Infinity)],
    ['st.stat', 'u8', constant(0)], ['st.tier', 'u8', constant(1)], ['st.core', 'u8', constant(0)],
    ['uses', 'u16', constant(0)], ['us.day', 'u32', []], ['label', 'u32', textEnds], ['label.b', 'u8', bytes],
    ...(['ns', 'proj', 'user', 'sess'] as const).flatMap((d): Column[] => [[d, 'u32', constant(0)], [`${d}.e`, 'u32', [0]], [`${d}.b`, 'u8', []]]),
    ['from', 'u32', fill((i) => i)], ['to', 'u32', fill((i) => (i + CLUSTERS) % n)], ['ekind', 'u8', constant(6)], ['eweight', 'u8', constant(255)],
  ]
  if (labels.length > 0) {
    const k = [...labels.keys()]
    const ends = labels.map((_, i) => new TextEncoder().encode(labels.slice(0, i + 1).join('')).length)
    columns.push(
      ['cluster', 'u32', fill((i) => (cluster(i) < labels.length ? cluster(i) + 1 : 0))], ['cl.id', 'u8', k.flatMap((c) => clusterId(c).replaceAll('-', '').match(/../g)!.map((x) => parseInt(x, 16)))],
      ['cl.pos', 'f32', k.flatMap((c) => [0, 1, 2].map((d) => -110 + ((32768 + (noise(c * 3 + d) - 0.5) * 44000) * 220) / 65535))], ['cl.r', 'f32', k.map(() => 8)],
      ['cl.n', 'u32', k.map((c) => Math.ceil((n - c) / CLUSTERS))], ['cl', 'u32', ends], ['cl.b', 'u8', new TextEncoder().encode(labels.join(''))],
    )
  }
  if (tiled.tiles) columns.push(['tl', 'u32', tiled.tiles.map(([key]) => key)], ['tl.n', 'u32', tiled.tiles.map(([, count]) => count)], ['tl.half', 'f32', [128]])
  return assemble(columns, n, n, now, tiled.total)
}

function assemble(columns: Column[], nodes: number, edges: number, now: number, total: number): Uint8Array {
  const align = (x: number) => (x + 7) & ~7
  let size = 64 + 24 * columns.length
  const places = columns.map(([, kind, values]) => {
    const at = align(size)
    size = at + values.length * SIZES[kind]
    return at
  })
  const out = new Uint8Array(align(size))
  const view = new DataView(out.buffer)
  out.set(new TextEncoder().encode('SGVF'))
  view.setUint16(4, 1, true)
  view.setUint16(6, columns.length, true)
  for (const [at, value] of [[8, nodes], [12, edges], [16, total], [20, out.length]] as const) view.setUint32(at, value, true)
  view.setFloat64(24, now, true)
  for (let d = 0; d < 3; d++) view.setFloat32(40 + 4 * d, -110, true)
  view.setFloat32(52, 220 / 65535, true)
  columns.forEach(([name, kind, values], c) => {
    const entry = 64 + 24 * c
    const at = places[c]!
    const width = SIZES[kind]
    out.set(new TextEncoder().encode(name), entry)
    view.setUint8(entry + 8, KINDS[kind])
    view.setUint32(entry + 12, values.length, true)
    view.setUint32(entry + 16, at, true)
    view.setUint32(entry + 20, values.length * width, true)
    const typed = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array }[kind].from(values as Iterable<number> & ArrayLike<number>)
    const bytes = new Uint8Array(typed.buffer)
    for (let b = 0; b < width; b++) for (let i = 0; i < values.length; i++) out[at + b * values.length + i] = bytes[i * width + b]!
  })
  return out
}
