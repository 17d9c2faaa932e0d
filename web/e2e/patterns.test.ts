// The panels of clusters and patterns on answers that come from the test: a decision between two
// patterns, the lineage of one, and lists without entries.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, blank, eventually, launch } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser
let memory: string

beforeAll(async () => {
  server = await startServer()
  memory = (await server.ask<{ remember: { memory: { id: string } } }>('mutation { remember(input: {content: "Heron 3 stayed down in 15 metres per second.", consent: EXPLICIT}) { memory { id } } }')).remember.memory.id
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const id = (n: number) => `0199a1b2-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const pattern = (n: number, text: string, more: object = {}) => ({
  id: id(n), kind: 'CONSTRAINT', text, confidence: 0.82, occurrences: 14, version: 1, status: 'CURRENT', namespace: 'default', user: null, successRate: null, safetyCritical: false, ...more,
})
const low = pattern(1, 'No kite is launched above 14 metres per second.', { status: 'CONTESTED', safetyCritical: true, version: 2 })
const high = pattern(2, 'Heron 3 is launched up to 16 metres per second.', { status: 'CONTESTED', safetyCritical: true })
const page1 = (nodes: object[]) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } })

type Variables = Record<string, unknown>
type Answers = Record<string, (variables: Variables) => object>

/** A page whose requests of some operations are answered by the test; `asked` has their variables. */
async function answered(hash: string, answers: Answers): Promise<{ page: Page; asked: [string, Variables][] }> {
  const asked: [string, Variables][] = []
  const page = await blank(browser, {}, { silent: true })
  await page.route('**/graphql', (route) => {
    const { query, variables } = route.request().postDataJSON() as { query: string; variables: Variables }
    const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? ''
    const answer = answers[name]
    if (!answer) return route.continue()
    asked.push([name, variables])
    return route.fulfill({ json: { data: answer(variables) } })
  })
  await page.goto(`${server.url}?test=1#${hash}`)
  await page.waitForFunction(() => window.__somnograph?.ready())
  await page.waitForFunction(() => document.querySelector('.dock h2') !== null && document.querySelector('.dock .skeleton') === null)
  await atRest(page)
  return { page, asked }
}

const view = (p: Page) => p.evaluate(() => window.__somnograph.view())

describe('patterns', () => {
  it('that conflict are decided by keyboard: one is kept, with a reason', async () => {
    let open = [{ id: 'c', since: '2026-01-01T00:00:00Z', waits: true, patterns: [low, high] }]
    const { page, asked } = await answered('panel=patterns', {
      Patterns: () => ({ patterns: page1([low, high]) }),
      PatternConflicts: () => ({ patternConflicts: open }),
      ResolvePattern: () => {
        open = []
        return { resolvePattern: { id: low.id, status: 'CURRENT' } }
      },
    })
    expect(await page.locator('.dock h3').first().textContent()).toBe('One conflict to decide')
    const keep = page.getByRole('button', { name: `Keep this one: ${low.text}` })
    await keep.focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('.confirm p').textContent()).toContain(high.text)
    await page.keyboard.press('Escape')
    expect(await keep.evaluate((el) => el === document.activeElement), 'the button has the focus again').toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.type('the maker said so')
    await page.keyboard.press('Enter')
    await page.locator('.pattern-pair').waitFor({ state: 'detached' })
    expect(asked.filter(([name]) => name === 'ResolvePattern').map(([, v]) => v)).toEqual([{ keep: low.id, end: high.id, note: 'the maker said so' }])
    await page.context().close()
  })

  it('whose conflict was decided stay in the log: when, by whom, why, and which was kept', async () => {
    const kept = { ...low, status: 'CURRENT' }
    const ended = { ...high, status: 'ENDED' }
    const decided = (n: number, more: object) => ({ id: `c${n}`, since: '2026-01-01T00:00:00Z', kept: kept.id, resolvedAt: '2026-01-02T12:00:00Z', resolvedBy: null, note: null, patterns: [ended, kept], ...more })
    const { page } = await answered('panel=patterns', {
      Patterns: () => ({ patterns: page1([kept]) }),
      PatternConflicts: () => ({ patternConflicts: [] }),
      PatternConflictLog: () => ({
        patternConflicts: [
          decided(1, {}),
          decided(2, { kept: null, resolvedAt: null }), // open, or over without a decision
          decided(3, { resolvedAt: '2026-01-03T12:00:00Z', resolvedBy: 'ada', note: 'the maker said so' }),
        ],
      }),
    })
    expect(await page.locator('.dock h3').allTextContents()).toEqual(['2 decided conflicts'])
    const rows = page.locator('.conflict-log > li')
    expect(await rows.locator('> p').allTextContents()).toEqual(['Decided 3 Jan 2026 by ada: “the maker said so”', 'Decided 2 Jan 2026'])
    expect(await rows.first().locator('.pattern-verdict').allTextContents()).toEqual(['Kept', 'Not kept'])
    expect(await rows.first().locator('.pattern-text').allTextContents()).toEqual([kept.text, ended.text])
    expect(await rows.getByRole('button', { name: /Keep this one/ }).count()).toBe(0)
    await rows.first().getByRole('button').first().click()
    await eventually(async () => (await view(page)).pattern).toBe(kept.id)
    await page.context().close()
  })

  it('are listed by kind', async () => {
    const { page, asked } = await answered('panel=patterns', {
      Patterns: ({ kinds }) => ({ patterns: page1(kinds ? [] : [low]) }),
      PatternConflicts: () => ({ patternConflicts: [] }),
    })
    expect(await page.locator('.pattern-row small').textContent()).toBe('confidence 82 % · seen 14 times · no feedback yet')
    await page.getByLabel('Kind').selectOption('WORKFLOW')
    await page.getByText('No patterns of this kind.').waitFor()
    expect(asked.at(-2)).toEqual(['Patterns', { namespaces: null, kinds: ['WORKFLOW'], after: null }])
    await page.context().close()
  })

  it('lead to their clusters and memories, and to other versions', async () => {
    const cluster = { id: id(9), label: 'Wind at launch', namespace: 'default', user: null, size: 31, density: 0.8 }
    const source = { id: memory, content: 'Heron 3 stayed down in 15 metres per second.', summary: null, type: 'EPISODIC', status: 'ACTIVE', version: 1, recordedAt: '2026-01-01T00:00:00Z', supersededAt: null, project: null, unavailable: null }
    const first = pattern(3, 'No kite is launched in strong wind.', { status: 'SUPERSEDED' })
    const { page } = await answered(`panel=patterns&pattern=${low.id}`, {
      Pattern: (v) => {
        const p = v['id'] === low.id ? low : first
        return {
          pattern: { ...p, conditions: ['a launch is planned'], actions: ['do not launch'], heldOut: 0.9, createdAt: '2026-01-01T00:00:00Z', validatedAt: '2026-01-02T00:00:00Z', memory: { id: memory }, conflicts: [] },
          patternLineage: { versions: [{ ...first, createdAt: '2025-12-01T00:00:00Z' }, { ...low, createdAt: '2026-01-01T00:00:00Z' }], clusters: [{ cluster, memories: [source] }] },
        }
      },
      Cluster: () => ({ cluster: null, clusterEvolution: { nodes: [{ id: 'e', at: '2026-01-03T00:00:00Z', change: 'DIED', cluster: cluster.id, from: [], size: 0 }] } }),
    })
    expect(await page.locator('.patterns-tab h3').allTextContents()).toEqual(['Applies when', 'What to do', 'Drawn from', 'Versions'])
    expect(await page.locator('.pattern-versions [aria-current]').textContent()).toContain('Version 2')
    await page.locator('.lineage .links button').click()
    await eventually(async () => (await view(page)).selected).toBe(memory)
    await page.getByRole('button', { name: /^Version 1/ }).click()
    await eventually(() => page.locator('.dock h2').textContent()).toBe(first.text)
    await page.locator(`.lineage .cluster-row[data-id="${cluster.id}"]`).click()
    await eventually(async () => (await view(page)).cluster).toBe(cluster.id)
    expect((await view(page)).pattern).toBeNull()
    await page.getByText('This cluster is gone').waitFor()
    await page.getByText('It was dissolved').waitFor()
    await page.context().close()
  })
})

describe('lists without entries', () => {
  it('say what makes clusters and patterns, and lead to the sleep panel', async () => {
    const { page } = await answered('panel=clusters', {
      Clusters: () => ({ clusters: page1([]) }),
      Patterns: () => ({ patterns: page1([]) }),
      PatternConflicts: () => ({ patternConflicts: [] }),
    })
    expect(await page.locator('.dock').textContent()).toContain('A sleep groups memories that mean alike: at least 5')
    await page.locator('#tab-patterns').click()
    await page.getByText('A sleep draws patterns from clusters of at least 20 memories about one matter, from what several clusters have in common, and from what was said on several days.').waitFor()
    await page.getByRole('button', { name: 'Open the sleep panel' }).click()
    await eventually(async () => (await view(page)).panel).toBe('sleep')
    await page.context().close()
  })
})
