// The explorer's GraphQL operations. The texts come from operations.graphql, the types from the
// schema.
import document from './operations.graphql?raw'
import { request } from './graphql'
import type {
  AsOf,
  DetailQuery,
  DetailQueryVariables,
  LabelsQuery,
  LabelsQueryVariables,
  SearchInput,
  SearchQuery,
  SearchQueryVariables,
} from './schema.gen'

export type Detail = DetailQuery
export type DetailMemory = NonNullable<DetailQuery['memory']>
export type Versions = NonNullable<DetailQuery['lineage']>
export type SearchAnswer = NonNullable<SearchQuery['search']>
export type Hit = SearchAnswer['hits'][number]

const parts = document.split(/\n(?=fragment |query |mutation |subscription )/).map((p) => p.trim())

/** The text of an operation together with the fragments that it uses. */
export function operation(name: string): string {
  const own = parts.find((p) => new RegExp(`^(query|mutation|subscription) ${name}\\b`).test(p))
  if (!own) throw new Error(`no operation ${name}`)
  const used = [own]
  // Fragments may use fragments: the loop also visits those that it appends.
  for (const part of used) for (const [, spread] of part.matchAll(/\.\.\.(\w+)/g)) {
    const fragment = parts.find((p) => p.startsWith(`fragment ${spread} `))
    if (fragment && !used.includes(fragment)) used.push(fragment)
  }
  return used.join('\n')
}

export function fetchDetail(id: string, asOf: AsOf | null, signal: AbortSignal): Promise<Detail> {
  return request<DetailQuery, DetailQueryVariables>(operation('Detail'), { id, asOf }, signal)
}

/** The first words of a memory, for the tooltip. */
export async function fetchLabel(id: string, signal: AbortSignal): Promise<string> {
  const answer = await request<LabelsQuery, LabelsQueryVariables>(operation('Labels'), { id, asOf: null }, signal)
  const m = answer.memory
  return m?.summary || m?.content || m?.unavailable?.message || ''
}

export async function fetchSearch(input: SearchInput, signal: AbortSignal): Promise<SearchAnswer | null> {
  return (await request<SearchQuery, SearchQueryVariables>(operation('Search'), { input }, signal)).search
}
