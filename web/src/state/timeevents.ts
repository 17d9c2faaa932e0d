// What happened in time: corrections, losses and sleeps on the axis, what a day is about, and what changed between two instants.
import { ACTIVE, STATUSES, SUPERSEDED } from '../api/vocabulary'
import { DAY } from './clock'
import { statusAt } from './visibility'
import type { World } from './world'

export type EventKind = 'correction' | 'loss' | 'sleep'

/** Events of one kind that are too close on the axis to be told apart. */
export interface EventMark {
  kind: EventKind
  /** the first of them */
  at: number
  last: number
  count: number
  /** node of the first one; -1: a sleep */
  node: number
}

const LOST = new Set([STATUSES.indexOf('ARCHIVED'), STATUSES.indexOf('EXPIRED')])

/**
 * The events of the shown nodes and the sleeps between two times, merged within `gap` ms. A correction is a memory that
 * was superseded; a loss is one that was archived or ended by its time to live or by hand.
 */
export function eventMarks(world: World, shown: ArrayLike<number>, sleeps: readonly number[], from: number, to: number, gap: number): EventMark[] {
  const all: { kind: EventKind; at: number; node: number }[] = sleeps.map((at) => ({ kind: 'sleep', at, node: -1 }))
  const f = world.frame
  for (let i = 0; i < world.count; i++) {
    if (!shown[i]) continue
    for (let s = f.stateStart[i]!; s < f.stateStart[i + 1]!; s++) {
      const kind = f.stateStatus[s] === SUPERSEDED ? 'correction' : LOST.has(f.stateStatus[s]!) ? 'loss' : null
      if (kind) all.push({ kind, at: f.stateFrom[s]!, node: i })
    }
  }
  const inside = all.filter((e) => e.at >= from && e.at <= to).sort((a, b) => a.at - b.at || a.node - b.node)
  const out: EventMark[] = []
  const open = new Map<EventKind, EventMark>()
  for (const { kind, at, node } of inside) {
    const held = open.get(kind)
    if (held && at - held.at < gap) {
      held.count++
      held.last = at
    } else {
      const mark = { kind, at, last: at, count: 1, node }
      open.set(kind, mark)
      out.push(mark)
    }
  }
  return out
}

/** The memory that a day is about: the most important one that was learned on it and is shown; -1: none was. */
export function nodeOfDay(world: World, shown: ArrayLike<number>, at: number): number {
  const f = world.frame
  const from = Math.floor(at / DAY) * DAY
  let best = -1
  for (let i = 0; i < world.count; i++) {
    const born = f.born[i]!
    if (!shown[i] || born < from || born > at) continue
    if (best < 0 || f.importance[i]! > f.importance[best]! || (f.importance[i] === f.importance[best] && born > f.born[best]!)) best = i
  }
  return best
}

/** What changed between two instants, as nodes. */
export interface Changes {
  /** learned, and there at the end; not versions of what was there */
  added: number[]
  /** replaced by a newer version: the one at the beginning and the one at the end */
  changed: [before: number, after: number][]
  /** there at the beginning and not at the end, without a newer version */
  gone: number[]
}

/** Compares what was active at two instants, in the order of the times at which it was learned. */
export function changesBetween(world: World, shown: ArrayLike<number>, from: number, to: number): Changes {
  const at = (t: number) => (i: number) => statusAt(world, i, t) === ACTIVE
  const [then, now] = [at(from), at(to)]
  const out: Changes = { added: [], changed: [], gone: [] }
  const order = Array.from({ length: world.count }, (_, i) => i).filter((i) => shown[i]).sort((a, b) => world.frame.born[a]! - world.frame.born[b]! || a - b)
  for (const i of order) {
    if (now(i) && !then(i)) {
      let before = world.previousVersion[i]!
      for (let steps = 0; before >= 0 && !then(before) && steps < world.count; steps++) before = world.previousVersion[before]!
      if (before >= 0) out.changed.push([before, i])
      else out.added.push(i)
    }
  }
  const replaced = new Set(out.changed.map(([before]) => before))
  for (const i of order) if (then(i) && !now(i) && !replaced.has(i)) out.gone.push(i)
  return out
}
