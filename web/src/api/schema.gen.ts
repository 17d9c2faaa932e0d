// Generated from ../schema.graphqls by `npm run types`. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The kind of a memory. */
export type MemoryType =
  /** what happened */
  | 'EPISODIC'
  /** what is true */
  | 'SEMANTIC'
  /** what is in hand now; it has a time to live */
  | 'WORKING'
  /** a chunk of reference material */
  | 'DOCUMENT'
  /** how to do something */
  | 'PROCEDURAL';

/** Where a memory is in its life. Memories only ever move forward, a rollback aside. */
export type Tier =
  /** working buffer */
  | 'L0'
  /** index, where new memories stand */
  | 'L1'
  /** schema, where memories of proven worth stand */
  | 'L2'
  /** recess, the archive of engrams that never change */
  | 'L3';

/** What became of a memory. Everything but FORGOTTEN can still be read by id, by lineage and as of an earlier instant. */
export type MemoryStatus =
  /** in force; the default view */
  | 'ACTIVE'
  /** a newer version exists */
  | 'SUPERSEDED'
  /** folded into another memory */
  | 'CONSOLIDATED'
  /** decayed or merged away */
  | 'ARCHIVED'
  /** its time to live passed, or it was dismissed */
  | 'EXPIRED'
  /** erased: only id, times and receipt remain */
  | 'FORGOTTEN';

/** The permission a memory was written under. */
export type Consent =
  /** the person said yes to this */
  | 'EXPLICIT'
  /** it follows from what the person agreed to */
  | 'IMPLICIT'
  /** no permission; never an input to anything derived */
  | 'NONE';

/** How fast a memory fades unless it is used: the base half-life of its decay curve. */
export type DecayClass =
  /** never */
  | 'NONE'
  /** 90 days */
  | 'SLOW'
  /** 14 days */
  | 'MEDIUM'
  /** 2 days */
  | 'FAST';

/** Rank of a working memory. */
export type Priority =
  /** may go first */
  | 'LOW'
  /** kept at the end of its session where it was used */
  | 'MEDIUM'
  /** urgent */
  | 'HIGH';

/** What kind of origin a memory has. It sets the authority where none is given. */
export type SourceKind =
  /** a person; authority 0.8 */
  | 'USER'
  /** an assistant; authority 0.4 */
  | 'ASSISTANT'
  /** a tool; authority 0.6 */
  | 'TOOL'
  /** a document; authority 0.7 */
  | 'DOCUMENT'
  /** drawn out of other text */
  | 'EXTRACTION'
  /** distilled from other memories */
  | 'CONSOLIDATION'
  /** the operator; authority 0.9 */
  | 'SYSTEM';

/** The kind of a named thing. */
export type EntityType =
  /** a human being */
  | 'PERSON'
  /** somewhere */
  | 'PLACE'
  /** a company, team or institution */
  | 'ORGANIZATION'
  /** an idea or subject */
  | 'CONCEPT'
  /** a thing */
  | 'OBJECT'
  /** something that takes place */
  | 'EVENT'
  /** a like or dislike */
  | 'PREFERENCE'
  /** an undertaking */
  | 'PROJECT'
  /** a file or path */
  | 'FILE'
  /** something decided */
  | 'DECISION';

/** Which weights a search starts from. */
export type SearchMode =
  /** answer a question: meaning and words count most */
  | 'ANSWER'
  /** where were we: recency and project count most; works with no query */
  | 'MANAGER'
  /** the base weights as they are */
  | 'BASE';

/** How much a search may spend. */
export type Effort =
  /** quickest */
  | 'FAST'
  /** the default */
  | 'BALANCED'
  /** widest */
  | 'ACCURATE';

/** How the channels of a search are put together. */
export type Fusion =
  /** a weighted sum of the score parts */
  | 'WEIGHTED'
  /** reciprocal ranks, then importance now */
  | 'RRF';

/** How a hit stands today. */
export type HitLabel =
  /** in force */
  | 'CURRENT'
  /** no longer in force */
  | 'HISTORICAL'
  /** in force, with a conflict above 0.3 that is not resolved */
  | 'CONTESTED';

/** What the reconsolidation gate decided. */
export type GateDecision =
  /** stored as a new belief */
  | 'STORED'
  /** taken as support of the belief that stands */
  | 'MERGED'
  /** the belief was replaced by a new version */
  | 'REPLACED'
  /** the belief stands: the evidence does not reach the quorum */
  | 'REJECTED';

/** How a prompt context is written. */
export type ContextFormat =
  /** Markdown with fenced memories */
  | 'MARKDOWN'
  /** XML elements */
  | 'XML'
  /** one JSON document */
  | 'JSON';

/** The layers of a prompt context, most stable first. */
export type ContextLayerName =
  /** how to do things; 300 tokens of 4,400 */
  | 'PROCEDURAL'
  /** the project and core memories; 600 tokens of 4,400 */
  | 'PROJECT'
  /** what memory says to the query; 1,200 tokens of 4,400 */
  | 'MEMORIES'
  /** chunks of documents; 800 tokens of 4,400 */
  | 'DOCUMENTS'
  /** the last turns; 1,500 tokens of 4,400 */
  | 'CONVERSATION';

/** The phases of a sleep, in order. */
export type SleepPhase =
  /** rank */
  | 'N1'
  /** strengthen and decay */
  | 'N2'
  /** deduplicate */
  | 'N3'
  /** consolidate and dream */
  | 'REM'
  /** write the morning report */
  | 'REPORT';

/** What kind of consolidation a report is about. */
export type SleepKind =
  /** N1 to REM over everything */
  | 'DEEP'
  /** N1 to N3 over what is recent */
  | 'LIGHT'
  /** a consolidation by hand, see consolidate */
  | 'MANUAL';

/** Why a sleep began. */
export type SleepTrigger =
  /** somebody asked for it */
  | 'HAND'
  /** the hour had come */
  | 'SCHEDULE'
  /** something that calls for it: related episodes, a dense cluster, a contradiction, a topic asked for again */
  | 'EVENT'
  /** more memories in L1 than are good for it */
  | 'PRESSURE';

/** What a step of a sleep did. */
export type StepVerb =
  /** confidence or salience grew */
  | 'STRENGTHEN'
  /** it had faded: ARCHIVED */
  | 'ARCHIVE'
  /** near alike: folded into one of them */
  | 'MERGE'
  /** from L1 to L2 */
  | 'PROMOTE'
  /** from L2 into the recess */
  | 'ENGRAVE'
  /** replayed */
  | 'DREAM'
  /** episodes folded into what is true */
  | 'DISTIL'
  /** a working memory became an episode */
  | 'KEEP'
  /** the month of a project in one memory */
  | 'SUMMARISE'
  /** repeated workflows folded into how it is done */
  | 'PATTERN'
  /** the weakest relations of an entity dropped */
  | 'SPARSIFY';

/** How far a task has come. */
export type TaskStatus =
  /** read from a turn; it lives as long as a working memory */
  | 'CANDIDATE'
  /** tracked until it is dismissed */
  | 'CONFIRMED'
  /** done, or none: EXPIRED */
  | 'DISMISSED';

/** Which policy a namespace begins with. */
export type PolicyPreset =
  /** the defaults */
  | 'DEFAULT'
  /** quorum 0.9, γ 0.9 */
  | 'MEDICAL'
  /** quorum 0.9, γ 0.9 */
  | 'FINANCIAL';

/** How far an erasure has come. */
export type DeletionStatus =
  /** under way */
  | 'PENDING'
  /** done everywhere */
  | 'COMPLETE';

/** Health by the bands of its indicators. */
export type HealthStatus =
  /** all is well */
  | 'HEALTHY'
  /** something needs attention */
  | 'WARNING'
  /** something is broken */
  | 'CRITICAL';

/** A part of the system that may be missing from an answer. */
export type Part =
  /** the model that turns text into vectors */
  | 'EMBEDDER'
  /** search by meaning */
  | 'VECTORS'
  /** search by words */
  | 'WORDS'
  /** search by entities and relations */
  | 'GRAPH'
  /** the archive of engrams */
  | 'RECESS'
  /** the store itself */
  | 'STORE'
  /** the cross-encoder that reads the best hits of ACCURATE searches */
  | 'RERANKER'
  /** the language model that is asked where the rules are in doubt, and that shortens summaries */
  | 'CHAT';

/** What an error is, in extensions.code. */
export type ErrorCode =
  /** the request is malformed, or a value is out of its range */
  | 'INVALID_REQUEST'
  /** the write carries no consent */
  | 'CONSENT_REQUIRED'
  /** the credentials are missing or not accepted */
  | 'UNAUTHENTICATED'
  /** the credentials or the consent do not allow it */
  | 'FORBIDDEN'
  /** there is no such memory, or was none at the instant asked for */
  | 'MEMORY_NOT_FOUND'
  /** a near duplicate exists and the write asked to be refused */
  | 'DUPLICATE_MEMORY'
  /** the version is no longer the last one, or the key was used for another content */
  | 'VERSION_CONFLICT'
  /** a sleep is under way */
  | 'SLEEP_RUNNING'
  /** the evidence does not reach the quorum */
  | 'QUORUM_UNMET'
  /** too many requests; extensions.retryAfter says how many seconds to wait */
  | 'RATE_LIMITED'
  /** the request is larger, deeper or costlier than allowed */
  | 'LIMIT_EXCEEDED'
  /** stored bytes are not what was written; they are not served */
  | 'INTEGRITY_FAILURE'
  /** it cannot be done now; the same request may work later */
  | 'UNAVAILABLE'
  /** a fault of the server; extensions.id names the entry in its log */
  | 'INTERNAL';

/**
 * An instant on either clock or both, inclusive. Intervals are half-open [from, to): what ended at the instant had ended, what began
 * at it had begun.
 */
export type AsOf = {
  /** what Somnograph knew by then; omitted: all it knows now */
  recorded?: string | null | undefined;
  /** what was true in the world then; omitted: not asked */
  valid?: string | null | undefined;
};

/** Weights that replace those of the mode, each at least 0, not all 0; null: left as the mode has it. They are normalised to sum 1. */
export type WeightsInput = {
  /** likeness of meaning */
  semantic?: number | null | undefined;
  /** likeness of words */
  keyword?: number | null | undefined;
  /** how lately it was used or happened */
  recency?: number | null | undefined;
  /** how much it matters */
  importance?: number | null | undefined;
  /** same project */
  project?: number | null | undefined;
  /** shared entities */
  entity?: number | null | undefined;
  /** an active task refers to it */
  task?: number | null | undefined;
};

/** A question to memory. null means the same as omitted. */
export type SearchInput = {
  /** the question, at most 8 KiB; empty works with mode MANAGER */
  query?: string | null | undefined;
  /** hits wanted, 1 to 100 */
  topK?: number | null | undefined;
  /** which weights it starts from */
  mode?: SearchMode | null | undefined;
  /** how much it may spend */
  effort?: Effort | null | undefined;
  /** how the channels are put together */
  fusion?: Fusion | null | undefined;
  /** partitions to search; null, omitted or empty: all that the credentials grant */
  namespaces?: Array<string> | null | undefined;
  /** only memories of this user */
  user?: string | null | undefined;
  /** only memories of this project */
  project?: string | null | undefined;
  /** only memories of this session */
  session?: string | null | undefined;
  /** any of these kinds; null, omitted or empty: all */
  types?: Array<MemoryType> | null | undefined;
  /** all of these labels */
  tags?: Array<string> | null | undefined;
  /** any of these; null, omitted or empty: ACTIVE, or what was active at the instant of asOf */
  statuses?: Array<MemoryStatus> | null | undefined;
  /** event time at or after */
  since?: string | null | undefined;
  /** event time at or before */
  until?: string | null | undefined;
  /** as the store stood at an instant */
  asOf?: AsOf | null | undefined;
  /** never what was written under NONE, and IMPLICIT only with includeImplicit */
  requireConsent?: boolean | null | undefined;
  /** with requireConsent: IMPLICIT too */
  includeImplicit?: boolean | null | undefined;
  /** floor of authority, [0,1] */
  minAuthority?: number | null | undefined;
  /** floor of importance, [0,1] */
  minImportance?: number | null | undefined;
  /** steps the graph channel may walk, 0 to 6; 0 turns it off */
  hops?: number | null | undefined;
  /** weights of this call */
  weights?: WeightsInput | null | undefined;
  /** false: this read does not count as usage */
  track?: boolean | null | undefined;
};

/** What a prompt context is asked for. */
export type ContextInput = {
  /** session the prompt belongs to, 1 to 512 bytes */
  session: string;
  /** memories of this user and of nobody in particular */
  user?: string | null | undefined;
  /** project at hand */
  project?: string | null | undefined;
  /** what the prompt is about; omitted: the last turns of the session */
  query?: string | null | undefined;
  /** partitions to read; null, omitted or empty: all that the credentials grant */
  namespaces?: Array<string> | null | undefined;
  /** how it is written */
  format?: ContextFormat | null | undefined;
  /** tokens in all; omitted: 4,400; another total scales the layers */
  tokenBudget?: number | null | undefined;
  /** as the store stood at an instant */
  asOf?: AsOf | null | undefined;
  /** never what was written under NONE, and IMPLICIT only with includeImplicit */
  requireConsent?: boolean | null | undefined;
  /** with requireConsent: IMPLICIT too */
  includeImplicit?: boolean | null | undefined;
  /** false: a preview; what is in it does not count as used, and the session is not said to have seen it */
  track?: boolean | null | undefined;
};

/** How a sleep is to run. */
export type SleepInput = {
  /** memories it may treat, at least 1; omitted: all */
  maxItems?: number | null | undefined;
  /** seconds it may take, at least 1; omitted: 3,600 */
  maxSeconds?: number | null | undefined;
  /** false: a light sleep over recent memories */
  deep?: boolean | null | undefined;
  /** true: nothing is changed, the report says what would be */
  dryRun?: boolean | null | undefined;
  /** true: answers when the sleep is over; false: at once, with the running report */
  wait?: boolean | null | undefined;
};

/** How a conflict ends by hand. */
export type ResolveConflictInput = {
  /** one of the two memories */
  a: string;
  /** the other one */
  b: string;
  /** which of the two stays, superseding the other; null: both stay, and the conflict is dismissed */
  keep?: string | null | undefined;
  /** why, at most 2,048 bytes */
  reason?: string | null | undefined;
};

/** What to change of a namespace's policy; null or omitted: left as it is. */
export type NamespacePolicyInput = {
  /** the namespace, 1 to 64 of [A-Za-z0-9_] */
  namespace?: string | null | undefined;
  /** begin with this policy anew; what else is given holds on top of it */
  preset?: PolicyPreset | null | undefined;
  /** α: how much salience counts for plasticity, 0.5 to 2 */
  alpha?: number | null | undefined;
  /** β: how much use counts, 0.1 to 0.5 */
  beta?: number | null | undefined;
  /** γ: how much authority counts, 0.3 to 1 */
  gamma?: number | null | undefined;
  /** λ: how much conflict counts against it, 0.5 to 1.5 */
  lambda?: number | null | undefined;
  /** δ: how much surprise counts, 0.2 to 0.8 */
  delta?: number | null | undefined;
  /** weighted evidence that the gate asks for, 0.5 to 1 */
  quorum?: number | null | undefined;
  /** score above which a memory goes from L1 to L2, 0.5 to 4 */
  promoteAt?: number | null | undefined;
  /** distinct UTC days of use before a memory is engraved, 5 to 3,650 */
  engraveDays?: number | null | undefined;
  /** confidence before a memory is engraved, 0.85 to 1 */
  engraveConfidence?: number | null | undefined;
  /** conflict must be below this before a memory is engraved; above 0, at most 0.2 */
  engraveConflict?: number | null | undefined;
  /** decay constants, all of them at once */
  decayK?: DecayConstantsInput | null | undefined;
  /** the weakest consent that a write may carry */
  minConsent?: Consent | null | undefined;
  /** time to live by sensitivity, all of them at once */
  ttlSeconds?: SensitivityTimesInput | null | undefined;
};

/** Decay constants k per day by decay class, each above 0, to 1,000; null or omitted: the half-life of the class holds. */
export type DecayConstantsInput = {
  /** of SLOW */
  slow?: number | null | undefined;
  /** of MEDIUM */
  medium?: number | null | undefined;
  /** of FAST */
  fast?: number | null | undefined;
};

/** Times to live by sensitivity, in seconds, each 1 to 2,147,483,647; null or omitted: none. */
export type SensitivityTimesInput = {
  /** of PUBLIC */
  public?: number | null | undefined;
  /** of INTERNAL */
  internal?: number | null | undefined;
  /** of CONFIDENTIAL */
  confidential?: number | null | undefined;
  /** of RESTRICTED */
  restricted?: number | null | undefined;
};

/** What happened to a memory. */
export type MemoryEventKind =
  /** it was written */
  | 'CREATED'
  /** a field changed */
  | 'UPDATED'
  /** it grew stronger */
  | 'REINFORCED'
  /** it went from L1 to L2 */
  | 'PROMOTED'
  /** a newer version replaced it */
  | 'SUPERSEDED'
  /** it was folded into another memory */
  | 'CONSOLIDATED'
  /** it decayed or was merged away */
  | 'ARCHIVED'
  /** its time to live passed, or it was dismissed */
  | 'EXPIRED'
  /** it went from L2 to L3 */
  | 'ENGRAVED'
  /** it was erased */
  | 'FORGOTTEN'
  /** the subscriber was too slow and missed some: subscribe again with after set to this event's cursor and nothing is lost */
  | 'LAGGED';

/** What an edge between two memories says. */
export type EdgeKind =
  /** a newer version to the one it replaced */
  | 'SUPERSEDES'
  /** a distilled memory to a source */
  | 'DERIVED_FROM'
  /** a memory to the one it was folded into */
  | 'CONSOLIDATED_INTO'
  /** evidence to the belief it supports */
  | 'EVIDENCE_FOR'
  /** the later of two in conflict to the earlier; the weight is the conflict */
  | 'CONTRADICTS'
  /** both belong to one session; derived on read */
  | 'SAME_SESSION'
  /** the next one in the session; derived on read */
  | 'TEMPORAL_SEQ'
  /** they mention the same things; the weight is the Jaccard of their entities; derived on read */
  | 'ENTITY_OVERLAP';

export type BriefFragment = { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null };

export type LabelsQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type LabelsQuery = { memory: { id: string, content: string | null, summary: string | null, unavailable: { code: ErrorCode, message: string } | null } | null };

export type DetailQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type DetailQuery = { memory: { tier: Tier, namespace: string, user: string | null, session: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, salience: number, usage: number, usageDays: number, authority: number, conflict: number, surprise: number, confidence: number, importance: number, criticality: number, retention: number, decayClass: DecayClass, core: boolean, checksum: string | null, createdAt: string, updatedAt: string, lastAccessedAt: string, occurredAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, entities: Array<{ id: string, name: string, type: EntityType, mentionCount: number }>, supersedes: { id: string, version: number } | null, supersededBy: { id: string, version: number } | null, derivedFrom: Array<{ id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null }>, consolidatedInto: { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } | null, unavailable: { code: ErrorCode, message: string } | null } | null, lineage: Array<{ version: number, checksum: string | null, reason: string | null, recordedAt: string, supersededAt: string | null, memory: { id: string, content: string | null, status: MemoryStatus, unavailable: { code: ErrorCode, message: string } | null } }> | null };

export type SearchQueryVariables = Exact<{
  input: SearchInput;
}>;


export type SearchQuery = { search: { latencyMs: number, consideredCount: number, semanticCandidates: number, keywordCandidates: number, graphCandidates: number, degraded: Array<Part>, weights: { semantic: number, keyword: number, recency: number, importance: number, project: number, entity: number, task: number }, hits: Array<{ score: number, label: HitLabel, parts: { semantic: number, keyword: number, recency: number, importance: number, project: number, entity: number, task: number }, memory: { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }> } | null };

export type ChangesSubscriptionVariables = Exact<{
  after: string;
  map: string;
}>;


export type ChangesSubscription = { vizChanges: { part: string | null } };

export type EventsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type EventsSubscription = { memoryEvents: { cursor: string, kind: MemoryEventKind, id: string | null, at: string } };

export type ReportFragment = { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } };

export type SleepReportsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type SleepReportsQuery = { sleepReports: { nodes: Array<{ id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SleepReportQueryVariables = Exact<{
  id: string;
}>;


export type SleepReportQuery = { sleepReport: { skipped: Array<string>, review: Array<string>, doubts: Array<string>, id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } | null };

export type SleepStepsQueryVariables = Exact<{
  id: string;
}>;


export type SleepStepsQuery = { sleepReport: { id: string, steps: Array<{ phase: SleepPhase, verb: StepVerb, from: Array<string>, to: string | null }> } | null };

export type SleepStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type SleepStatusQuery = { sleepStatus: { phase: SleepPhase | null, done: number, total: number, interrupted: boolean, nextScheduled: string | null, activeL1: number, pressureAt: number, running: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } | null, last: { id: string, completedAt: string | null } | null } | null };

export type SleepMutationVariables = Exact<{
  input: SleepInput;
}>;


export type SleepMutation = { sleep: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } } | null };

export type RollbackMutationVariables = Exact<{
  id: string;
}>;


export type RollbackMutation = { rollback: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } } | null };

export type ProgressSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ProgressSubscription = { sleepProgress: { reportId: string, phase: SleepPhase, done: number, total: number, steps: Array<{ phase: SleepPhase, verb: StepVerb, from: Array<string>, to: string | null }> } };

export type MorningsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type MorningsSubscription = { sleepReports: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } };

export type GrowthQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type GrowthQuery = { memory: { id: string, score: number, promotesAt: number | null, engraveGates: { days: number, neededDays: number, confidence: number, neededConfidence: number, conflict: number, maxConflict: number, open: boolean } | null } | null };

export type DecisionsQueryVariables = Exact<{
  memory: string;
}>;


export type DecisionsQuery = { reconsolidations: { nodes: Array<{ id: string, at: string, memoryIds: Array<string>, erased: boolean, decision: GateDecision | null, fact: string | null, quorum: number | null, required: number | null, conflict: number | null, similarity: number | null, states: Array<string>, evidence: Array<{ source: string, weight: number, confidence: number }> }> } | null };

export type ForecastQueryVariables = Exact<{
  days: number;
  first: number;
  namespaces?: Array<string> | string | null | undefined;
  user?: string | null | undefined;
}>;


export type ForecastQuery = { decayForecast: Array<{ fadesAt: string, archivesAt: string | null, memory: { retention: number, decayClass: DecayClass, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }> | null };

export type ConflictsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
}>;


export type ConflictsQuery = { conflicts: Array<{ score: number, at: string, later: { authority: number, confidence: number, sourceKind: SourceKind, source: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null }, earlier: { authority: number, confidence: number, sourceKind: SourceKind, source: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }> | null };

export type ResolveConflictMutationVariables = Exact<{
  input: ResolveConflictInput;
}>;


export type ResolveConflictMutation = { resolveConflict: Array<{ id: string, status: MemoryStatus }> | null };

export type PolicyFragment = { namespace: string, preset: PolicyPreset, alpha: number, beta: number, gamma: number, lambda: number, delta: number, quorum: number, promoteAt: number, engraveDays: number, engraveConfidence: number, engraveConflict: number, minConsent: Consent, decayK: { slow: number | null, medium: number | null, fast: number | null }, ttlSeconds: { public: number | null, internal: number | null, confidential: number | null, restricted: number | null } };

export type PolicyQueryVariables = Exact<{
  namespace: string;
}>;


export type PolicyQuery = { namespacePolicy: { namespace: string, preset: PolicyPreset, alpha: number, beta: number, gamma: number, lambda: number, delta: number, quorum: number, promoteAt: number, engraveDays: number, engraveConfidence: number, engraveConflict: number, minConsent: Consent, decayK: { slow: number | null, medium: number | null, fast: number | null }, ttlSeconds: { public: number | null, internal: number | null, confidential: number | null, restricted: number | null } } | null };

export type SetPolicyMutationVariables = Exact<{
  input: NamespacePolicyInput;
}>;


export type SetPolicyMutation = { setNamespacePolicy: { namespace: string, preset: PolicyPreset, alpha: number, beta: number, gamma: number, lambda: number, delta: number, quorum: number, promoteAt: number, engraveDays: number, engraveConfidence: number, engraveConflict: number, minConsent: Consent, decayK: { slow: number | null, medium: number | null, fast: number | null }, ttlSeconds: { public: number | null, internal: number | null, confidential: number | null, restricted: number | null } } | null };

export type EntitiesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  name?: string | null | undefined;
  types?: Array<EntityType> | EntityType | null | undefined;
  namespaces?: Array<string> | string | null | undefined;
}>;


export type EntitiesQuery = { entities: { nodes: Array<{ id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type NamedFragment = { id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null };

export type RelationsQueryVariables = Exact<{
  entity: string;
  asOf?: AsOf | null | undefined;
  after?: string | null | undefined;
}>;


export type RelationsQuery = { relations: { nodes: Array<{ id: string, predicate: string, strength: number, weight: number, confidence: number, validFrom: string, validTo: string | null, source: { id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null } | null, target: { id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type MentioningQueryVariables = Exact<{
  entity: string;
  asOf?: AsOf | null | undefined;
  after?: string | null | undefined;
}>;


export type MentioningQuery = { memories: { nodes: Array<{ id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, entities: Array<{ id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null }>, unavailable: { code: ErrorCode, message: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PathQueryVariables = Exact<{
  from: string;
  to: string;
  asOf?: AsOf | null | undefined;
}>;


export type PathQuery = { path: { truncated: boolean, memories: Array<{ id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null }>, edges: Array<{ from: string, to: string, kind: EdgeKind, weight: number }> } | null };

export type ContextQueryVariables = Exact<{
  input: ContextInput;
}>;


export type ContextQuery = { context: { text: string, totalTokens: number, truncated: boolean, tokensSaved: number, layers: Array<{ name: ContextLayerName, text: string, tokens: number, memoryIds: Array<string> }> } | null };

export type TasksQueryVariables = Exact<{
  status?: TaskStatus | null | undefined;
  namespaces?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type TasksQuery = { tasks: { nodes: Array<{ status: TaskStatus, confidence: number, strength: number, blocks: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TodoFragment = { status: TaskStatus, confidence: number, strength: number, blocks: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } };

export type ConfirmTaskMutationVariables = Exact<{
  id: string;
}>;


export type ConfirmTaskMutation = { confirmTask: { status: TaskStatus, confidence: number, strength: number, blocks: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type DismissTaskMutationVariables = Exact<{
  id: string;
}>;


export type DismissTaskMutation = { dismissTask: { status: TaskStatus, confidence: number, strength: number, blocks: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { health: { score: number, status: HealthStatus, memories: number, engrams: number, entities: number, checksumFailures: number, details: unknown } | null };

export type PerformanceQueryVariables = Exact<{ [key: string]: never; }>;


export type PerformanceQuery = { performance: Array<{ name: string, count: number, p50Ms: number, p95Ms: number, p99Ms: number, maxMs: number }> | null };

export type GateDecisionsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type GateDecisionsQuery = { reconsolidations: { nodes: Array<{ id: string, at: string, namespace: string, memoryIds: Array<string>, erased: boolean, decision: GateDecision | null, fact: string | null, subject: string | null, quorum: number | null, required: number | null, conflict: number | null, similarity: number | null, states: Array<string>, evidence: Array<{ source: string, weight: number, confidence: number }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ReceiptQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ReceiptQuery = { deletionReceipt: { id: string, status: DeletionStatus, count: number, anonymised: number, hash: string, requestedAt: string, completedAt: string | null, ids: Array<string> } | null };

export type WhoamiQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoamiQuery = { whoami: { tenant: string, name: string, user: string | null, namespaces: Array<string>, grant: number, admin: boolean } | null };

export type RehearseMutationVariables = Exact<{
  input: SleepInput;
}>;


export type RehearseMutation = { sleep: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, steps: Array<{ phase: SleepPhase, verb: StepVerb, from: Array<string>, to: string | null, reason: string | null }>, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } } | null };
