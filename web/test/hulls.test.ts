import { describe, expect, it } from 'vitest'
import { HULL_LIMIT, hullsOf, strengthsOf } from '../src/state/hulls'
import { testWorld } from './world'

/** Members of one cluster around a place, longer along x, and one far away. */
function spread(at: [number, number, number], cluster: number) {
  const near = Array.from({ length: 20 }, (_, i) => ({ cluster, place: [at[0] + (i - 9.5) * 2, at[1] + ((i % 3) - 1), at[2]] as [number, number, number] }))
  return [...near, { cluster, place: [at[0] + 900, at[1], at[2]] as [number, number, number] }]
}
const cluster = (id: string, count: number, position: [number, number, number] = [0, 0, 0]) => ({ id, label: id, count, position, radius: 10 })

describe('the area of a cluster', () => {
  it('lies where its members are, without those far away', () => {
    const world = testWorld([...spread([50, 0, 0], 0), {}])
    world.frame.clusters = [cluster('a', 21, [50, 0, 0])]
    const [hull, ...none] = hullsOf(world)
    expect(none).toEqual([])
    expect(hull!.cluster).toBe(0)
    expect(Math.abs(hull!.centre[0] - 50)).toBeLessThan(1)
    const [xx, xy, , yy, , zz] = hull!.spread
    expect(xx).toBeGreaterThan(10 * yy!)
    expect(Math.abs(xy!)).toBeLessThan(xx / 20)
    expect(zz).toBeGreaterThan(0)
  })

  it('follows the positions that are drawn', () => {
    const world = testWorld(spread([0, 0, 0], 0))
    world.frame.clusters = [cluster('a', 21)]
    const moved = world.frame.positions.map((x, i) => (i % 3 === 1 ? x + 5 : x))
    expect(hullsOf(world, moved)[0]!.centre[1] - hullsOf(world)[0]!.centre[1]).toBeCloseTo(5, 5)
  })

  it('is lighter where others lie over it, so that all of one place are no darker than one', () => {
    const places: [number, number, number][] = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [400, 0, 0]]
    const world = testWorld(places.flatMap((place, cluster) => Array.from({ length: 10 }, () => ({ cluster, place }))))
    world.frame.clusters = places.map((place, i) => cluster(`${i}`, 10, place))
    const hulls = hullsOf(world)
    const strengths = strengthsOf(hulls, [1, 1, 1, 1])
    expect(strengths.slice(0, 3).reduce((sum, x) => sum + x)).toBeCloseTo(1, 5)
    expect(strengths[3]).toBeCloseTo(1, 5)
    // What is hidden takes nothing from the others, and what is half faded takes a half.
    expect(strengthsOf(hulls, [1, 0, 0.1, 1])[0]).toBeCloseTo(1, 5)
    expect(strengthsOf(hulls, [1, 0, 1, 1])[0]).toBeCloseTo(1 / 2, 5)
    expect(strengthsOf(hulls, [1, 0, 0.225, 1])[0]).toBeCloseTo(1 / 1.5, 5)
  })

  it('is missing for small clusters, and beyond the limit', () => {
    const world = testWorld([{ cluster: 0 }, { cluster: 1 }])
    world.frame.clusters = [cluster('a', 20), cluster('b', 3)]
    expect(hullsOf(world).map((h) => h.cluster)).toEqual([0])
    const many = testWorld(Array.from({ length: HULL_LIMIT + 5 }, (_, i) => ({ cluster: i })))
    many.frame.clusters = Array.from({ length: HULL_LIMIT + 5 }, (_, i) => cluster(`${i}`, 50))
    expect(hullsOf(many)).toHaveLength(HULL_LIMIT)
    expect(hullsOf(testWorld([{}]))).toEqual([])
  })
})
