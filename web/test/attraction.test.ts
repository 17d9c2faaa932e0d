import { describe, expect, it } from 'vitest'
import { MAX_SHIFT, attractionInput, attract, ATTRACTION_LIMIT } from '../src/state/attraction'
import { testWorld } from './world'

const distance = (at: Float32Array, a: number, b: number) => Math.hypot(...[0, 1, 2].map((d) => at[3 * a + d]! - at[3 * b + d]!))

describe('link forces', () => {
  const positions = Float32Array.from([0, 0, 0, 40, 0, 0, 40, 30, 0, -50, 10, 9, 2, 0, 0])
  const input = { positions: positions, ends: Uint32Array.of(0, 1, 1, 2, 0, 4), weights: Float32Array.of(1, 0.5, 1) }
  const before = positions.slice()
  const at = attract(input)

  it('attract linked memories and do not move others', () => {
    expect(distance(at, 0, 1)).toBeLessThan(distance(positions, 0, 1) - 1)
    expect(distance(at, 1, 2)).toBeLessThan(distance(positions, 1, 2))
    expect([...at.slice(9, 12)]).toEqual([...positions.slice(9, 12)])
  })
  it('shift no memory farther than the maximum', () => {
    for (let i = 0; i < 5; i++) expect(Math.hypot(...[0, 1, 2].map((d) => at[3 * i + d]! - positions[3 * i + d]!))).toBeLessThanOrEqual(MAX_SHIFT + 1e-4)
    // Many edges pull no farther than one.
    const star = attract({ positions: Float32Array.from([0, 0, 0, ...Array.from({ length: 50 }, () => [90, 0, 0]).flat()]), ends: Uint32Array.from(Array.from({ length: 50 }, (_, i) => [0, i + 1]).flat()), weights: new Float32Array(50).fill(1) })
    expect(star[0]).toBeGreaterThan(1)
    expect(star[0]).toBeLessThanOrEqual(MAX_SHIFT + 1e-4)
  })
  it('are deterministic and leave the input unchanged', () => {
    expect(positions).toEqual(before)
    expect(attract(input)).toEqual(at)
  })
  it('use edges of wanted kinds between visible memories', () => {
    const world = testWorld([{}, {}, {}, {}], [[0, 1, 'SUPERSEDES', 255], [1, 2, 'ENTITY_OVERLAP', 51], [2, 3, 'SAME_SESSION', 255], [0, 2, 'ENTITY_OVERLAP', 0]])
    const found = attractionInput(world, (n) => n !== 3, (kind) => kind !== 0)!
    expect([...found.ends]).toEqual([1, 2])
    expect(found.weights[0]).toBeCloseTo(0.2, 6)
    expect(attractionInput(testWorld(Array.from({ length: 3 }, () => ({}))), () => true, () => true)!.ends.length).toBe(0)
  })
  it('are off above the limit', () => {
    const frame = { positions: new Float32Array(0), from: new Uint32Array(0), to: new Uint32Array(0), edgeKind: new Uint8Array(0), edgeWeight: new Uint8Array(0), edgeCount: 0 }
    expect(attractionInput({ count: ATTRACTION_LIMIT + 1, frame }, () => true, () => true)).toBe(null)
    expect(attractionInput({ count: ATTRACTION_LIMIT + 1, frame }, (n) => n > 0, () => true)).not.toBe(null)
  })
})
