// The visible memories as JSON; docs/formats/view-export.md has the format.
import { DECAY_CLASSES, EDGE_KINDS, STATUSES, TIERS, TYPES } from '../api/vocabulary'
import { toHash } from './url'
import type { View } from './view'
import { retentionAt, stateAt, statusAt, type Moment } from './visibility'
import type { World } from './world'

export interface ViewExport {
  format: 'somnograph-view'
  version: 1
  savedAt: string
  link: string
  /** the instants shown; valid null: any */
  asOf: { recorded: string; valid: string | null }
  /** the view as in a link */
  view: string
  memories: ExportedMemory[]
  edges: { from: string; to: string; kind: string; weight: number }[]
}

export interface ExportedMemory {
  id: string
  /** first words; "" if the scene has none */
  label: string
  type: string
  status: string
  tier: string
  decayClass: string
  core: boolean
  version: number
  importance: number
  retention: number
  recordedAt: string
  validFrom: string | null
  expiresAt: string | null
  namespace: string
  project: string | null
  user: string | null
  session: string | null
  place: [number, number, number]
}

const iso = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null)
const round = (v: number): number => Math.round(v * 1000) / 1000

/** The memories for which `shown` is true, and the edges between them. */
export function exportView(world: World, shown: (node: number) => boolean, at: Moment, view: View, saved: { now: number; link: string }): ViewExport {
  const f = world.frame
  const nodes = Array.from({ length: world.count }, (_, i) => i).filter(shown)
  const inside = new Set(nodes)
  const edges: ViewExport['edges'] = []
  for (let e = 0; e < f.edgeCount; e++) {
    if (!inside.has(f.from[e]!) || !inside.has(f.to[e]!)) continue
    edges.push({ from: world.idOf(f.from[e]!), to: world.idOf(f.to[e]!), kind: EDGE_KINDS[f.edgeKind[e]!]!, weight: round(f.edgeWeight[e]! / 255) })
  }
  return {
    format: 'somnograph-view',
    version: 1,
    savedAt: iso(saved.now)!,
    link: saved.link,
    asOf: { recorded: iso(at.recorded)!, valid: at.valid === null ? null : iso(at.valid) },
    view: toHash(view),
    memories: nodes.map((n) => {
      const state = stateAt(world, n, at.recorded)
      return {
        id: world.idOf(n),
        label: f.label(n),
        type: TYPES[f.type[n]!]!,
        status: STATUSES[statusAt(world, n, at.recorded)]!,
        tier: TIERS[f.stateTier[state]!]!,
        decayClass: DECAY_CLASSES[f.decayClass[n]!]!,
        core: f.stateCore[state] === 1,
        version: f.version[n]!,
        importance: round(f.importance[n]! / 255),
        retention: round(retentionAt(world, n, at.recorded)),
        recordedAt: iso(f.born[n]!)!,
        validFrom: iso(f.validFrom[n]!),
        expiresAt: iso(f.expires[n]!),
        namespace: f.namespace.values[f.namespace.index[n]!]!,
        project: f.project.values[f.project.index[n]!] || null,
        user: f.user.values[f.user.index[n]!] || null,
        session: f.session.values[f.session.index[n]!] || null,
        place: [round(f.positions[3 * n]!), round(f.positions[3 * n + 1]!), round(f.positions[3 * n + 2]!)],
      }
    }),
    edges,
  }
}
