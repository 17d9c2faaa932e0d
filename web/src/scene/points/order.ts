// Sorts points back to front, because they are transparent.

/** More points than this are not sorted; they hide what is behind them. */
export const ORDER_LIMIT = 20_000

/** Sorts node indices by depth along the view axis, farthest first; ties by index. */
export function backToFront(positions: Float32Array, depth: number, axis: ArrayLike<number>, order: Uint32Array): void {
  const far = new Float32Array(order.length)
  for (let i = 0; i < far.length; i++) {
    far[i] = axis[0]! * positions[3 * i]! + axis[1]! * positions[3 * i + 1]! + axis[2]! * positions[3 * i + 2]! * depth
  }
  order.sort((a, b) => far[a]! - far[b]! || a - b)
}
