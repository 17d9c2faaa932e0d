// Counts recorded and superseded memories by slice of time.
import type { World } from './world'

export interface Histogram {
  from: number
  to: number
  born: Uint32Array
  ended: Uint32Array
}

/** Counts the nodes that pass the filters. Times out of range count in the first or last slice. */
export function histogram(world: World, shown: Uint8Array, clock: 'recorded' | 'valid', from: number, to: number, slices: number): Histogram {
  const born = new Uint32Array(slices)
  const ended = new Uint32Array(slices)
  const width = Math.max(to - from, 1) / slices
  const slice = (t: number) => Math.min(Math.max(Math.floor((t - from) / width), 0), slices - 1)
  const f = world.frame
  for (let i = 0; i < world.count; i++) {
    if (!shown[i]) continue
    const start = clock === 'recorded' ? f.born[i]! : f.validFrom[i]!
    const end = clock === 'recorded' ? world.supersededAt[i]! : f.stateValidTo[f.stateStart[i + 1]! - 1]!
    born[slice(Number.isFinite(start) ? start : from)]!++
    if (end <= to) ended[slice(end)]!++
  }
  return { from, to, born, ended }
}
