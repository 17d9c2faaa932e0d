import { describe, expect, it } from 'vitest'
import type { Region } from '../src/api/frame'
import { chooseLabels } from '../src/scene/labels/labels'
import { chooseRegions, nearestRegions } from '../src/scene/labels/regions'
import type { Projection } from '../src/scene/picking/pick'
import { testWorld } from './world'

// Looks straight down from a distance of 100: one unit is 4 pixels, (0,0) is the centre of 800
// × 600.
const projection: Projection = { matrix: [1, 0, 0, 0, 0, 4 / 3, 0, 0, 0, 0, 0, -1, 0, 0, 0, 100], width: 800, height: 600, pixelsPerUnit: 400, depth: 1 }
const region = (name: string, x: number, y: number, more: Partial<Region> = {}): Region => ({ name, position: [x, y, 0], radius: 8, count: 20, ...more })

describe('regions', () => {
  it('contain the nearest memories', () => {
    const world = testWorld([{ place: [-50, 0, 0] }, { place: [40, 5, 0] }, { place: [60, 0, 9] }])
    expect([...nearestRegions(world)]).toEqual([255, 255, 255])
    world.frame.regions = [region('left', -40, 0), region('right', 50, 0)]
    expect([...nearestRegions(world)]).toEqual([0, 1, 1])
  })

  it('are labelled if enough of their memories are visible and there is room', () => {
    const regions = [region('ferry', 0, 0), region('crew', 1, 1), region('kettle', 40, 30), region('far off', 500, 0), region('dot', -40, 0, { radius: 0.1 }), region('around', -40, 20, { radius: 300 })]
    const named = (seen: number[]) => chooseRegions(regions, seen, projection, 9).map((c) => regions[c.region]!.name)
    expect(named([20, 20, 20, 20, 20, 20])).toEqual(['ferry', 'kettle'])
    expect(named([2, 20, 20, 20, 20, 20]), 'two of twenty').toEqual(['crew', 'kettle'])
    expect(named([0, 0, 3, 0, 0, 0])).toEqual(['kettle'])
    expect(chooseRegions(regions, [20, 20, 20, 20, 20, 20], projection, 1)).toHaveLength(1)
  })

  it('are labelled on a small page too, where a region of a large map has a radius of few pixels', () => {
    expect(chooseRegions([region('ferry', 0, 0, { radius: 2 })], [20], projection, 9)).toHaveLength(1)
  })

  it('keep memory labels off their own', () => {
    const world = testWorld([{ place: [0, 0, 0], label: 'under the region' }, { place: [30, 30, 0], label: 'aside' }])
    const boxes = chooseRegions([region('ferry', 0, 0)], [20], projection, 9).map((c) => c.box)
    expect(chooseLabels(world, projection, () => 1, 9)).toHaveLength(2)
    expect(chooseLabels(world, projection, () => 1, 9, boxes)).toEqual([1])
  })

  it('leave the space that panels cover', () => {
    const free = { ...projection, free: { left: 390, right: 800 } }
    expect(chooseRegions([region('ferry', 0, 0)], [20], free, 9)).toEqual([])
    expect(chooseRegions([region('ferry', 20, 0)], [20], free, 9)).toHaveLength(1)
  })

  it('have the names of clusters above their middle', () => {
    const [plain, cluster] = [region('ferry', 0, 0), { ...region('ferry', 0, 0), cluster: 'a' }].map((r) => chooseRegions([r], [20], projection, 9)[0]!.box)
    expect(plain!.y).toBe(300)
    expect(cluster!.y).toBeLessThan(300 - 8 * 4)
  })
})
