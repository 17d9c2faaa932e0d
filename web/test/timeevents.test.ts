// What happened in time, and how fast it plays.
import { describe, expect, it } from 'vitest'
import { pace, SPEEDS, speedText } from '../src/state/playback'
import { changesBetween, eventMarks, nodeOfDay } from '../src/state/timeevents'
import { testWorld } from './world'

const DAY = 86_400_000
const all = (n: number) => new Uint8Array(n).fill(1)

// 0 is corrected by 1 and that by 2; 3 is archived, 4 expires, 5 stays, 6 comes late.
const world = testWorld(
  [
    { born: 0, importance: 0.9, states: [{ from: 0 }, { from: 10 * DAY, status: 'SUPERSEDED' }] },
    { born: 10 * DAY, states: [{ from: 10 * DAY }, { from: 12 * DAY, status: 'SUPERSEDED' }] },
    { born: 12 * DAY },
    { born: 0, importance: 0.2, states: [{ from: 0 }, { from: 11 * DAY, status: 'ARCHIVED' }] },
    { born: 1 * DAY, states: [{ from: DAY }, { from: 20 * DAY, status: 'EXPIRED' }] },
    { born: 1 * DAY },
    { born: 15 * DAY },
  ],
  [[1, 0, 'SUPERSEDES'], [2, 1, 'SUPERSEDES']],
)

describe('the events on the axis', () => {
  it('are corrections, losses and sleeps, in order', () => {
    const marks = eventMarks(world, all(7), [5 * DAY, 40 * DAY], 0, 30 * DAY, DAY)
    expect(marks.map((m) => [m.kind, m.at / DAY, m.node])).toEqual([['sleep', 5, -1], ['correction', 10, 0], ['loss', 11, 3], ['correction', 12, 1], ['loss', 20, 4]])
  })
  it('of one kind that are close are one mark', () => {
    const marks = eventMarks(world, all(7), [], 0, 30 * DAY, 5 * DAY)
    expect(marks.map((m) => [m.kind, m.count, m.last / DAY])).toEqual([['correction', 2, 12], ['loss', 1, 11], ['loss', 1, 20]])
  })
  it('are those of the memories that are shown', () => {
    const shown = all(7)
    shown[0] = 0
    expect(eventMarks(world, shown, [], 0, 30 * DAY, DAY).filter((m) => m.kind === 'correction')).toHaveLength(1)
  })
})

describe('the caption of a day', () => {
  it('is the most important memory learned on it, so far', () => {
    expect(nodeOfDay(world, all(7), 5000)).toBe(0)
    expect(nodeOfDay(world, all(7), 15 * DAY + 1)).toBe(6)
    expect(nodeOfDay(world, all(7), 15 * DAY - 1)).toBe(-1)
  })
})

describe('what changed between two instants', () => {
  it('is what was added, replaced and lost', () =>
    expect(changesBetween(world, all(7), 5 * DAY, 30 * DAY)).toEqual({ added: [6], changed: [[0, 2]], gone: [3, 4] }))
  it('is nothing within a quiet time', () => expect(changesBetween(world, all(7), 2 * DAY, 3 * DAY)).toEqual({ added: [], changed: [], gone: [] }))
  it('shows the first of a chain that began in between as added', () => expect(changesBetween(world, all(7), -DAY, 11 * DAY).added).toEqual([4, 5, 1].sort((a, b) => world.frame.born[a]! - world.frame.born[b]! || a - b)))
  it('is that of the shown memories', () => expect(changesBetween(world, new Uint8Array(7), 0, 30 * DAY)).toEqual({ added: [], changed: [], gone: [] }))
})

describe('playing', () => {
  it('takes 20 s for all of the time by default, or so many seconds a month', () => {
    expect(182 * DAY / pace(182 * DAY, 0)).toBe(20)
    expect((30.44 * DAY) / pace(182 * DAY, 5)).toBeCloseTo(5)
    expect(SPEEDS.map(speedText)).toEqual(['All in 20 s', '1 s a month', '2 s a month', '5 s a month', '20 s a month'])
  })
})
