// Special states of the page: empty store, errors, large scenes.
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, blank, eventually, launch, open, violations } from './browser'
import { largeFrame } from './encode'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/**
 * Opens a page whose scene comes from the test. It is silent: the server does not know this
 * scene and would have the page reload it.
 */
async function pageWith(answer: (route: Route) => Promise<void>, hash = '') {
  const page = await blank(browser, {}, { silent: true })
  await page.route('**/viz/graph*', answer)
  await page.goto(`${server.url}?test=1${hash}`)
  await page.waitForFunction(() => window.__somnograph?.ready())
  return page
}

describe('an empty store', () => {
  it('has an example, and shows the first memory when it arrives', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    expect(await page.evaluate(() => window.__somnograph.status())).toBe('empty')
    expect(await page.locator('.notice').textContent()).toContain('No memories yet')
    const example = page.locator('.connect pre')
    expect(await example.textContent()).toContain('somnograph init claude-code')
    await page.getByRole('tab', { name: 'curl' }).click()
    expect(await example.textContent()).toContain(`${new URL(server.url).origin}/graphql`)
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    expect(await example.textContent()).toContain('new Memory(')
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await page.getByRole('button', { name: 'Store files…' }).waitFor()
    await page.locator('.live.on').waitFor({ state: 'attached' })
    await server.ask('mutation { remember(input: {content: "The very first memory.", consent: EXPLICIT}) { memory { id } } }')
    await page.waitForFunction(() => window.__somnograph.status() === 'ready' && window.__somnograph.visible().length === 1)
    await page.locator('.notice').waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('a server error', () => {
  it('is reported, with a retry', async () => {
    let broken = true
    const page = await pageWith((route) => (broken ? route.fulfill({ status: 503, body: 'unavailable' }) : route.continue()))
    await page.locator('.notice[role=alert]').waitFor()
    await eventually(() => page.locator('.notice').textContent()).toContain('503')
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForFunction(() => ['ready', 'empty'].includes(window.__somnograph.status()))
    await page.context().close()
  })

  it('of the frame version has a readable message', async () => {
    const frame = largeFrame(10, Date.now(), 5)
    frame[4] = 9
    const page = await pageWith((route) => route.fulfill({ body: Buffer.from(frame) }))
    await eventually(() => page.locator('.notice').textContent()).toMatch(/version 9.*Reload the page/)
    await page.context().close()
  })
})

describe('a hundred thousand memories', () => {
  it('are drawn in at most six draw calls, as the rules of the page say', async () => {
    const now = Date.now()
    const frame = Buffer.from(largeFrame(100_000, now, 365))
    const page = await pageWith((route) => route.fulfill({ body: frame, headers: { 'somnograph-now': String(now) } }))
    await page.evaluate(() => {
      const s = window.__somnograph
      s.setView({ selected: s.ids()[500]!, edges: { supersedes: 'all', session: 'all', sequence: 'all', overlap: 'all', derivation: 'all' } })
    })
    await atRest(page)
    const info = await page.evaluate(() => window.__somnograph.info())
    expect(info.points).toBeGreaterThanOrEqual(100_000)
    expect(info.calls).toBeLessThanOrEqual(6)
    await page.locator('.counter', { hasText: 'weaker edges hidden' }).waitFor()
    const half = now - 182.5 * 86_400_000
    await page.evaluate((t) => window.__somnograph.setView({ recorded: t, selected: null }), half)
    const [cards, own, gap, cost] = await page.evaluate(() => {
      const s = window.__somnograph
      s.setView({ edges: { supersedes: 'off', session: 'off', sequence: 'off', overlap: 'off', derivation: 'off' } })
      return [s.drawn().length, s.visible().length, s.retentionGap(), s.scrubCost(40)] as const
    })
    expect(cards).toBe(own)
    expect(Math.abs(own - 50_000)).toBeLessThan(20)
    expect(gap).toBeLessThan(1e-3)
    console.info(`script per scrub step at 100,000: ${cost.toFixed(2)} ms`)
    await page.context().close()
  })
})

describe('a tiled scene', () => {
  it('shows the most important memories, and more at close range', async () => {
    const now = Date.now()
    const asked: string[] = []
    const tiles = Array.from({ length: 8 }, (_, k): [number, number] => [8 + k, 900])
    const page = await pageWith((route) => {
      const key = new URL(route.request().url()).searchParams.get('tile')
      if (key) asked.push(key)
      const frame = key ? largeFrame(900, now, 30, { first: 1000 * Number(key), total: 9200 }) : largeFrame(2000, now, 30, { first: 0, total: 9200, tiles: [[1, 2000], ...tiles] })
      return route.fulfill({ body: Buffer.from(frame), headers: { 'somnograph-now': String(now) } })
    })
    await page.waitForFunction(() => document.querySelector('.counter')?.textContent?.includes('showing 2,000 of 9,200'))
    expect(asked, 'at a distance').toEqual([])
    await page.mouse.move(720, 400)
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -300)
    await page.waitForFunction(() => window.__somnograph.count() > 2000)
    await page.waitForFunction(() => /showing (?!2,000)/.test(document.querySelector('.counter')?.textContent ?? ''))
    await atRest(page) // tiles come one by one
    const [cards, own] = await page.evaluate(() => [window.__somnograph.drawn().length, window.__somnograph.visible().length] as const)
    expect(cards).toBe(own)
    expect(asked.length).toBeGreaterThan(0)
    await page.context().close()
  })

  it('loads the tile of an opened memory, by click and by link', async () => {
    const now = Date.now()
    const inner = largeFrame(900, now, 30, { first: 9000, total: 2900 })
    const id = '01010101-0101-7001-8001-010100002328' // the first of them: 9000 = 0x2328
    const asked: string[] = []
    const answer = (route: Route) => {
      const q = new URL(route.request().url()).searchParams
      if (q.has('memory')) asked.push(q.get('memory')!)
      const frame = q.has('memory') || q.has('tile') ? inner : largeFrame(2000, now, 30, { first: 0, total: 2900, tiles: [[1, 2000], [9, 900]] })
      return route.fulfill({ body: Buffer.from(frame), headers: { 'somnograph-now': String(now), ...(q.has('memory') ? { 'somnograph-tile': '9' } : {}) } })
    }
    const page = await pageWith(answer)
    expect(await page.evaluate(() => window.__somnograph.count())).toBe(2000)
    const from = await page.evaluate(() => location.hash)
    await page.evaluate((m) => window.__somnograph.open(m), id)
    await page.waitForFunction((m) => window.__somnograph.ids().includes(m) && window.__somnograph.screenPosition(m) !== null, id)
    expect(asked).toEqual([id])
    const middle = async () => page.evaluate((m) => window.__somnograph.screenPosition(m)!, id)
    await atRest(page) // the panel is open, and the middle of the map has moved aside
    expect(Math.abs((await middle()).x - 560)).toBeLessThan(200)
    expect((await middle()).y).toBeGreaterThan(100)
    expect(await page.evaluate((m) => window.__somnograph.drawn().includes(m), id)).toBe(true)
    expect(from).not.toContain(id)
    await page.context().close()

    // The same from a link.
    const other = await pageWith(answer, `#sel=${id}`)
    await other.waitForFunction((m) => window.__somnograph.ids().includes(m), id)
    expect(asked).toEqual([id, id])
    await other.context().close()
  })
})
