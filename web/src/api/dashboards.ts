// Requests for the dashboards.
import { request, required } from './graphql'
import { operation } from './operations'
import type { AlarmsQuery, ErasuresQuery, AuditCheckQuery, AuditQuery, DeadLettersQuery, GateDecisionsQuery, HealthQuery, PerformanceQuery, ReceiptProofQuery, ReceiptQuery, ReceiptsQuery, ResetAlarmMutation, WhoamiQuery } from './schema.gen'

export type Health = NonNullable<HealthQuery['health']>
export type DeadLetters = NonNullable<DeadLettersQuery['deadLetters']>
export type DeadLetter = DeadLetters['nodes'][number]
export type Alarm = NonNullable<AlarmsQuery['alarms']>[number]
export type Indicator = Health['indicators'][number]
export type Timing = NonNullable<PerformanceQuery['performance']>[number]
export type Decisions = NonNullable<GateDecisionsQuery['reconsolidations']>
export type Decision = Decisions['nodes'][number]
export type Receipt = NonNullable<ReceiptQuery['deletionReceipt']>
export type ListedReceipt = NonNullable<ReceiptsQuery['deletionReceipts']>['nodes'][number]
export type AuditPage = NonNullable<AuditQuery['audit']>
export type AuditRow = AuditPage['nodes'][number]
export type Erasure = NonNullable<ErasuresQuery['audit']>['nodes'][number]
export type AuditCheck = NonNullable<AuditCheckQuery['auditCheck']>
export type Whoami = NonNullable<WhoamiQuery['whoami']>

export async function fetchHealth(signal?: AbortSignal): Promise<Health> {
  return required((await request<HealthQuery, object>(operation('Health'), {}, signal)).health)
}

/** Fetches the background work that failed, for good or so far. */
export async function fetchDeadLetters(signal?: AbortSignal): Promise<DeadLetters> {
  return required((await request<DeadLettersQuery, object>(operation('DeadLetters'), {}, signal)).deadLetters)
}

/** Tries failed work again, or takes it off the list. */
export async function settleDeadLetter(how: 'RetryDeadLetter' | 'DiscardDeadLetter', memoryId: string): Promise<void> {
  await request<object, object>(operation(how), { ids: [memoryId] })
}

/** Closes a circuit breaker by hand. */
export async function resetBreaker(name: string): Promise<void> {
  await request<object, object>(operation('ResetBreaker'), { name })
}

/** Fetches the active alarms and the last ones that ended, newest first. */
export async function fetchAlarms(signal?: AbortSignal): Promise<Alarm[]> {
  return required((await request<AlarmsQuery, object>(operation('Alarms'), {}, signal)).alarms)
}

/** Ends an active alarm. */
export async function resetAlarm(id: string): Promise<void> {
  required((await request<ResetAlarmMutation, object>(operation('ResetAlarm'), { id })).resetAlarm)
}

export async function fetchPerformance(signal?: AbortSignal): Promise<Timing[]> {
  return required((await request<PerformanceQuery, object>(operation('Performance'), {}, signal)).performance)
}

export async function fetchGate(namespaces: string[] | null, after: string | null, signal?: AbortSignal): Promise<Decisions> {
  return required((await request<GateDecisionsQuery, object>(operation('GateDecisions'), { namespaces, after }, signal)).reconsolidations)
}

export async function fetchWhoami(signal?: AbortSignal): Promise<Whoami> {
  return required((await request<WhoamiQuery, object>(operation('Whoami'), {}, signal)).whoami)
}

/** Fetches a receipt with all of its ids, page by page. */
export async function fetchReceipt(id: string, signal?: AbortSignal): Promise<Receipt> {
  const page = async (after: string | null) => required((await request<ReceiptQuery, object>(operation('Receipt'), { id, after }, signal)).deletionReceipt)
  const first = await page(null)
  const ids = [...first.ids]
  while (ids.length < first.count) {
    const more = (await page(ids.at(-1)!)).ids
    if (more.length === 0) break // fewer ids than counted: the hash check will fail
    ids.push(...more)
  }
  return { ...first, ids }
}

/** Fetches the last receipts that the credential may see, newest first, at most 500. */
export async function fetchReceipts(signal?: AbortSignal): Promise<ListedReceipt[]> {
  const out: ListedReceipt[] = []
  for (let after: string | null = null, page = 0; page < 5; page++) {
    const { nodes, pageInfo }: NonNullable<ReceiptsQuery['deletionReceipts']> = required((await request<ReceiptsQuery, object>(operation('Receipts'), { after }, signal)).deletionReceipts)
    out.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  return out
}

/** Fetches a page of the audit, the newest rows first. */
export async function fetchAudit(after: string | null, signal?: AbortSignal): Promise<AuditPage> {
  return required((await request<AuditQuery, object>(operation('Audit'), { after, oldestFirst: false }, signal)).audit)
}

/** Fetches the last erasures that were asked for, newest first. */
export async function fetchErasures(signal?: AbortSignal): Promise<Erasure[]> {
  return required((await request<ErasuresQuery, object>(operation('Erasures'), {}, signal)).audit).nodes
}

export async function fetchAuditCheck(signal?: AbortSignal): Promise<AuditCheck> {
  return required((await request<AuditCheckQuery, object>(operation('AuditCheck'), {}, signal)).auditCheck)
}

/** Fetches the document that proves an erasure, null if there is none, and the key that checks it. */
export async function fetchProof(id: string): Promise<{ proof: string | null; key: string | null }> {
  const answer = await request<ReceiptProofQuery, object>(operation('ReceiptProof'), { id })
  return { proof: required(answer.deletionReceipt).proof, key: answer.proofKey }
}
