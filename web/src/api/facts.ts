// Requests for facts.
import { request, required } from './graphql'
import { operation } from './operations'
import type { AsOf, ClaimFieldsFragment, FactsQuery } from './schema.gen'

export type Fact = ClaimFieldsFragment

/** Facts of one request. */
export const FACTS_PAGE = 100

/** The facts about a subject at an instant, by predicate and newest first, with past ones. A page shorter than FACTS_PAGE is the last. */
export async function fetchFacts(subject: string, namespaces: string[] | null, asOf: AsOf | null, offset: number, signal?: AbortSignal): Promise<Fact[]> {
  return required((await request<FactsQuery, object>(operation('Facts'), { subject, namespaces, asOf, first: FACTS_PAGE, offset }, signal)).facts)
}
