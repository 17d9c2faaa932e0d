// Sleep, reports and related panels, on the demo world after some weeks.
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, blank, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

const DAY = 86_400
const QUESTIONS = ['who may launch', 'what does the winch limit say', 'what is Bram allergic to']

/** Lets days pass with some searches on each. Returns the server's time afterwards. */
async function live(days: number): Promise<number> {
  let now = 0
  for (let d = 0; d < days; d++) {
    now = Date.parse((await server.ask<{ advanceClock: string }>('mutation { advanceClock(seconds: 86400) }')).advanceClock)
    for (const query of QUESTIONS) await server.ask('query($query: String!) { search(input: {query: $query, topK: 12}) { latencyMs } }', { query })
  }
  return now
}

interface Reports {
  sleepReports: { nodes: { id: string; reinforced: number; pruned: number; balance: { in: number; kept: number; derived: number } }[] }
}
const allReports = async () => (await server.ask<Reports>('{ sleepReports { nodes { id reinforced pruned balance { in kept derived } } } }')).sleepReports.nodes
/** Ids of the demo world's own reports. */
const before = new Set<string>()
/** The reports of the tests' own sleeps, newest first. */
const reports = async () => (await allReports()).filter((r) => !before.has(r.id))

beforeAll(async () => {
  server = await startServer('--demo')
  for (const r of await allReports()) before.add(r.id)
  await server.ask('mutation($s: Int!) { advanceClock(seconds: $s) }', { s: 38 * DAY })
  await live(2)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const page = (hash = '', options = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options, { paced: true })

/** Number of lines of the caption of a sleep. */
const lines = (p: Page) => p.locator('.caption').evaluate((el) => new Set([...el.children].filter((c) => (c as HTMLElement).offsetHeight > 12).map((c) => Math.round(c.getBoundingClientRect().top / 12))).size)

/** Presses Tab until the focused element has this text. */
async function tabTo(p: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await p.keyboard.press('Tab')
    if ((await p.evaluate(() => document.activeElement?.textContent ?? '')) === name) return
  }
  throw new Error(`Tab did not reach ${name}`)
}

describe('a sleep', () => {
  it('is started by keyboard, shown phase by phase, and followed by a report', async () => {
    const { page: p, faults } = await page()
    await p.locator('.live.on').waitFor({ state: 'attached' })
    const before = await p.evaluate(() => window.__somnograph.drawn())
    await p.keyboard.press('s')
    await p.getByRole('button', { name: 'Sleep now' }).waitFor()
    await p.evaluate(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        const at = document.querySelector('.strip-phases .at b')?.textContent
        if (at && seen.at(-1) !== at) seen.push(at)
      }).observe(document.querySelector('.strip-phases')!, { subtree: true, attributes: true })
    })
    await tabTo(p, 'Sleep now')
    await p.keyboard.press('Enter')

    // The scene already has the state after the sleep; archived memories are shown until
    // their effect is over.
    const found = await p.waitForFunction((n) => {
      const s = window.__somnograph
      if (!s.sleepState().replay || s.visible().length >= n) return null
      const now = { staged: s.drawnInReplay(), drawn: s.drawn(), info: s.info() }
      return now.staged.length > now.drawn.length ? now : null
    }, before.length)
    const now = (await found.jsonValue())!
    expect(before).toEqual(expect.arrayContaining(now.staged))
    expect(now.info.calls).toBeLessThanOrEqual(6)
    await p.waitForFunction(() => (window.__somnograph.sleepState().replay?.tally.ARCHIVE ?? 0) > 0)
    await eventually(() => p.locator('.caption').textContent()).toMatch(/strengthened|archived/)
    expect(await lines(p), 'the caption is one line').toBe(1)

    await p.locator('.caption.morning').waitFor()
    expect(await lines(p), 'and so is the report of the morning').toBe(1)
    expect(await p.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['N1', 'N2', 'N3', 'REM', 'REPORT'])
    await p.waitForFunction(() => JSON.stringify(window.__somnograph.drawnInReplay()) === JSON.stringify(window.__somnograph.drawn()))

    const [report] = await reports()
    expect(report!.pruned).toBeGreaterThan(0)
    // Changes arrive in parts; in the end all archived and merged memories are gone.
    await p.waitForFunction((n) => window.__somnograph.drawn().length === n, report!.balance.kept + report!.balance.derived)
    await tabTo(p, 'Read report')
    await p.keyboard.press('Enter')
    await p.locator('.chart-counts').waitFor()
    expect(await p.locator('.chart-counts dd').nth(0).textContent()).toBe(String(report!.reinforced))
    expect(await p.locator('.chart-counts dd').nth(2).textContent()).toBe(String(report!.pruned))
    expect(await p.locator('.chart-balance').textContent()).toContain(`in ${report!.balance.in} = kept + merged + archived + left`)
    expect(await p.locator('.chart-phases dt').count()).toBeGreaterThanOrEqual(3)
    await p.waitForFunction((id) => location.hash.includes(`report=${id}`) && location.hash.includes('panel=mornings'), report!.id)
    expect(await serious(p)).toEqual([])
    expect(await violations(p)).toEqual([])
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('has a dry run that changes nothing', async () => {
    const { page: p, faults } = await page('#panel=sleep')
    const before = await reports()
    await p.getByLabel('Dry run').check()
    await p.getByRole('button', { name: 'Dry run' }).click()
    await p.locator('.sleep-outcome h3').waitFor()
    expect(await reports()).toEqual(before)
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('draws every effect in at most six draw calls, with and without motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page: p, faults } = await open(browser, `${server.url}?test=1&motion=1`, { reducedMotion }, { paced: true })
      await atRest(p)
      const { ids, born, early } = await p.evaluate(async () => {
        const s = window.__somnograph
        const ids = s.drawn()
        const [a, b, c, d, f, born] = ids as [string, string, string, string, string, string]
        const step = (verb: 'MERGE' | 'PROMOTE' | 'ENGRAVE' | 'DREAM' | 'DISTIL', from: string[], to: string | null = null) => ({ phase: 'REM' as const, verb, from, to })
        const steps = [step('MERGE', [a], b), step('PROMOTE', [c]), step('ENGRAVE', [d]), ...ids.slice(6, 26).map((id) => step('DREAM', [id])), step('DISTIL', [f], born)]
        s.addProgress({ reportId: '0199a1b2-0000-7000-8000-00000000000a', phase: 'REM', done: steps.length, total: steps.length, steps })
        await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
        return { ids, born, early: s.drawnInReplay() }
      })
      // The new memory is not shown before its effect; all others are.
      expect(early).toEqual(ids.filter((id) => id !== born))
      // In one call: the lines are drawn for a moment only.
      const info = await (await p.waitForFunction((id) => window.__somnograph.drawnInReplay().includes(id) && { ...window.__somnograph.info(), ...window.__somnograph.drawnEdges() }, born)).jsonValue()
      if (!info) throw new Error('the replay has no picture')
      expect(info.calls).toBeLessThanOrEqual(6)
      expect(info.focus, 'lines from the merged and from the distilled memory').toBe(2)
      await p.getByRole('button', { name: 'Skip' }).click()
      await eventually(() => p.evaluate(() => window.__somnograph.drawnInReplay())).toEqual(ids)
      // A skipped replay does not start again.
      const again = await p.evaluate(() => {
        window.__somnograph.addProgress({ reportId: '0199a1b2-0000-7000-8000-00000000000a', phase: 'REPORT', done: 0, total: 1, steps: [] })
        return window.__somnograph.sleepState()
      })
      expect(again).toMatchObject({ replay: null, running: '0199a1b2-0000-7000-8000-00000000000a' })
      expect(await p.evaluate(() => window.__somnograph.lost())).toBe(false)
      expect(faults).toEqual([])
      await p.context().close()
    }
  })
})

describe('a morning report', () => {
  beforeAll(async () => {
    if ((await reports()).length === 0) await server.ask('mutation { sleep { report { id } } }')
  })

  it('appears by itself, has trends, and can be rolled back, newest first', async () => {
    const { page: p, faults } = await page('#panel=mornings')
    await p.locator('.report-row').first().waitFor()
    const known = await p.locator('.report-row').count()
    const [older] = await reports()
    const day = await live(1)
    await p.waitForFunction((t) => window.__somnograph.moment().recorded >= t, day) // the page knows the new time
    const asleep = await p.evaluate(() => window.__somnograph.visible())
    await server.ask('mutation { sleep { report { id } } }')
    await p.waitForFunction((n) => document.querySelectorAll('.report-row').length === n + 1, known)
    await eventually(() => p.locator('.chart').count()).toBe(2)
    const [newest] = await reports()
    await eventually(() => p.locator('.report-row').first().getAttribute('data-id')).toBe(newest!.id)

    const rollBack = async (id: string) => {
      await p.locator(`.report-row[data-id="${id}"]`).click()
      await p.getByRole('button', { name: 'Roll back' }).click()
      await p.getByRole('alertdialog').getByRole('button', { name: 'Yes, roll back' }).click()
    }
    await rollBack(older!.id)
    await p.locator('.said .bad').waitFor()
    await eventually(() => p.locator('.said .bad').textContent()).toContain('A later sleep depends on this one')
    await p.locator('.said .link').click()
    await p.waitForFunction((id) => window.__somnograph.view().report === id, newest!.id)
    await p.getByRole('button', { name: 'Roll back' }).click()
    await p.keyboard.press('Escape')
    await p.getByRole('alertdialog').waitFor({ state: 'detached' })
    await p.getByRole('button', { name: 'Roll back' }).click()
    await p.getByRole('button', { name: 'Yes, roll back' }).click()
    await p.locator('.report-title .tag.historical').waitFor()
    expect(await p.getByRole('button', { name: 'Rolled back' }).isDisabled()).toBe(true)
    await p.waitForFunction((ids) => JSON.stringify(window.__somnograph.visible()) === ids, JSON.stringify(asleep))
    await p.getByRole('button', { name: 'All reports' }).click()
    await p.locator('.report-row .tag.historical').waitFor()
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('can be replayed', async () => {
    const nodes = await reports()
    const { page: p } = await page(`#panel=mornings&report=${nodes.at(-1)!.id}`)
    await p.getByRole('button', { name: 'Replay' }).click()
    await p.waitForFunction(() => {
      const s = window.__somnograph
      const { replay } = s.sleepState()
      return replay?.past === true && (replay.tally.ARCHIVE ?? 0) > 0 && s.drawnInReplay().length > s.drawn().length
    })
    await p.context().close()
  })
})

/** Opens the numbers of the open memory, which are closed at first. */
const openNumbers = (p: Page) => p.locator('.detail-tabs').getByRole('button', { name: 'Numbers' }).click()

describe('plasticity', () => {
  it('is shown with its terms, the next tier, stages and forecast', async () => {
    const { search } = await server.ask<{ search: { hits: { memory: { id: string; score: number; promotesAt: number | null; tier: string; usage: number } }[] } }>(
      'query($q: String!) { search(input: {query: $q, topK: 12, track: false}) { hits { memory { id score promotesAt tier usage } } } }',
      { q: QUESTIONS[0] },
    )
    const { memory } = search.hits.find((hit) => hit.memory.usage > 0)!
    const { page: p, faults } = await page(`#sel=${memory.id}`)
    await openNumbers(p)
    await p.locator('.score-line').waitFor()
    expect(await p.locator('.signals dt').allTextContents()).toEqual(['SSalience', 'UUsage', 'AAuthority', 'CConflict', 'ΔSurprise'])
    const shown = Number(await p.locator('.score-line b').textContent())
    expect(Math.abs(shown - memory.score)).toBeLessThan(0.02)
    const terms = await p.locator('.terms b').allTextContents()
    expect(terms).toHaveLength(5)
    expect(Math.abs(terms.reduce((n, t) => n + Number(t.replace('−', '-')), 0) - shown)).toBeLessThan(0.04)
    expect(await p.locator('.gates li').count()).toBe(memory.promotesAt !== null ? 1 : 3)
    expect(await p.locator('.life-stage').first().textContent()).toContain('written to L1')
    expect(await p.locator('.curve .use').count()).toBeGreaterThan(0)
    expect(await p.locator('.curve .future').count()).toBe(1)
    expect(await p.locator('.fade-note').textContent()).toMatch(/20 % (on|since)|Never fades/)
    expect(await serious(p)).toEqual([])
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('has the stages of an archived memory', async () => {
    const { memories } = await server.ask<{ memories: { nodes: { id: string }[] } }>('{ memories(first: 1, filter: {statuses: [ARCHIVED]}) { nodes { id } } }')
    const { page: p } = await page(`#sel=${memories.nodes[0]!.id}`)
    await openNumbers(p)
    await p.locator('.life-stage.life-archived').waitFor()
    await eventually(() => p.locator('.growth').textContent()).toContain('Archived memories are not promoted.')
    await p.context().close()
  })
})

describe('policies', () => {
  it('are shown, validated and changed', async () => {
    const { page: p, faults } = await page('#panel=policy')
    const field = p.getByLabel(/Promote above/)
    await field.waitFor()
    expect(await field.inputValue()).toBe('1.5')
    await field.fill('9')
    await p.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await field.evaluate((f: HTMLInputElement) => f.validity.rangeOverflow)).toBe(true)
    await field.fill('1.75')
    await p.getByRole('button', { name: 'Save', exact: true }).click()
    await p.getByText('Saved. Applies from now on.').waitFor()
    expect(await server.ask('{ namespacePolicy { promoteAt } }')).toEqual({ namespacePolicy: { promoteAt: 1.75 } })
    expect(faults).toEqual([])
    await p.context().close()
  })
})

describe('the forecast', () => {
  it('is sorted by date, for a chosen period, and opens memories', async () => {
    const forecast = async (days: number) =>
      (await server.ask<{ decayForecast: { fadesAt: string; memory: { id: string } }[] }>('query($days: Int!) { decayForecast(days: $days, first: 200) { fadesAt memory { id } } }', { days })).decayForecast
    const { page: p, faults } = await page()
    await p.keyboard.press('s')
    await p.getByRole('tab', { name: 'Forecast' }).click()
    await p.locator('.fade-row').first().waitFor()
    const shown = () => p.locator('.fade-row').evaluateAll((rows) => rows.map((r) => r.getAttribute('data-id')))
    const month = await forecast(30)
    expect(month.length).toBeGreaterThan(1)
    await eventually(shown).toEqual(month.map((f) => f.memory.id))
    expect(month.map((f) => f.fadesAt)).toEqual(month.map((f) => f.fadesAt).sort())
    expect(await p.locator('.fading-tab .chart').count()).toBe(1)
    await p.getByRole('radio', { name: '90 days' }).click()
    const quarter = await forecast(90)
    await p.waitForFunction((n) => document.querySelectorAll('.fade-row').length === n, quarter.length)
    const { id } = quarter.at(-1)!.memory
    await p.locator(`.fade-row[data-id="${id}"]`).click()
    await p.waitForFunction((x) => window.__somnograph.view().selected === x, id)
    // The page computes the same day from the scene.
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(quarter.at(-1)!.fadesAt))
    await eventually(() => p.locator('.fade-note').textContent()).toContain(day)
    expect(faults).toEqual([])
    await p.context().close()
  })
})

describe('conflicts', () => {
  it('show both sides with their differences, and are resolved after a confirmation', async () => {
    const write = async (content: string) =>
      (await server.ask<{ remember: { memory: { id: string } } }>('mutation($content: String!) { remember(input: {content: $content, consent: EXPLICIT, type: SEMANTIC, onDuplicate: INSERT, namespace: "quay"}) { memory { id } } }', { content })).remember.memory.id
    await server.ask('mutation { setNamespacePolicy(input: {namespace: "quay", revision: OFF}) { revision } }') // otherwise the later one replaces the earlier one
    const [earlier, later] = [await write('The meeting about the pier is on Tuesday at seven.'), await write('The meeting about the pier is on Tuesday at nine.')]
    const { page: p, faults } = await page('#panel=conflicts&ns=quay')
    const pair = p.locator(`.pair[data-later="${later}"]`)
    await pair.waitFor()
    expect(await pair.locator('mark.gone').allTextContents()).toEqual(['seven'])
    expect(await pair.locator('mark.new').allTextContents()).toEqual(['nine'])
    await pair.getByRole('button', { name: 'Keep later' }).click()
    await p.keyboard.type('the new timetable')
    await p.keyboard.press('Enter')
    await p.getByText('No conflicts.').waitFor()
    const { memory } = await server.ask<{ memory: { status: string } }>('query($id: ID!) { memory(id: $id) { status } }', { id: earlier })
    expect(memory.status).toBe('SUPERSEDED')
    expect(faults).toEqual([])
    await p.context().close()
  })
})

describe('a server without sleep', () => {
  it('is reported by every panel, and does not break the page', async () => {
    const p = await blank(browser)
    const faults: string[] = []
    p.on('pageerror', (e) => faults.push(e.message))
    const fields = /\b(sleepReports|sleepStatus|decayForecast|conflicts\(|namespacePolicy|reconsolidations|score promotesAt|score\s+promotesAt)/
    await p.route('**/graphql', (route: Route) => {
      const found = fields.exec(String(route.request().postDataJSON().query))
      return found ? route.fulfill({ json: { errors: [{ message: `Cannot query field "${found[1]}" on type "Query".`, extensions: { code: 'INVALID_REQUEST' } }] } }) : route.continue()
    })
    await p.goto(`${server.url}?test=1#panel=sleep`)
    await p.waitForFunction(() => window.__somnograph?.ready())
    for (const [name, content] of [['Sleep', 'sleep'], ['Reports', 'morning reports'], ['Forecast', 'forecast'], ['Conflicts', 'conflicts'], ['Policy', 'policy']] as const) {
      await p.getByRole('tab', { name }).click()
      await p.getByText(`Not available from this server: ${content}.`).waitFor()
    }
    const id = await p.evaluate(() => window.__somnograph.drawn()[0]!)
    await p.evaluate((x) => window.__somnograph.setView({ selected: x }), id)
    await openNumbers(p)
    await p.locator('.life').waitFor()
    await p.locator('.plasticity').waitFor({ state: 'detached' })
    expect(await p.locator('.signals dt').count()).toBe(5)
    expect(faults).toEqual([])
    await p.context().close()
  })
})
