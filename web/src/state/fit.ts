// Where the camera stands so that everything shown fits into the part of the page that no panel covers.

type Vector = readonly [number, number, number]

/** The free part of the page, as half its sides ÷ pixels of one unit at distance 1. */
export interface Opening {
  /** tangent of the half angle from side to side */
  x: number
  /** … and from top to bottom */
  y: number
}

export interface Fit {
  position: [number, number, number]
  target: [number, number, number]
}

/** Nearest distance of the camera to the middle of what it shows. */
const MIN_DISTANCE = 40

/**
 * The nearest camera that looks against `back` and sees all shown points. `depth` scales their third coordinate: 0 for
 * the flat map. Null: no point is shown.
 *
 * With x and y across the page and z towards the eye, a point is inside the right edge of the opening if
 * x − eye.x ≤ opening.x · (eye.z − z). The tightest of these planes on either side give the place of the eye.
 */
export function fit(positions: ArrayLike<number>, count: number, shown: (node: number) => boolean, back: Vector, opening: Opening, depth: number): Fit | null {
  const { right, up, towards } = axes(back)
  const bounds = { right: -Infinity, left: -Infinity, top: -Infinity, bottom: -Infinity, near: -Infinity, far: Infinity }
  for (let i = 0; i < count; i++) {
    if (!shown(i)) continue
    const [px, py, pz] = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]! * depth]
    const x = right[0] * px + right[1] * py + right[2] * pz
    const y = up[0] * px + up[1] * py + up[2] * pz
    const z = towards[0] * px + towards[1] * py + towards[2] * pz
    bounds.right = Math.max(bounds.right, x + opening.x * z)
    bounds.left = Math.max(bounds.left, -x + opening.x * z)
    bounds.top = Math.max(bounds.top, y + opening.y * z)
    bounds.bottom = Math.max(bounds.bottom, -y + opening.y * z)
    bounds.near = Math.max(bounds.near, z)
    bounds.far = Math.min(bounds.far, z)
  }
  if (bounds.near === -Infinity) return null
  const middle = (bounds.near + bounds.far) / 2
  const eye = {
    x: (bounds.right - bounds.left) / 2,
    y: (bounds.top - bounds.bottom) / 2,
    z: Math.max((bounds.right + bounds.left) / (2 * opening.x), (bounds.top + bounds.bottom) / (2 * opening.y), middle + MIN_DISTANCE),
  }
  const at = (z: number): [number, number, number] => [0, 1, 2].map((d) => right[d]! * eye.x + up[d]! * eye.y + towards[d]! * z) as [number, number, number]
  return { position: at(eye.z), target: at(middle) }
}

/** The axes of the page for a camera that stands in the direction `back` from what it looks at; y is up. */
function axes(back: Vector): { right: Vector; up: Vector; towards: Vector } {
  const length = Math.hypot(...back) || 1
  const towards: Vector = [back[0] / length, back[1] / length, back[2] / length]
  const side = Math.hypot(towards[2], towards[0])
  // Straight from above, the page's right is the map's.
  const right: Vector = side < 1e-6 ? [1, 0, 0] : [towards[2] / side, 0, -towards[0] / side]
  const up: Vector = [towards[1] * right[2] - towards[2] * right[1], towards[2] * right[0] - towards[0] * right[2], towards[0] * right[1] - towards[1] * right[0]]
  return { right, up, towards }
}
