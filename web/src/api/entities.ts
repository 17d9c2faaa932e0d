// What the explorer asks about entities and about ways between memories.
import { ask, given } from './graphql'
import { operation } from './operations'
import type {
  AsOf,
  EntitiesQuery,
  EntitiesQueryVariables,
  MentioningQuery,
  NamedFragment,
  PathQuery,
  RelationsQuery,
} from './schema.gen'

export type Entity = NamedFragment
export type EntityPage = NonNullable<EntitiesQuery['entities']>
export type RelationPage = NonNullable<RelationsQuery['relations']>
export type Relation = RelationPage['nodes'][number]
export type MentionPage = NonNullable<MentioningQuery['memories']>
export type Mention = MentionPage['nodes'][number]
export type Way = NonNullable<PathQuery['path']>

export async function fetchEntities(asked: EntitiesQueryVariables, signal?: AbortSignal): Promise<EntityPage> {
  return given((await ask<EntitiesQuery, EntitiesQueryVariables>(operation('Entities'), asked, signal)).entities)
}

export async function fetchRelations(entity: string, asOf: AsOf | null, signal?: AbortSignal): Promise<RelationPage> {
  return given((await ask<RelationsQuery, object>(operation('Relations'), { entity, asOf }, signal)).relations)
}

/** The memories that mention an entity, the newest first. */
export async function fetchMentions(entity: string, asOf: AsOf | null, after: string | null, signal?: AbortSignal): Promise<MentionPage> {
  return given((await ask<MentioningQuery, object>(operation('Mentioning'), { entity, asOf, after }, signal)).memories)
}

/** A shortest way between two memories, both ends included; without memories: there is none. */
export async function fetchWay(from: string, to: string, asOf: AsOf | null, signal?: AbortSignal): Promise<Way> {
  return given((await ask<PathQuery, object>(operation('Path'), { from, to, asOf }, signal)).path)
}
