// Which memories are visible at an instant, and their retention. scene/node.glsl has the same
// rules for the graphics card, and the server for as-of reads.
import { ACTIVE, EXPIRED, SUPERSEDED } from '../api/vocabulary'
import { DAY, retention } from './decay'
import type { World } from './world'

/** The instants shown, ms since 1970. */
export interface Moment {
  /** recorded time */
  recorded: number
  /** valid time; null: any */
  valid: number | null
  /** bit s is set if status s is shown */
  statuses: number
}

/** The statuses shown if none are selected. */
export function defaultStatuses(valid: number | null): number {
  return valid === null ? 1 << ACTIVE : (1 << ACTIVE) | (1 << SUPERSEDED)
}

/** The row of the state at t; -1 before the memory was recorded. */
export function stateAt(world: World, node: number, t: number): number {
  const { stateStart, stateFrom } = world.frame
  for (let s = stateStart[node + 1]! - 1; s >= stateStart[node]!; s--) if (stateFrom[s]! <= t) return s
  return -1
}

/** The status at t, with expiry applied; -1 before the memory was recorded. */
export function statusAt(world: World, node: number, t: number): number {
  const s = stateAt(world, node, t)
  if (s < 0) return -1
  const status = world.frame.stateStatus[s]!
  return status === ACTIVE && world.frame.expires[node]! <= t ? EXPIRED : status
}

/** Whether the memory is visible; the filters apply in addition. */
export function visibleAt(world: World, node: number, at: Moment): boolean {
  const s = stateAt(world, node, at.recorded)
  if (s < 0) return false
  let status = world.frame.stateStatus[s]!
  if (status === ACTIVE && world.frame.expires[node]! <= at.recorded) status = EXPIRED
  if ((at.statuses & (1 << status)) === 0) return false
  return at.valid === null || (world.frame.validFrom[node]! <= at.valid && at.valid < world.frame.stateValidTo[s]!)
}

/** The last reinforcement or use at or before t, otherwise the creation. */
export function anchorAt(world: World, node: number, t: number): number {
  const f = world.frame
  let anchor = f.created[node]!
  if (f.anchor[node]! <= t) anchor = Math.max(anchor, f.anchor[node]!)
  if (f.lastUse[node]! !== -Infinity && f.lastUse[node]! <= t) return Math.max(anchor, f.lastUse[node]!)
  for (let u = f.useStart[node + 1]! - 1; u >= f.useStart[node]!; u--) {
    const day = f.useDay[u]! * DAY
    if (day <= t) return Math.max(anchor, day)
  }
  return anchor
}

/** Retention of a memory at t, [0,1]. */
export function retentionAt(world: World, node: number, t: number): number {
  const f = world.frame
  const s = stateAt(world, node, t)
  if (s >= 0 && (f.stateCore[s] === 1 || f.stateTier[s] === 3)) return 1
  return retention(f.decayRate[node]!, (t - anchorAt(world, node, t)) / DAY)
}
