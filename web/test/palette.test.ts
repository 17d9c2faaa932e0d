// The command palette: matching and days in words.
import { describe, expect, it } from 'vitest'
import { dayOf, matching, matchScore } from '../src/state/palette'

describe('commands', () => {
  const items = [{ name: 'Show whole map', words: 'home fit' }, { name: 'Sleep' }, { name: 'Save image (PNG)', words: 'picture export' }, { name: 'Toggle light theme', words: 'dark' }]
  const names = (typed: string) => matching(typed, items, 9).map((i) => i.name)
  it('match the beginnings of their words, in any order', () => {
    expect(names('map')).toEqual(['Show whole map'])
    expect(names('wh sh')).toEqual(['Show whole map'])
    expect(names('hole')).toEqual([])
  })
  it('match other words for them, after their own', () => {
    expect(names('dark')).toEqual(['Toggle light theme'])
    expect(names('s')).toEqual(['Sleep', 'Save image (PNG)', 'Show whole map'].sort((a, b) => items.findIndex((i) => i.name === a) - items.findIndex((i) => i.name === b)))
    expect(matchScore('sleep', 'Sleep')).toBeGreaterThan(matchScore('sl', 'Sleep'))
  })
  it('are all there before anything is typed', () => expect(names(' ')).toHaveLength(4))
  it('know letters without their accents', () => expect(matchScore('demir', 'Professor Demír')).toBeGreaterThan(0))
})

describe('a day in words', () => {
  const now = Date.parse('2026-11-26T10:00:00Z')
  const day = (text: string) => {
    const at = dayOf(text, now)
    return at === null ? null : new Date(at).toISOString()
  }
  const ends = (date: string) => `${date}T23:59:59.999Z`
  it('is the last one before now', () => {
    expect(day('18 August')).toBe(ends('2026-08-18'))
    expect(day('go to 18th aug')).toBe(ends('2026-08-18'))
    expect(day('December 24')).toBe(ends('2025-12-24'))
    expect(day('3 Sept')).toBe(ends('2026-09-03'))
  })
  it('may have a year', () => {
    expect(day('18 aug 2025')).toBe(ends('2025-08-18'))
    expect(day('2026-08-18')).toBe(ends('2026-08-18'))
  })
  it('may be a month, or counted from today', () => {
    expect(day('August')).toBe(ends('2026-08-31'))
    expect(day('november')).toBe('2026-11-26T10:00:00.000Z')
    expect(day('yesterday')).toBe(ends('2026-11-25'))
    expect(day('today')).toBe('2026-11-26T10:00:00.000Z')
    expect(day('2 weeks ago')).toBe(ends('2026-11-12'))
  })
  it('is none otherwise', () => {
    for (const text of ['', '31 June', 'mayor', 'heron 3', '18 August 2031', 'x days ago', '18 August 3', 'version 5']) expect(day(text), text).toBeNull()
  })
})
