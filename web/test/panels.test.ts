// The data of the panels, without a page.
import { describe, expect, it } from 'vitest'
import type { Entity } from '../src/api/entities'
import { operation } from '../src/api/operations'
import { entryScript } from '../src/api/version'
import { actionText, bandText, healthAlerts, bytesText, cohorts, retentionHistogram, millisText, percentile, qualityStats, countRows, openBreakers, sentenceCase, slowestRead } from '../src/state/dashboards'
import { moveSpan } from '../src/state/brush'
import { coOccurring, relationText } from '../src/state/entities'
import { exportView } from '../src/state/export'
import { countDecisions, quorumBar } from '../src/state/gatedecisions'
import { questionOf, tourSteps, longestChain } from '../src/state/tour'
import { highlightWords } from '../src/state/highlight'
import { searchWeights } from '../src/state/searchmode'
import { sortedNodes, visibleRows } from '../src/state/memorylist'
import { budgetShares, truncatedText } from '../src/state/promptbudget'
import { memoryChecksum, receiptHash } from '../src/state/hashes'
import { initialView, saveFilters } from '../src/state/savedfilters'
import { pathSteps } from '../src/state/path'
import { filterMask } from '../src/state/filters'
import { INITIAL, isFiltered, PANELS, panelGroupOf, PANEL_GROUPS, type View } from '../src/state/view'
import { defaultStatuses, type Moment } from '../src/state/visibility'
import { idOf, testWorld } from './world'

const DAY = 86_400_000
const at = (recorded: number): Moment => ({ recorded, valid: null, statuses: defaultStatuses(null) })

describe('panel groups', () => {
  it('contain every panel once', () => {
    expect(new Set(PANELS).size).toBe(PANELS.length)
    for (const panel of PANELS) expect(PANEL_GROUPS[panelGroupOf(panel)]).toContain(panel)
  })
})

describe('filters', () => {
  const world = testWorld([
    { born: 0, states: [{ from: 0, tier: 1 }, { from: 10 * DAY, tier: 2 }] },
    { born: 0, states: [{ from: 0, tier: 1 }] },
    { born: 20 * DAY, states: [{ from: 20 * DAY, tier: 3 }] },
  ])
  world.frame.decayClass.set([0, 1, 3])
  const ids = (f: Partial<View>, t: number) => [...filterMask(world, { ...INITIAL, ...f }, t)].flatMap((on, i) => (on ? [i] : []))
  it('use the tier at the instant', () => {
    expect(ids({ tiers: ['L1'] }, 5 * DAY)).toEqual([0, 1])
    expect(ids({ tiers: ['L1'] }, 15 * DAY)).toEqual([1])
    expect(ids({ tiers: ['L2', 'L3'] }, 25 * DAY)).toEqual([0, 2])
    expect(ids({ tiers: ['L3'] }, 5 * DAY)).toEqual([])
  })
  it('filter by decay class, and combine', () => {
    expect(ids({ decays: ['SLOW', 'FAST'] }, 0)).toEqual([1, 2])
    expect(ids({ decays: ['NONE'], tiers: ['L2'] }, 15 * DAY)).toEqual([0])
  })
  it('filter by time learned, both ends included', () => {
    expect(ids({ learned: [0, 19 * DAY] }, 25 * DAY)).toEqual([0, 1])
    expect(ids({ learned: [20 * DAY, 20 * DAY + 1] }, 25 * DAY)).toEqual([2])
  })
  it('are recognised if any is set', () => {
    expect(isFiltered(INITIAL)).toBe(false)
    expect(isFiltered({ ...INITIAL, decays: ['FAST'] })).toBe(true)
  })
})

describe('saved filters', () => {
  const shelf = () => {
    const kept = new Map<string, string>()
    return { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v), removeItem: (k: string) => void kept.delete(k) }
  }
  it('are restored without the rest of the view, and only without a link', () => {
    const s = shelf()
    saveFilters(s, { ...INITIAL, types: ['DOCUMENT'], projects: [''], tiers: ['L2'], query: 'left behind', selected: idOf(1), recorded: 5 })
    expect(initialView(s, '')).toEqual({ ...INITIAL, types: ['DOCUMENT'], projects: [''], tiers: ['L2'] })
    expect(initialView(s, '#type=SEMANTIC')).toEqual({ ...INITIAL, types: ['SEMANTIC'] })
  })
  it('are deleted when nothing is filtered', () => {
    const s = shelf()
    saveFilters(s, { ...INITIAL, types: ['DOCUMENT'] })
    saveFilters(s, INITIAL)
    expect(initialView(s, '#')).toEqual(INITIAL)
  })
})

describe('the brush', () => {
  const bounds = [0, 100] as const
  it('is resized by its ends, within the bounds and its minimum width', () => {
    expect(moveSpan([20, 40], 'from', 10, bounds, 5)).toEqual([30, 40])
    expect(moveSpan([20, 40], 'from', 90, bounds, 5)).toEqual([35, 40])
    expect(moveSpan([20, 40], 'from', -90, bounds, 5)).toEqual([0, 40])
    expect(moveSpan([20, 40], 'to', 90, bounds, 5)).toEqual([20, 100])
    expect(moveSpan([20, 40], 'to', -90, bounds, 5)).toEqual([20, 25])
  })
  it('keeps its width when moved as a whole', () => {
    expect(moveSpan([20, 40], 'both', 15, bounds, 5)).toEqual([35, 55])
    expect(moveSpan([20, 40], 'both', -90, bounds, 5)).toEqual([0, 20])
    expect(moveSpan([20, 40], 'both', 90, bounds, 5)).toEqual([80, 100])
  })
})

describe('query words', () => {
  const hits = (text: string, q: string) => highlightWords(text, q).filter((x) => x.hit).map((x) => x.text)
  it('are highlighted in any case and with any ending', () => {
    expect(hits('Winds: the Heron flies in wind; it flew.', 'what wind may HERONS fly in')).toEqual(['Winds', 'Heron', 'wind'])
    expect(hits('The windowsill.', 'wind')).toEqual([])
    expect(hits('Ärger über Öl', 'ärger öl')).toEqual(['Ärger'])
  })
  it('leave the text unchanged', () => {
    for (const text of ['', '<b>wind</b> & more', 'wind wind', '…']) expect(highlightWords(text, 'wind').map((x) => x.text).join('')).toBe(text)
  })
})

describe('a path', () => {
  it('names each relation from the side it is reached from', () => {
    const memories = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
    const legs = pathSteps(memories, [{ from: 'a', to: 'b', kind: 'DERIVED_FROM' }, { from: 'c', to: 'b', kind: 'CONSOLIDATED_INTO' }])
    expect(legs.map((l) => l.relation)).toEqual(['', 'derived from', 'merged from', 'linked'])
    expect(pathSteps([], [])).toEqual([])
  })
})

describe('the list', () => {
  const world = testWorld([{ born: 1, importance: 10, k: 0.1 }, { born: 3, importance: 200, k: 0.9 }, { born: 2, importance: 10, k: 0.01 }, { born: 4 }])
  const shown = (n: number) => n !== 3
  it('is sorted, ties by age', () => {
    expect(sortedNodes(world, shown, 'newest', 9 * DAY)).toEqual([1, 2, 0])
    expect(sortedNodes(world, shown, 'important', 9 * DAY)).toEqual([1, 2, 0])
    expect(sortedNodes(world, shown, 'faintest', 9 * DAY)).toEqual([1, 0, 2])
  })
  it('renders only the rows in view', () => {
    expect(visibleRows(100_000, 48, 48_000, 480, 2)).toEqual({ from: 998, to: 1012 })
    expect(visibleRows(3, 48, 0, 480)).toEqual({ from: 0, to: 3 })
    expect(visibleRows(0, 48, 500, 480)).toEqual({ from: 0, to: 0 })
    expect(visibleRows(5, 48, 99_999, 480)).toEqual({ from: 5, to: 5 })
  })
})

describe('the JSON export', () => {
  const world = testWorld(
    [
      { type: 'EPISODIC', project: 'heron', label: 'It flew.', born: DAY, importance: 255, place: [1, 2, 3] },
      { type: 'SEMANTIC', born: 2 * DAY, states: [{ from: 2 * DAY, tier: 3, core: true }] },
      { born: 3 * DAY },
    ],
    [[0, 1, 'DERIVED_FROM', 51], [1, 2, 'SUPERSEDES']],
  )
  const out = exportView(world, (n) => n < 2, at(4 * DAY), { ...INITIAL, types: ['EPISODIC'] }, { now: 5 * DAY, link: 'http://x/#a' })
  it('contains the shown memories and the edges between them', () => {
    expect(out.memories.map((m) => m.id)).toEqual([idOf(0), idOf(1)])
    expect(out.memories[0]).toMatchObject({ type: 'EPISODIC', status: 'ACTIVE', tier: 'L1', label: 'It flew.', project: 'heron', user: null, importance: 1, recordedAt: '1970-01-02T00:00:00.000Z', expiresAt: null, place: [1, 2, 3] })
    expect(out.memories[1]).toMatchObject({ tier: 'L3', core: true, retention: 1 })
    expect(out.edges).toEqual([{ from: idOf(0), to: idOf(1), kind: 'DERIVED_FROM', weight: 0.2 }])
    expect(out).toMatchObject({ format: 'somnograph-view', version: 1, view: 'type=EPISODIC', link: 'http://x/#a', asOf: { recorded: '1970-01-05T00:00:00.000Z', valid: null } })
  })
  it('is valid JSON', () => expect(JSON.parse(JSON.stringify(out))).toEqual(out))
})

describe('entities', () => {
  const entity = (id: string, name = id): Entity => ({ id, name, type: 'PERSON', namespace: 'default', user: null, mentionCount: 1, firstSeen: '', lastSeen: null })
  it('have co-occurring entities', () => {
    const found = coOccurring('a', [{ entities: [entity('a'), entity('c'), entity('b')] }, { entities: [entity('b'), entity('a')] }, { entities: [] }])
    expect(found.map((f) => [f.entity.id, f.count])).toEqual([['b', 2], ['c', 1]])
    expect(coOccurring('a', [{ entities: ['b', 'c', 'd'].map((x) => entity(x)) }], 2)).toHaveLength(2)
  })
  it('describe a relation from their own end', () => {
    const r = { predicate: 'WORKS_AT', source: entity('a'), target: entity('b') }
    expect(relationText('a', r)).toEqual({ words: 'works at →', other: r.target })
    expect(relationText('b', r)).toEqual({ words: '← works at', other: r.source })
    expect(relationText('b', { ...r, source: null })).toEqual({ words: '← works at', other: null })
  })
})

describe('a prompt budget', () => {
  const layer = (name: 'MEMORIES' | 'PROJECT', tokens: number) => ({ name, tokens, text: '', memoryIds: [] })
  it('adds up to its budget', () => {
    const pieces = budgetShares({ layers: [layer('PROJECT', 100), layer('MEMORIES', 300)], totalTokens: 420 }, 1000)
    expect(pieces.map((p) => [p.key, p.value])).toEqual([['project', 100], ['memories', 300], ['between', 20], ['unused', 580]])
    expect(pieces.reduce((n, p) => n + p.share, 0)).toBeCloseTo(1)
  })
  it('allows an empty prompt and one above the budget', () => {
    expect(budgetShares({ layers: [], totalTokens: 0 }, 500).at(-1)).toMatchObject({ value: 500, share: 1 })
    const over = budgetShares({ layers: [layer('MEMORIES', 300)], totalTokens: 300 }, 250)
    expect(over.at(-1)!.value).toBe(0)
    expect(over.reduce((n, p) => n + p.share, 0)).toBeCloseTo(1)
  })
})

describe('the dashboards', () => {
  const health = { score: 1, status: 'HEALTHY' as const, memories: 1, engrams: 0, entities: 0, checksumFailures: 0, details: {} }
  it('sort counts and skip invalid ones', () => {
    expect(countRows({ A: 1, LONG_WORD: 5, B: 1, bad: 'x' })).toEqual([{ key: 'long_word', label: 'Long word', value: 5 }, { key: 'a', label: 'A', value: 1 }, { key: 'b', label: 'B', value: 1 }])
    expect(countRows(undefined)).toEqual([])
  })
  it('list alerts, including unknown ones', () => {
    expect(healthAlerts(health)).toEqual([])
    expect(healthAlerts({ ...health, details: { byType: { X: 1 }, embedder: 'e', pendingEmbeddings: 0, stuckInBuffer: [] } })).toEqual([])
    const said = healthAlerts({ ...health, checksumFailures: 2, details: { pendingEmbeddings: 3, stuckInBuffer: [1, 2], newThing: 'odd' } })
    expect(said).toHaveLength(4)
    expect(said[0]).toContain('2 records')
    expect(said[1]).toContain('3 memories have no vector')
    expect(said[2]).toBe('Stuck in buffer: 2')
    expect(said[3]).toBe('New thing: odd')
    expect(sentenceCase('recall_canary')).toBe('Recall canary')
  })
  it('name breakers that are not closed, and a clock that is ahead', () => {
    const details = { breakers: { STORE: { name: 'STORE', state: 'CLOSED' }, EMBEDDER: { name: 'EMBEDDER', state: 'OPEN', reason: 'HTTP status 503' } }, clockAheadSeconds: 3600, letters: { EMBED: 1 } }
    const said = healthAlerts({ ...health, details })
    expect(said).toHaveLength(2)
    expect(said[0]).toBe('Embedder is not called after failures: HTTP status 503.')
    expect(said[1]).toContain('3,600 s behind')
    expect(openBreakers({ ...health, details })).toEqual([{ name: 'EMBEDDER', reason: 'HTTP status 503' }])
    expect(openBreakers(health)).toEqual([])
  })
  it('name parts that are away', () => {
    expect(healthAlerts({ ...health, details: { away: ['REDIS', 'STORE'] } })).toEqual(['REDIS does not answer.', 'STORE does not answer.'])
    expect(healthAlerts({ ...health, details: { away: [] } })).toEqual([])
  })
  it('say nothing of a backup that goes on, and what one fails with', () => {
    const backup = { target: 'directory', last: '2026-11-30T06:59:09Z' }
    expect(healthAlerts({ ...health, details: { backup } })).toEqual([])
    expect(healthAlerts({ ...health, details: { backup: { ...backup, error: 'there is no directory /mnt/backup: is its disk mounted?' } } })).toEqual([
      'The last try of the backup failed: there is no directory /mnt/backup: is its disk mounted?',
    ])
  })
  const world = testWorld([
    { born: 0, k: 0 },
    { born: 0, type: 'EPISODIC', states: [{ from: 0 }, { from: 50 * DAY, status: 'ARCHIVED' }] },
    { born: 90 * DAY, k: 3 },
    { born: 99 * DAY, k: 0, states: [{ from: 99 * DAY, core: true }] },
  ])
  world.frame.version[3] = 4
  const all = new Uint8Array(4).fill(1)
  it('count statuses by time learned', () => {
    expect(cohorts(world, 100 * DAY, 4).map((c) => c.values)).toEqual([{ active: 1, archived: 1 }, {}, {}, { active: 2 }])
    expect(cohorts(world, 40 * DAY, 2).map((c) => c.values)).toEqual([{ active: 2 }, {}])
    expect(cohorts(world, -1, 4)).toEqual([])
  })
  it('count shown memories by retention', () => {
    const left = retentionHistogram(world, all, at(100 * DAY))
    expect(left.at(-1)).toEqual({ semantic: 2 })
    expect(left[0]).toEqual({ semantic: 1 })
    expect(retentionHistogram(world, new Uint8Array(4), at(100 * DAY)).every((x) => Object.keys(x).length === 0)).toBe(true)
    expect(qualityStats(world, all, at(100 * DAY))).toMatchObject({ shown: 3, faint: 1, corrected: 1, versions: 4, core: 1 })
    expect(qualityStats(world, all, at(-1))).toEqual({ shown: 0, retention: 0, faint: 0, corrected: 0, versions: 0, core: 0 })
  })
  it('find the slowest read with enough requests', () => {
    const t = (name: string, count: number, p95Ms: number) => ({ name, count, p50Ms: 0, p95Ms, p99Ms: 0, maxMs: 0 })
    expect(slowestRead([t('search', 9, 4), t('context', 2, 90), t('remember', 99, 50), t('memory', 9, 6)])?.name).toBe('memory')
    expect(slowestRead([])).toBeNull()
  })
  it('format percentiles, durations and sizes', () => {
    expect(percentile([5, 1, 9, 3], 50)).toBe(3)
    expect(percentile([5, 1, 9, 3], 100)).toBe(9)
    expect(percentile([], 50)).toBeNaN()
    expect([0.1234, 3.21, 45.6, 2345].map(millisText)).toEqual(['0.12 ms', '3.2 ms', '46 ms', '2.3 s'])
    expect([12, 45_600, 2_400_000].map(bytesText)).toEqual(['12 B', '46 KB', '2.4 MB'])
  })
})

describe('gate decisions', () => {
  const d = (day: number, decision: 'REPLACED' | 'REJECTED' | null, erased = false) => ({ at: new Date(day * DAY).toISOString(), decision, erased })
  it('are counted in total and over time', () => {
    const { counts, spans } = countDecisions([d(0, 'REPLACED'), d(9, 'REJECTED'), d(10, 'REJECTED'), d(5, null, true)], 2)
    expect(counts).toEqual({ STORED: 0, MERGED: 0, REPLACED: 1, REJECTED: 2 })
    expect(spans.map((s) => [s.from, s.counts.REPLACED, s.counts.REJECTED])).toEqual([[0, 1, 0], [5 * DAY, 0, 2]])
    expect(countDecisions([d(1, 'REPLACED')], 4).spans).toEqual([])
    expect(countDecisions([], 4).counts.STORED).toBe(0)
  })
  it('compare evidence with the quorum', () => {
    const q = quorumBar({ decision: 'REJECTED', quorum: 0.4, required: 0.8 })!
    expect(q.mark).toBeCloseTo(1 / 1.15)
    expect(q.part * 2).toBeCloseTo(q.mark)
    expect(quorumBar({ decision: 'STORED', quorum: 0.4, required: 0.8 })).toBeNull()
    expect(quorumBar({ decision: 'REJECTED', quorum: null, required: 0.8 })).toBeNull()
  })
})

describe('a receipt', () => {
  it('hashes its sorted ids joined by newlines', async () => {
    // printf 'a\nb' | sha256sum
    expect(await receiptHash(['b', 'a'])).toBe('7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78')
    expect(await receiptHash([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
})

describe('the checksum of a memory', () => {
  it('is the one of docs/formats/checksum.md', async () => {
    const m = { content: 'The kite flies at noon.', createdAt: '2026-02-19T00:00:00Z', sourceKind: 'USER', source: 'mara' }
    expect(await memoryChecksum(m)).toBe('75351fa0a51be20c0f31f8b5ff8d58171ddad8798a9bbd2bfeda438d1dacc7a3')
    expect(await memoryChecksum({ ...m, source: null })).not.toBe(await memoryChecksum(m))
  })
})

describe('the tour', () => {
  const world = testWorld(
    [
      { born: DAY, label: 'Heron may fly in winds up to 8, they say.' },
      { born: 5 * DAY, label: 'Heron may fly in winds up to 10.' },
      { born: 9 * DAY, label: 'Heron, the kite, may fly in winds up to 14; older ones not.' },
      { born: 2 * DAY, label: 'Other' },
      { born: 3 * DAY, label: 'Another' },
    ],
    [[1, 0, 'SUPERSEDES'], [2, 1, 'SUPERSEDES'], [4, 3, 'SUPERSEDES']],
  )
  it('shows the most often corrected belief', () => {
    expect(longestChain(world)).toEqual([0, 1, 2])
    const steps = tourSteps(world, 20 * DAY)
    expect(steps).toHaveLength(8)
    expect(steps.at(-1)).toMatchObject({ title: 'Connect your agent', connect: true })
    expect(steps[1]!.view.query).toBe('Heron the kite may fly in winds')
    expect(steps[2]!.view).toMatchObject({ hubs: true, layout: 'links' })
    expect(steps[3]).toMatchObject({ open: idOf(2), text: expect.stringContaining('2 times') })
    // Between the last two corrections: the version that is opened was current then.
    expect(steps[4]).toMatchObject({ open: idOf(1), view: { recorded: 7 * DAY } })
    expect(steps.some((s) => s.view.panel === 'prompt')).toBe(true)
  })
  it('skips it if nothing was corrected', () => {
    const plain = testWorld([{ born: DAY, label: 'One thing', importance: 3 }, { born: DAY, label: 'Another thing', importance: 9 }])
    expect(longestChain(plain)).toEqual([])
    const steps = tourSteps(plain, 2 * DAY)
    expect(steps).toHaveLength(6)
    expect(steps[1]!.view.query).toBe('Another thing')
  })
  it('makes a query from the first words', () => expect(questionOf('  The ferry, at 7:10, leaves… from here now and then ')).toBe('The ferry at 7:10 leaves from here'))
})

describe('requests', () => {
  it('include the fragments that they use, directly or not', () => {
    const text = operation('Tasks')
    expect(text.match(/^fragment \w+/gm)).toEqual(['fragment TaskFields', 'fragment MemorySummary'])
    expect(operation('Events')).not.toContain('fragment')
    expect(() => operation('Nothing')).toThrow('Nothing')
  })
  it('have weights for each search mode', () => {
    expect(searchWeights('both')).toEqual({})
    expect(searchWeights('meaning').weights).toMatchObject({ semantic: 1, keyword: 0, recency: 0 })
    expect(searchWeights('words').weights).toMatchObject({ semantic: 0, keyword: 1, importance: 0 })
  })
})

describe('the build of the explorer', () => {
  it('is identified by its first script', () => {
    expect(entryScript('<head><script type="module" crossorigin src="./assets/index-a1.js"></script>')).toBe('./assets/index-a1.js')
    expect(entryScript('<h1>The explorer is not in this binary</h1>')).toBeNull()
  })
})

describe('why a prompt is shortened', () => {
  it('is the budget, or the share of a layer', () => {
    expect(truncatedText(4300, 4400)).toBe('The budget is used up. Some memories were left out or shortened.')
    expect(truncatedText(1571, 4400)).toBe('The 2,829 tokens that are left are too few for the next memory. Some memories were left out or shortened.')
  })
})

describe('indicators', () => {
  it('have limits and actions in words', () => {
    expect(bandText({ unit: 'ms', higherIsBetter: false, warning: 120, critical: 200 })).toBe('healthy up to 120 ms, critical above 200 ms')
    expect(bandText({ unit: 'ratio', higherIsBetter: true, warning: 0.9, critical: 0.85 })).toBe('healthy from 0.90, critical below 0.85')
    expect(bandText({ unit: 'count', higherIsBetter: false, warning: 0, critical: 0 })).toBe('critical above 0')
    expect(actionText({ action: 'HALT_READS', byHand: true, until: null })).toBe('Reads of this tenant are refused, until a person ends the alarm.')
    expect(actionText({ action: null, byHand: false, until: null })).toBe('')
  })
})
