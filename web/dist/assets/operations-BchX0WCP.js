var e=[4401,4403],t=()=>{};function n(e){t=e}function r(e){e===401&&t()}function i(n){let r=n?.code,i=typeof r==`number`&&e.includes(r);return i&&t(),i}function a(e=document.cookie){return e.split(/;\s*/).some(e=>e.startsWith(`__Host-somnograph-user=`))}function o(e=location){return`signin?to=${encodeURIComponent(`/${e.search}${e.hash}`)}`}function s(){location.assign(`signin?out`)}var c=`graphql`,l=class extends Error{code;field;constructor(e,t,n=``){super(e),this.code=t,this.field=n}};async function u(e,t,n){let i;try{i=await fetch(c,{method:`POST`,headers:{"content-type":`application/json`,accept:`application/graphql-response+json, application/json`},body:JSON.stringify({query:e,variables:t}),...n?{signal:n}:{}})}catch(e){throw e instanceof DOMException&&e.name===`AbortError`?e:new l(`The server does not answer.`,`OFFLINE`)}r(i.status);let a;try{a=await i.json()}catch{throw new l(`The server answered with status ${i.status}.`,`UNAVAILABLE`)}let o=a.errors?.[0];if(o)throw new l(o.message,o.extensions?.code??`INTERNAL`,o.extensions?.field);if(!a.data)throw new l(`The server answered with status ${i.status}.`,`UNAVAILABLE`);return a.data}function d(e){if(e==null)throw new l(`The server returned no data.`,`UNAVAILABLE`);return e}var f=`fragment MemorySummary on Memory {
  id
  content
  summary
  type
  status
  version
  recordedAt
  supersededAt
  project
  unavailable { code message }
}

query Labels($id: ID!, $asOf: AsOf) {
  memory(id: $id, asOf: $asOf) { id content summary unavailable { code message } }
}

query Detail($id: ID!, $asOf: AsOf) {
  memory(id: $id, asOf: $asOf) {
    ...MemorySummary
    tier
    namespace
    user
    session
    agent
    subject
    predicate
    object
    consent
    sourceKind
    source
    tags
    meta
    salience
    usage
    usageDays
    authority
    conflict
    surprise
    confidence
    importance
    criticality
    retention
    decayClass
    core
    checksum
    chunkIndex
    entities(first: 30) { id name type mentionCount }
    createdAt
    updatedAt
    lastAccessedAt
    occurredAt
    validFrom
    validTo
    expiresAt
    supersedes { id version }
    supersededBy { id version }
    derivedFrom(first: 10) { ...MemorySummary }
    consolidatedInto { ...MemorySummary }
    pattern { id }
  }
  lineage(id: $id, first: 100) {
    version
    checksum
    reason
    recordedAt
    supersededAt
    memory { id content status source sourceKind unavailable { code message } }
  }
}

query Search($input: SearchInput!) {
  search(input: $input) {
    latencyMs
    noMatch
    unsure
    consideredCount
    semanticCandidates
    keywordCandidates
    graphCandidates
    degraded
    weights { semantic keyword recency importance project entity task }
    hits {
      score
      label
      parts { semantic keyword recency importance project entity task }
      memory { ...MemorySummary }
    }
  }
}

subscription Changes($after: String!, $map: String!) {
  vizChanges(after: $after, map: $map) { part }
}

subscription Events {
  memoryEvents { cursor kind id at }
}

fragment Report on SleepReport {
  id
  kind
  trigger
  startedAt
  completedAt
  resumed
  complete
  dryRun
  reinforced
  decayed
  pruned
  deduplicated
  promoted
  engraved
  dreamed
  consolidated
  derived
  sparsified
  tokensSaved
  promotionRate
  phases { phase items seconds }
  budgetKept
  cutOff
  clustersLeft
  balance { in kept merged archived left derived }
  rolledBackAt
  healthBefore
  healthAfter
}

query SleepReports($first: Int!, $after: String) {
  sleepReports(first: $first, after: $after) { nodes { ...Report } pageInfo { hasNextPage endCursor } }
}

query SleepReport($id: ID!) {
  sleepReport(id: $id) { ...Report skipped(first: 50) review(first: 50) doubts(first: 50) }
}

query SleepSteps($id: ID!) {
  sleepReport(id: $id) { id steps(first: 1000) { phase verb from to } }
}

query SleepStatus {
  sleepStatus {
    running { ...Report }
    phase
    done
    total
    interrupted
    last { id completedAt }
    nextScheduled
    activeL1
    pressureAt
  }
}

mutation Sleep($input: SleepInput!) {
  sleep(input: $input) { report { ...Report } }
}

mutation Rollback($id: ID!) {
  rollback(id: $id) { report { ...Report } }
}

subscription Progress {
  sleepProgress { reportId phase done total steps { phase verb from to } }
}

subscription MorningReports {
  sleepReports { ...Report }
}

query Plasticity($id: ID!, $asOf: AsOf) {
  memory(id: $id, asOf: $asOf) {
    id
    score
    promotesAt
    engraveGates { days neededDays confidence neededConfidence conflict maxConflict open }
  }
}

query Decisions($memory: ID!) {
  reconsolidations(memory: $memory, first: 20) {
    nodes { id at memoryIds erased decision fact quorum required conflict similarity evidence { source weight confidence } }
  }
}

query Forecast($days: Int!, $first: Int!, $namespaces: [String!], $user: String) {
  decayForecast(days: $days, first: $first, namespaces: $namespaces, user: $user) {
    fadesAt
    archivesAt
    memory { ...MemorySummary retention decayClass }
  }
}

query Conflicts($namespaces: [String!]) {
  conflicts(first: 50, namespaces: $namespaces) {
    score
    at
    later { ...MemorySummary authority confidence sourceKind source pattern { id } }
    earlier { ...MemorySummary authority confidence sourceKind source pattern { id } }
  }
}

mutation ResolveConflict($input: ResolveConflictInput!) {
  resolveConflict(input: $input) { id status }
}

fragment Policy on NamespacePolicy {
  namespace
  preset
  alpha
  beta
  gamma
  lambda
  delta
  quorum
  promoteAt
  engraveDays
  engraveConfidence
  engraveConflict
  decayK { slow medium fast }
  minConsent
  ttlSeconds { public internal confidential restricted }
}

query Policy($namespace: String!) {
  namespacePolicy(namespace: $namespace) { ...Policy }
}

mutation SetPolicy($input: NamespacePolicyInput!) {
  setNamespacePolicy(input: $input) { ...Policy }
}

query Entities($first: Int, $after: String, $name: String, $types: [EntityType!], $namespaces: [String!]) {
  entities(first: $first, after: $after, name: $name, types: $types, namespaces: $namespaces) {
    nodes { ...EntityFields }
    pageInfo { hasNextPage endCursor }
  }
}

fragment EntityFields on Entity {
  id
  name
  type
  namespace
  user
  mentionCount
  firstSeen
  lastSeen
}

query Relations($entity: ID!, $asOf: AsOf, $after: String) {
  relations(entity: $entity, asOf: $asOf, first: 50, after: $after) {
    nodes {
      id
      predicate
      strength
      weight
      confidence
      validFrom
      validTo
      source { ...EntityFields }
      target { ...EntityFields }
    }
    pageInfo { hasNextPage endCursor }
  }
}

query EntityRelations($entity: ID, $namespaces: [String!], $asOf: AsOf, $after: String) {
  relations(entity: $entity, namespaces: $namespaces, asOf: $asOf, first: 256, after: $after) {
    nodes {
      predicate
      strength
      source { id name type mentionCount }
      target { id name type mentionCount }
    }
    pageInfo { hasNextPage endCursor }
  }
}

query EntityMembers($entity: ID!) {
  memories(filter: { entity: $entity, statuses: [ACTIVE, SUPERSEDED, CONSOLIDATED, ARCHIVED, EXPIRED] }, first: 200, descending: true) {
    nodes { id }
  }
}

query Mentions($entity: ID!, $asOf: AsOf, $after: String) {
  memories(filter: { entity: $entity, statuses: [ACTIVE, SUPERSEDED, CONSOLIDATED, ARCHIVED, EXPIRED] }, asOf: $asOf, first: 50, after: $after, descending: true) {
    nodes { ...MemorySummary entities(first: 12) { ...EntityFields } }
    pageInfo { hasNextPage endCursor }
  }
}

fragment ClaimFields on Claim {
  id
  subject
  predicate
  attribute
  object
  negated
  confidence
  validFrom
  validTo
  current
  modality
  qualifiers
  corrected
  confirmed
  withdrawn
  revisedBy
  contestedBy(first: 3) { id content }
  memory { ...MemorySummary namespace user }
}

query Facts($subject: String!, $namespaces: [String!], $asOf: AsOf, $first: Int!, $offset: Int!) {
  facts(subject: $subject, namespaces: $namespaces, asOf: $asOf, includePast: true, first: $first, offset: $offset) { ...ClaimFields }
}

query Known($user: String!, $namespaces: [String!], $asOf: AsOf, $first: Int!, $offset: Int!) {
  known(user: $user, namespaces: $namespaces, asOf: $asOf, includePast: true, first: $first, offset: $offset) {
    total
    lines {
      claim { ...ClaimFields }
      memory { ...MemorySummary namespace user retention pattern { id } }
    }
  }
}

mutation ConfirmClaim($id: ID!) {
  confirmClaim(id: $id) { ...ClaimFields }
}

mutation CorrectClaim($id: ID!, $subject: String, $predicate: String, $object: String, $wrong: Boolean) {
  correctClaim(id: $id, subject: $subject, predicate: $predicate, object: $object, wrong: $wrong) { ...ClaimFields }
}

mutation SupersedeMemory($input: SupersedeInput!) {
  supersede(input: $input) { memory { id } }
}

mutation Remember($input: RememberInput!) {
  remember(input: $input) { memory { id } duplicateOf replayed revised(first: 5) { id content } conflictsWith(first: 5) }
}

query Marks($id: ID!) {
  memory(id: $id) { tags core }
}

mutation SetTags($id: ID!, $tags: [String!]!) {
  update(input: { id: $id, tags: $tags }) { id }
}

mutation Pin($id: ID!) {
  pin(id: $id) { id core }
}

mutation Unpin($id: ID!) {
  unpin(id: $id) { id core }
}

mutation UndoRevision($id: ID!) {
  undoRevision(id: $id) { id status }
}

mutation Forget($ids: [ID!]!, $dryRun: Boolean!) {
  forget(input: { ids: $ids, dryRun: $dryRun }) { receipt { id status count anonymised hash ids(first: 1000) safetyCriticalLost } }
}

query ConflictSide($id: ID!) {
  memory(id: $id) { ...MemorySummary authority confidence sourceKind source pattern { id } }
}

mutation FeedbackOn($query: String!, $id: ID!, $outcome: FeedbackOutcome!) {
  feedback(query: $query, id: $id, outcome: $outcome) { id }
}

mutation ForgetAll($input: ForgetInput!) {
  forget(input: $input) { receipt { id status count anonymised hash ids(first: 1000) safetyCriticalLost mentions } }
}

mutation ForgetMemory($id: ID!, $dryRun: Boolean!) {
  forget(input: { ids: [$id], dryRun: $dryRun }) { receipt { id count anonymised hash } }
}

query Path($from: ID!, $to: ID!, $asOf: AsOf) {
  path(from: $from, to: $to, asOf: $asOf) {
    memories { ...MemorySummary }
    edges { from to kind weight }
    truncated
  }
}

query Context($input: ContextInput!) {
  context(input: $input) {
    text
    totalTokens
    truncated
    tokensSaved
    layers { name text tokens memoryIds }
  }
}

query Tasks($status: TaskStatus, $namespaces: [String!], $after: String) {
  tasks(status: $status, namespaces: $namespaces, first: 100, after: $after) {
    nodes { ...TaskFields }
    pageInfo { hasNextPage endCursor }
  }
}

fragment TaskFields on Task {
  status
  confidence
  strength
  blocks
  blockedBy
  due
  endedAt
  turn
  memory { ...MemorySummary session priority expiresAt }
}

mutation ConfirmTask($id: ID!) {
  confirmTask(id: $id) { ...TaskFields }
}

mutation CompleteTask($id: ID!) {
  completeTask(id: $id) { ...TaskFields }
}

mutation DismissTask($id: ID!) {
  dismissTask(id: $id) { ...TaskFields }
}

query Health {
  health {
    score attainable status reason indicator memories engrams entities checksumFailures details refreshedAt
    indicators { name title subject unit value status higherIsBetter warning critical at history { at value } }
  }
}

query Alarms {
  alarms(active: false, first: 30) { id indicator subject severity message action advice byHand since until endedBy }
}

mutation ResetAlarm($id: ID!) {
  resetAlarm(id: $id) { id }
}

query DeadLetters {
  deadLetters(first: 100) { nodes { memoryId namespace work state attempts lastAt reason } pageInfo { hasNextPage } }
}

mutation RetryDeadLetter($ids: [ID!]!) {
  retryDeadLetter(ids: $ids) { settled }
}

mutation DiscardDeadLetter($ids: [ID!]!) {
  discardDeadLetter(ids: $ids)
}

mutation ResetBreaker($name: String!) {
  resetBreaker(name: $name) { name state }
}

query Performance {
  performance { name count p50Ms p95Ms p99Ms maxMs }
}

query GateDecisions($namespaces: [String!], $after: String) {
  reconsolidations(namespaces: $namespaces, first: 100, after: $after) {
    nodes { id at namespace memoryIds erased decision fact subject quorum required conflict similarity evidence { source weight confidence } }
    pageInfo { hasNextPage endCursor }
  }
}

query Receipt($id: ID!, $after: ID) {
  deletionReceipt(id: $id) { id status count anonymised hash requestedAt completedAt ids(first: 1000, after: $after) stores { store status at } }
}

query Whoami {
  whoami { tenant name user namespaces grant admin scopes }
}

mutation DryRun($input: SleepInput!) {
  sleep(input: $input) { report { ...Report steps(first: 200) { phase verb from to reason } } }
}

query Documents($namespaces: [String!], $after: String) {
  documents(namespaces: $namespaces, first: 200, after: $after) {
    nodes { id path title mediaType status version chunks ingestedAt namespace user }
    pageInfo { hasNextPage endCursor }
  }
}

query DocumentPart($id: ID!, $from: Int!, $first: Int!) {
  document(id: $id) { id chunks memories(from: $from, first: $first) { id content chunkIndex headings } }
}

query ChunkPlace($id: ID!) {
  memory(id: $id) { id chunkIndex headings line document { id path title version chunks } }
}

query Audit($after: String, $oldestFirst: Boolean) {
  audit(first: 50, after: $after, oldestFirst: $oldestFirst) {
    nodes { seq at principal verb outcome ids more decision count milliseconds }
    pageInfo { hasNextPage endCursor }
  }
}

query Erasures {
  audit(first: 200, verb: "forget") {
    nodes { at principal outcome more count ids }
  }
}

query Receipts($after: String) {
  deletionReceipts(first: 100, after: $after) {
    nodes { id status count requestedAt completedAt }
    pageInfo { hasNextPage endCursor }
  }
}

query AuditCheck {
  auditCheck { intact chains { chain rows first last waiting roots keys problems { seq what } } }
}

query ReceiptProof($id: ID!) {
  deletionReceipt(id: $id) { proof }
  proofKey
}

fragment ClusterFields on Cluster {
  id
  label
  namespace
  user
  size
  density
}

fragment PatternFields on Pattern {
  id
  kind
  text
  confidence
  occurrences
  version
  status
  namespace
  user
  successRate
  safetyCritical
}

query Clusters($namespaces: [String!], $after: String) {
  clusters(namespaces: $namespaces, first: 50, after: $after) {
    nodes { ...ClusterFields terms(first: 4) { text } }
    pageInfo { hasNextPage endCursor }
  }
}

query Cluster($id: ID!) {
  cluster(id: $id) {
    ...ClusterFields
    summary
    createdAt
    updatedAt
    terms(first: 12) { text weight count }
    memberships(first: 12) { strength settled memory { ...MemorySummary } }
    keyEntities(first: 8) { id name type mentionCount }
    related(first: 6) { similarity cluster { ...ClusterFields } }
    patterns(first: 10) { ...PatternFields }
    activity(buckets: 24) { from to count }
  }
  clusterEvolution(cluster: $id, first: 20) {
    nodes { id at change cluster from size }
  }
}

query Patterns($namespaces: [String!], $kinds: [PatternKind!], $after: String) {
  patterns(namespaces: $namespaces, kinds: $kinds, first: 50, after: $after) {
    nodes { ...PatternFields }
    pageInfo { hasNextPage endCursor }
  }
}

query PatternConflicts($namespaces: [String!]) {
  patternConflicts(namespaces: $namespaces, open: true, first: 50) { id since waits patterns { ...PatternFields } }
}

query PatternConflictLog($namespaces: [String!]) {
  patternConflicts(namespaces: $namespaces, open: false, first: 200) { id since kept resolvedAt resolvedBy note patterns { ...PatternFields } }
}

query Pattern($id: ID!) {
  pattern(id: $id) {
    ...PatternFields
    conditions
    actions
    heldOut
    createdAt
    validatedAt
    memory { id }
    conflicts { ...PatternFields }
  }
  patternLineage(id: $id) {
    versions { ...PatternFields createdAt }
    clusters { cluster { ...ClusterFields } memories { ...MemorySummary } }
  }
}

mutation ResolvePattern($keep: ID!, $end: ID!, $note: String) {
  resolvePattern(keep: $keep, end: $end, note: $note) { id status }
}
`.split(/\n(?=fragment |query |mutation |subscription )/).map(e=>e.trim());function p(e){let t=f.find(t=>RegExp(`^(query|mutation|subscription) ${e}\\b`).test(t));if(!t)throw Error(`no operation ${e}`);let n=[t];for(let e of n)for(let[,t]of e.matchAll(/\.\.\.(\w+)/g)){let e=f.find(e=>e.startsWith(`fragment ${t} `));e&&!n.includes(e)&&n.push(e)}return n.join(`
`)}function m(e,t,n){return u(p(`Detail`),{id:e,asOf:t},n)}async function h(e,t){let n=(await u(p(`Labels`),{id:e,asOf:null},t)).memory;return n?.summary||n?.content||n?.unavailable?.message||``}async function g(e,t){return(await u(p(`Search`),{input:e},t)).search}export{l as a,d as c,r as d,n as f,p as i,a as l,s as m,h as n,c as o,o as p,g as r,u as s,m as t,i as u};