// Sizes of points; points/core.vert.glsl has the same numbers.

/** From more points on, only those in focus glow: the light of many adds up to white. */
export const GLOW_LIMIT = 2000

/** Points are smaller the more there are: a step for each ten times as many. */
export function scaleFor(count: number): number {
  return Math.min(1.5, Math.max(0.36, 1.5 - 0.5 * Math.log10(Math.max(count, 1) / 350)))
}

/** Radius in page pixels. `pixels` is the height of the drawing ÷ 2 tan(fov ÷ 2). */
export function radiusOf(importance: number, scale: number, pixels: number, far: number): number {
  const radius = (0.62 + (2.1 - 0.62) * importance * importance) * scale
  return Math.min(Math.max((radius * pixels) / far, MIN_RADIUS), maxRadius(scale))
}

const MIN_RADIUS = 1.3

/** The largest radius in page pixels, which points have at close range; smaller for many. */
export function maxRadius(scale: number): number {
  return 8 + 16 * (scale / 1.5)
}
