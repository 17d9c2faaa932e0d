import { describe, expect, it } from 'vitest'
import { momentText, ServerClock, spanText } from '../src/state/clock'
import { diffWords } from '../src/state/diff'
import { filterMask, countValues } from '../src/state/filters'
import { histogram } from '../src/state/histogram'
import { high, low, NEVER_HI, STEP } from '../src/state/instant'
import { fromHash, toHash } from '../src/state/url'
import { INITIAL, Store, type View } from '../src/state/view'
import { sessionNeighbour, versionChain } from '../src/state/world'
import { testWorld } from './world'

describe('links', () => {
  const full: View = {
    recorded: Date.UTC(2026, 2, 1, 12, 30, 15, 123), valid: Date.UTC(1931, 4, 4), clock: 'valid',
    types: ['SEMANTIC', 'WORKING'], projects: ['Atlas, the second', 'Ünïcode & more', ''], namespaces: ['ops'], users: ['mara'],
    statuses: ['ACTIVE', 'SUPERSEDED'], edges: { ...INITIAL.edges, session: 'all', overlap: 'off' },
    selected: '0199a1b2-0000-7000-8000-00000000000a', query: 'which train? #4 50%', flat: true,
    panel: 'mornings', report: '0199a1b2-0000-7000-8000-00000000000b', entity: '0199a1b2-0000-7000-8000-00000000000c',
    tiers: ['L1', 'L3'], decays: ['NONE', 'FAST'], learned: [Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1, 7, 5)], searchMode: 'meaning',
    prompt: { query: 'what now? a=b & c', session: 'day 2', user: 'mara', project: 'Atlas, the second', budget: 1250, format: 'XML' },
    clusters: ['0199a1b2-0000-7000-8000-00000000000d', 'none'], color: 'age', areas: false,
    cluster: '0199a1b2-0000-7000-8000-00000000000e', pattern: '0199a1b2-0000-7000-8000-00000000000f',
    layout: 'links', hubs: true, wide: true, about: 'Ana & co', compare: [Date.UTC(2026, 1, 3), Date.UTC(2026, 4, 7)],
    camera: { position: [1.5, -20, 300.3], target: [0, 0, -0.1] },
  }
  it('contain the whole view', () => expect(fromHash('#' + toHash(full))).toEqual(full))
  it('are empty for the initial view', () => expect(toHash(INITIAL)).toBe(''))
  it('are exact to the millisecond', () => expect(toHash({ ...INITIAL, recorded: 1 })).toBe('t=1970-01-01T00:00:00.001Z'))
  it.each(['#t=yesterday', '#sel=<b>', '#type=DREAM,', '#c=1,2,3', '#c=1,2,3,4,5,x', '#edges=session:maybe,x:all', '#%E0%A4%A', '#flat=2', '#panel=dreams', '#report=last', '#entity=x', '#tier=L9', '#decay=QUICK', '#learned=2026-02-01T00:00:00Z', '#learned=2026-03-01T00:00:00Z,2026-02-01T00:00:00Z', '#learned=soon,later', '#between=2026-02-01T00:00:00Z', '#by=luck', '#color=mood', '#areas=2', '#within=all', '#cluster=1', '#pattern=x', '#budget=1', '#budget=lots', '#as=YAML', '#session='])(
    'ignore invalid values: %s',
    (hash) => expect(fromHash(hash)).toEqual(INITIAL),
  )
})

describe('the store', () => {
  it('calls listeners once, and only for changes', () => {
    const store = new Store({ a: 1, b: 'x', c: 0 })
    const told: unknown[] = []
    store.on(['a', 'b'], (s, before) => told.push([s.a, before.a]))
    store.set({ a: 1, c: 5 })
    expect(told).toEqual([])
    store.set({ a: 2, b: 'y' })
    expect(told).toEqual([[2, 1]])
  })
})

describe('filters', () => {
  const world = testWorld([
    { type: 'SEMANTIC', project: 'atlas', user: 'mara' },
    { type: 'EPISODIC', project: 'atlas' },
    { type: 'SEMANTIC', project: 'borealis', user: 'jon' },
    { type: 'SEMANTIC' },
  ])
  const none = { types: [], projects: [], namespaces: [], users: [], clusters: [], tiers: [], decays: [], learned: [] as const }
  const ids = (f: Partial<View>) => [...filterMask(world, { ...none, ...f }, 0)].flatMap((on, i) => (on ? [i] : []))
  it('pass everything if nothing is selected', () => expect(ids({})).toEqual([0, 1, 2, 3]))
  it('combine', () => {
    expect(ids({ types: ['SEMANTIC'] })).toEqual([0, 2, 3])
    expect(ids({ types: ['SEMANTIC'], projects: ['atlas'] })).toEqual([0])
    expect(ids({ projects: ['atlas', 'borealis'], users: ['jon'] })).toEqual([2])
  })
  it('can select memories without a project', () => expect(ids({ projects: [''] })).toEqual([3]))
  it('pass nothing for an unknown value', () => expect(ids({ namespaces: ['other'] })).toEqual([]))
  it('count values in an order that does not depend on visibility', () =>
    expect(countValues(world.frame.project, Uint8Array.from([1, 0, 1, 0]))).toEqual([{ word: 'atlas', count: 1 }, { word: '', count: 0 }, { word: 'borealis', count: 1 }]))
})

describe('steps along a session', () => {
  it('follow valid time, then recorded time', () => {
    const world = testWorld([{ validFrom: 5, born: 9 }, { validFrom: 5, born: 7 }, { validFrom: 1, born: 8 }, {}], [[0, 1, 'TEMPORAL_SEQ'], [1, 2, 'TEMPORAL_SEQ'], [0, 2, 'SAME_SESSION']])
    expect([sessionNeighbour(world, 1, 1), sessionNeighbour(world, 1, -1)]).toEqual([0, 2])
    expect([sessionNeighbour(world, 0, 1), sessionNeighbour(world, 2, -1), sessionNeighbour(world, 3, 1)]).toEqual([-1, -1, -1])
  })
})

describe('version chains', () => {
  const world = testWorld([{}, {}, {}, {}], [[1, 0, 'SUPERSEDES'], [3, 1, 'SUPERSEDES']])
  it('run from oldest to newest, from any version', () => {
    for (const n of [0, 1, 3]) expect(versionChain(world, n)).toEqual([0, 1, 3])
    expect(versionChain(world, 2)).toEqual([2])
  })
  it('end even if the data has a cycle', () => {
    const ring = testWorld([{}, {}], [[1, 0, 'SUPERSEDES'], [0, 1, 'SUPERSEDES']])
    expect(versionChain(ring, 0).length).toBeLessThanOrEqual(3)
  })
})

describe('the histogram', () => {
  const world = testWorld([
    { states: [{ from: 0 }, { from: 55, status: 'SUPERSEDED', validTo: 40 }] }, { born: 10 }, { born: 55 }, { born: 100 }, { born: 500 },
  ])
  const all = new Uint8Array(5).fill(1)
  it('counts starts and ends by slice, the last one inclusive', () => {
    const h = histogram(world, all, 'recorded', 0, 100, 10)
    expect([...h.born]).toEqual([1, 1, 0, 0, 0, 1, 0, 0, 0, 2])
    expect([...h.ended]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  })
  it('follows the valid clock and the filters', () => {
    const h = histogram(world, Uint8Array.from([1, 0, 0, 0, 0]), 'valid', 0, 100, 10)
    expect([...h.born].reduce((a, b) => a + b)).toBe(1)
    expect(h.ended[4]).toBe(1)
  })
})

describe('instants for the graphics card', () => {
  it.each([0, 1, -1, STEP, STEP - 1, 1771490000123, Date.UTC(1931, 4, 4), Date.UTC(9999, 0)])('preserve %d', (ms) => {
    expect(high(ms) * STEP + low(ms)).toBe(ms)
    expect(low(ms)).toBeGreaterThanOrEqual(0)
    expect(low(ms)).toBeLessThan(2 ** 20)
    expect(Math.abs(high(ms))).toBeLessThan(2 ** 31)
  })
  it('order never after everything', () => {
    expect(high(Infinity)).toBe(NEVER_HI)
    expect(high(-Infinity)).toBeLessThan(high(Date.UTC(-5000, 0)))
    expect(low(Infinity)).toBe(0)
  })
})

describe('the word diff', () => {
  const show = (a: string, b: string) => diffWords(a, b).map((p) => ({ same: p.text, gone: `[-${p.text}-]`, new: `[+${p.text}+]` })[p.kind]).join('')
  it('keeps unchanged words', () =>
    expect(show('The train leaves on Thursdays at noon.', 'The train leaves on Tuesdays at noon.')).toBe('The train leaves on [-Thursdays-][+Tuesdays+] at noon.'))
  it('separates words from punctuation', () =>
    expect(show('up to 14 metres per second until measured.', 'up to 12.5 metres per second.')).toBe('up to [-14-][+12.5+] metres per second[- until measured-].'))
  it('joins neighbouring changes', () => expect(show('a red house', 'a very blue boat')).toBe('a [-red house-][+very blue boat+]'))
  it('leaves the space after a change unchanged', () =>
    expect(show('leaves at seven in the morning', 'leaves at half past six in the morning')).toBe('leaves at [-seven-][+half past six+] in the morning'))
  it('finds no change in equal texts', () => expect(show('same words', 'same words')).toBe('same words'))
  it('handles empty texts', () => {
    expect(show('', 'new')).toBe('[+new+]')
    expect(show('old', '')).toBe('[-old-]')
  })
  it('contains both texts', () => {
    const a = 'we ship on friday and rest on sunday'
    const b = 'we never ship on friday but rest all sunday'
    const pieces = diffWords(a, b)
    const without = (kind: string) => pieces.filter((p) => p.kind !== kind).map((p) => p.text).join('')
    expect(without('new')).toBe(a)
    expect(without('gone')).toBe(b)
  })
})

describe('the server clock', () => {
  it('runs on from the last report', () => {
    let ticks = 1000
    const clock = new ServerClock(() => ticks)
    clock.set(50_000)
    ticks += 250
    expect(clock.now()).toBe(50_250)
    clock.atLeast(40_000)
    expect(clock.now()).toBe(50_250)
    clock.atLeast(90_000)
    ticks += 1
    expect(clock.now()).toBe(90_001)
    clock.set(NaN)
    expect(clock.now()).toBe(90_001)
  })
  it('formats UTC', () => expect(momentText(Date.UTC(2026, 1, 19, 8, 5))).toBe('19 Feb 2026, 08:05'))
  it.each([[3 * 86_400_000, '3 days'], [45 * 86_400_000, '45 days'], [70 * 86_400_000, '2 months'], [400 * 86_400_000, '1 year'], [90_000, '1 minute'], [10, 'moments']])(
    'formats %d ms as %s', (ms, text) => expect(spanText(ms)).toBe(text))
})
