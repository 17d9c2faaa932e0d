// Why the map is empty although there are memories, and what brings some back.
import type { View } from './view'

export interface EmptyReason {
  text: string
  /** what is offered: filters off, the present, or both */
  clear: boolean
  now: boolean
}

/** `shown` is the number of memories that are shown now; null: there is nothing to say. */
export function emptyReason(view: View, filtered: boolean, shown: number, firstBorn: number, all: number): EmptyReason | null {
  if (shown > 0 || all === 0) return null
  const past = view.recorded !== null || view.valid !== null
  if (view.recorded !== null && view.recorded < firstBorn) return { text: 'Nothing was known yet at this time.', clear: false, now: true }
  if (view.learned.length > 0 && view.recorded !== null && view.learned[0]! > view.recorded) return { text: 'The span of time begins after the instant shown.', clear: true, now: true }
  if (filtered && past) return { text: 'No memory of this time matches the filters.', clear: true, now: true }
  if (filtered) return { text: 'No memory matches the filters.', clear: true, now: false }
  if (view.valid !== null) return { text: 'No memory was true at this time.', clear: false, now: true }
  return past ? { text: 'No memory was active at this time.', clear: false, now: true } : { text: 'No memory is active. Corrected and archived ones are under Status in the legend.', clear: false, now: false }
}

/** Whether the memories say more about when things were true than about when they were recorded: they were imported at once. */
export function wasImported(now: number, firstBorn: number, firstValid: number): boolean {
  const DAY = 86_400_000
  return now - firstBorn < DAY && now - firstValid > 7 * DAY
}
