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
  | 'STORE';

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

export type EventsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type EventsSubscription = { memoryEvents: { cursor: string, kind: MemoryEventKind, id: string | null, at: string } };
