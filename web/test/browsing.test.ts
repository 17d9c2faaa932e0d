import { describe, expect, it } from 'vitest'
import { chosenStatuses, hiddenText, shownStatuses } from '../src/state/filters'
import { ticks } from '../src/state/reports'
import { timeTicks } from '../src/state/timeticks'
import { questionOf } from '../src/state/tour'
import { opensAnother } from '../src/state/url'
import { INITIAL } from '../src/state/view'

describe('the browser history', () => {
  it.each([
    [{ selected: '0195c2aa-0000-7000-8000-000000000001' }, true],
    [{ panel: 'health' }, true],
    [{ query: 'winch' }, true],
    [{ camera: { position: [1, 2, 3], target: [0, 0, 0] } }, false],
    [{ recorded: 1 }, false],
    [{ types: ['EPISODIC'] }, false],
  ] as const)('has an entry for %o: %s', (change, entry) => {
    expect(opensAnother(INITIAL, { ...INITIAL, ...(change as object) })).toBe(entry)
    expect(opensAnother({ ...INITIAL, ...(change as object) }, INITIAL)).toBe(entry)
  })
  it('has one entry for a query, however it is typed', () => expect(opensAnother({ ...INITIAL, query: 'win' }, { ...INITIAL, query: 'winch' })).toBe(false))
})

describe('the filter by status', () => {
  it('shows ACTIVE by default, and adds the next one', () => {
    expect(shownStatuses([], null)).toEqual(['ACTIVE'])
    expect(chosenStatuses(['ACTIVE', 'SUPERSEDED'], null)).toEqual(['ACTIVE', 'SUPERSEDED'])
  })
  it('is off when it shows the default of the clock, or nothing', () => {
    expect(chosenStatuses(['ACTIVE'], null)).toEqual([])
    expect(chosenStatuses(['SUPERSEDED', 'ACTIVE'], 1)).toEqual([])
    expect(chosenStatuses([], null)).toEqual([])
  })
  it('says how many memories it hides, and which', () => {
    const counts = (active: number, superseded: number, archived: number) => [active, superseded, 0, archived, 0, 0]
    expect(hiddenText(counts(9, 3, 1200), ['ACTIVE'])).toBe('1,203 hidden: archived, superseded')
    expect(hiddenText(counts(9, 3, 0), ['SUPERSEDED'])).toBe('9 hidden: active')
    expect(hiddenText(counts(9, 3, 0), ['ACTIVE', 'SUPERSEDED'])).toBe('')
    expect(hiddenText(counts(9, 0, 0), ['ACTIVE'])).toBe('')
  })
})

describe('ticks', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  it.each([
    ['2027-03-01T09:00', '2027-03-01T10:00', '09:30'],
    ['2027-03-01T09:00', '2027-03-02T15:00', '2 Mar'],
    ['2027-03-01T09:00', '2027-03-20T15:00', '7 Mar'],
    ['2026-03-01T09:00', '2027-03-20T15:00', '2027'],
    ['2019-03-01T09:00', '2027-03-20T15:00', '2023'],
  ])('of %s to %s include %s', (from, to, text) => {
    const marks = timeTicks(at(from), at(to), 9)
    expect(marks.map((m) => m.text)).toContain(text)
    expect(marks.length).toBeGreaterThan(1)
    expect(marks.length).toBeLessThanOrEqual(10)
    for (const [i, m] of marks.entries()) {
      expect(m.at).toBeGreaterThanOrEqual(at(from))
      expect(m.at).toBeLessThanOrEqual(at(to))
      if (i > 0) expect(m.at).toBeGreaterThan(marks[i - 1]!.at)
    }
  })
  it.each([1, 2, 3, 7, 40])('of counts up to %i are whole numbers', (most) => expect(ticks(most, 3, true).every(Number.isInteger)).toBe(true))
})

describe('the query of the tour', () => {
  it('is a question', () => {
    expect(questionOf('Heron 3 with the long tail may fly in winds up to 12 metres per second.')).toBe('How may Heron 3 with the long tail fly?')
    expect(questionOf('The north pier is closed until spring.')).toBe('What about the north pier?')
  })
  it('does not end in half a phrase', () => expect(questionOf('Captain Holt keeps the spare rope of the old shed dry')).toBe('Captain Holt keeps the spare rope'))
  it('keeps a short text whole', () => expect(questionOf('Ines lives in Linz now.')).toBe('Ines lives in Linz now'))
})
