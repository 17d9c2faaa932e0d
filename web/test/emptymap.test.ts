import { describe, expect, it } from 'vitest'
import { emptyReason, wasImported } from '../src/state/emptymap'
import { DAY } from '../src/state/decay'
import { INITIAL } from '../src/state/view'

const of = (change: object, shown = 0, filtered = false) => emptyReason({ ...INITIAL, ...change }, filtered, shown, 10 * DAY, 5)

describe('an empty map', () => {
  it('says nothing while something is shown, or nothing is there', () => {
    expect(of({}, 1)).toBeNull()
    expect(emptyReason(INITIAL, false, 0, 0, 0)).toBeNull()
  })
  it('says why, and offers what helps', () => {
    expect(of({ recorded: 9 * DAY })).toEqual({ text: 'Nothing was known yet at this time.', clear: false, now: true })
    expect(of({ learned: [30 * DAY, 40 * DAY], recorded: 20 * DAY }, 0, true)).toMatchObject({ clear: true, now: true })
    expect(of({}, 0, true)).toEqual({ text: 'No memory matches the filters.', clear: true, now: false })
    expect(of({ recorded: 20 * DAY }, 0, true)).toMatchObject({ clear: true, now: true })
    expect(of({ valid: 20 * DAY })).toMatchObject({ clear: false, now: true })
    expect(of({ recorded: 20 * DAY })).toMatchObject({ clear: false, now: true })
    expect(of({})).toMatchObject({ clear: false, now: false })
  })
})

describe('the clock of the first visit', () => {
  it('is that of the world after an import', () => {
    expect(wasImported(100 * DAY, 99.9 * DAY, 10 * DAY)).toBe(true)
    expect(wasImported(100 * DAY, 99.9 * DAY, 99.9 * DAY)).toBe(false)
    expect(wasImported(100 * DAY, 20 * DAY, 10 * DAY)).toBe(false)
  })
})
