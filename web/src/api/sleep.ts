// What the explorer asks about sleep and what belongs to it: reports, forecast,
// conflicts, policies, and what makes a memory grow.
import { ApiError, ask, given } from './graphql'
import { operation } from './operations'
import type {
  AsOf,
  ConflictsQuery,
  DecisionsQuery,
  ForecastQuery,
  ForecastQueryVariables,
  GrowthQuery,
  NamespacePolicyInput,
  PolicyFragment,
  PolicyQuery,
  RehearseMutation,
  ReportFragment,
  ResolveConflictInput,
  ResolveConflictMutation,
  RollbackMutation,
  SetPolicyMutation,
  SleepInput,
  SleepMutation,
  SleepReportQuery,
  SleepReportsQuery,
  SleepStatusQuery,
  SleepStepsQuery,
} from './schema.gen'

export type Report = ReportFragment
export type ReportDetail = NonNullable<SleepReportQuery['sleepReport']>
export type ReportPage = NonNullable<SleepReportsQuery['sleepReports']>
export type Step = NonNullable<SleepStepsQuery['sleepReport']>['steps'][number]
export type Rehearsal = NonNullable<RehearseMutation['sleep']>['report']
export type SleepStatus = NonNullable<SleepStatusQuery['sleepStatus']>
export type Growth = NonNullable<GrowthQuery['memory']>
export type Decision = NonNullable<DecisionsQuery['reconsolidations']>['nodes'][number]
export type Fading = NonNullable<ForecastQuery['decayForecast']>[number]
export type Conflict = NonNullable<ConflictsQuery['conflicts']>[number]
export type Policy = PolicyFragment

/** Whether an error says that this server lacks what was asked for, now or for good. */
export function lacking(e: unknown): boolean {
  return e instanceof ApiError && (e.code === 'UNAVAILABLE' || (e.code === 'INVALID_REQUEST' && /Cannot query field|Unknown type|Unknown argument/.test(e.message)))
}

export async function fetchReports(first: number, after: string | null, signal?: AbortSignal): Promise<ReportPage> {
  return given((await ask<SleepReportsQuery, object>(operation('SleepReports'), { first, after }, signal)).sleepReports)
}

export async function fetchReport(id: string, signal?: AbortSignal): Promise<ReportDetail> {
  return given((await ask<SleepReportQuery, object>(operation('SleepReport'), { id }, signal)).sleepReport)
}

/** What a sleep did to which memories; the server keeps it for 7 days. */
export async function fetchSteps(id: string, signal?: AbortSignal): Promise<Step[]> {
  return given((await ask<SleepStepsQuery, object>(operation('SleepSteps'), { id }, signal)).sleepReport).steps
}

export async function fetchSleepStatus(signal?: AbortSignal): Promise<SleepStatus> {
  return given((await ask<SleepStatusQuery, object>(operation('SleepStatus'), {}, signal)).sleepStatus)
}

export async function startSleep(input: SleepInput): Promise<Report> {
  return given((await ask<SleepMutation, object>(operation('Sleep'), { input })).sleep).report
}

/** What a sleep would do; nothing is changed. */
export async function rehearse(input: SleepInput): Promise<Rehearsal> {
  return given((await ask<RehearseMutation, object>(operation('Rehearse'), { input: { ...input, dryRun: true, wait: true } })).sleep).report
}

export async function rollBack(id: string): Promise<Report> {
  return given((await ask<RollbackMutation, object>(operation('Rollback'), { id })).rollback).report
}

export async function fetchGrowth(id: string, asOf: AsOf | null, signal?: AbortSignal): Promise<Growth> {
  return given((await ask<GrowthQuery, object>(operation('Growth'), { id, asOf }, signal)).memory)
}

/** The decisions of the gate about some memories, the newest first. */
export async function fetchDecisions(memories: readonly string[], signal?: AbortSignal): Promise<Decision[]> {
  const lists = await Promise.all(memories.map(async (memory) => given((await ask<DecisionsQuery, object>(operation('Decisions'), { memory }, signal)).reconsolidations).nodes))
  return [...new Map(lists.flat().map((d) => [d.id, d])).values()].sort((a, b) => b.at.localeCompare(a.at))
}

export async function fetchForecast(asked: ForecastQueryVariables, signal?: AbortSignal): Promise<Fading[]> {
  return given((await ask<ForecastQuery, ForecastQueryVariables>(operation('Forecast'), asked, signal)).decayForecast)
}

export async function fetchConflicts(namespaces: string[] | null, signal?: AbortSignal): Promise<Conflict[]> {
  return given((await ask<ConflictsQuery, object>(operation('Conflicts'), { namespaces }, signal)).conflicts)
}

export async function resolveConflict(input: ResolveConflictInput): Promise<void> {
  await ask<ResolveConflictMutation, object>(operation('ResolveConflict'), { input })
}

export async function fetchPolicy(namespace: string, signal?: AbortSignal): Promise<Policy> {
  return given((await ask<PolicyQuery, object>(operation('Policy'), { namespace }, signal)).namespacePolicy)
}

export async function setPolicy(input: NamespacePolicyInput): Promise<Policy> {
  return given((await ask<SetPolicyMutation, object>(operation('SetPolicy'), { input })).setNamespacePolicy)
}
