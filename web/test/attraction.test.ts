import { describe, expect, it } from 'vitest'
import { MAX_SHIFT, attractionInput, attract, ATTRACTION_LIMIT } from '../src/state/attraction'
import { testWorld } from './world'

const apart = (at: Float32Array, a: number, b: number) => Math.hypot(...[0, 1, 2].map((d) => at[3 * a + d]! - at[3 * b + d]!))

describe('springs', () => {
  const places = Float32Array.from([0, 0, 0, 40, 0, 0, 40, 30, 0, -50, 10, 9, 2, 0, 0])
  const pulls = { positions: places, ends: Uint32Array.of(0, 1, 1, 2, 0, 4), weights: Float32Array.of(1, 0.5, 1) }
  const before = places.slice()
  const at = attract(pulls)

  it('draw what is joined nearer, and leave alone what is not', () => {
    expect(apart(at, 0, 1)).toBeLessThan(apart(places, 0, 1) - 1)
    expect(apart(at, 1, 2)).toBeLessThan(apart(places, 1, 2))
    expect([...at.slice(9, 12)]).toEqual([...places.slice(9, 12)])
  })
  it('let nobody go farther than the leash', () => {
    for (let i = 0; i < 5; i++) expect(Math.hypot(...[0, 1, 2].map((d) => at[3 * i + d]! - places[3 * i + d]!))).toBeLessThanOrEqual(MAX_SHIFT + 1e-4)
    // A crowd of edges pulls no farther than one does.
    const star = attract({ positions: Float32Array.from([0, 0, 0, ...Array.from({ length: 50 }, () => [90, 0, 0]).flat()]), ends: Uint32Array.from(Array.from({ length: 50 }, (_, i) => [0, i + 1]).flat()), weights: new Float32Array(50).fill(1) })
    expect(star[0]).toBeGreaterThan(1)
    expect(star[0]).toBeLessThanOrEqual(MAX_SHIFT + 1e-4)
  })
  it('never write places back, and come to rest at the same spot every time', () => {
    expect(places).toEqual(before)
    expect(attract(pulls)).toEqual(at)
  })
  it('are those of edges between memories in the picture, of the kinds that are wanted', () => {
    const world = testWorld([{}, {}, {}, {}], [[0, 1, 'SUPERSEDES', 255], [1, 2, 'ENTITY_OVERLAP', 51], [2, 3, 'SAME_SESSION', 255], [0, 2, 'ENTITY_OVERLAP', 0]])
    const found = attractionInput(world, (n) => n !== 3, (kind) => kind !== 0)!
    expect([...found.ends]).toEqual([1, 2])
    expect(found.weights[0]).toBeCloseTo(0.2, 6)
    expect(attractionInput(testWorld(Array.from({ length: 3 }, () => ({}))), () => true, () => true)!.ends.length).toBe(0)
  })
  it('are not for more than so many', () => {
    const frame = { positions: new Float32Array(0), from: new Uint32Array(0), to: new Uint32Array(0), edgeKind: new Uint8Array(0), edgeWeight: new Uint8Array(0), edgeCount: 0 }
    expect(attractionInput({ count: ATTRACTION_LIMIT + 1, frame }, () => true, () => true)).toBe(null)
    expect(attractionInput({ count: ATTRACTION_LIMIT + 1, frame }, (n) => n > 0, () => true)).not.toBe(null)
  })
})
