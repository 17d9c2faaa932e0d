// Sizes of points; points/core.vert.glsl has the same numbers.

/** Points are smaller the more there are. */
export function scaleFor(count: number): number {
  return Math.min(1.5, Math.max(0.36, 1.5 * (350 / Math.max(count, 1)) ** 0.2))
}

/** Radius in page pixels. `pixels` is the height of the drawing ÷ 2 tan(fov ÷ 2). */
export function radiusOf(importance: number, scale: number, pixels: number, far: number): number {
  const radius = (0.62 + (2.1 - 0.62) * importance * importance) * scale
  return Math.min(Math.max((radius * pixels) / far, 1.3), 24)
}
