// Back to front: what is see-through must be drawn over what lies behind it.

/** Above so many points they are drawn as they come, and hide what lies behind. */
export const ORDER_LIMIT = 20_000

/** Sorts node numbers by depth along the eye's axis, the farthest first; ties by number. */
export function backToFront(positions: Float32Array, depth: number, axis: ArrayLike<number>, order: Uint32Array): void {
  const far = new Float32Array(order.length)
  for (let i = 0; i < far.length; i++) {
    far[i] = axis[0]! * positions[3 * i]! + axis[1]! * positions[3 * i + 1]! + axis[2]! * positions[3 * i + 2]! * depth
  }
  order.sort((a, b) => far[a]! - far[b]! || a - b)
}
