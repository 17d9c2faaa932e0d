import { describe, expect, it } from 'vitest'
import { ApiError } from '../src/api/graphql'
import { isUnsupported, type PlasticityData, type Report } from '../src/api/sleep'
import { operation } from '../src/api/operations'
import { DAY } from '../src/state/decay'
import { DEFAULT_COEFFICIENTS, fadesAt, fadingByDay, lifeStages, scoreTerms, nextPromotion } from '../src/state/plasticity'
import { balanceOf, cutText, trendReports, stepCounts, phasesOf, rateBand, secondsText, ticks } from '../src/state/reports'
import { retentionAt } from '../src/state/visibility'
import { testWorld } from './world'

const REPORT: Report = {
  id: 'r1', kind: 'DEEP', trigger: 'HAND', startedAt: '2026-12-31T19:46:52.940Z', completedAt: '2026-12-31T19:46:53.113Z', resumed: false, complete: true, dryRun: false,
  reinforced: 87, decayed: 263, pruned: 105, deduplicated: 2, promoted: 9, engraved: 1, dreamed: 20, consolidated: 4, derived: 2, sparsified: 0,
  tokensSaved: 120, promotionRate: 0.06, budgetKept: true, cutOff: null, clustersLeft: 0, rolledBackAt: null, healthBefore: 0.52, healthAfter: 0.61,
  phases: [{ phase: 'N1', items: 3, seconds: 0.01 }, { phase: 'N2', items: 194, seconds: 0.03 }],
  balance: { in: 269, kept: 160, merged: 4, archived: 105, left: 0, derived: 2 },
}

describe('operations', () => {
  it.each(['SleepReports', 'Sleep', 'Progress', 'MorningReports', 'Forecast', 'SetPolicy', 'Detail'])('%s includes its fragments and nothing else', (name) => {
    const text = operation(name)
    const used = [...text.matchAll(/\.\.\.(\w+)/g)].map((m) => m[1])
    for (const f of new Set(used)) expect(text.match(new RegExp(`fragment ${f} on`, 'g'))).toHaveLength(1)
    expect(text.match(/^(query|mutation|subscription) /gm)).toHaveLength(1)
  })
  it('detect an unsupported request by its error', () => {
    expect(isUnsupported(new ApiError('Cannot query field "sleepStatus" on type "Query".', 'INVALID_REQUEST'))).toBe(true)
    expect(isUnsupported(new ApiError('this version does not sleep yet', 'UNAVAILABLE'))).toBe(true)
    expect(isUnsupported(new ApiError('days must be 1 to 365', 'INVALID_REQUEST'))).toBe(false)
    expect(isUnsupported(new ApiError('The server does not answer.', 'OFFLINE'))).toBe(false)
  })
})

describe('report charts', () => {
  it('count by kind', () => {
    const counts = Object.fromEntries(stepCounts(REPORT).map((c) => [c.label, c.value]))
    expect(counts).toMatchObject({ Strengthened: 87, Archived: 105, Merged: 2, Promoted: 9, Engraved: 1, Dreamed: 20 })
  })
  it('account for every memory', () => {
    const b = balanceOf(REPORT)
    expect(b.whole).toBe(true)
    expect(b.pieces.reduce((n, p) => n + p.share, 0)).toBeCloseTo(1)
    expect(balanceOf({ ...REPORT, balance: { ...REPORT.balance, left: 3 } }).whole).toBe(false)
    expect(balanceOf({ ...REPORT, balance: { in: 0, kept: 0, merged: 0, archived: 0, left: 0, derived: 0 } }).pieces.every((p) => p.share === 0)).toBe(true)
  })
  it('divide the time by phase', () => {
    expect(phasesOf(REPORT).map((p) => p.share)).toEqual([0.25, 0.75].map((s) => expect.closeTo(s)))
    expect(phasesOf({ ...REPORT, phases: [{ phase: 'N1', items: 0, seconds: 0 }] })[0]!.share).toBe(0)
  })
  it('include completed sleeps that were not rolled back, oldest first', () => {
    const of = (id: string, change: Partial<Report>) => ({ ...REPORT, id, ...change })
    const all = [of('c', { startedAt: '2027-01-03T00:00:00.000Z' }), of('b', { startedAt: '2027-01-02T00:00:00.000Z' }), of('dry', { dryRun: true }), of('runs', { completedAt: null }), of('back', { rolledBackAt: '2027-01-01T00:00:00.000Z' })]
    expect(trendReports(all).map((r) => r.id)).toEqual(['b', 'c'])
  })
  it.each([[0, 'below'], [0.0499, 'below'], [0.05, 'normal'], [0.1, 'normal'], [0.101, 'above']] as const)('grade a promotion rate of %s as %s', (rate, word) => expect(rateBand(rate)).toBe(word))
  it.each([[0, '< 1 ms'], [0.008, '8 ms'], [0.9996, '1000 ms'], [3.21, '3.2 s'], [75, '1 min 15 s']] as const)('format %s seconds as %s', (s, text) => expect(secondsText(s)).toBe(text))
  it.each([1, 0.12, 7, 193, 2600, 0.0004])('have a scale of a few round steps up to %s', (most) => {
    const t = ticks(most)
    expect(t[0]).toBe(0)
    expect(t.at(-1)!).toBeGreaterThanOrEqual(most * (1 - 1e-9))
    expect(t.at(-2)!).toBeLessThan(most * (1 - 1e-9))
    expect(t.length).toBeLessThanOrEqual(5)
  })
  it('have a scale without data', () => expect(ticks(0)).toEqual([0, 1]))
})

describe('plasticity', () => {
  const m = { salience: 0.8, retention: 0.5, usage: 3, authority: 0.8, conflict: 0.25, surprise: 0.5 }
  it('is the sum of its terms', () => {
    const sum = scoreTerms(m, DEFAULT_COEFFICIENTS).reduce((n, t) => n + t.value, 0)
    expect(sum).toBeCloseTo(1 * 0.8 * 0.5 + 0.3 * Math.log(4) + 0.5 * 0.8 - 0.7 * 0.25 + 0.4 * 0.5, 12)
  })
  it('uses the coefficients of the namespace', () => {
    expect(scoreTerms(m, { ...DEFAULT_COEFFICIENTS, gamma: 0.9 })[2]!.value).toBeCloseTo(0.72)
  })
  it('has no negative zero', () => expect(Object.is(scoreTerms({ ...m, conflict: 0 }, DEFAULT_COEFFICIENTS)[3]!.value, -0)).toBe(false))
})

describe('promotion', () => {
  const gates: NonNullable<PlasticityData['engraveGates']> = { days: 2, neededDays: 5, confidence: 0.9, neededConfidence: 0.85, conflict: 0.4, maxConflict: 0.2, open: false }
  const plasticity = (change: Partial<PlasticityData>): PlasticityData => ({ id: 'm', score: 1.2, promotesAt: null, engraveGates: null, ...change })
  it('from L1 requires the score', () => {
    const way = nextPromotion(plasticity({ promotesAt: 1.5, engraveGates: gates }))!
    expect(way).toMatchObject({ to: 'L2', met: false })
    expect(way.criteria).toMatchObject([{ progress: expect.closeTo(0.8), met: false, have: '1.20', need: 'above 1.50' }])
  })
  it('requires more than the threshold', () => expect(nextPromotion(plasticity({ score: 1.5, promotesAt: 1.5 }))!.met).toBe(false))
  it('from L2 has three criteria', () => {
    const way = nextPromotion(plasticity({ engraveGates: gates }))!
    expect(way.to).toBe('L3')
    expect(way.criteria.map((g) => g.met)).toEqual([false, true, false])
    expect(way.criteria.map((g) => g.progress)).toEqual([0.4, 1, 0.5].map((p) => expect.closeTo(p)))
  })
  it('ends in the recess', () => expect(nextPromotion(plasticity({}))).toBeNull())
})

describe('fading', () => {
  it('is forecast for the day on which 20 % is left', () => {
    const world = testWorld([{ born: 0, k: 0.05 }])
    const at = fadesAt(world, 0, DAY)
    expect(retentionAt(world, 0, at)).toBeCloseTo(0.2, 9)
  })
  it('restarts with the last use', () => {
    const world = testWorld([{ born: 0, k: 0.05, days: [10] }])
    expect(fadesAt(world, 0, 11 * DAY) - fadesAt(world, 0, 9 * DAY)).toBeCloseTo(10 * DAY)
  })
  it('does not happen to core memories, engrams and class NONE', () => {
    const world = testWorld([{ k: 0 }, { k: 0.1, states: [{ from: 0, core: true }] }, { k: 0.1, states: [{ from: 0, tier: 3 }] }])
    expect([0, 1, 2].map((n) => fadesAt(world, n, DAY))).toEqual([Infinity, Infinity, Infinity])
  })
  it('is counted by slice, past dates in the first', () => {
    const slices = fadingByDay([-5 * DAY, 0.5 * DAY, 3.5 * DAY, 6.99 * DAY, 40 * DAY], 0, 7, 7)
    expect(slices.map((s) => s.count)).toEqual([2, 0, 0, 1, 0, 0, 2])
    expect(fadingByDay([], 0, 3, 14)).toHaveLength(3)
  })
})

describe('a sleep that its budget ended', () => {
  it('is told with its phase and with the owners that are left', () => {
    expect(cutText(REPORT)).toBe('')
    expect(cutText({ ...REPORT, cutOff: 'N3' })).toBe(', ended by its budget in N3')
    expect(cutText({ ...REPORT, cutOff: 'REM', clustersLeft: 1 })).toBe(', ended by its budget in REM before the clusters of 1 owner')
    expect(cutText({ ...REPORT, cutOff: 'REM', clustersLeft: 12 })).toBe(', ended by its budget in REM before the clusters of 12 owners')
  })
})

describe('the stages of a memory', () => {
  const world = testWorld([
    { states: [{ from: 1000 }, { from: 2000, tier: 2 }, { from: 2500, tier: 2, validTo: 9e9 }, { from: 3000, tier: 2, core: true }, { from: 4000, tier: 2, status: 'ARCHIVED' }, { from: 5000, tier: 2 }] },
    { born: 0, expires: 500 },
  ])
  const what = (node: number, until: number) => lifeStages(world, node, until).map((s) => s.change)
  it('are the changes of tier, status and core', () =>
    expect(what(0, 9000)).toEqual(['written to L1', 'L1 → L2', 'made core', 'archived, no longer core', 'active again']))
  it('end at the instant shown', () => expect(what(0, 2200)).toEqual(['written to L1', 'L1 → L2']))
  it('end with its expiry', () => expect(what(1, 900)).toEqual(['written to L1', 'expired']))
})
