// Requests for the dashboards.
import { request, required } from './graphql'
import { operation } from './operations'
import type { GateDecisionsQuery, HealthQuery, PerformanceQuery, ReceiptQuery, WhoamiQuery } from './schema.gen'

export type Health = NonNullable<HealthQuery['health']>
export type Timing = NonNullable<PerformanceQuery['performance']>[number]
export type Decisions = NonNullable<GateDecisionsQuery['reconsolidations']>
export type Decision = Decisions['nodes'][number]
export type Receipt = NonNullable<ReceiptQuery['deletionReceipt']>
export type Whoami = NonNullable<WhoamiQuery['whoami']>

export async function fetchHealth(signal?: AbortSignal): Promise<Health> {
  return required((await request<HealthQuery, object>(operation('Health'), {}, signal)).health)
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
