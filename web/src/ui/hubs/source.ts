// Loads entities, their memories and their relations, and keeps what was loaded.
import { asOfView, fetchAllRelations, fetchEntities, fetchMembers } from '../../api/entities'
import { keyOf, mergeByName, satellitesOf, topHubs, type Hub, type HubRelation } from '../../state/links/entitygraph'
import type { View } from '../../state/view'

const ENTITIES = 1000
const RELATION_PAGES = 4
/** Requests for memories that run at once. */
const AT_ONCE = 6

export class HubSource {
  /** every known entity by key */
  readonly hubs = new Map<string, Hub>()
  relations: HubRelation[] = []
  private readonly loaded = new Set<string>()

  /** Loads the entities of the namespaces shown, and answers the keys of those that are shown at first. */
  async load(view: View, signal: AbortSignal): Promise<string[]> {
    const namespaces = view.namespaces.length > 0 ? [...view.namespaces] : null
    const [page] = await Promise.all([fetchEntities({ first: ENTITIES, after: null, name: null, types: null, namespaces }, signal), this.loadRelations(view, signal)])
    const found = mergeByName(page.nodes)
    for (const hub of found.values()) {
      const held = this.hubs.get(hub.key)
      hub.members = held?.members ?? []
      if (held && held.ids.length !== hub.ids.length) this.loaded.delete(hub.key)
      this.hubs.set(hub.key, hub)
    }
    const top = topHubs(found.values()).map((hub) => hub.key)
    const all = [...top, ...satellitesOf(top, this.relations)]
    await this.loadMembers(all, signal)
    return all
  }

  /** Loads the relations as of the instant shown. */
  async loadRelations(view: View, signal: AbortSignal): Promise<void> {
    const namespaces = view.namespaces.length > 0 ? [...view.namespaces] : null
    const nodes = await fetchAllRelations(null, namespaces, asOfView(view), RELATION_PAGES, signal)
    const strongest = new Map<string, HubRelation>()
    for (const { predicate, strength, source, target } of nodes) {
      if (!source || !target) continue
      for (const e of [source, target]) if (!this.hubs.has(keyOf(e.name))) this.hubs.set(keyOf(e.name), { key: keyOf(e.name), name: e.name, type: e.type, ids: [e.id], mentions: e.mentionCount, members: [] })
      const relation = { from: keyOf(source.name), to: keyOf(target.name), words: predicate.replaceAll('_', ' ').toLowerCase(), strength }
      const own = [relation.from, relation.words, relation.to].join('\n')
      if ((strongest.get(own)?.strength ?? -1) < strength) strongest.set(own, relation)
    }
    this.relations = [...strongest.values()]
  }

  /** Loads the memories of some entities that are not loaded yet. */
  async loadMembers(keys: readonly string[], signal: AbortSignal): Promise<void> {
    const wanted = keys.filter((key) => !this.loaded.has(key) && this.hubs.has(key))
    const next = async (): Promise<void> => {
      for (let key = wanted.shift(); key !== undefined; key = wanted.shift()) {
        const hub = this.hubs.get(key)!
        const lists = await Promise.all(hub.ids.map((id) => fetchMembers(id, signal)))
        hub.members = [...new Set(lists.flat())]
        this.loaded.add(key)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
  }

  /** Forgets which memories mention which entity: some have changed. */
  forgetMembers(): void {
    this.loaded.clear()
  }

  /** The entities at the other ends of an entity's relations. */
  related(key: string): string[] {
    return [...new Set(this.relations.flatMap((r) => (r.from === key ? [r.to] : r.to === key ? [r.from] : [])))]
  }
}
