// Generated from src/operations.graphql and ../../schema.graphqls by `npm run types`. Do not edit.

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

/** Speaker in a conversation. */
export type Role =
  /** the person */
  | 'USER'
  /** the agent */
  | 'ASSISTANT'
  /** a tool that the agent called */
  | 'TOOL'
  /** the instructions around the conversation */
  | 'SYSTEM';

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
  recorded?: string | Date | null | undefined;
  /** facts that were true in the world at this time; omitted: any time */
  valid?: string | Date | null | undefined;
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
  validFrom?: string | Date | null | undefined;
  /** true in the world until this time, exclusive; omitted: still true */
  validTo?: string | Date | null | undefined;
  /** when it happened: sets validFrom and the event time; recordedAt, ageing and decay use the server's clock */
  occurredAt?: string | Date | null | undefined;
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

/** A document to ingest. */
export type IngestInput = {
  /** its text, at least 1 byte of UTF-8; binary documents are uploaded by somnograph ingest or POST /documents */
  text: string;
  /** names it, 1 to 1,024 bytes: the same path with other content is its next version */
  path: string;
  /** how the text is read. If it is missing or null, the ending of the path decides; if that says nothing, missing means text/markdown */
  mediaType?: string | null | undefined;
  /**
   * the permission under which its chunks are written. If it is missing or null, the default of the namespace or the server applies; without
   * one the ingest fails with CONSENT_REQUIRED
   */
  consent?: Consent | null | undefined;
  /** namespace inside the tenant */
  namespace?: string | null | undefined;
  /** user it belongs to, at most 512 bytes; omitted: no particular user */
  user?: string | null | undefined;
  /** agent that ingests it, at most 512 bytes */
  agent?: string | null | undefined;
  /** only the agent sees the document and its chunks; needs an agent, and a credential of that agent or of a service */
  private?: boolean | null | undefined;
  /** project it belongs to, at most 512 bytes */
  project?: string | null | undefined;
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
  since?: string | Date | null | undefined;
  /** event time at or before */
  until?: string | Date | null | undefined;
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
  validFrom?: string | Date | null | undefined;
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

/** One piece of evidence. */
export type EvidenceInput = {
  /** name of an authenticated principal; other names count as the caller */
  source: string;
  /** weight, [0,1]; at most the authority grant of that principal */
  weight: number;
  /** confidence, [0,1] */
  confidence: number;
};

/** A fact with evidence that may change a belief. */
export type AdjudicateInput = {
  /** the fact, 1 byte to 32 KiB */
  fact: string;
  /** subject of the fact, at most 512 bytes */
  subject: string;
  /** namespace inside the tenant: 1 to 128 of A-Z a-z 0-9 _ - . / : @, without a part between slashes that is empty, . or .. */
  namespace?: string | null | undefined;
  /**
   * the permission under which it is written. If it is missing or null, the default of the namespace or the server applies; without one
   * the write fails with CONSENT_REQUIRED
   */
  consent?: Consent | null | undefined;
  /** at most 10 items; of each principal only the best counts */
  evidence: Array<EvidenceInput>;
  /** idempotency key, at most 256 bytes: a repeated key makes one decision */
  idempotencyKey?: string | null | undefined;
  /** whose belief; null: the user of the credentials, or anybody */
  user?: string | null | undefined;
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

/** One turn of a conversation. */
export type ObserveInput = {
  /** session it belongs to, 1 to 512 bytes */
  session: string;
  /** the speaker */
  role: Role;
  /** the text, 1 byte to 32 KiB */
  text: string;
  /**
   * the permission under which it is written. If it is missing or null, the default of the namespace or the server applies; without one
   * the write fails with CONSENT_REQUIRED
   */
  consent?: Consent | null | undefined;
  /** namespace inside the tenant: 1 to 128 of A-Z a-z 0-9 _ - . / : @, without a part between slashes that is empty, . or .. */
  namespace?: string | null | undefined;
  /** user of the conversation, at most 512 bytes */
  user?: string | null | undefined;
  /** agent that takes part, at most 512 bytes */
  agent?: string | null | undefined;
  /** only the agent sees the turn and what is found in it, such as tasks; needs an agent, and a credential of that agent or of a service */
  private?: boolean | null | undefined;
  /** project it belongs to, at most 512 bytes */
  project?: string | null | undefined;
  /** when it was said; omitted: now */
  occurredAt?: string | Date | null | undefined;
  /** idempotency key, at most 256 bytes: a repeated key writes one turn */
  idempotencyKey?: string | null | undefined;
  /** calls of tools that the turn made, at most 64 with 64 KiB; for the roles ASSISTANT and TOOL */
  toolCalls?: Array<ToolCallInput> | null | undefined;
};

/** One call of a tool. */
export type ToolCallInput = {
  /** name of the tool, 1 to 512 bytes */
  name: string;
  /** what it was called with */
  arguments?: unknown;
  /** what it answered */
  result?: string | null | undefined;
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

/** Filter of memories. All given conditions must hold. */
export type MemoryFilter = {
  /** namespaces; null, omitted or empty: all that the credentials grant */
  namespaces?: Array<string> | null | undefined;
  /** only memories of this user */
  user?: string | null | undefined;
  /** only memories of this project */
  project?: string | null | undefined;
  /** only memories of this session */
  session?: string | null | undefined;
  /** only memories about this subject, exactly as stored */
  subject?: string | null | undefined;
  /** types, any of these; null, omitted or empty: all */
  types?: Array<MemoryType> | null | undefined;
  /** statuses, any of these; null, omitted or empty: ACTIVE */
  statuses?: Array<MemoryStatus> | null | undefined;
  /** tags, all of these */
  tags?: Array<string> | null | undefined;
  /** only memories that mention this entity */
  entity?: string | null | undefined;
};

export type MemoryFieldsFragment = { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null };

export type ClaimFieldsFragment = { id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string };

export type KeptFieldsFragment = { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, claims: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string }>, unavailable: { code: ErrorCode, message: string, field: string | null } | null };

export type ObserveMutationVariables = Exact<{
  input: ObserveInput;
}>;


export type ObserveMutation = { observe: { replayed: boolean, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } } | null };

export type CloseSessionMutationVariables = Exact<{
  session: string;
  namespace?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type CloseSessionMutation = { closeSession: { session: string, startedAt: string, endedAt: string, flushed: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, claims: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string }>, unavailable: { code: ErrorCode, message: string, field: string | null } | null }>, kept: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }>, expired: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }> } | null };

export type RememberMutationVariables = Exact<{
  input: RememberInput;
}>;


export type RememberMutation = { remember: { promoted: boolean, duplicateOf: string | null, replayed: boolean, pending: boolean, conflictsWith: Array<string>, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, claims: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string }>, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null, revised: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }> } | null };

export type RememberManyMutationVariables = Exact<{
  input: Array<RememberInput> | RememberInput;
}>;


export type RememberManyMutation = { rememberMany: Array<{ promoted: boolean, duplicateOf: string | null, replayed: boolean, pending: boolean, conflictsWith: Array<string>, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null, error: { code: ErrorCode, message: string, field: string | null } | null }> | null };

export type SupersedeMutationVariables = Exact<{
  input: SupersedeInput;
}>;


export type SupersedeMutation = { supersede: { conflictsWith: Array<string>, replayed: boolean, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }, previous: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } } | null };

export type AdjudicateMutationVariables = Exact<{
  input: AdjudicateInput;
}>;


export type AdjudicateMutation = { adjudicate: { decision: GateDecision, reason: ErrorCode | null, quorum: number, required: number, conflict: number, similarity: number, replayed: boolean, degraded: Array<Part>, current: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }, previous: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null } | null };

export type SleepMutationVariables = Exact<{
  input?: SleepInput | null | undefined;
}>;


export type SleepMutation = { sleep: { report: { id: string, kind: SleepKind, trigger: SleepTrigger, startedAt: string, completedAt: string | null, resumed: boolean, complete: boolean, dryRun: boolean, reinforced: number, decayed: number, pruned: number, deduplicated: number, promoted: number, engraved: number, dreamed: number, consolidated: number, derived: number, tokensSaved: number, degraded: Array<Part>, healthBefore: number, healthAfter: number | null, balance: { in: number, kept: number, merged: number, archived: number, left: number, derived: number } } } | null };

export type ForgetMutationVariables = Exact<{
  input: ForgetInput;
}>;


export type ForgetMutation = { forget: { receipt: { id: string, status: DeletionStatus, count: number, anonymised: number, hash: string, ids: Array<string>, requestedAt: string, completedAt: string | null } } | null };

export type DocumentFieldsFragment = { id: string, path: string, mediaType: string, status: DocumentStatus, version: number, contentHash: string, chunks: number, ingestedAt: string, namespace: string, user: string | null, project: string | null, title: string | null };

export type IngestMutationVariables = Exact<{
  input: IngestInput;
}>;


export type IngestMutation = { ingest: { unchanged: boolean, written: number, superseded: number, restored: number, expired: number, document: { id: string, path: string, mediaType: string, status: DocumentStatus, version: number, contentHash: string, chunks: number, ingestedAt: string, namespace: string, user: string | null, project: string | null, title: string | null } | null, error: { code: ErrorCode, message: string, field: string | null } | null } | null };

export type DocumentsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DocumentsQuery = { documents: { nodes: Array<{ id: string, path: string, mediaType: string, status: DocumentStatus, version: number, contentHash: string, chunks: number, ingestedAt: string, namespace: string, user: string | null, project: string | null, title: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type FeedbackMutationVariables = Exact<{
  query: string;
  id: string;
  outcome: FeedbackOutcome;
  user?: string | null | undefined;
}>;


export type FeedbackMutation = { feedback: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null };

export type MemoryQueryVariables = Exact<{
  id: string;
  asOf?: AsOf | null | undefined;
}>;


export type MemoryQuery = { memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, claims: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string }>, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null };

export type MemoryByExternalIdQueryVariables = Exact<{
  externalId: string;
  namespace?: string | null | undefined;
  asOf?: AsOf | null | undefined;
}>;


export type MemoryByExternalIdQuery = { memoryByExternalId: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, claims: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string }>, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null };

export type MemoriesQueryVariables = Exact<{
  filter?: MemoryFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  descending?: boolean | null | undefined;
  asOf?: AsOf | null | undefined;
}>;


export type MemoriesQuery = { memories: { nodes: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type LineageQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  afterVersion?: number | null | undefined;
}>;


export type LineageQuery = { lineage: Array<{ version: number, checksum: string | null, reason: string | null, recordedAt: string, supersededAt: string | null, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } }> | null };

export type ClustersQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  user?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ClustersQuery = { clusters: { nodes: Array<{ id: string, namespace: string, user: string | null, label: string, summary: string | null, size: number, density: number, createdAt: string, updatedAt: string, terms: Array<{ text: string, weight: number, count: number }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ClusterQueryVariables = Exact<{
  id: string;
}>;


export type ClusterQuery = { cluster: { id: string, namespace: string, user: string | null, label: string, summary: string | null, size: number, density: number, createdAt: string, updatedAt: string, members: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }>, related: Array<{ similarity: number, cluster: { id: string, namespace: string, user: string | null, label: string, summary: string | null, size: number, density: number, createdAt: string, updatedAt: string, terms: Array<{ text: string, weight: number, count: number }> } }>, terms: Array<{ text: string, weight: number, count: number }> } | null };

export type PatternsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  user?: string | null | undefined;
  kinds?: Array<PatternKind> | PatternKind | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type PatternsQuery = { patterns: { nodes: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ExtractPatternMutationVariables = Exact<{
  cluster: string;
}>;


export type ExtractPatternMutation = { extractPattern: { patterns: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number }>, refused: Array<{ kind: PatternKind, reason: string, confidence: number, occurrences: number }> } | null };

export type ClusterFieldsFragment = { id: string, namespace: string, user: string | null, label: string, summary: string | null, size: number, density: number, createdAt: string, updatedAt: string, terms: Array<{ text: string, weight: number, count: number }> };

export type PatternFieldsFragment = { id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number };

export type PatternQueryVariables = Exact<{
  id: string;
}>;


export type PatternQuery = { pattern: { id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number, sources: Array<{ id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null }> } | null };

export type ValidatePatternMutationVariables = Exact<{
  id: string;
}>;


export type ValidatePatternMutation = { validatePattern: { id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number } | null };

export type PatternConflictsQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
  open?: boolean | null | undefined;
  first?: number | null | undefined;
}>;


export type PatternConflictsQuery = { patternConflicts: Array<{ id: string, since: string, waits: boolean, kept: string | null, resolvedAt: string | null, note: string | null, patterns: Array<{ id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number }> }> | null };

export type ResolvePatternMutationVariables = Exact<{
  keep: string;
  end: string;
  note?: string | null | undefined;
}>;


export type ResolvePatternMutation = { resolvePattern: { id: string, kind: PatternKind, text: string, confidence: number, occurrences: number, version: number, status: PatternStatus, namespace: string, user: string | null, conditions: Array<string>, actions: Array<string>, successRate: number | null, heldOut: number } | null };

export type SearchQueryVariables = Exact<{
  input: SearchInput;
}>;


export type SearchQuery = { search: { noMatch: boolean, unsure: boolean, degraded: Array<Part>, latencyMs: number, hits: Array<{ score: number, label: HitLabel, rivals: Array<string>, parts: { semantic: number, keyword: number, recency: number, importance: number, project: number, entity: number, task: number }, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } }> } | null };

export type ContextQueryVariables = Exact<{
  input: ContextInput;
}>;


export type ContextQuery = { context: { text: string, totalTokens: number, truncated: boolean, tokensSaved: number, layers: Array<{ name: ContextLayerName, text: string, tokens: number, memoryIds: Array<string> }>, items: Array<{ memoryId: string, layer: ContextLayerName, shown: boolean, reason: string }> | null } | null };

export type FactsQueryVariables = Exact<{
  subject: string;
  predicate?: string | null | undefined;
  user?: string | null | undefined;
  namespaces?: Array<string> | string | null | undefined;
  asOf?: AsOf | null | undefined;
  includePast?: boolean | null | undefined;
  first?: number | null | undefined;
  offset?: number | null | undefined;
}>;


export type FactsQuery = { facts: Array<{ id: string, subject: string, predicate: string, attribute: string, object: string, negated: boolean, confidence: number, validFrom: string, validTo: string | null, current: boolean, modality: string, qualifiers: Array<string>, speaker: string, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } }> | null };

export type EventCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type EventCursorQuery = { eventCursor: string | null };

export type EventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  namespaces?: Array<string> | string | null | undefined;
}>;


export type EventsSubscription = { memoryEvents: { cursor: string, kind: MemoryEventKind, id: string | null, at: string, memory: { id: string, externalId: string | null, content: string | null, summary: string | null, type: MemoryType, tier: Tier, status: MemoryStatus, namespace: string, user: string | null, session: string | null, project: string | null, agent: string | null, subject: string | null, predicate: string | null, object: string | null, consent: Consent, sourceKind: SourceKind, source: string | null, tags: Array<string>, meta: unknown, importance: number, confidence: number, authority: number, conflict: number, retention: number, core: boolean, version: number, chain: string, reason: string | null, createdAt: string, updatedAt: string, occurredAt: string, recordedAt: string, validFrom: string, validTo: string | null, expiresAt: string | null, supersededAt: string | null, unavailable: { code: ErrorCode, message: string, field: string | null } | null } | null } };

export type LastClusterEventQueryVariables = Exact<{
  namespaces?: Array<string> | string | null | undefined;
}>;


export type LastClusterEventQuery = { clusterEvolution: { nodes: Array<{ id: string }> } | null };

export type ClusterEventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  namespaces?: Array<string> | string | null | undefined;
}>;


export type ClusterEventsSubscription = { clusterEvents: { id: string, at: string, change: ClusterChange, namespace: string, user: string | null, cluster: string, from: Array<string>, size: number, report: string, current: { id: string, namespace: string, user: string | null, label: string, summary: string | null, size: number, density: number, createdAt: string, updatedAt: string, terms: Array<{ text: string, weight: number, count: number }> } | null } };

/** The text of an operation, with the types of its result and its variables. */
export type Operation<Result, Variables> = string & { readonly __types?: (variables: Variables) => Result }

const memoryFields = "fragment MemoryFields on Memory{id externalId content unavailable{code message field}summary type tier status namespace user session project agent subject predicate object consent sourceKind source tags meta importance confidence authority conflict retention core version chain reason createdAt updatedAt occurredAt recordedAt validFrom validTo expiresAt supersededAt}"
const claimFields = "fragment ClaimFields on Claim{id subject predicate attribute object negated confidence validFrom validTo current modality qualifiers speaker}"
const keptFields = "fragment KeptFields on Memory{...MemoryFields claims(first:64){...ClaimFields}}"
const documentFields = "fragment DocumentFields on Document{id path mediaType status version contentHash chunks ingestedAt namespace user project title}"
const clusterFields = "fragment ClusterFields on Cluster{id namespace user label summary size density terms{text weight count}createdAt updatedAt}"
const patternFields = "fragment PatternFields on Pattern{id kind text confidence occurrences version status namespace user conditions actions successRate heldOut}"

export const observeOperation = ("mutation Observe($input:ObserveInput!){observe(input:$input){memory{...MemoryFields}replayed}}" + memoryFields) as Operation<ObserveMutation, ObserveMutationVariables>
export const closeSessionOperation = ("mutation CloseSession($session:String!$namespace:String$first:Int){closeSession(session:$session namespace:$namespace){session startedAt endedAt flushed(first:$first){...KeptFields}kept(first:$first){...MemoryFields}expired(first:$first){...MemoryFields}}}" + keptFields + memoryFields + claimFields) as Operation<CloseSessionMutation, CloseSessionMutationVariables>
export const rememberOperation = ("mutation Remember($input:RememberInput!){remember(input:$input){memory{...KeptFields}promoted duplicateOf replayed pending conflictsWith revised{...MemoryFields}}}" + keptFields + memoryFields + claimFields) as Operation<RememberMutation, RememberMutationVariables>
export const rememberManyOperation = ("mutation RememberMany($input:[RememberInput!]!){rememberMany(input:$input){memory{...MemoryFields}promoted duplicateOf replayed pending conflictsWith error{code message field}}}" + memoryFields) as Operation<RememberManyMutation, RememberManyMutationVariables>
export const supersedeOperation = ("mutation Supersede($input:SupersedeInput!){supersede(input:$input){memory{...MemoryFields}previous{...MemoryFields}conflictsWith replayed}}" + memoryFields) as Operation<SupersedeMutation, SupersedeMutationVariables>
export const adjudicateOperation = ("mutation Adjudicate($input:AdjudicateInput!){adjudicate(input:$input){decision reason quorum required conflict similarity current{...MemoryFields}previous{...MemoryFields}replayed degraded}}" + memoryFields) as Operation<AdjudicateMutation, AdjudicateMutationVariables>
export const sleepOperation = ("mutation Sleep($input:SleepInput){sleep(input:$input){report{id kind trigger startedAt completedAt resumed complete dryRun reinforced decayed pruned deduplicated promoted engraved dreamed consolidated derived tokensSaved degraded balance{in kept merged archived left derived}healthBefore healthAfter}}}") as Operation<SleepMutation, SleepMutationVariables>
export const forgetOperation = ("mutation Forget($input:ForgetInput!){forget(input:$input){receipt{id status count anonymised hash ids requestedAt completedAt}}}") as Operation<ForgetMutation, ForgetMutationVariables>
export const ingestOperation = ("mutation Ingest($input:IngestInput!){ingest(input:$input){document{...DocumentFields}unchanged written superseded restored expired error{code message field}}}" + documentFields) as Operation<IngestMutation, IngestMutationVariables>
export const documentsOperation = ("query Documents($namespaces:[String!]$first:Int$after:String){documents(namespaces:$namespaces first:$first after:$after){nodes{...DocumentFields}pageInfo{hasNextPage endCursor}}}" + documentFields) as Operation<DocumentsQuery, DocumentsQueryVariables>
export const feedbackOperation = ("mutation Feedback($query:String!$id:ID!$outcome:FeedbackOutcome!$user:String){feedback(query:$query id:$id outcome:$outcome user:$user){...MemoryFields}}" + memoryFields) as Operation<FeedbackMutation, FeedbackMutationVariables>
export const memoryOperation = ("query Memory($id:ID!$asOf:AsOf){memory(id:$id asOf:$asOf){...KeptFields}}" + keptFields + memoryFields + claimFields) as Operation<MemoryQuery, MemoryQueryVariables>
export const memoryByExternalIdOperation = ("query MemoryByExternalId($externalId:String!$namespace:String$asOf:AsOf){memoryByExternalId(externalId:$externalId namespace:$namespace asOf:$asOf){...KeptFields}}" + keptFields + memoryFields + claimFields) as Operation<MemoryByExternalIdQuery, MemoryByExternalIdQueryVariables>
export const memoriesOperation = ("query Memories($filter:MemoryFilter$first:Int$after:String$descending:Boolean$asOf:AsOf){memories(filter:$filter first:$first after:$after descending:$descending asOf:$asOf){nodes{...MemoryFields}pageInfo{hasNextPage endCursor}}}" + memoryFields) as Operation<MemoriesQuery, MemoriesQueryVariables>
export const lineageOperation = ("query Lineage($id:ID!$first:Int$afterVersion:Int){lineage(id:$id first:$first afterVersion:$afterVersion){version checksum reason recordedAt supersededAt memory{...MemoryFields}}}" + memoryFields) as Operation<LineageQuery, LineageQueryVariables>
export const clustersOperation = ("query Clusters($namespaces:[String!]$user:String$first:Int$after:String){clusters(namespaces:$namespaces user:$user first:$first after:$after){nodes{...ClusterFields}pageInfo{hasNextPage endCursor}}}" + clusterFields) as Operation<ClustersQuery, ClustersQueryVariables>
export const clusterOperation = ("query Cluster($id:ID!){cluster(id:$id){...ClusterFields members{...MemoryFields}related{similarity cluster{...ClusterFields}}}}" + clusterFields + memoryFields) as Operation<ClusterQuery, ClusterQueryVariables>
export const patternsOperation = ("query Patterns($namespaces:[String!]$user:String$kinds:[PatternKind!]$first:Int$after:String){patterns(namespaces:$namespaces user:$user kinds:$kinds first:$first after:$after){nodes{...PatternFields}pageInfo{hasNextPage endCursor}}}" + patternFields) as Operation<PatternsQuery, PatternsQueryVariables>
export const extractPatternOperation = ("mutation ExtractPattern($cluster:ID!){extractPattern(cluster:$cluster){patterns{...PatternFields}refused{kind reason confidence occurrences}}}" + patternFields) as Operation<ExtractPatternMutation, ExtractPatternMutationVariables>
export const patternOperation = ("query Pattern($id:ID!){pattern(id:$id){...PatternFields sources{...MemoryFields}}}" + patternFields + memoryFields) as Operation<PatternQuery, PatternQueryVariables>
export const validatePatternOperation = ("mutation ValidatePattern($id:ID!){validatePattern(id:$id){...PatternFields}}" + patternFields) as Operation<ValidatePatternMutation, ValidatePatternMutationVariables>
export const patternConflictsOperation = ("query PatternConflicts($namespaces:[String!]$open:Boolean$first:Int){patternConflicts(namespaces:$namespaces open:$open first:$first){id since waits kept resolvedAt note patterns{...PatternFields}}}" + patternFields) as Operation<PatternConflictsQuery, PatternConflictsQueryVariables>
export const resolvePatternOperation = ("mutation ResolvePattern($keep:ID!$end:ID!$note:String){resolvePattern(keep:$keep end:$end note:$note){...PatternFields}}" + patternFields) as Operation<ResolvePatternMutation, ResolvePatternMutationVariables>
export const searchOperation = ("query Search($input:SearchInput!){search(input:$input){hits{score label parts{semantic keyword recency importance project entity task}rivals memory{...MemoryFields}}noMatch unsure degraded latencyMs}}" + memoryFields) as Operation<SearchQuery, SearchQueryVariables>
export const contextOperation = ("query Context($input:ContextInput!){context(input:$input){text layers{name text tokens memoryIds}totalTokens truncated tokensSaved items{memoryId layer shown reason}}}") as Operation<ContextQuery, ContextQueryVariables>
export const factsOperation = ("query Facts($subject:String!$predicate:String$user:String$namespaces:[String!]$asOf:AsOf$includePast:Boolean$first:Int$offset:Int){facts(subject:$subject predicate:$predicate user:$user namespaces:$namespaces asOf:$asOf includePast:$includePast first:$first offset:$offset){...ClaimFields memory{...MemoryFields}}}" + claimFields + memoryFields) as Operation<FactsQuery, FactsQueryVariables>
export const eventCursorOperation = ("query EventCursor{eventCursor}") as Operation<EventCursorQuery, EventCursorQueryVariables>
export const eventsOperation = ("subscription Events($after:String$namespaces:[String!]){memoryEvents(after:$after namespaces:$namespaces){cursor kind id at memory{...MemoryFields}}}" + memoryFields) as Operation<EventsSubscription, EventsSubscriptionVariables>
export const lastClusterEventOperation = ("query LastClusterEvent($namespaces:[String!]){clusterEvolution(namespaces:$namespaces first:1){nodes{id}}}") as Operation<LastClusterEventQuery, LastClusterEventQueryVariables>
export const clusterEventsOperation = ("subscription ClusterEvents($after:ID$namespaces:[String!]){clusterEvents(after:$after namespaces:$namespaces){id at change namespace user cluster from size report current{...ClusterFields}}}" + clusterFields) as Operation<ClusterEventsSubscription, ClusterEventsSubscriptionVariables>
