// Playing through time.
import { DAY } from './clock'

/** Seconds that the whole time takes by default. */
const WHOLE_SECONDS = 20
const MONTH = 30.44 * DAY

/** Seconds a month takes; 0: the whole time takes 20 s. */
export const SPEEDS = [0, 1, 2, 5, 20] as const
export type Speed = (typeof SPEEDS)[number]

export function speedText(speed: Speed): string {
  return speed === 0 ? `All in ${WHOLE_SECONDS} s` : `${speed} s a month`
}

/** Milliseconds of the time shown that pass in a second of playing. */
export function pace(span: number, speed: Speed): number {
  return speed === 0 ? span / WHOLE_SECONDS : MONTH / speed
}
