// The server's retention formula (package engine/decay), tested against the same golden
// vectors. scene/node.glsl has the same formula.

export { DAY } from './clock'

/** Retention after some days for a decay constant per day; 1 if either is not positive. */
export function retention(k: number, days: number): number {
  return k > 0 && days > 0 ? Math.exp(-k * days) : 1
}
