import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY } from '../src/state/decay'
import { anchorAt, defaultStatuses, retentionAt, statusAt, visibleAt, type Moment } from '../src/state/visibility'
import { testWorld } from './world'

const known = (recorded: number, valid: number | null = null): Moment => ({ recorded, valid, statuses: defaultStatuses(valid) })

describe('visibility', () => {
  const world = testWorld([
    { states: [{ from: 100 }, { from: 200, status: 'SUPERSEDED', validTo: 150 }], validFrom: 50 },
    { born: 200, validFrom: 150 },
    { born: 100, expires: 300 },
    { states: [{ from: 100 }, { from: 150, status: 'ARCHIVED' }, { from: 250 }] },
  ])
  const seen = (at: Moment) => [0, 1, 2, 3].filter((i) => visibleAt(world, i, at))

  it('begins when a memory is recorded, to the millisecond', () => {
    expect(seen(known(99))).toEqual([])
    expect(seen(known(100))).toEqual([0, 2, 3])
    expect(seen(known(199))).toEqual([0, 2])
  })
  it('ends at the instant of the successor', () => {
    expect(seen(known(200))).toEqual([1, 2])
  })
  it('ends at the instant of expiry', () => {
    expect(seen(known(299))).toEqual([1, 2, 3])
    expect(seen(known(300))).toEqual([1, 3])
    expect(statusAt(world, 2, 300)).toBe(4)
  })
  it('returns with reactivation', () => {
    expect(seen(known(150))).toEqual([0, 2])
    expect(seen(known(250))).toEqual([1, 2, 3])
  })
  it('follows valid time, which versions divide between them', () => {
    const at = (v: number): number[] => [0, 1].filter((i) => visibleAt(world, i, known(1000, v)))
    expect(at(49)).toEqual([])
    expect(at(50)).toEqual([0])
    expect(at(149)).toEqual([0])
    expect(at(150)).toEqual([1])
  })
  it('includes the selected statuses', () => {
    expect(seen({ recorded: 1000, valid: null, statuses: 1 << 1 })).toEqual([0])
    expect(seen({ recorded: 1000, valid: null, statuses: 1 << 4 })).toEqual([2])
  })
})

interface Vector {
  name: string
  createdAt: number
  anchorAt: number
  days: number[]
  lastUse: number
  permanent: boolean
  at: number
  anchor: number
  rate: number
  retention: number
}

describe('retention', () => {
  // The server's golden vectors.
  const vectors: Vector[] = JSON.parse(readFileSync(new URL('../../engine/decay/testdata/golden.json', import.meta.url), 'utf8'))
  it.each(vectors.map((v) => [v.name, v] as const))('%s', (_, v) => {
    const world = testWorld([
      {
        born: v.createdAt, k: v.permanent ? 0 : v.rate, days: v.days,
        ...(v.anchorAt !== 0 ? { anchor: v.anchorAt } : {}),
        ...(v.lastUse !== 0 ? { lastUse: v.lastUse } : {}),
      },
    ])
    expect(anchorAt(world, 0, v.at)).toBe(v.anchor)
    expect(retentionAt(world, 0, v.at)).toBeCloseTo(v.retention, 4)
  })
  it('has enough golden vectors', () => expect(vectors.length).toBeGreaterThan(20))
  it('spares core memories and engrams for as long as they are', () => {
    const world = testWorld([{ k: 1, states: [{ from: 0 }, { from: DAY, core: true }, { from: 2 * DAY }, { from: 3 * DAY, tier: 3 }] }])
    const at = [0.5, 1, 2, 4].map((d) => retentionAt(world, 0, d * DAY))
    expect(at[0]).toBeCloseTo(Math.exp(-0.5))
    expect(at[1]).toBe(1)
    expect(at[2]).toBeCloseTo(Math.exp(-2))
    expect(at[3]).toBe(1)
  })
})
