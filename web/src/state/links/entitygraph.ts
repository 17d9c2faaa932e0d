// Entities as nodes: which are shown, what relates them, where they stand, and the path between two.
import type { EntityType } from '../../api/schema.gen'
import type { HubEnd } from './layout'

/** An entity, the same in every namespace. */
export interface Hub {
  /** its name in lower case */
  key: string
  name: string
  type: EntityType
  ids: string[]
  /** number of memories that mention it now */
  mentions: number
  /** ids of the memories that mention it or did, as far as they are loaded */
  members: string[]
}

/** A named relation between two entities. */
export interface HubRelation {
  from: string
  to: string
  words: string
  strength: number
}

interface NamedEntity {
  id: string
  name: string
  type: EntityType
  mentionCount: number
}

/** Entities with so many mentions or more are shown without being asked for … */
const MIN_MENTIONS = 2

/** … at most so many. */
export const HUB_LIMIT = 22

/** So many relations of each are shown with it, the strongest ones. */
const SATELLITES = 1

export function keyOf(name: string): string {
  return name.trim().toLowerCase()
}

/** Entities of one name are one hub. Its type is that of the one with most mentions. */
export function mergeByName(entities: readonly NamedEntity[]): Map<string, Hub> {
  const hubs = new Map<string, Hub>()
  for (const e of [...entities].sort((a, b) => b.mentionCount - a.mentionCount || (a.id < b.id ? -1 : 1))) {
    const key = keyOf(e.name)
    const held = hubs.get(key)
    if (!held) hubs.set(key, { key, name: e.name, type: e.type, ids: [e.id], mentions: e.mentionCount, members: [] })
    else {
      held.ids.push(e.id)
      held.mentions += e.mentionCount
    }
  }
  return hubs
}

/** The hubs that are shown without being asked for, those with most mentions first. Values such as "61,000 crowns" are none. */
export function topHubs(hubs: Iterable<Hub>, max = HUB_LIMIT): Hub[] {
  return [...hubs]
    .filter((hub) => hub.mentions >= MIN_MENTIONS && !/^[\d.,:+-]/.test(hub.name))
    .sort((a, b) => b.mentions - a.mentions || (a.key < b.key ? -1 : 1))
    .slice(0, max)
}

/** The entities at the other ends of the strongest relations of each hub. */
export function satellitesOf(keys: readonly string[], relations: readonly HubRelation[], each = SATELLITES): string[] {
  const own = new Set(keys)
  const strongest = [...relations].sort((a, b) => b.strength - a.strength)
  const out = new Set<string>()
  for (const key of keys) {
    const others = strongest.flatMap((r) => (r.from === key ? [r.to] : r.to === key ? [r.from] : [])).filter((k) => !own.has(k))
    for (const other of [...new Set(others)].slice(0, each)) out.add(other)
  }
  return [...out]
}

/** The strongest relations of each hub among the shown ones, and all of those that are expanded. */
export function drawnRelations(relations: readonly HubRelation[], shown: ReadonlySet<string>, expanded: ReadonlySet<string>, each = 2): HubRelation[] {
  const known = relations.filter((r) => r.from !== r.to && shown.has(r.from) && shown.has(r.to)).sort((a, b) => b.strength - a.strength)
  const count = new Map<string, number>()
  return known.filter((r) => {
    const [a, b] = [count.get(r.from) ?? 0, count.get(r.to) ?? 0]
    if (!expanded.has(r.from) && !expanded.has(r.to) && a >= each && b >= each) return false
    count.set(r.from, a + 1).set(r.to, b + 1)
    return true
  })
}

/** Two hubs in the same memories, and in how many. */
export interface Together {
  from: string
  to: string
  count: number
}

/** For each hub the one or two others that are most often in the same memories, twice or more. */
export function mostTogether(hubs: readonly Hub[], each = 2): Together[] {
  const members = hubs.map((hub) => new Set(hub.members))
  const pairs: Together[] = []
  hubs.forEach((a, i) => {
    for (let k = i + 1; k < hubs.length; k++) {
      let count = 0
      for (const id of members[i]!) if (members[k]!.has(id)) count++
      if (count > 1) pairs.push({ from: a.key, to: hubs[k]!.key, count })
    }
  })
  const taken = new Map<string, number>()
  return pairs
    .sort((a, b) => b.count - a.count || (a.from + a.to < b.from + b.to ? -1 : 1))
    .filter(({ from, to }) => {
      const [a, b] = [taken.get(from) ?? 0, taken.get(to) ?? 0]
      if (a >= each && b >= each) return false
      taken.set(from, a + 1).set(to, b + 1)
      return true
    })
}

/** Relations are longer than other links, so that their names have room. */
const NAMED_LENGTH = 6

/**
 * The entities that stand beside another one: a value such as “14 metres per second” has its place with what it is a
 * value of, not with the one memory that says so. The value's key and that of the other.
 */
export function ownersOf(hubs: readonly Hub[], relations: readonly HubRelation[]): Map<string, string> {
  const known = new Map(hubs.map((hub) => [hub.key, hub]))
  const owners = new Map<string, string>()
  for (const { from, to } of [...relations].sort((a, b) => b.strength - a.strength)) {
    const [a, b] = [known.get(from), known.get(to)]
    if (!a || !b || a === b) continue
    if (b.mentions < MIN_MENTIONS && a.mentions >= MIN_MENTIONS && !owners.has(b.key)) owners.set(b.key, a.key)
    else if (a.mentions < MIN_MENTIONS && b.mentions >= MIN_MENTIONS && !owners.has(a.key)) owners.set(a.key, b.key)
  }
  return owners
}

/** The links of hubs for the layout: to their memories, to each other by relations. Hubs are counted from `first`. */
export function hubEnds(hubs: readonly Hub[], relations: readonly HubRelation[], first: number, indexOf: (memory: string) => number): HubEnd[] {
  const place = new Map(hubs.map((hub, i) => [hub.key, first + i]))
  const ends: HubEnd[] = []
  hubs.forEach((hub, i) => {
    for (const id of hub.members) {
      const node = indexOf(id)
      if (node >= 0) ends.push({ from: first + i, to: node, weight: 0.9, length: 1 })
    }
  })
  for (const r of relations) {
    const [from, to] = [place.get(r.from), place.get(r.to)]
    if (from !== undefined && to !== undefined && from !== to) ends.push({ from, to, weight: 1, length: NAMED_LENGTH })
  }
  return ends
}

export type Point = [number, number, number]

/** Least distance of two hubs in units of the map. */
const APART = 9

/** Where hubs stand in the layout by meaning: in the middle of most of their memories, and apart from each other. Null: none of its memories is on the map. */
export function hubPlaces(members: readonly (readonly Point[])[]): (Point | null)[] {
  const places = members.map(middle)
  for (let round = 0; round < 40; round++) {
    for (let a = 0; a < places.length; a++) {
      for (let b = a + 1; b < places.length; b++) {
        const [p, q] = [places[a], places[b]]
        if (!p || !q) continue
        const [x, y, z] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
        const far = Math.hypot(x, y, z)
        if (far >= APART) continue
        // Two in one place part in a direction of their own.
        const [ux, uy, uz] = far > 1e-6 ? [x / far, y / far, z / far] : [Math.cos(a + b), Math.sin(a + b), 0]
        const half = (APART - far) / 2
        places[a] = [p[0] - ux * half, p[1] - uy * half, p[2] - uz * half]
        places[b] = [q[0] + ux * half, q[1] + uy * half, q[2] + uz * half]
      }
    }
  }
  return places
}

/** The geometric median by Weiszfeld's iteration: unlike the mean it stays with the majority. */
function middle(points: readonly Point[]): Point | null {
  if (points.length === 0) return null
  let at: Point = [0, 1, 2].map((d) => points.reduce((sum, p) => sum + p[d]!, 0) / points.length) as Point
  for (let round = 0; round < 30; round++) {
    let [x, y, z, all] = [0, 0, 0, 0]
    for (const p of points) {
      const weight = 1 / Math.max(Math.hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]), 1)
      x += p[0] * weight
      y += p[1] * weight
      z += p[2] * weight
      all += weight
    }
    at = [x / all, y / all, z / all]
  }
  return at
}

/** Distance of a value from its entity, units of the map: room for the name of their relation. */
const BESIDE = 30

/** The k-th place around an entity. */
export function placeBeside([x, y, z]: Point, k: number): Point {
  const turn = 0.5 + k * Math.PI * (3 - Math.sqrt(5))
  const far = BESIDE + 3 * (k % 4)
  return [x + far * Math.cos(turn), y + far * Math.sin(turn), z]
}

/** A step of a path: to an entity, by a relation or through a memory that mentions both. */
export interface PathStep {
  hub: string
  /** "" for the first step, and if a memory joins the two */
  words: string
  /** the relation runs from this entity to the previous one */
  back: boolean
  /** the memory that mentions both; null: they are related by name */
  memory: string | null
}

/** A shortest path between two hubs; a relation counts as short as a shared memory, and goes before it. Empty: there is none. */
export function pathBetween(hubs: readonly Hub[], relations: readonly HubRelation[], from: string, to: string): PathStep[] {
  const neighbours = new Map<string, PathStep[]>(hubs.map((hub) => [hub.key, []]))
  for (const r of relations) {
    if (r.from === r.to) continue
    if (neighbours.has(r.to)) neighbours.get(r.from)?.push({ hub: r.to, words: r.words, back: false, memory: null })
    if (neighbours.has(r.from)) neighbours.get(r.to)?.push({ hub: r.from, words: r.words, back: true, memory: null })
  }
  const mentionedIn = new Map<string, string[]>()
  for (const hub of hubs) for (const id of hub.members) mentionedIn.set(id, [...(mentionedIn.get(id) ?? []), hub.key])
  for (const [id, keys] of mentionedIn) for (const a of keys) for (const b of keys) if (a !== b) neighbours.get(a)!.push({ hub: b, words: '', back: false, memory: id })
  const before = new Map<string, { from: string; step: PathStep } | null>([[from, null]])
  for (const [key] of before) {
    if (key === to) break
    for (const step of neighbours.get(key) ?? []) if (!before.has(step.hub)) before.set(step.hub, { from: key, step })
  }
  if (!before.has(to)) return []
  const steps: PathStep[] = []
  for (let key = to; ; ) {
    const arrived = before.get(key)
    if (!arrived) return [{ hub: key, words: '', back: false, memory: null }, ...steps.reverse()]
    steps.push(arrived.step)
    key = arrived.from
  }
}
