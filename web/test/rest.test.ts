import { describe, expect, it } from 'vitest'
import { ribbonsFrom, RIBBON_LIMIT } from '../src/scene/edges/choose'
import { edgesAround, restEdges } from '../src/scene/edges/rest'
import { INITIAL } from '../src/state/view'
import { testWorld } from './world'

const modes = INITIAL.edges
const all = (n: number) => new Uint8Array(n).fill(1)

describe('edges at rest', () => {
  it('are the two strongest of each memory; one session counts less than shared entities', () => {
    const world = testWorld([{}, {}, {}, {}, {}], [[0, 1, 'ENTITY_OVERLAP', 90], [0, 2, 'ENTITY_OVERLAP', 200], [0, 3, 'ENTITY_OVERLAP', 150], [0, 4, 'SAME_SESSION', 255], [4, 1, 'DERIVED_FROM', 250], [4, 2, 'EVIDENCE_FOR', 240]])
    // 0 keeps 1 and 2, 1 keeps 4 and 0, 2 keeps 5 and 1, 3 keeps 2, 4 keeps 4 and 5.
    expect([...restEdges(world, modes, all(5))].sort()).toEqual([0, 1, 2, 4, 5])
  })
  it('leave out versions, kinds that are off or drawn anyway, and memories that do not pass the filters', () => {
    const world = testWorld([{}, {}, {}], [[1, 0, 'SUPERSEDES'], [0, 2, 'ENTITY_OVERLAP', 100], [1, 2, 'SAME_SESSION', 100]])
    expect([...restEdges(world, modes, all(3))].sort()).toEqual([1, 2])
    expect([...restEdges(world, { ...modes, overlap: 'off', session: 'all' }, all(3))]).toEqual([])
    expect([...restEdges(world, modes, Uint8Array.of(0, 1, 1))]).toEqual([2])
  })
  it('of what holds now prefer what holds now', () => {
    const gone = { states: [{ from: 0 }, { from: 5, status: 'SUPERSEDED' as const }] }
    const world = testWorld([{}, gone, gone, {}, {}], [[0, 1, 'ENTITY_OVERLAP', 250], [0, 2, 'ENTITY_OVERLAP', 240], [0, 3, 'ENTITY_OVERLAP', 20], [0, 4, 'ENTITY_OVERLAP', 10], [1, 2, 'ENTITY_OVERLAP', 5], [3, 4, 'ENTITY_OVERLAP', 4]])
    const edges = [...restEdges(world, modes, all(5))]
    expect(edges).toContain(2)
    expect(edges).toContain(3)
  })
  it('of many memories are one each', () => {
    const n = 5001
    const world = testWorld(Array.from({ length: n }, () => ({})), [[0, 1, 'ENTITY_OVERLAP', 9], [0, 2, 'ENTITY_OVERLAP', 8], [1, 2, 'ENTITY_OVERLAP', 7]])
    expect([...restEdges(world, modes, all(n))].sort()).toEqual([0, 1])
  })
  it('are hairlines if there are many edges', () => {
    const rows = new Uint32Array(4 * (RIBBON_LIMIT + 10)).fill(7)
    rows[4 * RIBBON_LIMIT + 2] = 0 // a version after those at rest
    expect(ribbonsFrom(rows, RIBBON_LIMIT)).toBe(RIBBON_LIMIT)
    expect(ribbonsFrom(rows.subarray(0, 40), 10)).toBe(0)
  })
})

describe('edges around a memory', () => {
  const world = testWorld([{}, {}, {}, {}], [[0, 1, 'ENTITY_OVERLAP', 10], [2, 0, 'SAME_SESSION', 20], [0, 3, 'DERIVED_FROM', 30], [1, 2, 'ENTITY_OVERLAP', 90]])
  it('lead to its neighbours', () => {
    expect(edgesAround(world, modes, 0, 10).edges).toEqual([0, 1, 2])
    expect([...edgesAround(world, { ...modes, session: 'off' }, 0, 10).near].sort()).toEqual([0, 1, 3])
  })
  it('are the strongest if there are too many', () => expect(edgesAround(world, modes, 0, 2).edges).toEqual([2, 1]))
})
