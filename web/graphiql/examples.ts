/**
 * The examples of the menu. A test compares the sections with the headings of docs/api.md that have
 * code, and executes every example on a server with the demo world.
 */
export interface Example {
  section: string
  name: string
  query: string
  /** The text "$memory", "$entity" or "$report" as a value is replaced by an id of the server's. */
  variables?: Record<string, unknown>
}

/** Queries that find an id for an example, and where it is in the answer. */
const lookups: Record<string, { query: string; pick: (data: never) => string | undefined }> = {
  $memory: {
    query: '{ memories(first: 1) { nodes { id } } }',
    pick: (d: { memories?: { nodes: { id: string }[] } }) => d.memories?.nodes[0]?.id,
  },
  $entity: {
    query: '{ entities(first: 1) { nodes { id } } }',
    pick: (d: { entities?: { nodes: { id: string }[] } }) => d.entities?.nodes[0]?.id,
  },
  $report: {
    query: '{ sleepReports(first: 1) { nodes { id } } }',
    pick: (d: { sleepReports?: { nodes: { id: string }[] } }) => d.sleepReports?.nodes[0]?.id,
  },
}

/** Sends a query and returns its data; undefined if it failed. */
export type Ask = (query: string) => Promise<unknown>

/** The variables of an example as JSON, with ids that exist on the server. */
export async function variablesOf(example: Example, ask: Ask): Promise<string> {
  let text = example.variables ? JSON.stringify(example.variables, null, 2) : ''
  for (const [name, { query, pick }] of Object.entries(lookups)) {
    if (!text.includes(`"${name}"`)) continue
    const id = pick(((await ask(query)) ?? {}) as never)
    if (id) text = text.replaceAll(`"${name}"`, JSON.stringify(id))
  }
  return text
}

const instant = (daysAgo: number) => `${new Date(Date.now() - daysAgo * 864e5).toISOString().slice(0, 19)}Z`

/** The examples in the order of the documentation. */
export const examples: Example[] = [
  {
    section: 'Write',
    name: 'Remember a statement',
    query: `mutation Remember($input: RememberInput!) {
  remember(input: $input) {
    memory { id type salience confidence }
    duplicateOf
    conflictsWith
  }
}`,
    variables: { input: { content: 'The harbour closes at nine in winter.', consent: 'EXPLICIT' } },
  },
  {
    section: 'Find',
    name: 'Search',
    query: `query Search($input: SearchInput!) {
  search(input: $input) {
    latencyMs
    noMatch
    hits {
      score
      label
      parts { semantic keyword recency }
      memory { id content type version occurredAt }
    }
  }
}`,
    variables: { input: { query: 'what wind may Heron fly in', topK: 5, track: false } },
  },
  {
    section: 'Find',
    name: 'List memories',
    query: `query List {
  memories(first: 10) {
    nodes { id content type status occurredAt }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
  {
    section: 'Ask the past',
    name: 'What was known three months ago',
    query: `query Then($input: SearchInput!) {
  search(input: $input) {
    hits { label memory { content recordedAt supersededAt } }
  }
}`,
    variables: { input: { query: 'what wind may Heron fly in', track: false, asOf: { recorded: instant(90) } } },
  },
  {
    section: 'Ask for facts',
    name: 'Facts about a subject',
    query: `query Facts($subject: String!) {
  facts(subject: $subject, includePast: true) {
    predicate
    object
    validFrom
    validTo
    current
    memory { content }
  }
}`,
    variables: { subject: 'Heron' },
  },
  {
    section: 'Walk the graph',
    name: 'What is related to a memory',
    query: `query Related($id: ID!) {
  related(id: $id, depth: 2) {
    memories { id content }
    paths { ids edges { kind predicate } }
  }
}`,
    variables: { id: '$memory' },
  },
  {
    section: 'Walk the graph',
    name: 'Relations between entities',
    query: `query Relations {
  relations(first: 20) {
    nodes { source { name } predicate target { name } weight }
  }
}`,
  },
  {
    section: 'Walk the graph',
    name: 'How an entity came to be',
    query: `query EntityLineage($id: ID!) {
  entityLineage(id: $id) {
    at
    kind
    name
    memory { content }
  }
}`,
    variables: { id: '$entity' },
  },
  {
    section: 'Walk the graph',
    name: 'What is known of a user',
    query: `query Known($user: String!) {
  known(user: $user) {
    total
    lines { claim { subject predicate object } memory { content } }
  }
}`,
    variables: { user: 'ana' },
  },
  {
    section: 'Correct',
    name: 'Write a new version',
    query: `mutation Correct($input: SupersedeInput!) {
  supersede(input: $input) {
    memory { id version }
    previous { status }
  }
}`,
    variables: { input: { id: '$memory', content: 'The ferry leaves at 07:10.', reason: 'winter timetable' } },
  },
  {
    section: 'Correct',
    name: 'The versions of a memory',
    query: `query Lineage($id: ID!) {
  lineage(id: $id) { version reason recordedAt memory { content } }
}`,
    variables: { id: '$memory' },
  },
  {
    section: 'Let evidence decide',
    name: 'Adjudicate a fact',
    query: `mutation Adjudicate($input: AdjudicateInput!) {
  adjudicate(input: $input) {
    decision
    quorum
    required
    current { content version }
  }
}`,
    variables: {
      input: {
        fact: 'The winch is kept in the boat house.',
        subject: 'winch',
        consent: 'EXPLICIT',
        evidence: [{ source: 'tomas', weight: 0.9, confidence: 0.9 }],
      },
    },
  },
  {
    section: 'Fill a prompt',
    name: 'A context with reasons',
    query: `query Context($input: ContextInput!) {
  context(input: $input) {
    text
    totalTokens
    tokensSaved
    items { memoryId layer shown reason }
  }
}`,
    variables: { input: { session: 'today', query: 'plan the next flight', tokenBudget: 2000, explain: true, track: false } },
  },
  {
    section: 'Keep a conversation',
    name: 'Record a turn',
    query: `mutation Observe($input: ObserveInput!) {
  observe(input: $input) { memory { id tier } }
}`,
    variables: { input: { session: 'today', role: 'USER', text: 'TODO: grease the winch before Friday.', consent: 'EXPLICIT' } },
  },
  {
    section: 'Keep a conversation',
    name: 'Open tasks',
    query: `query Tasks {
  tasks { nodes { memory { id content } status due blockedBy } }
}`,
  },
  {
    section: 'Keep a conversation',
    name: 'End a conversation',
    query: `mutation Close {
  closeSession(session: "today") { flushed { id tier } }
}`,
  },
  {
    section: 'Store documents',
    name: 'Ingest a document',
    query: `mutation Ingest($input: IngestInput!) {
  ingest(input: $input) {
    document { id path version chunks }
    unchanged
    written
    superseded
    error { code message }
  }
}`,
    variables: { input: { path: 'handbook.md', text: '# Winch\n\nGrease the winch every Friday.\n', consent: 'EXPLICIT' } },
  },
  {
    section: 'Store documents',
    name: 'List documents',
    query: `query Documents {
  documents(first: 10) { nodes { id path mediaType status version chunks ingestedAt } }
}`,
  },
  {
    section: 'Find groups and patterns',
    name: 'List clusters',
    query: `query Clusters {
  clusters(first: 5) {
    nodes {
      id label size density
      terms(first: 3) { text weight }
      keyEntities(first: 3) { name }
      members(first: 3) { content }
      related(first: 2) { similarity cluster { label } }
    }
  }
}`,
  },
  {
    section: 'Find groups and patterns',
    name: 'Follow clusters from sleep to sleep',
    query: `query ClusterEvolution {
  clusterEvolution(first: 10) { nodes { at change cluster from size current { label } } }
}`,
  },
  {
    section: 'Find groups and patterns',
    name: 'List patterns',
    query: `query Patterns {
  patterns(first: 5) { nodes { id kind text confidence occurrences version status sources(first: 3) { content } } }
}`,
  },
  {
    section: 'Find groups and patterns',
    name: 'Search patterns first',
    query: `query Tiers($input: SearchInput!) {
  search(input: $input) {
    tiers { patterns clusters memories }
    clusters(first: 3) { score cluster { label } }
    hits { tier memory { content cluster { label } } }
  }
}`,
    variables: { input: { query: 'When may the winch run?', tierPreference: 'PATTERNS_FIRST', track: false } },
  },
  {
    section: 'Forget',
    name: 'Erase what belongs to a user',
    query: `mutation Forget($input: ForgetInput!) {
  forget(input: $input) { receipt { id count hash status } }
}`,
    variables: { input: { user: 'nobody-of-this-name' } },
  },
  {
    section: 'Set a policy for a namespace',
    name: 'A namespace for medical notes',
    query: `mutation Policy($input: NamespacePolicyInput!) {
  setNamespacePolicy(input: $input) { quorum gamma minConsent }
}`,
    variables: { input: { namespace: 'ward', preset: 'MEDICAL', minConsent: 'EXPLICIT' } },
  },
  {
    section: 'Sleep',
    name: 'Preview a sleep',
    query: `mutation DryRun {
  sleep(input: { dryRun: true }) {
    report { id promoted deduplicated pruned balance { in kept merged archived left derived } }
  }
}`,
  },
  {
    section: 'Sleep',
    name: 'Sleeps so far',
    query: `query Sleeps {
  sleepStatus { phase done total last { id } activeL1 }
  sleepReports(first: 7) { nodes { id startedAt tokensSaved } }
}`,
  },
  {
    section: 'Sleep',
    name: 'The way to the next tier',
    query: `query Tier($id: ID!) {
  memory(id: $id) {
    score
    promotesAt
    engraveGates { days neededDays confidence neededConfidence open }
  }
}`,
    variables: { id: '$memory' },
  },
  {
    section: 'Watch',
    name: 'Changes of memories',
    query: `subscription Watch {
  memoryEvents { cursor kind at memory { id content } }
}`,
  },
  {
    section: 'Watch',
    name: 'Progress of a sleep',
    query: `subscription Progress {
  sleepProgress { phase done total steps { verb from to } }
}`,
  },
  {
    section: 'Errors',
    name: 'An error names the field',
    query: `query Wrong {
  search(input: { query: "kites", topK: 0 }) { hits { score } }
}`,
  },
  {
    section: 'Limits of a request',
    name: 'Health, caller and rate limit',
    query: `query Health {
  health { score status memories engrams entities details }
  whoami { tenant scopes }
  rateLimit { cost remaining resetAt }
}`,
  },
]
