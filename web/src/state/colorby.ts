// What the colour of each point says: a category per memory, or a value that the graphics card
// computes. Categories have the same colours on every visit.
import type { Cluster, Dictionary, Frame } from '../api/frame'
import { COLOR_BY, type ColorBy } from './view'
import type { World } from './world'

/** Number of hues. Each is there in SHADES of lightness. */
export const HUES = 10
export const SHADES = 3

/** Number of colours; category 0 is grey, 1 to COLORS are the hues, then their lighter and their darker shade. */
export const COLORS = HUES * SHADES

export const COLOR_NAMES: Record<ColorBy, string> = { cluster: 'Cluster', type: 'Type', namespace: 'Namespace', user: 'User', retention: 'Retention', age: 'Age', confidence: 'Confidence' }

/** So many of the nearest clusters have another hue, if there are hues left. */
const NEIGHBOURS = 4

/** Above this number of clusters, neighbours may share a hue. */
const NEIGHBOUR_LIMIT = 400

/** Hues of lists of clusters that are in use. */
const huesOf = new WeakMap<readonly Cluster[], Uint8Array>()

/** The ways to colour a frame. */
export function colorings(frame: Frame | null): ColorBy[] {
  return COLOR_BY.filter((by) => by !== 'cluster' || (frame !== null && frame.clusters.length > 0))
}

/** The way that is used: the chosen one if the frame has it, otherwise the first one. */
export function coloring(chosen: ColorBy | null, frame: Frame | null): ColorBy {
  const all = colorings(frame)
  return chosen !== null && all.includes(chosen) ? chosen : all[0]!
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/**
 * The colour of each cluster, 1 to COLORS: a hash of its id, or the next colour that no other cluster has and
 * whose hue none of the nearest has. Clusters are visited by id, so that a new one changes few of the others.
 */
export function clusterHues(clusters: readonly Cluster[]): Uint8Array {
  const known = huesOf.get(clusters)
  if (known) return known
  const hues = new Uint8Array(clusters.length)
  huesOf.set(clusters, hues)
  const order = Array.from(clusters, (_, i) => i).sort((a, b) => (clusters[a]!.id < clusters[b]!.id ? -1 : 1))
  const done: number[] = []
  const used = new Set<number>()
  for (const i of order) {
    const near = clusters.length > NEIGHBOUR_LIMIT ? [] : nearest(clusters, done, clusters[i]!).map((k) => (hues[k]! - 1) % HUES)
    const color = nextColor(hash(clusters[i]!.id) % HUES, used, near)
    used.add(color)
    hues[i] = color + 1
    done.push(i)
  }
  return hues
}

/** The first colour, from 0, that is not used and has none of the hues: the hues from `first` on, then their shades. Else one that has none. */
function nextColor(first: number, used: ReadonlySet<number>, hues: readonly number[]): number {
  const all = Array.from({ length: COLORS }, (_, step) => step - (step % HUES) + ((first + step) % HUES))
  const apart = all.filter((c) => !hues.includes(c % HUES))
  return apart.find((c) => !used.has(c)) ?? apart[0] ?? first
}

/** The clusters among some that are nearest to one. */
function nearest(clusters: readonly Cluster[], among: readonly number[], to: Cluster): number[] {
  const apart = (k: number) => clusters[k]!.position.reduce((sum, x, d) => sum + (x - to.position[d]!) ** 2, 0)
  const best: { k: number; apart: number }[] = []
  for (const k of among) {
    const far = apart(k)
    if (best.length === NEIGHBOURS && far >= best.at(-1)!.apart) continue
    best.push({ k, apart: far })
    best.sort((a, b) => a.apart - b.apart)
    best.length = Math.min(best.length, NEIGHBOURS)
  }
  return best.map((b) => b.k)
}

/** The colour of each value of a dictionary: a hash of it, or the next colour that is free. The empty text is grey. */
export function valueHues(texts: Dictionary): Uint8Array {
  const hues = new Uint8Array(texts.values.length)
  const taken = new Set<number>()
  const order = Array.from(texts.values, (_, i) => i).sort((a, b) => texts.values[a]!.localeCompare(texts.values[b]!))
  for (const i of order) {
    if (texts.values[i] === '') continue
    const hue = nextColor(hash(texts.values[i]!) % HUES, taken, [])
    taken.add(hue)
    hues[i] = hue + 1
  }
  return hues
}

/** The category of each node: a colour or 0; by type the number of the type; by confidence the confidence × 255. By another value all are 0. */
export function categories(world: World, by: ColorBy): Uint8Array {
  const f = world.frame
  switch (by) {
    case 'cluster': {
      const hues = clusterHues(f.clusters)
      return Uint8Array.from(f.cluster, (k) => (k < 0 ? 0 : hues[k]!))
    }
    case 'namespace':
    case 'user': {
      const hues = valueHues(f[by])
      return Uint8Array.from(f[by].index, (k) => hues[k]!)
    }
    case 'type':
      return f.type
    case 'confidence':
      return f.confidence
    default:
      return new Uint8Array(world.count)
  }
}
