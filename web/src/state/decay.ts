// How memories fade. The server's formula (package engine/decay), ported once and held
// to it by the same golden vectors; the points' shader has the last line of it.

export const DAY = 86_400_000

/** What is left after so many days, for a decay constant per day; 1 where either is not positive. */
export function retention(k: number, days: number): number {
  return k > 0 && days > 0 ? Math.exp(-k * days) : 1
}
