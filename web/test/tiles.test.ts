import { PerspectiveCamera } from 'three'
import { describe, expect, it } from 'vitest'
import type { TileList } from '../src/api/frame'
import type { Projection } from '../src/scene/picking/pick'
import { merge, removeNodes } from '../src/state/merge'
import { BUDGET, cubeOf, tilesToDrop, tileInView, nextTile } from '../src/state/tiles'
import { idOf, testWorld } from './world'

function projectionAt(x: number, y: number, z: number): Projection {
  const camera = new PerspectiveCamera(42, 1, 1, 4000)
  camera.position.set(x, y, z)
  camera.lookAt(x, y, z - 1)
  camera.updateMatrixWorld()
  return { matrix: camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements, width: 800, height: 800, pixelsPerUnit: 400 / Math.tan((21 * Math.PI) / 180), depth: 1 }
}

const list = (counts: Record<number, number>): TileList => ({ half: 128, counts: new Map(Object.entries(counts).map(([k, n]) => [Number(k), n])) })
/** all eight children of the root, and one child of the one at +x +y +z */
const eight = list({ 1: 100, 8: 10, 9: 10, 10: 10, 11: 10, 12: 10, 13: 10, 14: 10, 15: 10, 127: 5 })

describe('tiles', () => {
  it('are cells of an octree', () => {
    expect(cubeOf(1, 128)).toEqual({ x: 0, y: 0, z: 0, half: 128 })
    expect(cubeOf(15, 128)).toEqual({ x: 64, y: 64, z: 64, half: 64 })
    expect(cubeOf(8, 128)).toEqual({ x: -64, y: -64, z: -64, half: 64 })
    expect(cubeOf(8 * 9 + 2, 128)).toEqual({ x: 32, y: -32, z: -96, half: 32 })
  })

  it('have an apparent height', () => {
    const cube = { x: 0, y: 0, z: 0, half: 10 }
    const away = 100
    expect(tileInView(cube, projectionAt(0, 0, away)).height).toBeCloseTo(20 / (2 * away * Math.tan((21 * Math.PI) / 180)), 5)
    expect(tileInView(cube, projectionAt(0, 0, -away)).height, 'behind the camera').toBe(0)
    expect(tileInView(cube, projectionAt(200, 0, away)).height, 'outside the page').toBe(0)
    expect(tileInView(cube, projectionAt(0, 0, 3)).height, 'camera inside the tile').toBeGreaterThan(1)
  })

  it('are not loaded from a distance', () => {
    expect(nextTile(eight, new Set([1]), projectionAt(0, 0, 600))).toEqual({ load: null, drop: [] })
  })

  it('are loaded near the camera, parents first, until all in view are there', () => {
    const held = new Set([1])
    const order: number[] = []
    for (;;) {
      const { load } = nextTile(eight, held, projectionAt(64, 64, 150))
      if (load === null) break
      order.push(load)
      held.add(load)
    }
    expect(order[0]).toBe(15)
    expect(order.indexOf(127)).toBeGreaterThan(0)
    expect(order.at(-1), 'the far corner comes last').toBe(8)
    expect(new Set(order).size).toBe(order.length)
  })

  it('are dropped for others in view', () => {
    const held = new Set([1, 8, 10])
    const { load, drop } = nextTile(eight, held, projectionAt(64, 64, 150), 125)
    expect(load).toBe(15)
    expect(drop).toEqual([10])
    expect(nextTile(eight, new Set([1]), projectionAt(64, 64, 150), 105), 'the budget is used up').toEqual({ load: null, drop: [] })
  })

  it('stay while pinned', () => {
    const held = new Set([1, 8, 10])
    expect(nextTile(eight, held, projectionAt(64, 64, 150), 125, 10)).toEqual({ load: 15, drop: [8] })
    expect(nextTile(eight, new Set([1, 10]), projectionAt(0, 0, 600), BUDGET, 10), 'camera far away').toEqual({ load: null, drop: [] })
    expect(tilesToDrop(eight, 15, held, new Set([1, 15]), 125)).toEqual([10])
    expect(tilesToDrop(eight, 15, held, new Set([1, 15]), 111)).toEqual([10, 8])
    expect(tilesToDrop(eight, 15, held, new Set([1, 15]))).toEqual([])
  })

  it('leave other memories when dropped', () => {
    const world = testWorld([{ label: 'a', project: 'p' }, { label: 'b', days: [3, 4] }, { label: 'c', states: [{ from: 1 }, { from: 2, status: 'ARCHIVED' }] }], [[0, 2, 'SAME_SESSION'], [1, 2, 'SAME_SESSION']])
    const after = removeNodes(world, world.frame.ids.slice(16, 32))
    expect(Array.from({ length: after.count }, (_, i) => [after.idOf(i), after.frame.label(i)])).toEqual([[idOf(0), 'a'], [idOf(2), 'c']])
    expect([after.frame.edgeCount, after.frame.from[0], after.frame.to[0]]).toEqual([1, 0, 1])
    expect([...after.frame.stateStart]).toEqual([0, 1, 3])
    expect(after.frame.project.values[after.frame.project.index[0]!]).toBe('p')
  })

  it('add an edge once', () => {
    const world = testWorld([{}, {}], [[0, 1, 'SAME_SESSION']])
    world.frame.tiles = eight
    const part = { ...world.frame, refs: new Uint8Array(0), removed: new Uint8Array(0), cutFrom: new Uint32Array(0), cutTo: new Uint32Array(0), cutKind: new Uint8Array(0), removedClusters: [] }
    expect(merge(world, part).frame.edgeCount).toBe(1)
  })
})
