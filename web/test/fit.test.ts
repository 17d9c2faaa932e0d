// The camera that shows everything.
import { describe, expect, it } from 'vitest'
import { PerspectiveCamera, Vector3 } from 'three'
import { fit, type Opening } from '../src/state/fit'

const noise = (i: number) => {
  const x = Math.sin(i * 12.9898 + 78.233) * 43758.5453
  return x - Math.floor(x)
}
const cloud = (n: number, size: readonly [number, number, number]) => Float32Array.from({ length: 3 * n }, (_, i) => (noise(i) - 0.5) * size[i % 3]!)
const OPENING: Opening = { x: 0.5, y: 0.3 }

/** Where the points are in the opening, from -1 to 1 in both directions. */
function seen(positions: Float32Array, at: NonNullable<ReturnType<typeof fit>>, depth = 1): [number, number][] {
  const camera = new PerspectiveCamera(2 * (180 / Math.PI) * Math.atan(OPENING.y), OPENING.x / OPENING.y, 0.1, 10_000)
  camera.position.fromArray(at.position)
  camera.lookAt(new Vector3().fromArray(at.target))
  camera.updateMatrixWorld()
  return Array.from({ length: positions.length / 3 }, (_, i) => {
    const p = new Vector3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]! * depth).project(camera)
    return [p.x, p.y]
  })
}

describe('the fit of the camera', () => {
  for (const back of [[0, 0, 1], [0.36, 0.3, 0.88], [-1, 0.2, 0.1], [0, 1, 0]] as const) {
    it(`shows every point, and two opposite ones touch the edge, seen from ${back.join(' ')}`, () => {
      const positions = cloud(400, [160, 90, 60])
      const at = seen(positions, fit(positions, 400, () => true, back, OPENING, 1)!)
      const reach = [0, 1].map((d) => [Math.max(...at.map((p) => p[d]!)), Math.min(...at.map((p) => p[d]!))])
      for (const [most, least] of reach) {
        expect(most!).toBeLessThan(1.0001)
        expect(least!).toBeGreaterThan(-1.0001)
      }
      expect(reach.some(([most, least]) => most! > 0.999 && least! < -0.999), JSON.stringify(reach)).toBe(true)
    })
  }

  it('is about what is shown only', () => {
    const positions = Float32Array.from([0, 0, 0, 10, 10, 0, 900, 0, 0])
    const all = fit(positions, 3, () => true, [0, 0, 1], OPENING, 1)!
    const some = fit(positions, 3, (i) => i < 2, [0, 0, 1], OPENING, 1)!
    expect(some.position[2]).toBeLessThan(all.position[2] / 5)
    expect(some.target[0]).toBeCloseTo(5, 0)
  })

  it('of the flat map looks straight at it', () => {
    const positions = cloud(50, [100, 100, 100])
    const at = fit(positions, 50, () => true, [0, 0, 1], OPENING, 0)!
    expect(at.target[2]).toBe(0)
    expect(at.position.slice(0, 2)).toEqual(at.target.slice(0, 2))
    for (const [x, y] of seen(positions, at, 0)) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(1.0001)
  })

  it('of a single point keeps a distance, and of none there is no fit', () => {
    const at = fit([3, 4, 5], 1, () => true, [0, 0, 1], OPENING, 1)!
    expect(at.target).toEqual([3, 4, 5])
    expect(at.position[2] - at.target[2]).toBeGreaterThan(20)
    expect(fit([3, 4, 5], 1, () => false, [0, 0, 1], OPENING, 1)).toBeNull()
  })
})
