import { describe, expect, it } from 'vitest'
import { pickEdge } from '../src/scene/picking/edge'
import type { Projection } from '../src/scene/picking/pick'
import { testWorld } from './world'

// Looks straight down from a distance of 100: one unit is 4 pixels, (0,0) is the centre of 800
// × 600.
const projection: Projection = { matrix: [1, 0, 0, 0, 0, 4 / 3, 0, 0, 0, 0, 0, -1, 0, 0, 0, 100], width: 800, height: 600, pixelsPerUnit: 400, depth: 1 }

describe('edge picking', () => {
  const world = testWorld([{ place: [-40, 0, 0] }, { place: [40, 0, 0] }, { place: [0, 30, 0] }, { place: [0, 0, 200] }])
  const rows = Uint32Array.of(0, 1, 0, 255, 0, 2, 7, 80, 1, 3, 6, 255)
  const all = (_: number) => true
  const at = (x: number, y: number, drawn = all) => pickEdge(world, rows, drawn, projection, x, y)

  it('returns the nearest edge within the slack', () => {
    expect(at(400, 302)).toBe(0)
    expect(at(320, 240)).toBe(1)
    expect(at(400, 320), 'between the two edges').toBe(-1)
  })

  it('ends at the memories', () => {
    expect(at(250, 303)).toBe(0)
    expect(at(230, 300)).toBe(-1)
  })

  it('ignores edges that are not drawn or end behind the camera', () => {
    expect(at(400, 302, (n) => n !== 1)).toBe(-1)
    expect(at(560, 290)).toBe(-1)
  })
})
