// Builds small worlds for tests from plain objects.
import { labelReader, type Frame } from '../src/api/frame'
import { EDGE_KINDS, STATUSES, TYPES, type EdgeKind } from '../src/api/vocabulary'
import { makeWorld, type World } from '../src/state/world'

export interface TestNode {
  type?: (typeof TYPES)[number]
  project?: string
  user?: string
  place?: [number, number, number]
  /** number of its cluster */
  cluster?: number
  namespace?: string
  importance?: number
  k?: number
  born?: number
  created?: number
  anchor?: number
  validFrom?: number
  expires?: number
  lastUse?: number
  days?: number[]
  label?: string
  states?: { from: number; status?: (typeof STATUSES)[number]; tier?: number; core?: boolean; validTo?: number }[]
}

export function idOf(i: number): string {
  return `00000000-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
}

export function testWorld(nodes: TestNode[], edges: [number, number, EdgeKind, number?][] = []): World {
  const n = nodes.length
  const texts = (of: (s: TestNode) => string) => {
    const words = ['', ...new Set(nodes.map(of).filter(Boolean))]
    return { values: words, index: Uint32Array.from(nodes, (s) => words.indexOf(of(s))) }
  }
  const states = nodes.map((s) => s.states ?? [{ from: s.born ?? 0 }])
  const flat = states.flat()
  const start = (lists: unknown[][]) => Uint32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat().length)])
  const times = (of: (s: TestNode) => number) => Float64Array.from(nodes, of)
  const ids = new Uint8Array(16 * n)
  nodes.forEach((_, i) => {
    idOf(i)
      .replaceAll('-', '')
      .match(/../g)!
      .forEach((b, k) => (ids[16 * i + k] = parseInt(b, 16)))
  })
  const utf8 = nodes.map((s) => new TextEncoder().encode(s.label ?? ''))
  const ends = utf8.map((_, i) => utf8.slice(0, i + 1).reduce((sum, b) => sum + b.length, 0))
  const labels = { bytes: Uint8Array.from(utf8.flatMap((b) => [...b])), start: Uint32Array.from(ends, (end, i) => end - utf8[i]!.length), end: Uint32Array.from(ends) }
  const frame: Frame = {
    at: 0,
    cursor: '1',
    map: '1',
    total: n,
    count: n,
    edgeCount: edges.length,
    ids,
    positions: Float32Array.from(nodes.flatMap((s) => s.place ?? [0, 0, 0])),
    type: Uint8Array.from(nodes, (s) => TYPES.indexOf(s.type ?? 'SEMANTIC')),
    flags: new Uint8Array(n),
    decayClass: new Uint8Array(n),
    importance: Uint8Array.from(nodes, (s) => s.importance ?? 128),
    confidence: new Uint8Array(nodes.length).fill(255),
    version: new Uint16Array(n).fill(1),
    decayRate: Float32Array.from(nodes, (s) => s.k ?? 0),
    born: times((s) => s.states?.[0]?.from ?? s.born ?? 0),
    created: times((s) => s.created ?? s.states?.[0]?.from ?? s.born ?? 0),
    anchor: times((s) => s.anchor ?? -Infinity),
    validFrom: times((s) => s.validFrom ?? s.born ?? 0),
    expires: times((s) => s.expires ?? Infinity),
    lastUse: times((s) => s.lastUse ?? -Infinity),
    stateStart: start(states),
    stateFrom: Float64Array.from(flat, (s) => s.from),
    stateValidTo: Float64Array.from(flat, (s) => s.validTo ?? Infinity),
    stateStatus: Uint8Array.from(flat, (s) => STATUSES.indexOf(s.status ?? 'ACTIVE')),
    stateTier: Uint8Array.from(flat, (s) => s.tier ?? 1),
    stateCore: Uint8Array.from(flat, (s) => (s.core ? 1 : 0)),
    useStart: start(nodes.map((s) => s.days ?? [])),
    useDay: nodes.flatMap((s) => s.days ?? []),
    namespace: texts((s) => s.namespace ?? 'default'),
    project: texts((s) => s.project ?? ''),
    user: texts((s) => s.user ?? ''),
    session: texts(() => ''),
    label: labelReader(labels),
    labels,
    regions: null,
    tiles: null,
    cluster: Int32Array.from(nodes, (s) => s.cluster ?? -1),
    clusters: [],
    from: Uint32Array.from(edges, (e) => e[0]),
    to: Uint32Array.from(edges, (e) => e[1]),
    edgeKind: Uint8Array.from(edges, (e) => EDGE_KINDS.indexOf(e[2])),
    edgeWeight: Uint8Array.from(edges, (e) => e[3] ?? 255),
  }
  return makeWorld(frame)
}
