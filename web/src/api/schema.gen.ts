// Generated from ../schema.graphqls by `npm run types`. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Type of a memory. */
export type MemoryType =
  /** something that happened */
  | 'EPISODIC'
  /** a fact */
  | 'SEMANTIC'
  /** of current use; it has a time to live */
  | 'WORKING'
  /** a chunk of reference material */
  | 'DOCUMENT'
  /** a procedure */
  | 'PROCEDURAL';

/** Stage of a memory's life. Memories only move forward, except by a rollback. */
export type Tier =
  /** the working buffer of a session */
  | 'L0'
  /** index, for new memories */
  | 'L1'
  /** schema, for memories of proven worth */
  | 'L2'
  /** recess, the archive of permanent memories (engrams) */
  | 'L3';

/** State of a memory. Memories that are not ACTIVE can still be read by id, by lineage and as of an earlier time, except FORGOTTEN ones. */
export type MemoryStatus =
  /** valid; the default view */
  | 'ACTIVE'
  /** a newer version exists */
  | 'SUPERSEDED'
  /** merged into another memory */
  | 'CONSOLIDATED'
  /** archived by a sleep, a consolidation or a withdrawal */
  | 'ARCHIVED'
  /** its time to live ended, or it was dismissed */
  | 'EXPIRED'
  /** erased: only id, times and receipt remain */
  | 'FORGOTTEN';

/** The permission under which a memory was written. */
export type Consent =
  /** the person agreed to this */
  | 'EXPLICIT'
  /** implied by what the person agreed to */
  | 'IMPLICIT'
  /** no permission; never a source of derived memories */
  | 'NONE';

/** How fast a memory fades while it is not used: the base half-life of its decay curve. */
export type DecayClass =
  /** never */
  | 'NONE'
  /** 90 days */
  | 'SLOW'
  /** 14 days */
  | 'MEDIUM'
  /** 2 days */
  | 'FAST';

/** Priority of a working memory. */
export type Priority =
  /** not kept at the end of its session */
  | 'LOW'
  /** kept at the end of its session if it was used */
  | 'MEDIUM'
  /** urgent */
  | 'HIGH';

/** Kind of the origin of a memory. It sets the default authority. */
export type SourceKind =
  /** a person; authority 0.8 */
  | 'USER'
  /** an assistant; authority 0.4 */
  | 'ASSISTANT'
  /** a tool; authority 0.6 */
  | 'TOOL'
  /** a document; authority 0.7 */
  | 'DOCUMENT'
  /** extracted from other text */
  | 'EXTRACTION'
  /** distilled from other memories */
  | 'CONSOLIDATION'
  /** the operator; authority 0.9 */
  | 'SYSTEM';

/** Type of an entity. */
export type EntityType =
  /** a person */
  | 'PERSON'
  /** a place */
  | 'PLACE'
  /** a company, team or institution */
  | 'ORGANIZATION'
  /** an idea or subject */
  | 'CONCEPT'
  /** an object */
  | 'OBJECT'
  /** something that happens */
  | 'EVENT'
  /** a like or dislike */
  | 'PREFERENCE'
  /** a project */
  | 'PROJECT'
  /** a file or path */
  | 'FILE'
  /** a decision */
  | 'DECISION';

/** What to do with a near duplicate (cosine of at least 0.95 and no difference in substance). */
export type OnDuplicate =
  /** reinforce the existing memory and store nothing */
  | 'REINFORCE'
  /** fail with DUPLICATE_MEMORY */
  | 'REJECT'
  /** store it as another memory */
  | 'INSERT';

/** Initial weights of a search. */
export type SearchMode =
  /** to answer a question: meaning and words count most */
  | 'ANSWER'
  /** to resume work: recency and project count most; works without a query */
  | 'MANAGER'
  /** the base weights */
  | 'BASE';

/** Effort of a search: speed against recall. */
export type Effort =
  /** fastest */
  | 'FAST'
  /** the default */
  | 'BALANCED'
  /** most thorough */
  | 'ACCURATE';

/** Order of the hits of a search. */
export type SearchOrder =
  /**
   * the best hit first, then hits that say something else: a hit loses places for what better hits already say, and the later of two
   * statements on one matter comes first. So scores need not descend
   */
  | 'DIVERSE'
  /** by descending score, near duplicates too */
  | 'SCORE';

/** How the channels of a search are combined. */
export type Fusion =
  /** a weighted sum of the score parts */
  | 'WEIGHTED'
  /** reciprocal rank fusion, then current importance */
  | 'RRF';

/** Current state of a hit. */
export type HitLabel =
  /** valid */
  | 'CURRENT'
  /** no longer valid, or a person corrected all that it states: its claims say what is true */
  | 'HISTORICAL'
  /** valid, with an unresolved conflict above 0.3, or a pattern with an open conflict */
  | 'CONTESTED'
  /** archived, or retention below 0.05 and never used; found only where nothing else surely answers */
  | 'FADED';

/** Which tiers of memory answer a search. */
export type TierPreference =
  /** patterns, clusters and memories together */
  | 'AUTO'
  /** patterns that have to do with the query come before all others, if their relevance is at least .25, and at least .4 of that of the best hit */
  | 'PATTERNS_FIRST'
  /** no patterns, and nothing that was found only through a cluster */
  | 'MEMORIES_ONLY'
  /** the best members of the best clusters */
  | 'CLUSTERS_ONLY';

/** Decision of the reconsolidation gate. */
export type GateDecision =
  /** stored as a new belief */
  | 'STORED'
  /** counted as support of the current belief */
  | 'MERGED'
  /** a new version replaced the belief */
  | 'REPLACED'
  /** the belief stays: the evidence does not reach the quorum */
  | 'REJECTED';

/** Background work for a memory that can fail. */
export type DeadLetterWork =
  /**
   * embedding of its text: three retries, after 0, 1 and 5 s. A text that the model refuses is then given up; without an answer of the
   * model it is retried. Until it succeeds the memory is found by its words only
   */
  | 'EMBED'
  /** engraving: five attempts, after 0, 1, 5, 30 and 60 s; the next sleep tries again */
  | 'ENGRAVE';

/** What the server does about background work that failed. */
export type DeadLetterState =
  /** it goes on trying: the model does not answer, also after three retries. The letter goes when the work succeeds */
  | 'RETRYING'
  /** it does not try again, but for engravings, which the next sleep tries */
  | 'GIVEN_UP';

/** Format of a prompt context. */
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
  /** memories that match the query; 1,200 tokens of 4,400 */
  | 'MEMORIES'
  /** chunks of documents; 800 tokens of 4,400 */
  | 'DOCUMENTS'
  /** open tasks, at most a third of it, then the last turns; 1,500 tokens of 4,400 */
  | 'CONVERSATION';

/** Whether a version of a document is the current one. */
export type DocumentStatus =
  /** the version that searches find */
  | 'CURRENT'
  /** an earlier version */
  | 'SUPERSEDED'
  /** its first ingest was interrupted: ingest it again */
  | 'FAILED'
  /** it was removed: it has no chunks until content is ingested under its path again */
  | 'REMOVED';

/** The phases of a sleep, in order. */
export type SleepPhase =
  /** rank memories */
  | 'N1'
  /** strengthen and archive */
  | 'N2'
  /** merge duplicates */
  | 'N3'
  /** promote, engrave, dream and distil */
  | 'REM'
  /** write the morning report */
  | 'REPORT';

/** Kind of the consolidation in a report. */
export type SleepKind =
  /** N1 to REM over all memories */
  | 'DEEP'
  /** N1 to N3 over recent memories */
  | 'LIGHT'
  /** a manual consolidation, see consolidate */
  | 'MANUAL';

/** What started a sleep. */
export type SleepTrigger =
  /** a request */
  | 'HAND'
  /** the schedule */
  | 'SCHEDULE'
  /** an event: related episodes, a dense cluster, a contradiction, a repeated topic */
  | 'EVENT'
  /** too many memories in L1 */
  | 'PRESSURE';

/** Action of a sleep step. */
export type StepVerb =
  /** confidence or salience increased */
  | 'STRENGTHEN'
  /** ARCHIVED because it faded */
  | 'ARCHIVE'
  /** near duplicates merged into one of them */
  | 'MERGE'
  /** from L1 to L2 */
  | 'PROMOTE'
  /** from L2 into the recess */
  | 'ENGRAVE'
  /** replayed in REM */
  | 'DREAM'
  /** episodes distilled into a fact */
  | 'DISTIL'
  /** working memory turned into an episode */
  | 'KEEP'
  /** one month of a project summarised in one memory */
  | 'SUMMARISE'
  /** what repeats in memories made into a pattern */
  | 'PATTERN'
  /** dropped the weakest relations of an entity */
  | 'SPARSIFY'
  /** memories of an owner grouped by what they mean */
  | 'CLUSTER';

/** State of a task. */
export type TaskStatus =
  /** detected in a turn; it lives for 48 hours after its session, then it becomes an episode if it was mentioned again, else EXPIRED */
  | 'CANDIDATE'
  /** confirmed; tracked until it is done or dismissed */
  | 'CONFIRMED'
  /** done: EXPIRED */
  | 'DONE'
  /** not a task, or not wanted: EXPIRED */
  | 'DISMISSED';

/** Sensitivity of a memory, lowest first. A derived memory has the highest sensitivity of its sources. */
export type Sensitivity =
  /** for anyone */
  | 'PUBLIC'
  /** for members of the organisation; the default */
  | 'INTERNAL'
  /** for those concerned */
  | 'CONFIDENTIAL'
  /** for as few as possible */
  | 'RESTRICTED';

/** Initial policy of a namespace. */
export type PolicyPreset =
  /** the defaults */
  | 'DEFAULT'
  /** quorum 0.9, γ 0.9 */
  | 'MEDICAL'
  /** quorum 0.9, γ 0.9 */
  | 'FINANCIAL';

/** Whether later statements revise earlier ones by themselves. */
export type RevisionMode =
  /** a later statement supersedes those that it revises */
  | 'ON'
  /** both stay ACTIVE and contested, the later one first */
  | 'OFF';

/** State of an erasure. */
export type DeletionStatus =
  /** running */
  | 'PENDING'
  /** nothing of it is left in this server, and nothing that is left elsewhere is answered or restored: each part is COMPLETE, BEYOND_USE or NONE */
  | 'COMPLETE';

/** What became of a memory that answered a query. */
export type FeedbackOutcome =
  /** it was used; counts a use, once for a user and UTC day, and removes earlier marks */
  | 'USED'
  /** it was not used: it is marked irrelevant for similar queries */
  | 'IGNORED'
  /** it was used and led to a good result; counts as USED */
  | 'HELPED'
  /** it was used and did harm: it is marked irrelevant for similar queries, and its confidence falls, once for a user and UTC day */
  | 'HARMED';

/** Health, determined by thresholds of its indicators. */
export type HealthStatus =
  /** all indicators are good */
  | 'HEALTHY'
  /** an indicator needs attention */
  | 'WARNING'
  /** an indicator has failed */
  | 'CRITICAL';

/** A part of the system that can be unavailable during a request. */
export type Part =
  /** the embedding model */
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
  /** the language model that judges doubtful conflicts and shortens summaries */
  | 'CHAT';

/** Code of an error, in extensions.code. */
export type ErrorCode =
  /** the request is malformed, a value is out of range, or the idempotency key was used with other content */
  | 'INVALID_REQUEST'
  /** the write has no consent */
  | 'CONSENT_REQUIRED'
  /** the credentials are missing or not accepted */
  | 'UNAUTHENTICATED'
  /** the credentials or the consent do not allow it */
  | 'FORBIDDEN'
  /** the memory does not exist, or did not at the requested time */
  | 'MEMORY_NOT_FOUND'
  /** a near duplicate exists and the write has onDuplicate: REJECT */
  | 'DUPLICATE_MEMORY'
  /** the version is no longer the last one, another memory has the external id, or other changes came between */
  | 'VERSION_CONFLICT'
  /** a sleep is running */
  | 'SLEEP_RUNNING'
  /** the evidence does not reach the quorum */
  | 'QUORUM_UNMET'
  /** too many requests; extensions.retryAfter is the number of seconds to wait */
  | 'RATE_LIMITED'
  /** the request is larger, deeper or costlier than allowed */
  | 'LIMIT_EXCEEDED'
  /** stored data is corrupt; it is not returned */
  | 'INTEGRITY_FAILURE'
  /** temporarily unavailable; the same request may succeed later */
  | 'UNAVAILABLE'
  /** an internal error; extensions.id identifies the log entry */
  | 'INTERNAL';

/**
 * A point in recorded time, valid time or both. Intervals are half-open, [from, to): at a given time an interval that ends at it has
 * ended, and one that begins at it has begun.
 */
export type AsOf = {
  /** knowledge as of this time; omitted: as of now */
  recorded?: string | null | undefined;
  /** facts that were true in the world at this time; omitted: any time */
  valid?: string | null | undefined;
};

/** One memory to write. Rules fill in fields that are omitted or null. */
export type RememberInput = {
  /** the text, 1 byte to 32 KiB of UTF-8 (the limit is configurable up to 100 KiB) */
  content: string;
  /**
   * the permission under which it is written. If it is missing or null, the default of the namespace or the server applies; without one
   * the write fails with CONSENT_REQUIRED, not with a schema error
   */
  consent?: Consent | null | undefined;
  /** its type; omitted: derived from the content (with a time to live WORKING, a fact SEMANTIC, a rule PROCEDURAL, else EPISODIC) */
  type?: MemoryType | null | undefined;
  /** namespace inside the tenant: 1 to 128 of A-Z a-z 0-9 _ - . / : @, without a part between slashes that is empty, . or .. */
  namespace?: string | null | undefined;
  /** user it belongs to, at most 512 bytes; omitted: no particular user */
  user?: string | null | undefined;
  /** session it belongs to, at most 512 bytes */
  session?: string | null | undefined;
  /** project it belongs to, at most 512 bytes */
  project?: string | null | undefined;
  /** agent that writes it, at most 512 bytes */
  agent?: string | null | undefined;
  /** only the agent sees it, until share shows it to its user or to the team; needs an agent, and a credential of that agent or of a service */
  private?: boolean | null | undefined;
  /** subject of the statement, at most 512 bytes */
  subject?: string | null | undefined;
  /** predicate of the statement, at most 512 bytes */
  predicate?: string | null | undefined;
  /** object of the statement, at most 2,048 bytes */
  object?: string | null | undefined;
  /** kind of its origin */
  sourceKind?: SourceKind | null | undefined;
  /**
   * for sourceKind ASSISTANT, TOOL or EXTRACTION: id of the turn of the user, in the same session, that says this. It is then stored as said by the
   * USER, with at most the authority and consent of the turn, so that it may revise what the user said before. INVALID_REQUEST if the turn
   * does not say it
   */
  cites?: string | null | undefined;
  /** free-text reference to the origin, at most 1,024 bytes; on loopback it is the name of the principal */
  source?: string | null | undefined;
  /** trust in the origin, [0,1]; at most what the credentials grant; omitted: by sourceKind */
  authority?: number | null | undefined;
  /** salience S₀ in [0,1]; omitted: computed from the content */
  salience?: number | null | undefined;
  /** surprise Δ in [0,1]; omitted: computed from existing memories */
  surprise?: number | null | undefined;
  /** confidence, [0,1]; omitted: 0.7; at most (1 + authority) / 2 while it has a single source */
  confidence?: number | null | undefined;
  /** importance, [0,1]; omitted: 0.5 */
  importance?: number | null | undefined;
  /** how harmful its loss would be, [0,1]; omitted: 0.5 */
  criticality?: number | null | undefined;
  /** names of entities it mentions, at most 256, in addition to those found in the content */
  entities?: Array<string> | null | undefined;
  /** tags, at most 64, each 1 to 512 bytes */
  tags?: Array<string> | null | undefined;
  /** arbitrary data of the caller, at most 16 KiB of JSON */
  meta?: unknown;
  /** decay class; omitted: by type */
  decayClass?: DecayClass | null | undefined;
  /**
   * its own decay constant k per day, above 0, at most 1,000: retention = e^(−k·days since the last use). It takes precedence over
   * policies, and corrections keep it. Omitted: by its namespace's policy, else by decayClass
   */
  decayK?: number | null | undefined;
  /** priority of a working memory */
  priority?: Priority | null | undefined;
  /** time to live in seconds, at least 1; the type defaults to WORKING */
  ttlSeconds?: number | null | undefined;
  /** true in the world from this time; omitted: occurredAt, else now */
  validFrom?: string | null | undefined;
  /** true in the world until this time, exclusive; omitted: still true */
  validTo?: string | null | undefined;
  /** when it happened: sets validFrom and the event time; recordedAt, ageing and decay use the server's clock */
  occurredAt?: string | null | undefined;
  /** marked as important by the user: it fades half as fast */
  important?: boolean | null | undefined;
  /** pinned: it is in every prompt context of its user (at most 1,500 tokens for each user, else LIMIT_EXCEEDED) */
  core?: boolean | null | undefined;
  /** never fades and is never archived */
  safetyCritical?: boolean | null | undefined;
  /** when a procedure applies, at most 2,048 bytes; only for type PROCEDURAL, which it makes the default */
  trigger?: string | null | undefined;
  /** steps of a procedure, in order, at most 64 of 2,048 bytes each; only for type PROCEDURAL, which they make the default */
  steps?: Array<string> | null | undefined;
  /** memories from which a procedure was learned, at most 64; only for type PROCEDURAL, which they make the default */
  learnedFrom?: Array<string> | null | undefined;
  /** sensitivity; omitted: INTERNAL */
  sensitivity?: Sensitivity | null | undefined;
  /** what to do with a near duplicate */
  onDuplicate?: OnDuplicate | null | undefined;
  /** idempotency key, at most 256 bytes: a repeated key writes one memory; with other content it fails with INVALID_REQUEST */
  idempotencyKey?: string | null | undefined;
  /**
   * the caller's own name of the memory, 1 to 512 bytes, for memoryByExternalId. It is unique among the memories of its namespace that the
   * caller sees: a repeated one with the same content writes nothing and returns the memory (replayed), with other content it fails with
   * VERSION_CONFLICT, for supersede makes the next version. A memory with one is never merged into a near duplicate by onDuplicate:
   * REINFORCE
   */
  externalId?: string | null | undefined;
};

/** What became of a cluster in a sleep. */
export type ClusterChange =
  /** it is new */
  | 'BORN'
  /** others merged into it */
  | 'MERGED'
  /** it was split off another one */
  | 'SPLIT'
  /** its members no longer belong together */
  | 'DIED';

/** Kind of a pattern. */
export type PatternKind =
  /** steps that are done in one order */
  | 'WORKFLOW'
  /** what somebody prefers, likes or avoids */
  | 'PREFERENCE'
  /** what must be, must not be, or is limited */
  | 'CONSTRAINT'
  /** a condition under which something fails */
  | 'FAILURE_SIGNATURE';

/** What became of a pattern. */
export type PatternStatus =
  /** it holds */
  | 'CURRENT'
  /** it holds, and contradicts another one, at least one of them safety-critical: a person decides, see resolvePattern */
  | 'CONTESTED'
  /** a later version replaced it */
  | 'SUPERSEDED'
  /** it was withdrawn, rolled back or expired, or it lost a conflict */
  | 'ENDED';

/**
 * Weights that replace those of the mode. Each is at least 0, not all are 0; null keeps the weight of the mode. They are normalised
 * to sum 1.
 */
export type WeightsInput = {
  /** semantic similarity */
  semantic?: number | null | undefined;
  /** keyword match */
  keyword?: number | null | undefined;
  /** recency of use or event */
  recency?: number | null | undefined;
  /** importance */
  importance?: number | null | undefined;
  /** same project */
  project?: number | null | undefined;
  /** shared entities */
  entity?: number | null | undefined;
  /** whether an active task refers to it */
  task?: number | null | undefined;
};

/** A search. null means the same as omitted. */
export type SearchInput = {
  /** the query, at most 8 KiB; may be empty with mode MANAGER */
  query?: string | null | undefined;
  /** number of hits, 1 to 100 */
  topK?: number | null | undefined;
  /** initial weights */
  mode?: SearchMode | null | undefined;
  /** effort */
  effort?: Effort | null | undefined;
  /** how the channels are combined */
  fusion?: Fusion | null | undefined;
  /** namespaces to search; null, omitted or empty: all that the credentials grant */
  namespaces?: Array<string> | null | undefined;
  /** memories of this user and of nobody */
  user?: string | null | undefined;
  /** only memories of this project */
  project?: string | null | undefined;
  /** only memories of this session */
  session?: string | null | undefined;
  /** types, any of these; null, omitted or empty: all */
  types?: Array<MemoryType> | null | undefined;
  /** tags, all of these. Memories with the tag _stored, which clients store only to read them back, are found only if it is among them */
  tags?: Array<string> | null | undefined;
  /** statuses, any of these; null, omitted or empty: ACTIVE, or active at the time of asOf */
  statuses?: Array<MemoryStatus> | null | undefined;
  /** event time at or after */
  since?: string | null | undefined;
  /** event time at or before */
  until?: string | null | undefined;
  /** read as of a point in time */
  asOf?: AsOf | null | undefined;
  /** exclude memories with consent NONE, and with IMPLICIT unless includeImplicit is set */
  requireConsent?: boolean | null | undefined;
  /** with requireConsent: include IMPLICIT */
  includeImplicit?: boolean | null | undefined;
  /** minimum authority, [0,1] */
  minAuthority?: number | null | undefined;
  /** minimum importance, [0,1] */
  minImportance?: number | null | undefined;
  /** maximum steps of the graph channel, 0 to 6; 0 turns it off */
  hops?: number | null | undefined;
  /** weights for this search */
  weights?: WeightsInput | null | undefined;
  /**
   * whether hits can count as used. A use makes a memory fade more slowly, and it may become permanent. false is right for whatever is no
   * question of a user: tests, health probes, dashboards, previews
   */
  track?: boolean | null | undefined;
  /**
   * session in which this is asked, to count uses; it filters nothing. If a turn of the session was observed, or a conversation of the
   * same user within the last 7 days, hits count as used when the next observed answer says something of them; else the best hits
   * count, in this session
   */
  askedIn?: string | null | undefined;
  /** leave out hits whose relevance is below this share of the best hit's, and all hits below an absolute floor; 0 turns both off; omitted: 0.5 in mode ANSWER, else 0 */
  minScoreRatio?: number | null | undefined;
  /** order of the hits */
  order?: SearchOrder | null | undefined;
  /** which tiers answer; CLUSTERS_ONLY is refused with asOf, because clusters are those of the present */
  tierPreference?: TierPreference | null | undefined;
};

/** A correction of a belief. */
export type SupersedeInput = {
  /** id of the last version of the chain; an earlier version fails with VERSION_CONFLICT */
  id: string;
  /** the new text, 1 byte to 32 KiB */
  content: string;
  /** reason, at most 2,048 bytes */
  reason?: string | null | undefined;
  /** true in the world from this time; omitted: now */
  validFrom?: string | null | undefined;
  /** free-text reference to the origin, at most 1,024 bytes */
  source?: string | null | undefined;
  /** trust in the origin, [0,1]; below that of the belief it fails with FORBIDDEN */
  authority?: number | null | undefined;
  /** idempotency key, at most 256 bytes: a repeated key makes one correction */
  idempotencyKey?: string | null | undefined;
  /** external id of the new version, 1 to 512 bytes; omitted: that of the previous version. VERSION_CONFLICT if another chain of the namespace has it */
  externalId?: string | null | undefined;
  /** tags that replace those of the previous version, at most 64; omitted: they stay */
  tags?: Array<string> | null | undefined;
  /** value that replaces that of the previous version, at most 16 KiB of JSON; omitted: it stays */
  meta?: unknown;
};

/** Input of a prompt context. */
export type ContextInput = {
  /** session of the prompt, 1 to 512 bytes */
  session: string;
  /** memories of this user and of nobody; standing rules of nobody if omitted */
  user?: string | null | undefined;
  /** current project */
  project?: string | null | undefined;
  /** query; omitted: the last turns of the session */
  query?: string | null | undefined;
  /** namespaces to read; null, omitted or empty: all that the credentials grant */
  namespaces?: Array<string> | null | undefined;
  /** format */
  format?: ContextFormat | null | undefined;
  /**
   * maximum of totalTokens; omitted: 4,400; another total scales the layers. Of a very small one, the last turns and then the pinned
   * memories are left out too; INVALID_REQUEST if not even an empty document fits
   */
  tokenBudget?: number | null | undefined;
  /** read as of a point in time */
  asOf?: AsOf | null | undefined;
  /** exclude memories with consent NONE, and with IMPLICIT unless includeImplicit is set */
  requireConsent?: boolean | null | undefined;
  /** with requireConsent: include IMPLICIT */
  includeImplicit?: boolean | null | undefined;
  /**
   * whether what is shown can count as used when the next answer says something of it, and is recorded in the session. false is right for
   * previews, tests and health probes
   */
  track?: boolean | null | undefined;
  /** minScoreRatio of the search for matching memories and documents; omitted: 0.6 */
  minScoreRatio?: number | null | undefined;
  /** true: print both of two memories that contradict each other; false: only the one that prevails, as a rule the later */
  rivals?: boolean | null | undefined;
  /** true: items says for each memory why it is there, or why it was left out */
  explain?: boolean | null | undefined;
};

/** Options of a sleep. */
export type SleepInput = {
  /** maximum number of memories to process, at least 1; omitted: all */
  maxItems?: number | null | undefined;
  /** maximum duration in seconds, at least 1; omitted: no limit */
  maxSeconds?: number | null | undefined;
  /** false: a light sleep over recent memories */
  deep?: boolean | null | undefined;
  /** true: change nothing; the report lists what would be done */
  dryRun?: boolean | null | undefined;
  /** true: wait until the sleep ends; false: return the running report at once */
  wait?: boolean | null | undefined;
};

/** Resolution of a conflict. */
export type ResolveConflictInput = {
  /** id of one of the two memories */
  a: string;
  /** id of the other memory */
  b: string;
  /** id of the memory that stays and supersedes the other; null: both stay, and the conflict is dismissed */
  keep?: string | null | undefined;
  /** reason, at most 2,048 bytes */
  reason?: string | null | undefined;
};

/** Consent of a write that names none. EXPLICIT means that the person agreed, so it is no default. */
export type DefaultConsent =
  /** the default of the server (--default-consent) */
  | 'SERVER'
  /** none: the write fails with CONSENT_REQUIRED */
  | 'STRICT'
  /** IMPLICIT */
  | 'IMPLICIT'
  /** NONE */
  | 'NONE';

/** Changes of a namespace's policy; null or omitted: unchanged. */
export type NamespacePolicyInput = {
  /** the namespace: 1 to 128 of A-Z a-z 0-9 _ - . / : @, without a part between slashes that is empty, . or .. */
  namespace?: string | null | undefined;
  /** reset to this preset, then apply the other fields */
  preset?: PolicyPreset | null | undefined;
  /** α: coefficient of salience in the plasticity score, 0.5 to 2 */
  alpha?: number | null | undefined;
  /** β: coefficient of usage, 0.1 to 0.5 */
  beta?: number | null | undefined;
  /** γ: coefficient of authority, 0.3 to 1 */
  gamma?: number | null | undefined;
  /** λ: coefficient of conflict, which is subtracted, 0.5 to 1.5 */
  lambda?: number | null | undefined;
  /** δ: coefficient of surprise, 0.2 to 0.8 */
  delta?: number | null | undefined;
  /** weighted evidence that the gate requires, 0.5 to 1 */
  quorum?: number | null | undefined;
  /** score above which a memory moves from L1 to L2, 0.5 to 4 */
  promoteAt?: number | null | undefined;
  /** distinct UTC days of use required for engraving, 5 to 3,650 */
  engraveDays?: number | null | undefined;
  /** confidence required for engraving, 0.85 to 1 */
  engraveConfidence?: number | null | undefined;
  /** upper limit of the conflict for engraving, exclusive; above 0, at most 0.2 */
  engraveConflict?: number | null | undefined;
  /** all decay constants; omitted classes are removed */
  decayK?: DecayConstantsInput | null | undefined;
  /** the weakest consent that a write may have */
  minConsent?: Consent | null | undefined;
  /** consent of a write that names none, not weaker than minConsent */
  defaultConsent?: DefaultConsent | null | undefined;
  /** all times to live by sensitivity; omitted ones are removed */
  ttlSeconds?: SensitivityTimesInput | null | undefined;
  /** whether later statements revise earlier ones by themselves */
  revision?: RevisionMode | null | undefined;
  /** all predicates with one value at a time, such as sponsor or "banks with", at most 100 of 512 bytes; an empty list removes them */
  singleValued?: Array<string> | null | undefined;
};

/** Decay constants k per day by decay class, each above 0, at most 1,000; null or omitted: the half-life of the class applies. */
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

/**
 * Memories to erase. Selectors are combined with AND; without a selector it fails with INVALID_REQUEST; tenant: true alone means
 * everything.
 */
export type ForgetInput = {
  /** these memories, at most 1,000, and those derived from them */
  ids?: Array<string> | null | undefined;
  /** all memories of this user */
  user?: string | null | undefined;
  /** all memories about this subject */
  subject?: string | null | undefined;
  /** all memories that mention this entity, whoever they belong to: its id, or its name, which may name one entity in each namespace */
  entity?: string | null | undefined;
  /** all memories of this namespace */
  namespace?: string | null | undefined;
  /** everything of the tenant */
  tenant?: boolean | null | undefined;
  /** true: erase nothing; the receipt tells what would be erased and is not stored */
  dryRun?: boolean | null | undefined;
  /** idempotency key, at most 256 bytes: a repeated key makes one erasure */
  idempotencyKey?: string | null | undefined;
};

/** A part of the server that holds memories. */
export type ErasureStore =
  /** the store */
  | 'STORE'
  /** the indexes for searching */
  | 'INDEX'
  /** the archive of permanent memories */
  | 'RECESS'
  /** the record of erasures outside the data directory, which keeps older copies from bringing them back */
  | 'LEDGER'
  /** the saved positions on the explorer's map */
  | 'MAP'
  /** the indexes, archives and maps of other servers of the same store */
  | 'REPLICAS'
  /** backups of the store */
  | 'BACKUPS'
  /** exports that were being sent when it was erased */
  | 'EXPORTS';

/** State of an erasure in one part of the server. */
export type ErasureStatus =
  /** it is not done there; the receipt is PENDING */
  | 'PENDING'
  /** nothing of it is left there */
  | 'COMPLETE'
  /**
   * Copies from before may be left there, which nothing answers with and no restore brings back. Backups become COMPLETE when the last
   * full export before the erasure, and the one that was begun, are removed (backup.keep); other servers remove it when they have read that far
   */
  | 'BEYOND_USE'
  /** the server has no such part */
  | 'NONE';

/** Kind of a change of a memory. */
export type MemoryEventKind =
  /** it was created */
  | 'CREATED'
  /** a field changed */
  | 'UPDATED'
  /** it was reinforced */
  | 'REINFORCED'
  /** it moved from L1 to L2 */
  | 'PROMOTED'
  /** a newer version replaced it */
  | 'SUPERSEDED'
  /** it was merged into another memory */
  | 'CONSOLIDATED'
  /** it was archived */
  | 'ARCHIVED'
  /** its time to live ended, or it was dismissed */
  | 'EXPIRED'
  /** it moved from L2 to L3 */
  | 'ENGRAVED'
  /** it was erased */
  | 'FORGOTTEN'
  /** the subscriber was too slow and events were dropped; subscribe again with after set to this event's cursor to get them */
  | 'LAGGED';

/** How bad an alarm is. */
export type AlarmSeverity =
  /** for information */
  | 'INFO'
  /** somebody should look at it */
  | 'WARNING'
  /** somebody must act */
  | 'CRITICAL';

/** State of a circuit breaker. */
export type BreakerState =
  /** calls pass */
  | 'CLOSED'
  /** calls are refused */
  | 'OPEN'
  /** one call is under way that decides */
  | 'HALF_OPEN';

/** Kind of an edge between two memories. */
export type EdgeKind =
  /** from a version to the one it replaced */
  | 'SUPERSEDES'
  /** from a derived memory to a source */
  | 'DERIVED_FROM'
  /** from a memory to the one into which it was merged */
  | 'CONSOLIDATED_INTO'
  /** from evidence to the belief it supports */
  | 'EVIDENCE_FOR'
  /** from the later of two conflicting memories to the earlier; the weight is the conflict */
  | 'CONTRADICTS'
  /** both belong to the same session; computed on read */
  | 'SAME_SESSION'
  /** to the next memory in the session; computed on read */
  | 'TEMPORAL_SEQ'
  /** both mention the same entities; the weight is the Jaccard index; computed on read */
  | 'ENTITY_OVERLAP'
  /**
   * the first mentions the source of a relation between entities and the second its target; the weight is the confidence of the
   * relation; computed on read, only if predicates are given
   */
  | 'RELATION';

/** A right that a credential grants. */
export type Scope =
  /** read what the credential sees */
  | 'MEMORY_READ'
  /** write what belongs to the credential's user */
  | 'MEMORY_WRITE'
  /** write what belongs to nobody, which every user of the tenant sees */
  | 'MEMORY_SHARE'
  /** expire, update, pin, resolve and confirm, up to the credential's authority */
  | 'MEMORY_CURATE'
  /** what concerns other users or the whole tenant: policies, sleep, export, import, withdrawal, erasure; includes MEMORY_SHARE and MEMORY_CURATE */
  | 'MEMORY_ADMIN'
  /** read the audit */
  | 'AUDIT_READ'
  /** API keys and tenants */
  | 'SERVER_ADMIN';

export type MemorySummaryFragment = { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null };

export type LabelsQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type LabelsQuery = { memory: { id: string, content: string | null, summary: string | null, unavailable: { code: ErrorCode, message: string } | null } | null };

export type DetailQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type DetailQuery = { memory: { tier: Tier, namespace: string, user: string | null, session: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, salience: number, usage: number, usageDays: number, authority: number, conflict: number, surprise: number, confidence: number, importance: number, criticality: number, retention: number, decayClass: DecayClass, core: boolean, checksum: string | null, chunkIndex: number | null, createdAt: string, updatedAt: string, lastAccessedAt: string, occurredAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, entities: Array<{ id: string, name: string, type: EntityType, mentionCount: number }>, supersedes: { id: string, version: number } | null, supersededBy: { id: string, version: number } | null, derivedFrom: Array<{ id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null }>, consolidatedInto: { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } | null, pattern: { id: string } | null, unavailable: { code: ErrorCode, message: string } | null } | null, lineage: Array<{ version: number, checksum: string | null, reason: string | null, recordedAt: string, supersededAt: string | null, memory: { id: string, content: string | null, status: MemoryStatus, source: string | null, sourceKind: SourceKind, unavailable: { code: ErrorCode, message: string } | null } }> | null };

export type SearchQueryVariables = Exact<{
  input: SearchInput;
}>;


export type SearchQuery = { search: { latencyMs: number, noMatch: boolean, unsure: boolean, consideredCount: number, semanticCandidates: number, keywordCandidates: number, graphCandidates: number, degraded: Array<Part>, weights: { semantic: number, keyword: number, recency: number, importance: number, project: number, entity: number, task: number }, hits: Array<{ score: number, label: HitLabel, parts: { semantic: number, keyword: number, recency: number, importance: number, project: number, entity: number, task: number }, memory: { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }> } | null };

export type ChangesSubscriptionVariables = Exact<{
  after: string;
  map: string;
}>;


export type ChangesSubscription = { vizChanges: { part: string | null } };

export type EventsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type EventsSubscription = { memoryEvents: { cursor: string, kind: MemoryEventKind, id: string | null, at: string } };

export type ReportFragment = { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } };

export type SleepReportsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type SleepReportsQuery = { sleepReports: { nodes: Array<{ id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SleepReportQueryVariables = Exact<{
  id: string;
}>;


export type SleepReportQuery = { sleepReport: { skipped: Array<string>, review: Array<string>, doubts: Array<string>, id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } | null };

export type SleepStepsQueryVariables = Exact<{
  id: string;
}>;


export type SleepStepsQuery = { sleepReport: { id: string, steps: Array<{ phase: SleepPhase, verb: StepVerb, from: Array<string>, to: string | null }> } | null };

export type SleepStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type SleepStatusQuery = { sleepStatus: { phase: SleepPhase | null, done: number, total: number, interrupted: boolean, nextScheduled: string | null, activeL1: number, pressureAt: number, running: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } | null, last: { id: string, completedAt: string | null } | null } | null };

export type SleepMutationVariables = Exact<{
  input: SleepInput;
}>;


export type SleepMutation = { sleep: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } } | null };

export type RollbackMutationVariables = Exact<{
  id: string;
}>;


export type RollbackMutation = { rollback: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } | null } | null };

export type ProgressSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ProgressSubscription = { sleepProgress: { reportId: string, phase: SleepPhase, done: number, total: number, steps: Array<{ phase: SleepPhase, verb: StepVerb, from: Array<string>, to: string | null }> } };

export type MorningReportsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type MorningReportsSubscription = { sleepReports: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } };

export type PlasticityQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type PlasticityQuery = { memory: { id: string, score: number, promotesAt: number | null, engraveGates: { days: number, neededDays: number, confidence: number, neededConfidence: number, conflict: number, maxConflict: number, open: boolean } | null } | null };

export type DecisionsQueryVariables = Exact<{
  memory: string;
}>;


export type DecisionsQuery = { reconsolidations: { nodes: Array<{ id: string, at: string, memoryIds: Array<string>, erased: boolean, decision: GateDecision | null, fact: string | null, quorum: number | null, required: number | null, conflict: number | null, similarity: number | null, evidence: Array<{ source: string, weight: number, confidence: number }> }> } | null };

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


export type ConflictsQuery = { conflicts: Array<{ score: number, at: string, later: { authority: number, confidence: number, sourceKind: SourceKind, source: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, pattern: { id: string } | null, unavailable: { code: ErrorCode, message: string } | null }, earlier: { authority: number, confidence: number, sourceKind: SourceKind, source: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, pattern: { id: string } | null, unavailable: { code: ErrorCode, message: string } | null } }> | null };

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

export type EntityFieldsFragment = { id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null };

export type RelationsQueryVariables = Exact<{
  entity: string;
  asOf?: AsOf | null | undefined;
  after?: string | null | undefined;
}>;


export type RelationsQuery = { relations: { nodes: Array<{ id: string, predicate: string, strength: number, weight: number, confidence: number, validFrom: string, validTo: string | null, source: { id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null } | null, target: { id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type EntityRelationsQueryVariables = Exact<{
  entity?: string | null | undefined;
  namespaces?: Array<string> | string | null | undefined;
  asOf?: AsOf | null | undefined;
  after?: string | null | undefined;
}>;


export type EntityRelationsQuery = { relations: { nodes: Array<{ predicate: string, strength: number, source: { id: string, name: string, type: EntityType, mentionCount: number } | null, target: { id: string, name: string, type: EntityType, mentionCount: number } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type EntityMembersQueryVariables = Exact<{
  entity: string;
}>;


export type EntityMembersQuery = { memories: { nodes: Array<{ id: string }> } | null };

export type MentionsQueryVariables = Exact<{
  entity: string;
  asOf?: AsOf | null | undefined;
  after?: string | null | undefined;
}>;


export type MentionsQuery = { memories: { nodes: Array<{ id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, entities: Array<{ id: string, name: string, type: EntityType, namespace: string, user: string | null, mentionCount: number, firstSeen: string, lastSeen: string | null }>, unavailable: { code: ErrorCode, message: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ClaimFieldsFragment = { id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, corrected: boolean, confirmed: boolean, withdrawn: boolean, revisedBy: string | null, contestedBy: Array<{ id: string, content: string | null }>, memory: { namespace: string, user: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } };

export type FactsQueryVariables = Exact<{
  subject: string;
  namespaces?: Array<string> | string | null | undefined;
  asOf?: AsOf | null | undefined;
  first: number;
  offset: number;
}>;


export type FactsQuery = { facts: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, corrected: boolean, confirmed: boolean, withdrawn: boolean, revisedBy: string | null, contestedBy: Array<{ id: string, content: string | null }>, memory: { namespace: string, user: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }> | null };

export type KnownQueryVariables = Exact<{
  user: string;
  namespaces?: Array<string> | string | null | undefined;
  asOf?: AsOf | null | undefined;
  first: number;
  offset: number;
}>;


export type KnownQuery = { known: { total: number, lines: Array<{ claim: { id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, corrected: boolean, confirmed: boolean, withdrawn: boolean, revisedBy: string | null, contestedBy: Array<{ id: string, content: string | null }>, memory: { namespace: string, user: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null, memory: { namespace: string, user: string | null, retention: number, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, pattern: { id: string } | null, unavailable: { code: ErrorCode, message: string } | null } }> } | null };

export type ConfirmClaimMutationVariables = Exact<{
  id: string;
}>;


export type ConfirmClaimMutation = { confirmClaim: { id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, corrected: boolean, confirmed: boolean, withdrawn: boolean, revisedBy: string | null, contestedBy: Array<{ id: string, content: string | null }>, memory: { namespace: string, user: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type CorrectClaimMutationVariables = Exact<{
  id: string;
  subject?: string | null | undefined;
  predicate?: string | null | undefined;
  object?: string | null | undefined;
  wrong?: boolean | null | undefined;
}>;


export type CorrectClaimMutation = { correctClaim: { id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, corrected: boolean, confirmed: boolean, withdrawn: boolean, revisedBy: string | null, contestedBy: Array<{ id: string, content: string | null }>, memory: { namespace: string, user: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type SupersedeMemoryMutationVariables = Exact<{
  input: SupersedeInput;
}>;


export type SupersedeMemoryMutation = { supersede: { memory: { id: string } } | null };

export type RememberMutationVariables = Exact<{
  input: RememberInput;
}>;


export type RememberMutation = { remember: { duplicateOf: string | null, replayed: boolean, conflictsWith: Array<string>, memory: { id: string } | null, revised: Array<{ id: string, content: string | null }> } | null };

export type MarksQueryVariables = Exact<{
  id: string;
}>;


export type MarksQuery = { memory: { tags: Array<string>, core: boolean } | null };

export type SetTagsMutationVariables = Exact<{
  id: string;
  tags: Array<string> | string;
}>;


export type SetTagsMutation = { update: { id: string } | null };

export type PinMutationVariables = Exact<{
  id: string;
}>;


export type PinMutation = { pin: { id: string, core: boolean } | null };

export type UnpinMutationVariables = Exact<{
  id: string;
}>;


export type UnpinMutation = { unpin: { id: string, core: boolean } | null };

export type UndoRevisionMutationVariables = Exact<{
  id: string;
}>;


export type UndoRevisionMutation = { undoRevision: Array<{ id: string, status: MemoryStatus }> | null };

export type ForgetMutationVariables = Exact<{
  ids: Array<string> | string;
  dryRun: boolean;
}>;


export type ForgetMutation = { forget: { receipt: { id: string, status: DeletionStatus, count: number, anonymised: number, hash: string, ids: Array<string>, safetyCriticalLost: Array<string> | null } } | null };

export type ConflictSideQueryVariables = Exact<{
  id: string;
}>;


export type ConflictSideQuery = { memory: { authority: number, confidence: number, sourceKind: SourceKind, source: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, pattern: { id: string } | null, unavailable: { code: ErrorCode, message: string } | null } | null };

export type FeedbackOnMutationVariables = Exact<{
  query: string;
  id: string;
  outcome: FeedbackOutcome;
}>;


export type FeedbackOnMutation = { feedback: { id: string } | null };

export type ForgetAllMutationVariables = Exact<{
  input: ForgetInput;
}>;


export type ForgetAllMutation = { forget: { receipt: { id: string, status: DeletionStatus, count: number, anonymised: number, hash: string, ids: Array<string>, safetyCriticalLost: Array<string> | null, mentions: number | null } } | null };

export type ForgetMemoryMutationVariables = Exact<{
  id: string;
  dryRun: boolean;
}>;


export type ForgetMemoryMutation = { forget: { receipt: { id: string, count: number, anonymised: number, hash: string } } | null };

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


export type TasksQuery = { tasks: { nodes: Array<{ status: TaskStatus, confidence: number, strength: number, blocks: string | null, blockedBy: Array<string>, due: string | null, endedAt: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TaskFieldsFragment = { status: TaskStatus, confidence: number, strength: number, blocks: string | null, blockedBy: Array<string>, due: string | null, endedAt: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } };

export type ConfirmTaskMutationVariables = Exact<{
  id: string;
}>;


export type ConfirmTaskMutation = { confirmTask: { status: TaskStatus, confidence: number, strength: number, blocks: string | null, blockedBy: Array<string>, due: string | null, endedAt: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type CompleteTaskMutationVariables = Exact<{
  id: string;
}>;


export type CompleteTaskMutation = { completeTask: { status: TaskStatus, confidence: number, strength: number, blocks: string | null, blockedBy: Array<string>, due: string | null, endedAt: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type DismissTaskMutationVariables = Exact<{
  id: string;
}>;


export type DismissTaskMutation = { dismissTask: { status: TaskStatus, confidence: number, strength: number, blocks: string | null, blockedBy: Array<string>, due: string | null, endedAt: string | null, turn: string | null, memory: { session: string | null, priority: Priority | null, expiresAt: string | null, id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } } | null };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { health: { score: number, attainable: number, status: HealthStatus, reason: string, indicator: string | null, memories: number, engrams: number, entities: number, checksumFailures: number, details: unknown, refreshedAt: string | null, indicators: Array<{ name: string, title: string, subject: string | null, unit: string, value: number, status: HealthStatus, higherIsBetter: boolean, warning: number, critical: number, at: string, history: Array<{ at: string, value: number }> }> } | null };

export type AlarmsQueryVariables = Exact<{ [key: string]: never; }>;


export type AlarmsQuery = { alarms: Array<{ id: string, indicator: string, subject: string | null, severity: AlarmSeverity, message: string, action: string | null, advice: string, byHand: boolean, since: string, until: string | null, endedBy: string | null }> | null };

export type ResetAlarmMutationVariables = Exact<{
  id: string;
}>;


export type ResetAlarmMutation = { resetAlarm: { id: string } | null };

export type DeadLettersQueryVariables = Exact<{ [key: string]: never; }>;


export type DeadLettersQuery = { deadLetters: { nodes: Array<{ memoryId: string, namespace: string, work: DeadLetterWork, state: DeadLetterState, attempts: number, lastAt: string, reason: string }>, pageInfo: { hasNextPage: boolean } } | null };

export type RetryDeadLetterMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type RetryDeadLetterMutation = { retryDeadLetter: { settled: Array<string> } | null };

export type DiscardDeadLetterMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type DiscardDeadLetterMutation = { discardDeadLetter: Array<string> | null };

export type ResetBreakerMutationVariables = Exact<{
  name: string;
}>;


export type ResetBreakerMutation = { resetBreaker: { name: string, state: BreakerState } | null };

export type PerformanceQueryVariables = Exact<{ [key: string]: never; }>;


export type PerformanceQuery = { performance: Array<{ name: string, count: number, p50Ms: number, p95Ms: number, p99Ms: number, maxMs: number }> | null };

export type GateDecisionsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type GateDecisionsQuery = { reconsolidations: { nodes: Array<{ id: string, at: string, namespace: string, memoryIds: Array<string>, erased: boolean, decision: GateDecision | null, fact: string | null, subject: string | null, quorum: number | null, required: number | null, conflict: number | null, similarity: number | null, evidence: Array<{ source: string, weight: number, confidence: number }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ReceiptQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ReceiptQuery = { deletionReceipt: { id: string, status: DeletionStatus, count: number, anonymised: number, hash: string, requestedAt: string, completedAt: string | null, ids: Array<string>, stores: Array<{ store: ErasureStore, status: ErasureStatus, at: string | null }> } | null };

export type WhoamiQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoamiQuery = { whoami: { tenant: string, name: string, user: string | null, namespaces: Array<string>, grant: number, admin: boolean, scopes: Array<Scope> } | null };

export type DryRunMutationVariables = Exact<{
  input: SleepInput;
}>;


export type DryRunMutation = { sleep: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, sparsified: number, tokensSaved: number, promotionRate: number, budgetKept: boolean, cutOff: SleepPhase | null, clustersLeft: number, rolledBackAt: string | null, healthBefore: number, healthAfter: number | null, steps: Array<{ phase: SleepPhase, verb: StepVerb, from: Array<string>, to: string | null, reason: string | null }>, phases: Array<{ phase: SleepPhase, items: number, seconds: number }>, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } } | null };

export type DocumentsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type DocumentsQuery = { documents: { nodes: Array<{ id: string, path: string, title: string | null, mediaType: string, status: DocumentStatus, version: number, chunks: number, ingestedAt: string, namespace: string, user: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DocumentPartQueryVariables = Exact<{
  id: string;
  from: number;
  first: number;
}>;


export type DocumentPartQuery = { document: { id: string, chunks: number, memories: Array<{ id: string, content: string | null, chunkIndex: number | null, headings: Array<string> }> } | null };

export type ChunkPlaceQueryVariables = Exact<{
  id: string;
}>;


export type ChunkPlaceQuery = { memory: { id: string, chunkIndex: number | null, headings: Array<string>, line: number | null, document: { id: string, path: string, title: string | null, version: number, chunks: number } | null } | null };

export type AuditQueryVariables = Exact<{
  after?: string | null | undefined;
  oldestFirst?: boolean | null | undefined;
}>;


export type AuditQuery = { audit: { nodes: Array<{ seq: string, at: string, principal: string, verb: string, outcome: string, ids: Array<string>, more: number, decision: string | null, count: number, milliseconds: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ErasuresQueryVariables = Exact<{ [key: string]: never; }>;


export type ErasuresQuery = { audit: { nodes: Array<{ at: string, principal: string, outcome: string, more: number, count: number, ids: Array<string> }> } | null };

export type ReceiptsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ReceiptsQuery = { deletionReceipts: { nodes: Array<{ id: string, status: DeletionStatus, count: number, requestedAt: string, completedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AuditCheckQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditCheckQuery = { auditCheck: { intact: boolean, chains: Array<{ chain: string, rows: number, first: string, last: string, waiting: number, roots: number, keys: boolean, problems: Array<{ seq: string, what: string }> }> } | null };

export type ReceiptProofQueryVariables = Exact<{
  id: string;
}>;


export type ReceiptProofQuery = { proofKey: string | null, deletionReceipt: { proof: string | null } | null };

export type ClusterFieldsFragment = { id: string, label: string, namespace: string, user: string | null, size: number, density: number };

export type PatternFieldsFragment = { id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean };

export type ClustersQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type ClustersQuery = { clusters: { nodes: Array<{ id: string, label: string, namespace: string, user: string | null, size: number, density: number, terms: Array<{ text: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ClusterQueryVariables = Exact<{
  id: string;
}>;


export type ClusterQuery = { cluster: { summary: string | null, createdAt: string, updatedAt: string, id: string, label: string, namespace: string, user: string | null, size: number, density: number, terms: Array<{ text: string, weight: number, count: number }>, memberships: Array<{ strength: number, settled: boolean, memory: { id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null } }>, keyEntities: Array<{ id: string, name: string, type: EntityType, mentionCount: number }>, related: Array<{ similarity: number, cluster: { id: string, label: string, namespace: string, user: string | null, size: number, density: number } }>, patterns: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean }>, activity: Array<{ from: string, to: string, count: number }> } | null, clusterEvolution: { nodes: Array<{ id: string, at: string, change: ClusterChange, cluster: string, from: Array<string>, size: number }> } | null };

export type PatternsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  kinds?: Array<PatternKind> | PatternKind | null | undefined;
  after?: string | null | undefined;
}>;


export type PatternsQuery = { patterns: { nodes: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PatternConflictsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
}>;


export type PatternConflictsQuery = { patternConflicts: Array<{ id: string, since: string, waits: boolean, patterns: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean }> }> | null };

export type PatternConflictLogQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
}>;


export type PatternConflictLogQuery = { patternConflicts: Array<{ id: string, since: string, kept: string | null, resolvedAt: string | null, resolvedBy: string | null, note: string | null, patterns: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean }> }> | null };

export type PatternQueryVariables = Exact<{
  id: string;
}>;


export type PatternQuery = { pattern: { conditions: Array<string>, actions: Array<string>, heldOut: number, createdAt: string, validatedAt: string, id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean, memory: { id: string }, conflicts: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean }> } | null, patternLineage: { versions: Array<{ createdAt: string, id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, successRate: number | null, safetyCritical: boolean }>, clusters: Array<{ cluster: { id: string, label: string, namespace: string, user: string | null, size: number, density: number } | null, memories: Array<{ id: string, content: string | null, summary: string | null, type: MemoryType, status: MemoryStatus, version: number, recordedAt: string, supersededAt: string | null, project: string | null, unavailable: { code: ErrorCode, message: string } | null }> }> } | null };

export type ResolvePatternMutationVariables = Exact<{
  keep: string;
  end: string;
  note?: string | null | undefined;
}>;


export type ResolvePatternMutation = { resolvePattern: { id: string, status: PatternStatus } | null };
