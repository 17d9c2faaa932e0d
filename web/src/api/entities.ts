// Requests for entities, and for paths between memories.
import { request, required } from './graphql'
import { operation } from './operations'
import type {
  AsOf,
  EntitiesQuery,
  EntitiesQueryVariables,
  EntityMembersQuery,
  EntityRelationsQuery,
  MentionsQuery,
  EntityFieldsFragment,
  PathQuery,
  RelationsQuery,
} from './schema.gen'

export type Entity = EntityFieldsFragment
export type EntityPage = NonNullable<EntitiesQuery['entities']>
export type RelationPage = NonNullable<RelationsQuery['relations']>
export type Relation = RelationPage['nodes'][number]
export type HubRelationNode = NonNullable<EntityRelationsQuery['relations']>['nodes'][number]
export type MentionPage = NonNullable<MentionsQuery['memories']>
export type Mention = MentionPage['nodes'][number]
export type Path = NonNullable<PathQuery['path']>

/** The instant of a view: what was known at the recorded time about the valid time; null: now. */
export function asOfView({ recorded, valid }: { recorded: number | null; valid: number | null }): AsOf | null {
  if (recorded === null && valid === null) return null
  return { ...(recorded !== null ? { recorded: new Date(recorded).toISOString() } : {}), ...(valid !== null ? { valid: new Date(valid).toISOString() } : {}) }
}

export async function fetchEntities(variables: EntitiesQueryVariables, signal?: AbortSignal): Promise<EntityPage> {
  return required((await request<EntitiesQuery, EntitiesQueryVariables>(operation('Entities'), variables, signal)).entities)
}

export async function fetchRelations(entity: string, asOf: AsOf | null, signal?: AbortSignal): Promise<RelationPage> {
  return required((await request<RelationsQuery, object>(operation('Relations'), { entity, asOf }, signal)).relations)
}

/** The memories that mention an entity, newest first. */
export async function fetchMentions(entity: string, asOf: AsOf | null, after: string | null, signal?: AbortSignal): Promise<MentionPage> {
  return required((await request<MentionsQuery, object>(operation('Mentions'), { entity, asOf, after }, signal)).memories)
}

/** A shortest path between two memories, both ends included; without memories if there is none. */
export async function fetchPath(from: string, to: string, asOf: AsOf | null, signal?: AbortSignal): Promise<Path> {
  return required((await request<PathQuery, object>(operation('Path'), { from, to, asOf }, signal)).path)
}

/** All relations at an instant, of one entity or of all, at most so many pages. */
export async function fetchAllRelations(entity: string | null, namespaces: string[] | null, asOf: AsOf | null, pages: number, signal: AbortSignal): Promise<HubRelationNode[]> {
  const out: HubRelationNode[] = []
  let after: string | null = null
  for (let page = 0; page < pages; page++) {
    const answer: EntityRelationsQuery = await request<EntityRelationsQuery, object>(operation('EntityRelations'), { entity, namespaces, asOf, after }, signal)
    const { nodes, pageInfo } = required(answer.relations)
    out.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor ?? null
  }
  return out
}

/** Ids of the newest memories that mention an entity, whatever their status. */
export async function fetchMembers(entity: string, signal: AbortSignal): Promise<string[]> {
  return required((await request<EntityMembersQuery, object>(operation('EntityMembers'), { entity }, signal)).memories).nodes.map((m) => m.id)
}
