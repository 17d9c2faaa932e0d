import { describe, expect, it } from 'vitest'
import { settle } from '../src/state/links/forces'
import { LINKS_LIMIT, linksInput, linksLayout } from '../src/state/links/layout'
import { testWorld } from './world'

const graphOf = (n: number, links: [number, number][]) => ({
  x: Float64Array.from({ length: n }, (_, i) => 50 * Math.cos(i)), y: Float64Array.from({ length: n }, (_, i) => 50 * Math.sin(i)),
  ends: Uint32Array.from(links.flat()), weights: new Float32Array(links.length).fill(1),
})

describe('the forces', () => {
  it('bring linked nodes together and keep the others apart', () => {
    // Two rings of ten whose nodes alternate at the start.
    const links = Array.from({ length: 20 }, (_, i): [number, number] => [i, (i + 2) % 20])
    const { x, y } = settle(graphOf(20, links))
    const apart = (a: number, b: number) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!)
    const mean = (pairs: [number, number][]) => pairs.reduce((sum, [a, b]) => sum + apart(a, b), 0) / pairs.length
    const strangers = Array.from({ length: 10 }, (_, i) => Array.from({ length: 10 }, (_, k): [number, number] => [2 * i, 2 * k + 1])).flat()
    expect(mean(links)).toBeLessThan(0.4 * mean(strangers))
    for (let a = 0; a < 20; a++) for (let b = 0; b < a; b++) expect(apart(a, b)).toBeGreaterThan(0.5)
  })
  it('give the same places again', () => {
    const graph = graphOf(300, Array.from({ length: 299 }, (_, i): [number, number] => [i + 1, Math.floor(i / 3)]))
    expect(settle(graph)).toEqual(settle(graph))
  })
  it('part nodes that start in one place', () => {
    const { x, y } = settle({ x: new Float64Array(50), y: new Float64Array(50), ends: new Uint32Array(0), weights: new Float32Array(0) })
    expect(new Set(Array.from(x, (v, i) => `${v.toFixed(3)} ${y[i]!.toFixed(3)}`)).size).toBe(50)
    for (const v of [...x, ...y]) expect(Number.isFinite(v)).toBe(true)
  })
  it('keep a square of points a square', () => {
    const { x, y } = settle({ x: Float64Array.of(-9, 9, -9, 9), y: Float64Array.of(-9, -9, 9, 9), ends: new Uint32Array(0), weights: new Float32Array(0) })
    expect(Math.abs(x[0]! + x[1]!)).toBeLessThan(1e-6)
    expect(Math.abs(Math.abs(x[0]!) - Math.abs(y[0]!))).toBeLessThan(1e-6)
  })
})

describe('the layout by links', () => {
  const world = testWorld(
    [{ place: [0, 0, 5] }, { place: [40, 0, 5] }, { place: [0, 40, 5] }, { place: [9, 9, 9] }, { place: [1, 2, 3] }],
    [[0, 1, 'ENTITY_OVERLAP', 200], [1, 2, 'SUPERSEDES'], [2, 3, 'SAME_SESSION', 0]],
  )
  const shown = Uint8Array.of(1, 1, 1, 1, 0)
  it('is flat, holds the linked in the middle and the others around them, and moves nothing else', () => {
    const input = linksInput(world, shown, () => true, 1, [{ from: 5, to: 0, weight: 1, length: 1 }, { from: 5, to: 4, weight: 1, length: 1 }])!
    expect([...input.nodes]).toEqual([0, 1, 2, 3, 5])
    expect([...input.ends]).toEqual([0, 1, 1, 2, 5, 0])
    const out = linksLayout(input)
    const far = (n: number) => Math.hypot(out[3 * n]!, out[3 * n + 1]!)
    expect(out.length).toBe(18)
    expect([...out.subarray(12, 15)]).toEqual([1, 2, 3])
    for (const n of [0, 1, 2, 3, 5]) expect(out[3 * n + 2]).toBe(0)
    for (const n of [0, 1, 2, 5]) expect(far(3)).toBeGreaterThan(far(n))
    expect(linksLayout(input)).toEqual(out)
  })
  it('takes only the wanted kinds', () => expect(linksInput(world, shown, (kind) => kind !== 0, 0, [])!.ends.length).toBe(2))
  it('is not offered for too many', () => {
    const many = { ...world, count: LINKS_LIMIT + 1, frame: { ...world.frame, edgeCount: 0 } }
    expect(linksInput(many, new Uint8Array(LINKS_LIMIT + 1).fill(1), () => true, 0, [])).toBeNull()
    expect(linksInput(many, new Uint8Array(LINKS_LIMIT + 1), () => true, 0, [])).not.toBeNull()
  })
})
