// Splits instants into two 32-bit integers for the graphics card, exact to the millisecond.

/** Milliseconds of one step of the high part. */
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
