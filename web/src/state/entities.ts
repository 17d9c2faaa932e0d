// Facts about an entity, derived from the API's answers.
import type { Entity, Relation } from '../api/entities'

/** The entities mentioned in the same memories, most frequent first. */
export function coOccurring(own: string, memories: readonly { entities: readonly Entity[] }[], max = 12): { entity: Entity; count: number }[] {
  const seen = new Map<string, { entity: Entity; count: number }>()
  for (const m of memories) {
    for (const entity of m.entities) {
      if (entity.id === own) continue
      const held = seen.get(entity.id)
      if (held) held.count++
      else seen.set(entity.id, { entity, count: 1 })
    }
  }
  return [...seen.values()].sort((a, b) => b.count - a.count || a.entity.name.localeCompare(b.entity.name)).slice(0, max)
}

/** A relation as seen from one end: "works_at" is "works at →", from the other end "← works at". */
export function relationText(own: string, r: Pick<Relation, 'predicate' | 'source' | 'target'>): { words: string; other: Entity | null } {
  const predicate = r.predicate.replaceAll('_', ' ').toLowerCase()
  return r.source?.id === own ? { words: `${predicate} →`, other: r.target } : { words: `← ${predicate}`, other: r.source }
}
