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
  const at = (x: number, y: number, drawn = all) => pickEdge(world, { rows, bends: new Float32Array(0) }, drawn, projection, x, y)

  it('returns the nearest edge within the slack', () => {
    expect(at(400, 302)).toBe(0)
    expect(at(320, 240)).toBe(1)
    expect(at(400, 320), 'between the two edges').toBe(-1)
  })

  it('follows a curve', () => {
    // The control point is 20 units above the middle: the curve passes 10 units above it, which are 40 pixels.
    const curved = (x: number, y: number, p = projection) => pickEdge(world, { rows: rows.subarray(0, 4), bends: Float32Array.of(0, 20, 0, 0) }, all, p, x, y)
    expect(curved(400, 260)).toBe(0)
    expect(curved(400, 300)).toBe(-1)
    expect(curved(241, 300)).toBe(0)
    expect(curved(400, 300, { ...projection, positions: world.frame.positions }), 'straight where the map is placed otherwise').toBe(0)
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
