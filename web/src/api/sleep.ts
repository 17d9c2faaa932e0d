// Requests for sleep and its results: reports, forecast, conflicts, policies, plasticity and
// gate decisions.
import { ApiError, request, required } from './graphql'
import { operation } from './operations'
import type {
  AsOf,
  ConflictsQuery,
  DecisionsQuery,
  ForecastQuery,
  ForecastQueryVariables,
  PlasticityQuery,
  NamespacePolicyInput,
  PolicyFragment,
  PolicyQuery,
  DryRunMutation,
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
export type DryRun = NonNullable<DryRunMutation['sleep']>['report']
export type SleepStatus = NonNullable<SleepStatusQuery['sleepStatus']>
export type PlasticityData = NonNullable<PlasticityQuery['memory']>
export type Decision = NonNullable<DecisionsQuery['reconsolidations']>['nodes'][number]
export type ForecastEntry = NonNullable<ForecastQuery['decayForecast']>[number]
export type Conflict = NonNullable<ConflictsQuery['conflicts']>[number]
export type Policy = PolicyFragment

/** Whether the error means that this server does not support the request, now or at all. */
export function isUnsupported(e: unknown): boolean {
  return e instanceof ApiError && (e.code === 'UNAVAILABLE' || (e.code === 'INVALID_REQUEST' && /Cannot query field|Unknown type|Unknown argument/.test(e.message)))
}

export async function fetchReports(first: number, after: string | null, signal?: AbortSignal): Promise<ReportPage> {
  return required((await request<SleepReportsQuery, object>(operation('SleepReports'), { first, after }, signal)).sleepReports)
}

export async function fetchReport(id: string, signal?: AbortSignal): Promise<ReportDetail> {
  return required((await request<SleepReportQuery, object>(operation('SleepReport'), { id }, signal)).sleepReport)
}

/** The steps of a sleep; the server keeps them for 7 days. */
export async function fetchSteps(id: string, signal?: AbortSignal): Promise<Step[]> {
  return required((await request<SleepStepsQuery, object>(operation('SleepSteps'), { id }, signal)).sleepReport).steps
}

export async function fetchSleepStatus(signal?: AbortSignal): Promise<SleepStatus> {
  return required((await request<SleepStatusQuery, object>(operation('SleepStatus'), {}, signal)).sleepStatus)
}

export async function startSleep(input: SleepInput): Promise<Report> {
  return required((await request<SleepMutation, object>(operation('Sleep'), { input })).sleep).report
}

/** What a sleep would do; nothing is changed. */
export async function dryRunSleep(input: SleepInput): Promise<DryRun> {
  return required((await request<DryRunMutation, object>(operation('DryRun'), { input: { ...input, dryRun: true, wait: true } })).sleep).report
}

export async function rollBack(id: string): Promise<Report> {
  return required(required((await request<RollbackMutation, object>(operation('Rollback'), { id })).rollback).report)
}

export async function fetchPlasticity(id: string, asOf: AsOf | null, signal?: AbortSignal): Promise<PlasticityData> {
  return required((await request<PlasticityQuery, object>(operation('Plasticity'), { id, asOf }, signal)).memory)
}

/** The gate's decisions about some memories, newest first. */
export async function fetchDecisions(memories: readonly string[], signal?: AbortSignal): Promise<Decision[]> {
  const lists = await Promise.all(memories.map(async (memory) => required((await request<DecisionsQuery, object>(operation('Decisions'), { memory }, signal)).reconsolidations).nodes))
  return [...new Map(lists.flat().map((d) => [d.id, d])).values()].sort((a, b) => b.at.localeCompare(a.at))
}

export async function fetchForecast(variables: ForecastQueryVariables, signal?: AbortSignal): Promise<ForecastEntry[]> {
  return required((await request<ForecastQuery, ForecastQueryVariables>(operation('Forecast'), variables, signal)).decayForecast)
}

export async function fetchConflicts(namespaces: string[] | null, signal?: AbortSignal): Promise<Conflict[]> {
  return required((await request<ConflictsQuery, object>(operation('Conflicts'), { namespaces }, signal)).conflicts)
}

export async function resolveConflict(input: ResolveConflictInput): Promise<void> {
  await request<ResolveConflictMutation, object>(operation('ResolveConflict'), { input })
}

export async function fetchPolicy(namespace: string, signal?: AbortSignal): Promise<Policy> {
  return required((await request<PolicyQuery, object>(operation('Policy'), { namespace }, signal)).namespacePolicy)
}

export async function setPolicy(input: NamespacePolicyInput): Promise<Policy> {
  return required((await request<SetPolicyMutation, object>(operation('SetPolicy'), { input })).setNamespacePolicy)
}
