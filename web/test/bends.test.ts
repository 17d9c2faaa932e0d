import { describe, expect, it } from 'vitest'
import { EDGE_KINDS } from '../src/api/vocabulary'
import { bendsOf, CURVE_LIMIT, curvedRows, curvePoint, groupsOf, type Groups } from '../src/scene/edges/bends'
import { testWorld } from './world'

const kind = (name: (typeof EDGE_KINDS)[number]) => EDGE_KINDS.indexOf(name)
const OVERLAP = kind('ENTITY_OVERLAP')
const row = (from: number, to: number, k = OVERLAP) => [from, to, k, 200]

// Two groups, far apart from left to right.
const world = testWorld([{ place: [-50, 0, 0] }, { place: [-50, 10, 0] }, { place: [50, 0, 0] }, { place: [50, 10, 0] }, { place: [0, 90, 0] }])
const groups: Groups = { of: [0, 0, 1, 1, -1], middles: [[-50, 5, 0], [50, 5, 0]] }

describe('the curves of edges', () => {
  const bends = (...rows: number[][]) => bendsOf(world, Uint32Array.from(rows.flat()), rows.length, groups)
  const middle = (from: number, to: number, bend: Float32Array) => {
    const p = world.frame.positions
    const at = (n: number) => [p[3 * n]!, p[3 * n + 1]!, p[3 * n + 2]!] as const
    return curvePoint(at(from), at(to), [bend[0]!, bend[1]!, bend[2]!], 0.5)
  }

  it('between the same two groups come together, whichever way the edges run', () => {
    const [low, high, back] = [middle(0, 2, bends(row(0, 2))), middle(1, 3, bends(row(1, 3))), middle(3, 1, bends(row(3, 1)))]
    expect(Math.abs(high[1] - low[1]), 'straight they are 10 apart').toBeLessThan(7)
    expect(back).toEqual(high)
  })
  it('within a group, and of what is in none, are slight arcs', () => {
    for (const [a, b] of [[0, 1], [4, 0]] as const) {
      const [x, y, z] = bends(row(a, b))
      const p = world.frame.positions
      const apart = Math.hypot(p[3 * a]! - p[3 * b]!, p[3 * a + 1]! - p[3 * b + 1]!)
      expect(Math.hypot(x!, y!, z!) / apart).toBeGreaterThan(0.1)
      expect(Math.hypot(x!, y!, z!) / apart).toBeLessThan(0.2)
    }
  })
  it('of versions and derivations are straight', () => {
    expect([...bends(row(0, 2, kind('SUPERSEDES')), row(1, 2, kind('DERIVED_FROM')))]).toEqual(new Array(8).fill(0))
  })
  it('are those of the leading rows, unless there are very many', () => {
    const rows = Uint32Array.from([row(0, 1, kind('DERIVED_FROM')), row(1, 2), row(2, 3), row(3, 0, kind('SUPERSEDES'))].flat())
    expect(curvedRows(rows, 1), 'one at rest, two of a curved kind').toBe(3)
    expect(curvedRows(rows, 0)).toBe(0)
    expect(curvedRows(new Uint32Array(4 * (CURVE_LIMIT + 1)).fill(OVERLAP), 0)).toBe(0)
    expect(curvedRows(new Uint32Array(4 * CURVE_LIMIT).fill(OVERLAP), 0)).toBe(CURVE_LIMIT)
  })
  it('have the clusters as groups, or else the regions', () => {
    const w = testWorld([{ place: [-50, 0, 0] }, { place: [50, 0, 0] }])
    expect(groupsOf(w).middles).toEqual([])
    w.frame.regions = [{ name: 'left', position: [-40, 0, 0], radius: 8, count: 1 }, { name: 'right', position: [40, 0, 0], radius: 8, count: 1 }]
    expect([...(groupsOf(w).of as Uint8Array)]).toEqual([0, 1])
  })
})
