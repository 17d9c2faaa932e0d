// The ticks of a time axis: at round minutes, hours, days, months or years in UTC.
import { monthText } from './clock'
import { DAY } from './clock'

export interface TimeTick {
  at: number
  text: string
  /** the first tick of a year, or of a day if the ticks are shorter */
  major: boolean
}

const MINUTE = 60_000
/** steps that divide a day, or that are whole days */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 5760, 11_520].map((m) => m * MINUTE)
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120]
const MONTH = 30.4 * DAY
/** part of the axis at its end without ticks: a label there would not fit */
const END_MARGIN = 0.03

/** At most `most` ticks of the span, ascending. */
export function timeTicks(from: number, to: number, most: number): TimeTick[] {
  const last = to - (to - from) * END_MARGIN
  const step = STEPS.find((s) => (to - from) / s <= most)
  if (step === undefined) return monthTicks(from, last, MONTH_STEPS.find((m) => (to - from) / (m * MONTH) <= most) ?? 240)
  const out: TimeTick[] = []
  for (let at = Math.ceil(from / step) * step; at <= last; at += step) {
    const midnight = at % DAY === 0
    out.push({ at, text: midnight ? `${new Date(at).getUTCDate()} ${monthText(at)}` : new Date(at).toISOString().slice(11, 16), major: midnight && step < DAY })
  }
  return out
}

function monthTicks(from: number, last: number, every: number): TimeTick[] {
  const out: TimeTick[] = []
  const d = new Date(from)
  for (let m = Math.ceil((d.getUTCMonth() + 1) / every) * every; ; m += every) {
    const at = Date.UTC(d.getUTCFullYear(), m, 1)
    if (at > last) return out
    const major = new Date(at).getUTCMonth() === 0 || every >= 12
    out.push({ at, text: major ? String(new Date(at).getUTCFullYear()) : monthText(at), major })
  }
}
