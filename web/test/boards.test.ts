import { describe, expect, it } from 'vitest'
import type { Decision, Indicator } from '../src/api/dashboards'
import type { Report } from '../src/api/sleep'
import { auditVerdict, csv, degreeHistogram, quorumHistogram, rangeText, recallIndicators, reportsByWeek, waterfall, weekOf } from '../src/state/boards'
import { DAY } from '../src/state/decay'
import { testWorld } from './world'

const at = { recorded: 100 * DAY, valid: null, statuses: 1 }
const gone = (status: 'SUPERSEDED' | 'ARCHIVED', born = 0) => ({ born, states: [{ from: born }, { from: born + DAY, status }] })

describe('the decay waterfall', () => {
  const world = testWorld([{}, gone('SUPERSEDED'), gone('ARCHIVED'), gone('ARCHIVED', 50 * DAY), { k: 0.5, created: 0 }, { born: 200 * DAY }])
  const passes = new Uint8Array(6).fill(1)
  it('goes from what was learned, through losses, to what is remembered well', () => {
    const steps = waterfall(world, passes, at, [])
    expect(steps.map((s) => [s.label, s.value, s.from, s.to])).toEqual([
      ['Learned', 5, 0, 5], ['Corrected', 1, 5, 4], ['Archived', 2, 4, 2], ['Active', 2, 0, 2], ['Faint', 1, 2, 1], ['Remembered well', 1, 0, 1],
    ])
    expect(steps.find((s) => s.key === 'archived')!.nodes).toEqual([2, 3])
  })
  it('is that of the range and the filters', () => {
    expect(waterfall(world, passes, at, [40 * DAY, 60 * DAY])[0]!.nodes).toEqual([3])
    expect(waterfall(world, Uint8Array.of(1, 0, 0, 0, 0, 0), at, [])[0]!.nodes).toEqual([0])
    expect(waterfall(world, passes, { ...at, recorded: DAY / 2 }, []).map((s) => s.label)).toEqual(['Learned', 'Active', 'Faint', 'Remembered well'])
  })
})

describe('histograms', () => {
  it('count the edges to other shown memories', () => {
    const world = testWorld([{}, {}, {}, {}, {}], [[0, 1, 'ENTITY_OVERLAP'], [0, 2, 'ENTITY_OVERLAP'], [0, 3, 'SAME_SESSION'], [0, 4, 'SAME_SESSION'], [1, 1, 'SAME_SESSION']])
    const of = (shown: (n: number) => boolean) => degreeHistogram(world, shown, []).map((b) => [b.name, b.nodes])
    expect(of((n) => n !== 4)).toEqual([['0', []], ['1', [1, 2, 3]], ['2', []], ['3–5', [0]]])
    expect(of((n) => n === 4)).toEqual([['0', [4]]])
  })
  it('count decisions by quorum, without those that were erased', () => {
    const decision = (quorum: number | null, name: string, day = 1, ids = ['m']) => ({ quorum, decision: quorum === null ? null : name, at: new Date(day * DAY).toISOString(), memoryIds: ids }) as unknown as Decision
    const rows = quorumHistogram([decision(0.3, 'REJECTED'), decision(0.3999999, 'STORED', 1, ['a', 'b']), decision(1, 'REPLACED'), decision(null, ''), decision(0.9, 'STORED', 9)], [0, 2 * DAY])
    expect(rows[3]).toEqual({ name: '0.3', values: { 'gate-rejected': 1, 'gate-stored': 1 }, memories: ['m', 'a', 'b'] })
    expect(rows[10]!.values).toEqual({ 'gate-replaced': 1 })
    expect(rows[9]!.values).toEqual({})
  })
})

describe('weeks', () => {
  it('begin on Mondays', () => expect(new Date(weekOf(Date.UTC(2026, 10, 26, 5))).toISOString()).toBe('2026-11-23T00:00:00.000Z'))
  it('of sleeps have no gaps', () => {
    const report = (day: number, promoted: number) => ({ startedAt: new Date(Date.UTC(2026, 10, day)).toISOString(), promoted, pruned: 1 }) as unknown as Report
    const weeks = reportsByWeek([report(2, 4), report(3, 5), report(17, 6), report(29, 7)], ['promoted', 'pruned'], [0, Date.UTC(2026, 10, 20)])
    expect(weeks.map((w) => w.values)).toEqual([{ promoted: 9, pruned: 2 }, {}, { promoted: 6, pruned: 1 }])
    expect(reportsByWeek([], ['promoted'], [])).toEqual([])
  })
  it('of recall are those of the canary in the range', () => {
    const indicator = (name: string) => ({ name, history: [{ at: '2026-11-01T00:00:00Z', value: 0.9 }, { at: '2026-11-20T00:00:00Z', value: 0.8 }] }) as unknown as Indicator
    const found = recallIndicators([indicator('recall_14d'), indicator('read_p95')], [Date.UTC(2026, 10, 10), Date.UTC(2026, 10, 30)])
    expect(found.map((i) => [i.name, i.history.map((p) => p.value)])).toEqual([['recall_14d', [0.8]]])
  })
})

describe('CSV', () => {
  it('quotes what needs it, and disarms formulas', () => {
    expect(csv(['a', 'b'], [['x "y", z', -1], ['=1+1', 'two\nlines'], ['-5', 2.5]])).toBe('a,b\r\n"x ""y"", z",-1\r\n\'=1+1,"two\nlines"\r\n\'-5,2.5\r\n')
  })
  it('disarms formulas behind what nobody sees, and those with wide signs', () => {
    const formulas = ['=1', ' =1', '\u00a0@a', '\u200b-1', '\ufeff+1', '\u0001=1', '＝1', ' ＋1', '－1', '＠a', '\twords']
    const others = ['words', ' words', 'a=b', '\u200ba']
    expect(csv(['a'], [...formulas, ...others].map((v) => [v]))).toBe(['a', ...formulas.map((v) => `'${v}`), ...others].join('\r\n') + '\r\n')
  })
  it('is named by its range', () => expect([rangeText([]), rangeText([0, 40 * DAY])]).toEqual(['all time', '1 Jan 1970 to 10 Feb 1970']))
})

describe('the verdict on the audit', () => {
  const chain = (keys: boolean, rows = 3) => ({ keys, rows, waiting: 0, roots: 0 })
  it('is good only if every chain could be checked', () => {
    expect(auditVerdict({ intact: true, chains: [chain(true), chain(true)] })).toEqual({ grade: 'good', text: 'The audit is intact' })
    expect(auditVerdict({ intact: true, chains: [chain(true), chain(false)] })).toEqual({
      grade: 'warn', text: '1 of 2 chains of the audit could not be checked: their keys are not on this server',
    })
    expect(auditVerdict({ intact: false, chains: [chain(true)] }).grade).toBe('bad')
  })
  it('is not good if there is nothing to check', () => {
    for (const chains of [[], [chain(true, 0)]]) {
      expect(auditVerdict({ intact: true, chains })).toEqual({ grade: 'warn', text: 'The audit was not checked: it has no rows' })
    }
    expect(auditVerdict({ intact: true, chains: [chain(true, 0), chain(true)] }).grade).toBe('good')
    expect(auditVerdict({ intact: true, chains: [{ ...chain(true, 0), waiting: 1 }] }).grade).toBe('good')
  })
})
