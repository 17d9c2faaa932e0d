var e=[4401,4403],t=()=>{};function n(e){t=e}function r(e){e===401&&t()}function i(n){let r=n?.code,i=typeof r==`number`&&e.includes(r);return i&&t(),i}function a(e=document.cookie){return e.split(/;\s*/).some(e=>e.startsWith(`__Host-somnograph-user=`))}function o(e=location){return`signin?to=${encodeURIComponent(`/${e.search}${e.hash}`)}`}function s(){location.assign(`signin?out`)}function c(e,t={},...n){let r=document.createElement(e);return u(r,t),r.append(...n.filter(e=>e!=null&&e!==!1)),r}function l(e,t={},...n){let r=document.createElementNS(`http://www.w3.org/2000/svg`,e);return u(r,t),r.append(...n),r}function u(e,t){for(let[n,r]of Object.entries(t))r!=null&&r!==!1&&(typeof r==`function`?e.addEventListener(n.slice(2),r):e.setAttribute(n,r===!0?``:String(r)))}var d={search:`M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.4 15.4 20 20`,close:`M6 6l12 12M18 6 6 18`,play:`M8 5.5v13l10.5-6.5z`,pause:`M8 6v12M16 6v12`,home:`M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4`,cube:`M12 3.5 20 8v8l-8 4.5L4 16V8zM4 8l8 4.5L20 8M12 12.5v8`,flat:`M4 5h16v14H4zM4 12h16M12 5v14`,sun:`M12 8.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6zM12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3`,moon:`M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z`,sleep:`M12.5 4.5h7l-7 8h7M4 13.5h5l-5 6h5`,camera:`M4 8h3l1.6-2.4h6.8L17 8h3v11H4zM12 10.2a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6z`,help:`M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM9.6 9.6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1.1.9-1.1 1.7M12 16.6v.2`,words:`M4 6.5h1M4 12h1M4 17.5h1M9 6.5h11M9 12h11M9 17.5h7`,clusters:`M7.5 4.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM16.500 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM11 13.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6z`,boards:`M4 19.5h16M6.5 16v-5M11 16V6M15.5 16v-7.500M20 16v-3`,agent:`M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.5 3.500V16H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8 9h8M8 12h5`,more:`M5 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM12 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM19 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2z`,save:`M12 4v10.500M7.5 10.5 12 15l4.5-4.500M5 19.500h14`,link:`M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1`,spring:`M3 12h2.500l1.500-4 3 8 3-8 3 8 1.500-4H21`,tour:`M12 3.500a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM15.5 8.500l-2 5-5 2 2-5z`,range:`M8 5H5v14h3M16 5h3v14h-3M9.5 12h5`,person:`M12 4.500a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM5 20c.6-3.600 3.400-5.500 7-5.500s6.400 1.900 7 5.500`,filter:`M4 6h16M7 12h10M10 18h4`,check:`M5 12.5l4.5 4.5L19 7.5`,left:`M14.5 6 8.5 12l6 6`,right:`M9.5 6l6 6-6 6`,target:`M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12 3v4M12 17v4M3 12h4M17 12h4`};function f(e){return l(`svg`,{class:`icon`,viewBox:`0 0 24 24`,"aria-hidden":`true`},l(`path`,{d:d[e]??``}))}function p(e,t,n,r){return c(`button`,{type:`button`,class:`icon-button`,"aria-label":t,title:r?`${t} (${r})`:t,onclick:n},f(e))}function m(e){let t=c(`i`,{class:`swatch`});return t.style.background=e,t}function h(e){return l(`svg`,{class:`glyph type-${e.toLowerCase()}`,viewBox:`0 0 16 16`,"aria-hidden":`true`},l(`path`,{d:{EPISODIC:`M8 2.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6z`,SEMANTIC:`M8 1.6 14.4 8 8 14.4 1.6 8z`,WORKING:`M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 3.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z`,DOCUMENT:`M3.6 3h8.8a.6.6 0 0 1 .6.6v8.8a.6.6 0 0 1-.6.6H3.6a.6.6 0 0 1-.6-.6V3.6a.6.6 0 0 1 .6-.6z`,PROCEDURAL:`M8 2.2 14.2 13H1.8z`}[e]??``}))}var g=`graphql`,_=class extends Error{code;field;constructor(e,t,n=``){super(e),this.code=t,this.field=n}};async function v(e,t,n){let i;try{i=await fetch(g,{method:`POST`,headers:{"content-type":`application/json`,accept:`application/graphql-response+json, application/json`},body:JSON.stringify({query:e,variables:t}),...n?{signal:n}:{}})}catch(e){throw e instanceof DOMException&&e.name===`AbortError`?e:new _(`The server does not answer.`,`OFFLINE`)}r(i.status);let a;try{a=await i.json()}catch{throw new _(`The server answered with status ${i.status}.`,`UNAVAILABLE`)}let o=a.errors?.[0];if(o)throw new _(o.message,o.extensions?.code??`INTERNAL`,o.extensions?.field);if(!a.data)throw new _(`The server answered with status ${i.status}.`,`UNAVAILABLE`);return a.data}function y(e){if(e==null)throw new _(`The server returned no data.`,`UNAVAILABLE`);return e}var b=`fragment MemorySummary on Memory {
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
  }
  lineage(id: $id, first: 100) {
    version
    checksum
    reason
    recordedAt
    supersededAt
    memory { id content status unavailable { code message } }
  }
}

query Search($input: SearchInput!) {
  search(input: $input) {
    latencyMs
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
    later { ...MemorySummary authority confidence sourceKind source }
    earlier { ...MemorySummary authority confidence sourceKind source }
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
      memory { ...MemorySummary namespace user retention }
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

mutation FeedbackOn($query: String!, $id: ID!, $outcome: FeedbackOutcome!) {
  feedback(query: $query, id: $id, outcome: $outcome) { id }
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
  whoami { tenant name user namespaces grant admin }
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
`.split(/\n(?=fragment |query |mutation |subscription )/).map(e=>e.trim());function x(e){let t=b.find(t=>RegExp(`^(query|mutation|subscription) ${e}\\b`).test(t));if(!t)throw Error(`no operation ${e}`);let n=[t];for(let e of n)for(let[,t]of e.matchAll(/\.\.\.(\w+)/g)){let e=b.find(e=>e.startsWith(`fragment ${t} `));e&&!n.includes(e)&&n.push(e)}return n.join(`
`)}function S(e,t,n){return v(x(`Detail`),{id:e,asOf:t},n)}async function C(e,t){let n=(await v(x(`Labels`),{id:e,asOf:null},t)).memory;return n?.summary||n?.content||n?.unavailable?.message||``}async function w(e,t){return(await v(x(`Search`),{input:e},t)).search}function T(e){return e instanceof _&&(e.code===`UNAVAILABLE`||e.code===`INVALID_REQUEST`&&/Cannot query field|Unknown type|Unknown argument/.test(e.message))}async function E(e,t,n){return y((await v(x(`SleepReports`),{first:e,after:t},n)).sleepReports)}async function D(e,t){return y((await v(x(`SleepReport`),{id:e},t)).sleepReport)}async function O(e,t){return y((await v(x(`SleepSteps`),{id:e},t)).sleepReport).steps}async function k(e){return y((await v(x(`SleepStatus`),{},e)).sleepStatus)}async function A(e){return y((await v(x(`Sleep`),{input:e})).sleep).report}async function j(e){return y((await v(x(`DryRun`),{input:{...e,dryRun:!0,wait:!0}})).sleep).report}async function M(e){return y(y((await v(x(`Rollback`),{id:e})).rollback).report)}async function N(e,t,n){return y((await v(x(`Plasticity`),{id:e,asOf:t},n)).memory)}async function P(e,t){let n=await Promise.all(e.map(async e=>y((await v(x(`Decisions`),{memory:e},t)).reconsolidations).nodes));return[...new Map(n.flat().map(e=>[e.id,e])).values()].sort((e,t)=>t.at.localeCompare(e.at))}async function F(e,t){return y((await v(x(`Forecast`),e,t)).decayForecast)}async function I(e,t){return y((await v(x(`Conflicts`),{namespaces:e},t)).conflicts)}async function L(e){await v(x(`ResolveConflict`),{input:e})}async function R(e,t){return y((await v(x(`Policy`),{namespace:e},t)).namespacePolicy)}async function z(e){return y((await v(x(`SetPolicy`),{input:e})).setNamespacePolicy)}var B=new Set;function V(){for(let e of[...B])e.load(!0)}var H=class{into;fetch;show;name;running=null;filled=!1;constructor(e,t,n,r){this.into=e,this.fetch=t,this.show=n,this.name=r}async load(e=!1){this.stop();let t=this.running=new AbortController;(e||!this.filled)&&(this.filled=!1,this.into.replaceChildren(c(`div`,{class:`skeleton`,role:`status`,"aria-label":`Loading`},c(`i`),c(`i`),c(`i`))));try{let e=await this.fetch(t.signal);if(t.signal.aborted)return;this.into.replaceChildren(...this.show(e)),this.filled=!0}catch(e){if(t.signal.aborted)return;this.filled=!1,this.into.replaceChildren(this.failed(e)),T(e)||B.add(this)}}stop(){B.delete(this),this.running?.abort()}failed(e){let t=c(`button`,{type:`button`,class:`button`,onclick:()=>void this.load(!0)},`Try again`);return T(e)?c(`div`,{class:`dock-note`,role:`status`},c(`p`,{},`Not available from this server: ${this.name}.`),c(`p`,{class:`muted small`},U(e)),t):c(`div`,{class:`dock-note`,role:`alert`},c(`p`,{},U(e)),t)}};function U(e){return e instanceof _?e.code===`SLEEP_RUNNING`?`A sleep is running. Try again when it has finished.`:e.code===`FORBIDDEN`?`Not allowed: ${e.message}`:e.message:`Could not be loaded.`}export{p as A,_ as C,h as D,y as E,r as F,n as I,o as L,m as M,a as N,c as O,i as P,s as R,x as S,v as T,z as _,I as a,C as b,N as c,E as d,k as f,M as g,L as h,j as i,l as j,f as k,R as l,T as m,U as n,P as o,O as p,V as r,F as s,H as t,D as u,A as v,g as w,w as x,S as y};