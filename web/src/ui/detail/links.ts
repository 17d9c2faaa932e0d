// The entities of a memory, and the memories that it is linked to.
import type { DetailMemory } from '../../api/operations'
import { EDGE_KINDS, TYPES, displayName } from '../../api/vocabulary'
import { shorten } from '../../scene/labels/labels'
import { glyph, h } from '../dom'
import type { Session } from '../session'

/** The entities of a memory; a click opens one in its panel. */
export function entities(s: Session, m: DetailMemory): HTMLElement {
  return h(
    'section',
    {},
    h('h3', {}, 'Entities'),
    h(
      'div',
      { class: 'chips' },
      ...m.entities.map((e) =>
        h('button', { type: 'button', class: 'chip', title: `${displayName(e.type)}, mentioned ${e.mentionCount} times`, onclick: () => s.view.set({ panel: 'entities', report: null, entity: e.id }) }, e.name, h('small', {}, displayName(e.type).toLowerCase())),
      ),
    ),
  )
}

/** The linked memories, strongest relations first; null: there are none. */
export function links(s: Session, m: DetailMemory): HTMLElement | null {
  const { world } = s.live.get()
  const node = world?.indexOf(m.id) ?? -1
  if (!world || node < 0) return null
  const f = world.frame
  const at = s.moment().recorded
  const rows: { node: number; name: string; kind: string; weight: number }[] = []
  for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
    const e = world.edgesOf[k]!
    const kind = EDGE_KINDS[f.edgeKind[e]!]!
    const out = f.from[e] === node
    const other = out ? f.to[e]! : f.from[e]!
    if (kind === 'SUPERSEDES' || f.born[other]! > at) continue
    const name: Record<string, string> = {
      SAME_SESSION: 'same session', TEMPORAL_SEQ: out ? 'next' : 'previous', ENTITY_OVERLAP: `shares ${Math.round((f.edgeWeight[e]! / 255) * 100)} % of entities`,
      DERIVED_FROM: out ? 'derived from' : 'source of', CONSOLIDATED_INTO: out ? 'merged into' : 'merged from', EVIDENCE_FOR: out ? 'evidence for' : 'supported by', CONTRADICTS: 'contradicts',
    }
    rows.push({ node: other, name: name[kind] ?? kind, kind, weight: f.edgeWeight[e]! })
  }
  if (rows.length === 0) return null
  const order = ['CONTRADICTS', 'DERIVED_FROM', 'CONSOLIDATED_INTO', 'EVIDENCE_FOR', 'TEMPORAL_SEQ', 'ENTITY_OVERLAP', 'SAME_SESSION']
  rows.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.weight - a.weight)
  const seen = new Set<number>()
  const some = rows.filter((r) => !seen.has(r.node) && seen.add(r.node)).slice(0, 12)
  return h(
    'section',
    {},
    h('h3', {}, 'Linked memories'),
    h(
      'ul',
      { class: 'links' },
      ...some.map((r) =>
        h('li', {}, h('button', { type: 'button', onclick: () => s.open(world.idOf(r.node), true) }, glyph(TYPES[f.type[r.node]!]!), h('span', { class: 'name' }, shorten(f.label(r.node)) || 'untitled memory'), h('span', { class: `edge-name edge-${r.kind.toLowerCase()}` }, r.name))),
      ),
    ),
  )
}
