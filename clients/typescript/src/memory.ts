import { ClusterEventStream, EventStream, type EventsOptions } from './events.js'
import { SomnographError } from './error.js'
import * as api from './generated.js'
import { type Message, type Turn, turnsOf } from './messages.js'
import { type CallOptions, type ConnectionOptions, Transport } from './transport.js'

/** Options of a client. The scope applies to every call that does not name another one. */
export interface MemoryOptions extends ConnectionOptions, Scope {
  /** the permission under which memories are written; omitted: the default of the namespace or the server */
  consent?: api.Consent | undefined
}

/** Whose memories, and where. */
export interface Scope {
  /** the user: writes belong to the user, reads see the memories of the user and of nobody */
  user?: string | undefined
  /** namespace of writes and reads; omitted: writes go to "default", reads see all that the key grants */
  namespace?: string | undefined
  /** project that writes belong to */
  project?: string | undefined
  /** agent that writes */
  agent?: string | undefined
}

/** A key that makes a repeated write safe. The client makes one for each call; give your own to repeat a whole call. */
export interface WriteOptions extends CallOptions {
  idempotencyKey?: string | undefined
}

export type MemoryRecord = api.MemoryFieldsFragment
export type KeptMemory = api.KeptFieldsFragment
export type Claim = api.ClaimFieldsFragment
export type Fact = NonNullable<api.FactsQuery['facts']>[number]
export type SearchResult = NonNullable<api.SearchQuery['search']>
export type Hit = SearchResult['hits'][number]
export type PromptContext = NonNullable<api.ContextQuery['context']>
export type Remembered = NonNullable<api.RememberMutation['remember']> & { memory: KeptMemory }
export type RememberedItem = NonNullable<api.RememberManyMutation['rememberMany']>[number]
export type Superseded = NonNullable<api.SupersedeMutation['supersede']>
export type Adjudication = NonNullable<api.AdjudicateMutation['adjudicate']>
export type SleepReport = NonNullable<api.SleepMutation['sleep']>['report']
export type DeletionReceipt = NonNullable<api.ForgetMutation['forget']>['receipt']
export type SessionReport = NonNullable<api.CloseSessionMutation['closeSession']>
export type MemoryVersion = NonNullable<api.LineageQuery['lineage']>[number]
export type Ingested = NonNullable<api.IngestMutation['ingest']>
export type DocumentRecord = api.DocumentFieldsFragment
export type DocumentPage = NonNullable<api.DocumentsQuery['documents']>
export type ClusterPage = NonNullable<api.ClustersQuery['clusters']>
export type ClusterDetail = NonNullable<api.ClusterQuery['cluster']>
export type PatternPage = NonNullable<api.PatternsQuery['patterns']>
export type PatternRecord = api.PatternFieldsFragment
export type PatternDetail = NonNullable<api.PatternQuery['pattern']>
export type PatternConflict = NonNullable<api.PatternConflictsQuery['patternConflicts']>[number]
export type ExtractedPatterns = NonNullable<api.ExtractPatternMutation['extractPattern']>
export type MemoryPage = NonNullable<api.MemoriesQuery['memories']>

export interface AddOptions extends WriteOptions, Scope {
  /**
   * conversation that the messages continue. Omitted: they are a conversation of their own, which is closed at once, so
   * that facts are read from it.
   */
  session?: string | undefined
  consent?: api.Consent | undefined
  /** when messages were said that do not say it; omitted: now */
  occurredAt?: string | Date | undefined
}

/** What add kept. */
export interface Added {
  /** the conversation */
  session: string
  /**
   * the messages as memories, in their order. Claims are read when the conversation is closed. One that only repeats an
   * earlier memory has the status CONSOLIDATED.
   */
  memories: KeptMemory[]
  /** whether all of it had been added before, so that nothing was written */
  replayed: boolean
}

type Without<Input, Key extends PropertyKey> = { [K in keyof Input as K extends Key ? never : K]?: Input[K] | undefined }

export type RememberOptions = Without<api.RememberInput, 'content'> & WriteOptions
export type SearchOptions = Without<api.SearchInput, 'query'> & CallOptions
export type ContextOptions = Partial<Without<api.ContextInput, 'query'>> & CallOptions
export type FactsOptions = Without<api.FactsQueryVariables, 'subject'> & CallOptions
export type AdjudicateOptions = api.AdjudicateInput & WriteOptions
export type SleepOptions = api.SleepInput & CallOptions
export type ForgetOptions = api.ForgetInput & WriteOptions
export type SupersedeOptions = Without<api.SupersedeInput, 'id' | 'content'> & WriteOptions
export type IngestOptions = Without<api.IngestInput, 'path' | 'text'> & CallOptions
export type DocumentsOptions = Without<api.DocumentsQueryVariables, never> & CallOptions
export type ClustersOptions = Without<api.ClustersQueryVariables, never> & CallOptions
export type PatternsOptions = Without<api.PatternsQueryVariables, never> & CallOptions
export type PatternConflictsOptions = Without<api.PatternConflictsQueryVariables, never> & CallOptions
export type ListOptions = Without<api.MemoriesQueryVariables, 'filter'> & { filter?: api.MemoryFilter | undefined } & CallOptions
export type GraphQLOptions = CallOptions & {
  /** whether a mutation may be repeated when its answer is lost, because it has an idempotency key; default false */
  idempotent?: boolean | undefined
}

/** The memory of an agent, kept by a Somnograph server. */
export class Memory {
  readonly #transport: Transport
  readonly #scope: Scope
  readonly #consent: api.Consent | undefined
  readonly #session = uuid()

  /**
   * @param url address of the server, such as http://127.0.0.1:8420
   */
  constructor(url: string | URL, options: MemoryOptions = {}) {
    const { user, namespace, project, agent, consent } = options
    this.#transport = new Transport(url, options)
    this.#scope = { user, namespace, project, agent }
    this.#consent = consent
  }

  /** The scope of calls that do not name another one. */
  get scope(): Readonly<Scope> {
    return this.#scope
  }

  /**
   * Adds messages, or a text that the user said. Messages of the system and messages without text are left out. After an
   * error the messages before it are kept; a repetition with the same idempotency key adds the rest. What is repeated with
   * the same key is kept once; so are messages with an id in the same session.
   */
  async add(messages: string | Message | readonly Message[], options: AddOptions = {}): Promise<Added> {
    const { session: given, idempotencyKey: key = uuid(), occurredAt, signal, timeoutMs, ...scope } = options
    const call = { signal, timeoutMs }
    const session = given ?? `add-${key}`
    const said: MemoryRecord[] = []
    let replayed = true
    const turns = turnsOf(messages).filter((turn) => turn.role !== 'SYSTEM')
    for (const [i, turn] of turns.entries()) {
      const idempotencyKey = turn.id === undefined ? `${key}/${i}` : `${session}/${turn.id}`
      const observed = await this.#observe({ ...turn, occurredAt: turn.occurredAt ?? occurredAt }, { ...scope, session, idempotencyKey }, call)
      said.push(observed.memory)
      replayed &&= observed.replayed
    }
    const closed = new Map<string, KeptMemory>()
    if (given === undefined && said.length > 0) {
      const report = await this.#close(session, scope.namespace, call, Math.min(said.length, 200))
      for (const memory of report.flushed) closed.set(memory.id, memory)
    }
    const memories: KeptMemory[] = []
    for (const memory of said) {
      const open = { ...memory, claims: [] }
      // What is not in the report left the buffer before, or an earlier attempt closed the conversation.
      memories.push(given !== undefined && memory.tier === 'L0' ? open : (closed.get(memory.id) ?? (await this.get(memory.id, call)) ?? open))
    }
    return { session, memories, replayed }
  }

  /** Stores one memory as it is, and answers after it is durable. */
  async remember(content: string, options: RememberOptions = {}): Promise<Remembered> {
    const [input, call] = split({ idempotencyKey: uuid(), ...options })
    const { remember } = await this.#call(api.rememberOperation, { input: { ...this.#writes(), ...defined(input), content } }, true, call)
    return remember as Remembered
  }

  /** Stores up to 1,000 memories, each by itself: the error of one is in its place of the result. */
  async rememberMany(items: readonly ({ content: string } & RememberOptions)[], options: CallOptions = {}): Promise<RememberedItem[]> {
    const input = items.map((item) => ({ ...this.#writes(), idempotencyKey: uuid(), ...defined(split(item)[0]) })) as api.RememberInput[]
    return need(await this.#call(api.rememberManyOperation, { input }, true, options), 'rememberMany')
  }

  /** Finds memories by meaning, words and relations, the best first. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    const [input, call] = split(options)
    return need(await this.#call(api.searchOperation, { input: { ...this.#reads(), ...defined(input), query } }, true, call), 'search')
  }

  /**
   * Builds a prompt context: standing rules, the project, matching memories, documents and the last turns. Without a
   * query it is built for the last turns of the session.
   */
  async context(query?: string, options: ContextOptions = {}): Promise<PromptContext> {
    const [input, call] = split(options)
    const { project } = this.#scope
    const given = defined({ session: this.#session, ...this.#reads(), project, ...defined(input), query }) as api.ContextInput
    return need(await this.#call(api.contextOperation, { input: given }, true, call), 'context')
  }

  /** What is believed about a subject, such as a name or "user", by predicate, the newest first. */
  async facts(subject: string, options: FactsOptions = {}): Promise<Fact[]> {
    const [variables, call] = split(options)
    return need(await this.#call(api.factsOperation, { ...this.#reads(), ...defined(variables), subject }, true, call), 'facts')
  }

  /** Decides by evidence whether a fact changes what is believed. */
  async adjudicate(options: AdjudicateOptions): Promise<Adjudication> {
    const [input, call] = split({ idempotencyKey: uuid(), ...options })
    const { user, namespace, consent } = this.#writes()
    return need(await this.#call(api.adjudicateOperation, { input: { ...defined({ user, namespace, consent }), ...input } as api.AdjudicateInput }, true, call), 'adjudicate')
  }

  /** Runs a sleep and returns its report. It has no deadline unless one is given, and is not repeated when its answer is lost. */
  async sleep(options: SleepOptions = {}): Promise<SleepReport> {
    const [input, call] = split(options)
    return need(await this.#call(api.sleepOperation, { input }, false, { timeoutMs: 0, ...defined(call) }), 'sleep').report
  }

  /** Erases memories and returns the receipt. Only the selectors given here count, not the scope of the client. */
  async forget(options: ForgetOptions): Promise<DeletionReceipt> {
    const [input, call] = split({ idempotencyKey: uuid(), ...options })
    return need(await this.#call(api.forgetOperation, { input }, true, call), 'forget').receipt
  }

  /**
   * Stores a text document, or the next version of the document with its path. The same content writes nothing. A result
   * with an error was not stored.
   */
  async ingest(path: string, text: string, options: IngestOptions = {}): Promise<Ingested> {
    const [given, call] = split(options)
    const { user, namespace, project, consent } = this.#writes()
    const input = { ...defined({ user, namespace, project, consent }), ...defined(given), path, text } as api.IngestInput
    return need(await this.#call(api.ingestOperation, { input }, true, { timeoutMs: 300_000, ...defined(call) }), 'ingest')
  }

  /** One page of the documents, each with its current version. */
  async documents(options: DocumentsOptions = {}): Promise<DocumentPage> {
    const [variables, call] = split(options)
    const { namespaces } = this.#reads()
    return need(await this.#call(api.documentsOperation, { ...defined({ namespaces }), ...defined(variables) }, true, call), 'documents')
  }

  /** Records what became of a memory that answered a query. */
  async feedback(query: string, id: string, outcome: api.FeedbackOutcome, options: { user?: string | undefined } & CallOptions = {}): Promise<MemoryRecord> {
    const [variables, call] = split(options)
    const { user } = this.#scope
    return need(await this.#call(api.feedbackOperation, { ...defined({ user }), ...defined(variables), query, id, outcome }, true, call), 'feedback')
  }

  /** Writes a new version of a memory. The old one can still be read. */
  async supersede(id: string, content: string, options: SupersedeOptions = {}): Promise<Superseded> {
    const [input, call] = split({ idempotencyKey: uuid(), ...options })
    return need(await this.#call(api.supersedeOperation, { input: { ...input, id, content } }, true, call), 'supersede')
  }

  /** One memory by id, in whatever state it is, with what was read in it; undefined if there is none. */
  async get(id: string, options: { asOf?: api.AsOf | undefined } & CallOptions = {}): Promise<KeptMemory | undefined> {
    const [variables, call] = split(options)
    return found(async () => (await this.#call(api.memoryOperation, { ...defined(variables), id }, true, call)).memory)
  }

  /** The newest version with an external id, the caller's own name, in whatever state it is; undefined if there is none. */
  async getByExternalId(externalId: string, options: { namespace?: string | undefined; asOf?: api.AsOf | undefined } & CallOptions = {}): Promise<KeptMemory | undefined> {
    const [variables, call] = split(options)
    const { namespace } = this.#scope
    const given = { ...defined({ namespace }), ...defined(variables), externalId }
    return found(async () => (await this.#call(api.memoryByExternalIdOperation, given, true, call)).memoryByExternalId)
  }

  /** One page of the memories that a filter selects, in the order of recording. */
  async list(options: ListOptions = {}): Promise<MemoryPage> {
    const [{ filter, ...variables }, call] = split(options)
    return need(await this.#call(api.memoriesOperation, { ...variables, filter: { ...this.#reads(), ...filter } }, true, call), 'memories')
  }

  /** The versions of a memory, the oldest first; empty for an unknown id. */
  async lineage(id: string, options: { first?: number; afterVersion?: number } & CallOptions = {}): Promise<MemoryVersion[]> {
    const [variables, call] = split(options)
    return need(await this.#call(api.lineageOperation, { ...variables, id }, true, call), 'lineage')
  }

  /** One page of the clusters that deep sleeps found, the largest first. */
  async clusters(options: ClustersOptions = {}): Promise<ClusterPage> {
    const [variables, call] = split(options)
    return need(await this.#call(api.clustersOperation, { ...this.#reads(), ...defined(variables) }, true, call), 'clusters')
  }

  /** One cluster with its strongest members; undefined if there is none. */
  async cluster(id: string, options: CallOptions = {}): Promise<ClusterDetail | undefined> {
    const [, call] = split(options)
    return (await this.#call(api.clusterOperation, { id }, true, call)).cluster ?? undefined
  }

  /** One page of the patterns that hold, the oldest first. */
  async patterns(options: PatternsOptions = {}): Promise<PatternPage> {
    const [variables, call] = split(options)
    return need(await this.#call(api.patternsOperation, { ...this.#reads(), ...defined(variables) }, true, call), 'patterns')
  }

  /** Draws patterns from one cluster at once, and says why candidates were refused. */
  async extractPattern(cluster: string, options: CallOptions = {}): Promise<ExtractedPatterns> {
    const [, call] = split(options)
    return need(await this.#call(api.extractPatternOperation, { cluster }, false, { timeoutMs: 300_000, ...defined(call) }), 'extractPattern')
  }

  /** One version of a pattern with its sources; undefined if there is no memory with this id. */
  async pattern(id: string, options: CallOptions = {}): Promise<PatternDetail | undefined> {
    const [, call] = split(options)
    return found(async () => (await this.#call(api.patternOperation, { id }, true, call)).pattern)
  }

  /** Compares a pattern with the present memories of its owner's clusters. */
  async validatePattern(id: string, options: CallOptions = {}): Promise<PatternRecord> {
    const [, call] = split(options)
    return need(await this.#call(api.validatePatternOperation, { id }, true, { timeoutMs: 300_000, ...defined(call) }), 'validatePattern')
  }

  /** Pairs of patterns that contradict each other, the newest first: those that nobody decided, or with `open: false` all. */
  async patternConflicts(options: PatternConflictsOptions = {}): Promise<PatternConflict[]> {
    const [variables, call] = split(options)
    const { namespaces } = this.#reads()
    return need(await this.#call(api.patternConflictsOperation, { ...defined({ namespaces }), ...defined(variables) }, true, call), 'patternConflicts')
  }

  /** Decides between two patterns that contradict each other: the first holds, the other one ends. */
  async resolvePattern(keep: string, end: string, options: { note?: string | undefined } & CallOptions = {}): Promise<PatternRecord> {
    const [variables, call] = split(options)
    return need(await this.#call(api.resolvePatternOperation, { ...defined(variables), keep, end }, false, call), 'resolvePattern')
  }

  /** A conversation. */
  session(id: string, scope: Scope & { consent?: api.Consent | undefined } = {}): Session {
    return new Session(this, id, scope, {
      observe: (turn, options, call) => this.#observe(turn, options, call),
      close: (namespace, call, first) => this.#close(id, namespace, call, first),
    })
  }

  /** The changes of memories as they happen, from now or after a cursor. */
  events(options: EventsOptions = {}): EventStream {
    return new EventStream(this.#transport, { ...options, namespaces: options.namespaces ?? this.#reads().namespaces })
  }

  /** The changes of clusters in every sleep that ends, from now or after the change with an id. */
  clusterEvents(options: EventsOptions = {}): ClusterEventStream {
    return new ClusterEventStream(this.#transport, { ...options, namespaces: options.namespaces ?? this.#reads().namespaces })
  }

  /**
   * Runs any operation of the schema and returns its data. Queries are repeated like other calls, a document with a
   * mutation only if it is said to be idempotent. An operation made by graphql-codegen with documentMode "string"
   * brings its types along; otherwise give them as type arguments.
   */
  graphql<Result = Record<string, unknown>, Variables = Record<string, unknown>>(
    document: string | TypedDocument<Result, Variables>,
    variables?: Variables,
    options: GraphQLOptions = {},
  ): Promise<Result> {
    const { idempotent, ...call } = options
    const text = String(document)
    // A document in which the word occurs at all may hold a mutation.
    return this.#transport.call<Result>(text, variables ?? {}, idempotent ?? !/\bmutation\b/.test(text), call)
  }

  #call<Result, Variables>(operation: api.Operation<Result, Variables>, variables: Variables, idempotent: boolean, call: CallOptions): Promise<Result> {
    return this.#transport.call<Result>(operation, variables, idempotent, call)
  }

  async #observe(turn: Turn, options: TurnOptions, call: CallOptions): Promise<Observed> {
    const { id: _, ...said } = turn
    const input = { ...this.#writes(), ...defined(options), ...defined(said) } as api.ObserveInput
    return need(await this.#call(api.observeOperation, { input }, true, call), 'observe')
  }

  // Closing a session that is closed changes nothing.
  async #close(session: string, namespace: string | undefined, call: CallOptions, first?: number): Promise<SessionReport> {
    const variables = defined({ session, namespace: namespace ?? this.#scope.namespace, first }) as { session: string }
    return need(await this.#call(api.closeSessionOperation, variables, true, call), 'closeSession')
  }

  #writes(): Scope & { consent?: api.Consent } {
    return defined({ ...this.#scope, consent: this.#consent })
  }

  #reads(): { user?: string; namespaces?: string[] } {
    const { user, namespace } = this.#scope
    return defined({ user, namespaces: namespace === undefined ? undefined : [namespace] })
  }
}

type Observed = NonNullable<api.ObserveMutation['observe']>
type TurnOptions = Scope & { session: string; consent?: api.Consent | undefined; idempotencyKey: string }

/** The calls of Memory that only a session makes. */
interface SessionCalls {
  observe(turn: Turn, options: TurnOptions, call: CallOptions): Promise<Observed>
  close(namespace: string | undefined, call: CallOptions, first?: number): Promise<SessionReport>
}

/** A document with the types of its result and variables, as graphql-codegen makes them. */
export interface TypedDocument<Result, Variables> {
  toString(): string
  __apiType?: (variables: Variables) => Result
}

/** A conversation: its turns are kept word by word, and become memories when it is closed or idle. */
export class Session {
  readonly id: string
  readonly #memory: Memory
  readonly #scope: Scope & { consent?: api.Consent | undefined }
  readonly #calls: SessionCalls

  /** Made by Memory.session. */
  constructor(memory: Memory, id: string, scope: Scope & { consent?: api.Consent | undefined }, calls: SessionCalls) {
    this.id = id
    this.#memory = memory
    this.#scope = scope
    this.#calls = calls
  }

  /** Keeps one turn. */
  async observe(message: string | Message, options: WriteOptions = {}): Promise<Observed> {
    const [turn] = turnsOf(message)
    if (!turn) throw new SomnographError('INVALID_REQUEST', 'content: has no text', { field: 'content' })
    const { idempotencyKey = turn.id === undefined ? uuid() : `${this.id}/${turn.id}`, ...call } = options
    return this.#calls.observe(turn, { ...this.#scope, session: this.id, idempotencyKey }, call)
  }

  /** Keeps several turns. */
  add(messages: string | Message | readonly Message[], options: WriteOptions & Pick<AddOptions, 'occurredAt'> = {}): Promise<Added> {
    return this.#memory.add(messages, { ...this.#scope, ...options, session: this.id })
  }

  /** Finds memories, also those of other conversations. What the next answer says something of counts as used. */
  search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    return this.#memory.search(query, { ...this.#reads(), askedIn: this.id, ...options })
  }

  /** Builds the prompt context of the next turn. */
  context(query?: string, options: ContextOptions = {}): Promise<PromptContext> {
    return this.#memory.context(query, { ...this.#reads(), ...defined({ project: this.#scope.project }), ...options, session: this.id })
  }

  /**
   * Ends the conversation: its turns become memories, and facts are read from them. The report lists 50 memories of each
   * kind, or first, at most 200.
   */
  close(options: { first?: number } & CallOptions = {}): Promise<SessionReport> {
    const { first, ...call } = options
    return this.#calls.close(this.#scope.namespace, call, first)
  }

  #reads(): { user?: string; namespaces?: string[] } {
    const { user, namespace } = this.#scope
    return defined({ user, namespaces: namespace === undefined ? undefined : [namespace] })
  }
}

/** found returns undefined where the server finds nothing. */
async function found<Value>(read: () => Promise<Value | null | undefined>): Promise<Value | undefined> {
  try {
    return (await read()) ?? undefined
  } catch (e) {
    if (e instanceof SomnographError && e.code === 'MEMORY_NOT_FOUND') return undefined
    throw e
  }
}

/** need returns the field of an answer. The server answers null only together with an error. */
function need<Data, Key extends keyof Data>(data: Data, field: Key): NonNullable<Data[Key]> {
  const value = data[field]
  if (value === null || value === undefined) throw new SomnographError('PROTOCOL', `the answer has no ${String(field)}`)
  return value
}

/** split separates the options of a call from its input. */
function split<Options extends CallOptions>(options: Options): [Omit<Options, keyof CallOptions>, CallOptions] {
  const { signal, timeoutMs, ...input } = options
  return [input, { signal, timeoutMs }]
}

/** defined leaves out what is undefined, so that it does not replace a default. */
function defined<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as { [Key in keyof Value]: Exclude<Value[Key], undefined> }
}

/** uuid returns a random UUID. randomUUID is missing on pages without TLS. */
function uuid(): string {
  if (globalThis.crypto.randomUUID) return globalThis.crypto.randomUUID()
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')
}
