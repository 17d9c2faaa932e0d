// Requests for facts.
import { request, required } from './graphql'
import { operation } from './operations'
import type { AsOf, ClaimFieldsFragment, ConfirmClaimMutation, CorrectClaimMutation, FactsQuery, FeedbackOnMutation, ForgetMemoryMutation, KnownQuery, SupersedeMemoryMutation } from './schema.gen'

export type Fact = ClaimFieldsFragment

/** Facts of one request. */
export const FACTS_PAGE = 100

/** The facts about a subject at an instant, by predicate and newest first, with past ones. A page shorter than FACTS_PAGE is the last. */
export async function fetchFacts(subject: string, namespaces: string[] | null, asOf: AsOf | null, offset: number, signal?: AbortSignal): Promise<Fact[]> {
  return required((await request<FactsQuery, object>(operation('Facts'), { subject, namespaces, asOf, first: FACTS_PAGE, offset }, signal)).facts)
}

export type Known = NonNullable<KnownQuery['known']>
export type KnownLine = Known['lines'][number]
export type Receipt = NonNullable<ForgetMemoryMutation['forget']>['receipt']

/** The first lines of what is remembered of a user, with past facts. */
export async function fetchKnown(user: string, namespaces: string[] | null, asOf: AsOf | null, first: number, signal?: AbortSignal): Promise<Known> {
  return required((await request<KnownQuery, object>(operation('Known'), { user, namespaces, asOf, first, offset: 0 }, signal)).known)
}

export async function confirmClaim(id: string): Promise<Fact> {
  return required((await request<ConfirmClaimMutation, object>(operation('ConfirmClaim'), { id })).confirmClaim)
}

/** What a correction changes; wrong: the memory does not say it. */
export type Correction = { subject?: string; predicate?: string; object?: string } | { wrong: true }

export async function correctClaim(id: string, change: Correction): Promise<Fact> {
  return required((await request<CorrectClaimMutation, object>(operation('CorrectClaim'), { id, ...change })).correctClaim)
}

/** Says that a memory is right: it counts as used. */
export async function confirmMemory(id: string, content: string): Promise<void> {
  required((await request<FeedbackOnMutation, object>(operation('FeedbackOn'), { query: firstBytes(content), id, outcome: 'USED' })).feedback)
}

/** A query has at most 8,192 bytes; a character has at most four. */
function firstBytes(text: string): string {
  return [...text].slice(0, 2000).join('')
}

/** Replaces the text of a memory by a new version. */
export async function correctMemory(id: string, content: string): Promise<void> {
  required((await request<SupersedeMemoryMutation, object>(operation('SupersedeMemory'), { input: { id, content, reason: 'corrected by hand' } })).supersede)
}

/** Erases a memory and what was derived from it; a dry run only counts. */
export async function forgetMemory(id: string, dryRun: boolean): Promise<Receipt> {
  return required((await request<ForgetMemoryMutation, object>(operation('ForgetMemory'), { id, dryRun })).forget).receipt
}
