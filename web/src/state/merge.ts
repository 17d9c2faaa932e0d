// Merges a part into a world: removes nodes and edges, replaces nodes with known ids, and
// appends new ones.
import { formatId, labelReader, type Cluster, type Frame, type ScenePart, type Dictionary } from '../api/frame'
import { makeWorld, type World } from './world'

/** The merged world; the old one stays as it is. */
export function merge(world: World, part: ScenePart): World {
  const plan = planMerge(world, part)
  const frame = mergeFrames(world.frame, part, plan)
  return makeWorld(frame, { parent: world, oldIndex: plan.oldIndex })
}

/** The world without some memories, given as 16 bytes each. */
export function removeNodes(world: World, removed: Uint8Array): World {
  const f = world.frame
  const none = <C extends { slice(from: number, to: number): C }>(column: C): C => column.slice(0, 0)
  const bare = Object.fromEntries(Object.entries(f).map(([k, v]) => [k, ArrayBuffer.isView(v) ? none(v as Uint8Array) : v])) as unknown as Frame
  const texts = (t: Dictionary): Dictionary => ({ index: none(t.index), values: [] })
  const part: ScenePart = {
    ...bare, count: 0, edgeCount: 0, stateStart: Uint32Array.of(0), useStart: Uint32Array.of(0), useDay: new Uint32Array(0),
    namespace: texts(f.namespace), project: texts(f.project), user: texts(f.user), session: texts(f.session),
    labels: { bytes: new Uint8Array(0), start: new Uint32Array(0), end: new Uint32Array(0) },
    refs: new Uint8Array(0), removed, cutFrom: new Uint32Array(0), cutTo: new Uint32Array(0), cutKind: new Uint8Array(0),
    clusters: [], removedClusters: [],
  }
  return merge(world, part)
}

interface MergePlan {
  count: number
  /** new index of each node of the world; -1: removed */
  newIndex: Int32Array
  /** index of each node of the part */
  partIndex: Int32Array
  /** index of each ref of the part; -1: not in the world */
  refs: Int32Array
  /** previous index of each node; -1: new */
  oldIndex: Int32Array
  /** index in the part of each node; -1: unchanged */
  partNode: Int32Array
}

function planMerge(world: World, part: ScenePart): MergePlan {
  const gone = new Uint8Array(world.count)
  for (let k = 0; k < part.removed.length / 16; k++) {
    const node = world.indexOf(formatId(part.removed, k))
    if (node >= 0) gone[node] = 1
  }
  const newIndex = new Int32Array(world.count)
  let count = 0
  for (let i = 0; i < world.count; i++) newIndex[i] = gone[i] ? -1 : count++
  const partIndex = new Int32Array(part.count)
  for (let k = 0; k < part.count; k++) {
    const node = world.indexOf(formatId(part.ids, k))
    partIndex[k] = node >= 0 && newIndex[node]! >= 0 ? newIndex[node]! : count++
  }
  const oldIndex = new Int32Array(count).fill(-1)
  newIndex.forEach((to, i) => to >= 0 && (oldIndex[to] = i))
  const partNode = new Int32Array(count).fill(-1)
  partIndex.forEach((to, k) => (partNode[to] = k))
  const refs = Int32Array.from({ length: part.refs.length / 16 }, (_, k) => {
    const node = world.indexOf(formatId(part.refs, k))
    return node < 0 ? -1 : newIndex[node]!
  })
  return { count, newIndex, partIndex, refs, oldIndex, partNode }
}

function mergeFrames(f: Frame, part: ScenePart, plan: MergePlan): Frame {
  type Column = Int32Array | Uint8Array | Uint16Array | Float32Array | Float64Array | Uint32Array
  const column = <C extends Column>(old: C, add: C, per = 1): C => {
    const out = new (old.constructor as new (n: number) => C)(plan.count * per)
    for (let i = 0; i < plan.count; i++) {
      const from = plan.partNode[i]! >= 0 ? add : old
      const at = per * (plan.partNode[i]! >= 0 ? plan.partNode[i]! : plan.oldIndex[i]!)
      for (let d = 0; d < per; d++) out[per * i + d] = from[at + d]!
    }
    return out
  }
  const states = mergeRuns(f.stateStart, part.stateStart, plan)
  const uses = mergeRuns(f.useStart, part.useStart, plan)
  const labels = mergeLabels(f, part, plan)
  return {
    at: part.at,
    cursor: part.cursor,
    map: part.map,
    total: part.total,
    count: plan.count,
    ids: column(f.ids, part.ids, 16),
    positions: column(f.positions, part.positions, 3),
    type: column(f.type, part.type),
    flags: column(f.flags, part.flags),
    decayClass: column(f.decayClass, part.decayClass),
    importance: column(f.importance, part.importance),
    confidence: column(f.confidence, part.confidence),
    version: column(f.version, part.version),
    decayRate: column(f.decayRate, part.decayRate),
    born: column(f.born, part.born),
    created: column(f.created, part.created),
    anchor: column(f.anchor, part.anchor),
    validFrom: column(f.validFrom, part.validFrom),
    expires: column(f.expires, part.expires),
    lastUse: column(f.lastUse, part.lastUse),
    stateStart: states.start,
    stateFrom: states.gather(new Float64Array(states.total), f.stateFrom, part.stateFrom),
    stateValidTo: states.gather(new Float64Array(states.total), f.stateValidTo, part.stateValidTo),
    stateStatus: states.gather(new Uint8Array(states.total), f.stateStatus, part.stateStatus),
    stateTier: states.gather(new Uint8Array(states.total), f.stateTier, part.stateTier),
    stateCore: states.gather(new Uint8Array(states.total), f.stateCore, part.stateCore),
    useStart: uses.start,
    useDay: uses.gather(new Uint32Array(uses.total), f.useDay, part.useDay),
    namespace: mergeDictionaries(f.namespace, part.namespace, column),
    project: mergeDictionaries(f.project, part.project, column),
    user: mergeDictionaries(f.user, part.user, column),
    session: mergeDictionaries(f.session, part.session, column),
    label: labelReader(labels),
    labels,
    regions: part.regions ?? f.regions,
    tiles: f.tiles,
    ...mergeClusters(f, part, column),
    ...mergeEdges(f, part, plan),
  }
}

/** Merges columns in which each node has a run of values. */
function mergeRuns(old: Uint32Array, add: Uint32Array, plan: MergePlan) {
  const start = new Uint32Array(plan.count + 1)
  const at = new Uint32Array(plan.count)
  for (let i = 0; i < plan.count; i++) {
    const k = plan.partNode[i]!
    const [starts, node] = k >= 0 ? [add, k] : [old, plan.oldIndex[i]!]
    at[i] = starts[node]!
    start[i + 1] = start[i]! + starts[node + 1]! - starts[node]!
  }
  const gather = <C extends Uint8Array | Uint32Array | Float64Array>(out: C, before: ArrayLike<number>, added: ArrayLike<number>): C => {
    for (let i = 0; i < plan.count; i++) {
      const from = plan.partNode[i]! >= 0 ? added : before
      for (let o = start[i]!, s = at[i]!; o < start[i + 1]!; o++, s++) out[o] = from[s]!
    }
    return out
  }
  return { start, total: start[plan.count]!, gather }
}

function mergeDictionaries(old: Dictionary, add: Dictionary, column: (old: Uint32Array, add: Uint32Array) => Uint32Array): Dictionary {
  const values = [...old.values]
  const number = new Map(values.map((v, i) => [v, i]))
  const added = add.index.map((i) => {
    const value = add.values[i]!
    let n = number.get(value)
    if (n === undefined) {
      n = values.push(value) - 1
      number.set(value, n)
    }
    return n
  })
  return { index: column(old.index, added), values }
}

/** The clusters of both, largest first, and the cluster of each node. */
function mergeClusters(f: Frame, part: ScenePart, column: (old: Int32Array, add: Int32Array) => Int32Array): Pick<Frame, 'cluster' | 'clusters'> {
  const byId = new Map<string, Cluster>(f.clusters.map((c) => [c.id, c]))
  for (const id of part.removedClusters) byId.delete(id)
  for (const c of part.clusters) byId.set(c.id, c)
  const clusters = [...byId.values()].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
  const number = new Map(clusters.map((c, i) => [c.id, i]))
  const renumbered = (old: Int32Array, from: Cluster[]) => {
    const now = from.map((c) => number.get(c.id) ?? -1)
    return old.map((k) => (k < 0 ? -1 : now[k]!))
  }
  return { clusters, cluster: column(renumbered(f.cluster, f.clusters), renumbered(part.cluster, part.clusters)) }
}

function mergeLabels(f: Frame, part: ScenePart, plan: MergePlan): Frame['labels'] {
  const bytes = new Uint8Array(f.labels.bytes.length + part.labels.bytes.length)
  bytes.set(f.labels.bytes)
  bytes.set(part.labels.bytes, f.labels.bytes.length)
  const start = new Uint32Array(plan.count)
  const end = new Uint32Array(plan.count)
  for (let i = 0; i < plan.count; i++) {
    const k = plan.partNode[i]!
    const [w, node, shift] = k >= 0 ? [part.labels, k, f.labels.bytes.length] : [f.labels, plan.oldIndex[i]!, 0]
    start[i] = w.start[node]! + shift
    end[i] = w.end[node]! + shift
  }
  return { bytes, start, end }
}

function mergeEdges(f: Frame, part: ScenePart, plan: MergePlan): Pick<Frame, 'edgeCount' | 'from' | 'to' | 'edgeKind' | 'edgeWeight'> {
  const end = (i: number): number => (i < part.count ? plan.partIndex[i]! : plan.refs[i - part.count]!)
  const key = (from: number, to: number, kind: number): number => (from * plan.count + to) * 16 + kind
  const cut = new Set<number>()
  part.cutKind.forEach((kind, i) => cut.add(key(end(part.cutFrom[i]!), end(part.cutTo[i]!), kind)))
  const most = f.edgeCount + part.edgeCount
  const out = { edgeCount: 0, from: new Uint32Array(most), to: new Uint32Array(most), edgeKind: new Uint8Array(most), edgeWeight: new Uint8Array(most) }
  const add = (from: number, to: number, kind: number, weight: number): void => {
    out.from[out.edgeCount] = from
    out.to[out.edgeCount] = to
    out.edgeKind[out.edgeCount] = kind
    out.edgeWeight[out.edgeCount++] = weight
  }
  // Several tiles may contain the same edge.
  const held = new Set<number>()
  for (let e = 0; e < f.edgeCount; e++) {
    const from = plan.newIndex[f.from[e]!]!
    const to = plan.newIndex[f.to[e]!]!
    if (from >= 0 && to >= 0 && !(cut.size > 0 && cut.has(key(from, to, f.edgeKind[e]!)))) {
      add(from, to, f.edgeKind[e]!, f.edgeWeight[e]!)
      if (f.tiles) held.add(key(from, to, f.edgeKind[e]!))
    }
  }
  for (let e = 0; e < part.edgeCount; e++) {
    const from = end(part.from[e]!)
    const to = end(part.to[e]!)
    if (from >= 0 && to >= 0 && !held.has(key(from, to, part.edgeKind[e]!))) add(from, to, part.edgeKind[e]!, part.edgeWeight[e]!)
  }
  return out
}
