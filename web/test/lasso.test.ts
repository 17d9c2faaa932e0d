import { describe, expect, it } from 'vitest'
import { isInside, nodesInside } from '../src/state/lasso'
import { testWorld } from './world'

const square = [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }, { x: 0, y: 10 }]

describe('a lasso', () => {
  it('has points inside and outside, also of a line with a bay', () => {
    expect([isInside(square, 5, 5), isInside(square, 15, 5), isInside(square, 5, -1)]).toEqual([true, false, false])
    const bay = [...square.slice(0, 2), { x: 5, y: 5 }, ...square.slice(2)]
    expect([isInside(bay, 9, 5), isInside(bay, 2, 5)]).toEqual([false, true])
  })
  it('selects what is drawn inside it', () => {
    const world = testWorld([{ place: [0, 0, 0] }, { place: [0.5, 0.5, 0] }, { place: [-0.5, 0.5, 0] }, { place: [0.4, 0.4, 0] }])
    const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    const projection = { matrix, width: 100, height: 100, pixelsPerUnit: 100, depth: 1 }
    const line = [{ x: 60, y: 10 }, { x: 90, y: 10 }, { x: 90, y: 40 }, { x: 60, y: 40 }]
    expect(nodesInside(world, () => true, projection, line)).toEqual([1, 3])
    expect(nodesInside(world, (n) => n !== 3, projection, line)).toEqual([1])
  })
})
