// What the first edition got wrong, and no other browser test shows: each in the page as a visitor finds it.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, blank, eventually, launch, open } from './browser'
import { startServer, type Server } from './server'
import { fillStore, type TestWorld } from './world'

let server: Server
let world: TestWorld
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  world = await fillStore(server)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const view = (p: Page) => p.evaluate(() => window.__somnograph.view())
const setView = (p: Page, change: Partial<Awaited<ReturnType<typeof view>>>) => p.evaluate((v) => window.__somnograph.setView(v), change)
const remember = async (on: Server, input: object) =>
  (await on.ask<{ remember: { memory: { id: string } } }>('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', { i: { consent: 'EXPLICIT', onDuplicate: 'INSERT', ...input } })).remember.memory.id

/** Runs a test on a server of its own. */
async function alone(flags: string[], test: (own: Server) => Promise<void>): Promise<void> {
  const own = await startServer(...flags)
  try {
    await test(own)
  } finally {
    await own.stop()
  }
}

describe('the first view', () => {
  it('arrives compressed, in less than 350 KB in all', async () => {
    const page = await blank(browser)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const sent = new Map<string, { url: string; encoding: string; bytes: number }>()
    network.on('Network.responseReceived', ({ requestId, response }) => {
      const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1] ?? ''
      sent.set(requestId, { url: response.url, encoding, bytes: 0 })
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const at = sent.get(requestId)
      if (at) at.bytes = encodedDataLength
    })
    // Without the hooks of the tests, as visitors get it. The code of closed panels is loaded later, once the page is idle.
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
    await page.goto(server.url)
    await eventually(() => page.locator('.counter').textContent()).toMatch(/\d of \d/)
    await eventually(() => [...sent.values()].every((f) => f.bytes > 0)).toBe(true)
    const files = [...sent.values()].filter((f) => /\.(?:js|css)$/.test(new URL(f.url).pathname))
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((f) => !/^(?:br|gzip|zstd)$/.test(f.encoding))).toEqual([])
    const bytes = [...sent.values()].reduce((n, f) => n + f.bytes, 0)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(350 * 1024)
    await page.context().close()
  })
})

describe('a server that stops and starts again', () => {
  // The code of the panels is loaded once the page is idle: it may be there or not when the server stops, or in part.
  it.each([['is there', 'all'], ['was not loaded yet', 'none'], ['is there in part', 'part']])('leaves a page whose panels load by themselves when it is back, if their code %s', async (_, loads) => {
    await alone([], async (own) => {
      await remember(own, { content: 'The lamp of the gate was lit.' })
      const page = await blank(browser)
      await page.addInitScript((idle) => Object.assign(window, { requestIdleCallback: (act: () => void) => (idle ? setTimeout(act, 0) : 0) }), loads !== 'none')
      // Not with a route of the page, which turns the cache off.
      const network = await page.context().newCDPSession(page)
      await network.send('Network.enable')
      await network.send('Network.setBlockedURLs', { urls: loads === 'part' ? ['*/assets/conflictpair-*.js'] : [] })
      await page.goto(`${own.url}?test=1`)
      await page.locator('.live.on').waitFor({ state: 'attached' })
      await atRest(page)
      const loaded = (name: string) => page.evaluate((name) => performance.getEntriesByType('resource').filter((e) => e.name.includes(`/assets/${name}-`) && e.name.endsWith('.js') && (e as PerformanceResourceTiming).responseStatus === 200).length, name)
      if (loads === 'none') expect(await loaded('tabs')).toBe(0)
      else await eventually(() => loaded('tabs')).toBeGreaterThanOrEqual(5)
      if (loads === 'all') await eventually(() => loaded('conflictpair')).toBeGreaterThan(0)
      else expect(await loaded('conflictpair')).toBe(0)
      await own.pause()
      await page.locator('.live.on').waitFor({ state: 'detached' })
      await setView(page, { panel: 'conflicts' })
      const note = page.locator('.dock [role=alert]')
      await note.waitFor()
      expect(await page.locator('.dock').textContent()).not.toContain('Reload the page')
      await network.send('Network.setBlockedURLs', { urls: [] })
      await own.resume()
      await page.locator('.live.on').waitFor({ state: 'attached' })
      await note.waitFor({ state: 'detached' })
      await page.locator('.dock h2').waitFor()
      // A style that failed to load has no rules that can be read.
      await page.waitForFunction(() => [...document.styleSheets].some((sheet) => {
        try {
          return /\/tabs-/.test(sheet.href ?? '') && sheet.cssRules.length > 0
        } catch {
          return false
        }
      }))
      await page.context().close()
    })
  })

  it('leaves a search that covers what is behind it and can be asked again', async () => {
    const { page } = await open(browser, `${server.url}?test=1`)
    await atRest(page)
    let away = true
    await page.route('**/graphql', (route) => (away ? route.abort() : route.continue()))
    await page.getByPlaceholder('Search memory').fill('survey boat')
    const results = page.locator('.results')
    await results.locator('.search-note.bad').waitFor()
    // Opaque, so that the legend below is not read through it.
    expect(await results.evaluate((el) => getComputedStyle(el).backgroundColor)).toMatch(/^(?:rgb\(|oklch\([^/]*\)$|color\([^/]*\)$)/)
    away = false
    await page.evaluate(() => window.__somnograph.reconnected())
    await page.locator(`.hits li[data-id="${world.chain[2]}"]`).waitFor()
    await page.context().close()
  })
})

describe('an empty map', () => {
  it('says why, and brings the memories back', async () => {
    const { page } = await open(browser, `${server.url}?test=1`)
    await atRest(page)
    const note = page.locator('.empty-map')
    const visible = () => page.evaluate(() => window.__somnograph.visible().length)
    expect(await note.isVisible()).toBe(false)
    const first = await page.evaluate(() => window.__somnograph.firstBorn())
    await setView(page, { recorded: first - 1000 })
    await note.getByText('Nothing was known yet at this time.').waitFor()
    await note.getByRole('button', { name: 'Back to now' }).click()
    await eventually(visible).toBeGreaterThan(0)
    await note.waitFor({ state: 'hidden' })
    await setView(page, { statuses: ['ARCHIVED'] })
    await note.getByText('No memory matches the filters.').waitFor()
    await note.getByRole('button', { name: 'Clear the filters' }).click()
    await note.waitFor({ state: 'hidden' })
    // A span of the last weeks, seen from a time before them.
    await setView(page, { learned: [world.instants[15]!, world.instants[18]!], recorded: world.instants[4]! })
    await note.getByText('The span of time begins after the instant shown.').waitFor()
    await note.getByRole('button', { name: 'Clear the filters' }).click()
    await eventually(visible).toBeGreaterThan(0)
    await page.context().close()
  })
})

describe('the tour', () => {
  for (const [name, viewport] of [['a desktop', { width: 1280, height: 800 }], ['a phone', { width: 390, height: 844 }]] as const) {
    it(`asks a whole question, and on ${name} neither its ring nor its card is in the way`, async () => {
      await alone(['--demo'], async (own) => {
        const { page } = await open(browser, `${own.url}?test=1&guided`, { viewport, reducedMotion: 'reduce' })
        await page.getByRole('dialog', { name: 'Tour' }).getByRole('button', { name: 'Take the tour' }).click()
        let asked = ''
        for (let step = 1; ; step++) {
          await page.getByText(`${step} of 8`).waitFor()
          await atRest(page)
          const at = await page.evaluate(() => {
            const box = (selector: string) => {
              const el = document.querySelector<HTMLElement>(selector)
              return el && el.offsetWidth > 0 && getComputedStyle(el).visibility !== 'hidden' ? (el.getBoundingClientRect().toJSON() as DOMRect) : null
            }
            return { card: box('.tour')!, ring: box('.tour-ring'), panel: box('.detail .panel-head') ?? box('.dock .panel-head'), width: innerWidth, height: innerHeight }
          })
          const what = `step ${step}`
          for (const b of [at.card, ...(at.ring ? [at.ring] : [])]) {
            expect(Math.min(b.left, b.top), what).toBeGreaterThanOrEqual(0)
            expect(b.right, what).toBeLessThanOrEqual(at.width)
            expect(b.bottom, what).toBeLessThanOrEqual(at.height)
          }
          const { card, panel } = at
          if (panel) expect(card.left < panel.right && panel.left < card.right && card.top < panel.bottom && panel.top < card.bottom, `${what}: the card covers the head of the panel`).toBe(false)
          if (step === 2) {
            asked = await page.locator('.search-box input').inputValue()
            expect(asked).toMatch(/^(?:How|What) .+\?$/)
          }
          if (step === 8) break
          await page.getByRole('button', { name: 'Next', exact: true }).click()
        }
        await page.getByRole('button', { name: 'Done' }).click()
        // A hit that is opened keeps the question that found it.
        if (viewport.width > 1000) {
          await page.locator('.search-box input').fill(asked)
          await page.locator('.hits li').first().click()
          expect(await page.locator('.detail .why q').textContent()).toBe(asked)
        }
        await page.context().close()
      })
    })
  }

  it('is declined with Escape', async () => {
    const { page } = await open(browser, `${server.url}?test=1&guided`)
    await page.getByText('Your first time here?').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Your first time here?').waitFor({ state: 'hidden' })
    await page.context().close()
  })
})

describe('the health of a store', () => {
  it('with one new memory is one verdict, and nothing else contradicts it', async () => {
    await alone([], async (own) => {
      await remember(own, { content: 'The kettle holds two litres.' })
      const { page } = await open(browser, `${own.url}?test=1#panel=health`)
      const board = page.locator('.board')
      await board.locator('.verdict.good').waitFor()
      expect(await board.locator('.verdict').textContent()).toMatch(/^Healthy/)
      expect(await board.locator('.verdict').count()).toBe(1)
      expect(await board.locator('.alarms').count()).toBe(0)
      expect(await board.locator('.figures').textContent()).toMatch(/\d+ % of the attainable/)
      expect(await board.textContent()).not.toMatch(/faded|unsure|Memory is well/)
      await page.context().close()
    })
  })
})

describe('the names on the map of the demo', () => {
  it('are in sentence case and have no filler words', async () => {
    await alone(['--demo'], async (own) => {
      const { page } = await open(browser, `${own.url}?test=1`)
      await eventually(() => page.locator('.region').count()).toBeGreaterThan(3)
      const names = (await page.locator('.region').allTextContents()).filter(Boolean)
      for (const name of names) {
        expect(name).toMatch(/^[\p{Lu}\p{N}]/u)
        expect(name, 'it is not in capitals').not.toBe(name.toUpperCase())
        const words = name.toLowerCase().split(/[\s,·]+/)
        expect(words.filter((w) => ['per', 'asked', 'something', 'things', 'was', 'is'].includes(w)), name).toEqual([])
        for (const end of [words[0], words.at(-1)]) expect(['and', 'for', 'the', 'a', 'of'], name).not.toContain(end)
      }
      await page.context().close()
    })
  })
})

describe('the time axis after an import', () => {
  it('is that of what was true, and that of what was recorded has hours and minutes', async () => {
    await alone([], async (own) => {
      const now = Date.now()
      for (let month = 1; month <= 10; month++) await remember(own, { content: `Barrel ${month} was filled with cider.`, occurredAt: new Date(now - month * 30 * 86_400_000).toISOString() })
      await own.ask('mutation { advanceClock(seconds: 1800) }')
      await remember(own, { content: 'Barrel eleven is empty.' })
      const { page } = await open(browser, `${own.url}?test=1`)
      await eventually(async () => (await view(page)).clock).toBe('valid')
      await atRest(page)
      const ticks = () => page.locator('.ticks .tick').allTextContents()
      expect((await ticks()).length).toBeGreaterThan(3)
      expect((await ticks()).join()).toMatch(/Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec/)
      await setView(page, { clock: 'recorded' })
      await eventually(async () => (await ticks()).filter((t) => /^\d\d:\d\d$/.test(t)).length).toBeGreaterThan(1)
      await page.context().close()
    })
  })
})

describe('the prompt preview', () => {
  it('uses the whole budget before anything is left out', async () => {
    await alone([], async (own) => {
      const goods = ['apples', 'lamps', 'ropes', 'kettles', 'nails', 'barrels', 'ledgers']
      for (let i = 0; i < 120; i++) await remember(own, { content: `The storehouse on the quay received ${goods[i % 7]} in crate ${i}, ${i * 3 + 2} pieces, brought by carrier ${(i * 7) % 31} before the evening bell of day ${i}.`, type: 'EPISODIC' })
      const { page } = await open(browser, `${own.url}?test=1#panel=prompt`)
      await page.getByLabel('Query').fill('What did the storehouse on the quay receive?')
      for (const budget of [1000, 2000]) {
        const form = (await view(page)).prompt
        await setView(page, { prompt: { ...form, budget } })
        await page.locator('.figures', { hasText: `of ${budget.toLocaleString('en')}` }).waitFor()
        await atRest(page)
        const used = Number((await page.locator('.prompt-tab .figure b').first().textContent())!.replace(/\D/g, ''))
        expect(await page.locator('.prompt-tab').textContent()).toContain('Some memories were left out or shortened.')
        expect(used, `of ${budget}`).toBeLessThanOrEqual(budget)
        expect(used, `of ${budget}`).toBeGreaterThan(0.9 * budget)
        expect(await page.locator('.prompt-tab').textContent()).toContain('The budget is used up.')
      }
      await page.context().close()
    })
  })
})

describe('the decisions of the gate', () => {
  it('are counted on an axis of whole numbers, with a time for each bar', async () => {
    await alone([], async (own) => {
      for (const hour of [11, 12, 13, 14]) {
        await own.ask('mutation($fact: String!) { adjudicate(input: {fact: $fact, subject: "shed", evidence: [{source: "ines", weight: 0.5, confidence: 0.9}], consent: EXPLICIT}) { decision } }', { fact: `The shed opens at ${hour} o’clock.` })
        await own.ask('mutation { advanceClock(seconds: 3600) }')
      }
      const { page } = await open(browser, `${own.url}?test=1#panel=gate`)
      const chart = page.locator('.board svg.chart', { has: page.locator('.layer') })
      await chart.waitFor()
      const texts = await chart.locator('text').allTextContents()
      const [numbers, names] = [texts.slice(0, -2), texts.slice(-2)]
      expect(numbers.length).toBeGreaterThan(1)
      for (const n of numbers) expect(n).toMatch(/^[\d,]+$/)
      expect(names[0]).toMatch(/\d\d:\d\d/)
      expect(names[0]).not.toBe(names[1])
      const bars = await chart.locator('.layer title').allTextContents()
      const times = bars.map((t) => t.split(':').slice(0, 2).join(':'))
      expect(new Set(times).size).toBeGreaterThan(2)
      await page.context().close()
    })
  })
})

describe('the changes of a version', () => {
  it('are separate words when they are read aloud or copied', async () => {
    const { page } = await open(browser, `${server.url}?test=1#sel=${world.chain[1]}`)
    const text = page.locator('.history .version-text').nth(1)
    await text.waitFor()
    const said = (await text.textContent())!.replace(/\s+/g, ' ')
    expect(said).toContain('at was seven now half past six in the morning')
    const copied = await text.evaluate((el) => {
      getSelection()!.selectAllChildren(el)
      return getSelection()!.toString().replace(/\s+/g, ' ')
    })
    expect(copied).toContain('was seven now half past six')
    await page.context().close()
  })
})
