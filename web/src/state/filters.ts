// Applies the filters to the memories of a world.
import type { Dictionary, Frame } from '../api/frame'
import type { MemoryStatus } from '../api/schema.gen'
import { DECAY_CLASSES, displayName, STATUSES, TIERS, TYPES } from '../api/vocabulary'
import { NO_CLUSTER, type View } from './view'
import { defaultStatuses, stateAt } from './visibility'
import type { World } from './world'

/** 1 for every node that passes all filters; tiers are those at the instant `at`. */
export function filterMask(world: World, view: Pick<View, 'types' | 'projects' | 'namespaces' | 'users' | 'clusters' | 'tiers' | 'decays' | 'learned'>, at: number): Uint8Array {
  const f = world.frame
  const out = new Uint8Array(world.count).fill(1)
  if (view.types.length > 0) {
    const allowed = new Set(view.types.map((t) => TYPES.indexOf(t)))
    for (let i = 0; i < out.length; i++) if (!allowed.has(f.type[i]!)) out[i] = 0
  }
  if (view.decays.length > 0) {
    const allowed = new Set(view.decays.map((d) => DECAY_CLASSES.indexOf(d)))
    for (let i = 0; i < out.length; i++) if (!allowed.has(f.decayClass[i]!)) out[i] = 0
  }
  if (view.learned.length === 2) {
    const [from, to] = view.learned
    for (let i = 0; i < out.length; i++) if (f.born[i]! < from || f.born[i]! > to) out[i] = 0
  }
  if (view.tiers.length > 0) {
    const allowed = new Set(view.tiers.map((t) => TIERS.indexOf(t)))
    for (let i = 0; i < out.length; i++) {
      const s = stateAt(world, i, at)
      if (s < 0 || !allowed.has(f.stateTier[s]!)) out[i] = 0
    }
  }
  keepOnly(out, f.project, view.projects)
  keepOnly(out, f.namespace, view.namespaces)
  keepOnly(out, f.user, view.users)
  keepClusters(out, f, view.clusters)
  return out
}

// A sleep may have dissolved all of the chosen clusters; the filter then hides nothing.
function keepClusters(out: Uint8Array, f: Frame, chosen: string[]): void {
  const allowed = new Set(f.clusters.flatMap((c, k) => (chosen.includes(c.id) ? [k] : [])))
  if (chosen.includes(NO_CLUSTER) && f.clusters.length > 0) allowed.add(-1)
  if (allowed.size === 0) return
  for (let i = 0; i < out.length; i++) if (!allowed.has(f.cluster[i]!)) out[i] = 0
}

function keepOnly(out: Uint8Array, texts: Dictionary, chosen: string[]): void {
  if (chosen.length === 0) return
  const allowed = texts.values.map((w) => chosen.includes(w))
  for (let i = 0; i < out.length; i++) if (!allowed[texts.index[i]!]) out[i] = 0
}

/** The values of a dictionary that nodes use, most frequent first, with the number of visible nodes that use each. */
export function countValues(texts: Dictionary, seen: Uint8Array): { word: string; count: number }[] {
  const all = new Uint32Array(texts.values.length)
  const counts = new Uint32Array(texts.values.length)
  texts.index.forEach((row, i) => {
    all[row]!++
    if (seen[i]) counts[row]!++
  })
  return texts.values
    .map((word, i) => ({ word, count: counts[i]!, all: all[i]! }))
    .filter((t) => t.all > 0)
    .sort((a, b) => b.all - a.all || a.word.localeCompare(b.word))
    .map(({ word, count }) => ({ word, count }))
}

/** The statuses that are shown: the chosen ones, else the default ones of the clock. */
export function shownStatuses(chosen: readonly MemoryStatus[], valid: number | null): MemoryStatus[] {
  return chosen.length > 0 ? [...chosen] : STATUSES.filter((_, i) => (defaultStatuses(valid) & (1 << i)) !== 0)
}

/** The choice that shows a list of statuses; empty if it is the default or nothing. */
export function chosenStatuses(shown: readonly MemoryStatus[], valid: number | null): MemoryStatus[] {
  const usual = shownStatuses([], valid)
  return shown.length === usual.length && usual.every((s) => shown.includes(s)) ? [] : [...shown]
}

/** How many memories are not shown because of their status, and of which: "26 hidden: superseded, archived"; empty if all are shown. */
export function hiddenText(counts: ArrayLike<number>, shown: readonly MemoryStatus[]): string {
  const hidden = STATUSES.flatMap((status, i) => (counts[i]! > 0 && !shown.includes(status) ? [{ status, count: counts[i]! }] : [])).sort((a, b) => b.count - a.count)
  const total = hidden.reduce((n, h) => n + h.count, 0)
  return total === 0 ? '' : `${total.toLocaleString('en')} hidden: ${hidden.map((h) => displayName(h.status).toLowerCase()).join(', ')}`
}
