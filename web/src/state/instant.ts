// Instants as the graphics card compares them: two 32-bit integers, exact to the
// millisecond for any year a date can name.

/** How many milliseconds one step of the high part is. */
export const STEP = 2 ** 20
export const NEVER_HI = 0x7fffffff
export const ALWAYS_HI = -0x80000000

export function high(ms: number): number {
  if (ms === Infinity) return NEVER_HI
  if (ms === -Infinity) return ALWAYS_HI
  return Math.floor(ms / STEP)
}

export function low(ms: number): number {
  return Number.isFinite(ms) ? ms - Math.floor(ms / STEP) * STEP : 0
}
