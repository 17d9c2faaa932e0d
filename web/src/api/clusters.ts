// Requests for clusters and patterns.
import { request, required } from './graphql'
import { operation } from './operations'
import type {
  ClusterFieldsFragment, ClusterQuery, ClustersQuery, PatternConflictLogQuery, PatternConflictsQuery, PatternFieldsFragment, PatternKind, PatternQuery, PatternsQuery, ResolvePatternMutation,
} from './schema.gen'

export type ClusterSummary = ClusterFieldsFragment
export type ClusterPage = NonNullable<ClustersQuery['clusters']>
export type ClusterRow = ClusterPage['nodes'][number]
export type ClusterDetail = NonNullable<ClusterQuery['cluster']>
export type ClusterEvent = NonNullable<ClusterQuery['clusterEvolution']>['nodes'][number]
export type PatternSummary = PatternFieldsFragment
export type PatternPage = NonNullable<PatternsQuery['patterns']>
export type PatternDetail = NonNullable<PatternQuery['pattern']>
export type PatternLineage = NonNullable<PatternQuery['patternLineage']>
export type PatternConflict = NonNullable<PatternConflictsQuery['patternConflicts']>[number]
export type DecidedConflict = NonNullable<PatternConflictLogQuery['patternConflicts']>[number]

/** Clusters, largest first. */
export async function fetchClusters(namespaces: string[] | null, after: string | null, signal?: AbortSignal): Promise<ClusterPage> {
  return required((await request<ClustersQuery, object>(operation('Clusters'), { namespaces, after }, signal)).clusters)
}

/** A cluster with what happened to it, newest first; the cluster is null if it is gone. */
export async function fetchCluster(id: string, signal?: AbortSignal): Promise<{ cluster: ClusterDetail | null; events: ClusterEvent[] }> {
  const answer = await request<ClusterQuery, object>(operation('Cluster'), { id }, signal)
  return { cluster: answer.cluster ?? null, events: answer.clusterEvolution?.nodes ?? [] }
}

export async function fetchPatterns(namespaces: string[] | null, kinds: PatternKind[] | null, after: string | null, signal?: AbortSignal): Promise<PatternPage> {
  return required((await request<PatternsQuery, object>(operation('Patterns'), { namespaces, kinds, after }, signal)).patterns)
}

/** The conflicts between patterns that are not decided. */
export async function fetchPatternConflicts(namespaces: string[] | null, signal?: AbortSignal): Promise<PatternConflict[]> {
  return required((await request<PatternConflictsQuery, object>(operation('PatternConflicts'), { namespaces }, signal)).patternConflicts)
}

/** The conflicts between patterns that somebody decided, the last decision first. */
export async function fetchDecidedConflicts(namespaces: string[] | null, signal?: AbortSignal): Promise<DecidedConflict[]> {
  const log = required((await request<PatternConflictLogQuery, object>(operation('PatternConflictLog'), { namespaces }, signal)).patternConflicts)
  return log.filter((c) => c.kept !== null).sort((a, b) => Date.parse(b.resolvedAt!) - Date.parse(a.resolvedAt!))
}

/** A pattern with its lineage; null if it is gone. */
export async function fetchPattern(id: string, signal?: AbortSignal): Promise<{ pattern: PatternDetail; lineage: PatternLineage | null } | null> {
  const answer = await request<PatternQuery, object>(operation('Pattern'), { id }, signal)
  return answer.pattern ? { pattern: answer.pattern, lineage: answer.patternLineage ?? null } : null
}

/** Keeps one of two patterns that conflict; the other one ends. */
export async function resolvePattern(keep: string, end: string, note: string | null): Promise<void> {
  required((await request<ResolvePatternMutation, object>(operation('ResolvePattern'), { keep, end, note })).resolvePattern)
}
