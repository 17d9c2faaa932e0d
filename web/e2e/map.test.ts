// How the map looks: its exposure, the fit of the camera, and labels that do not collide.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { intersect, type Rect } from '../src/state/inset'
import { atRest, blank, eventually, launch, open } from './browser'
import { largeFrame } from './encode'
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

const LABELS = ['Ferry and quay', 'Kettle and tea room', 'Weir and mill', 'Ledgers of the cooperative', 'Orchard and winter store', 'Lanterns', 'School and pond', 'Tower clock', 'Market days', 'North field']
const WORDS = ['ferry', 'kettle', 'weir', 'ledger', 'orchard', 'lantern', 'school', 'clock', 'market', 'field']

/** A page with n memories that have labels, in named clusters. */
async function large(n: number, options: BrowserContextOptions = {}, hash = ''): Promise<Page> {
  const now = Date.now()
  const text = (i: number) => `The ${WORDS[i % 10]} of memory ${i} was seen by the crew`
  const frame = Buffer.from(largeFrame(n, now, 90, { first: 0, total: n, text }, LABELS))
  const page = await blank(browser, { reducedMotion: 'reduce', ...options }, { silent: true })
  await page.route('**/viz/graph*', (route) => route.fulfill({ body: frame, headers: { 'somnograph-now': String(now) } }))
  await page.goto(`${server.url}?test=1${hash}`)
  await page.waitForFunction(() => window.__somnograph?.ready())
  await atRest(page)
  return page
}

const picture = async (p: Page, name: string) => {
  if (process.env['PICTURES']) await p.screenshot({ path: `${process.env['PICTURES']}/${name}.png` })
}

describe('the exposure of 20,000 memories', () => {
  it('has fewer than 1 % saturated pixels in the dark theme, seen whole and closer', async () => {
    const p = await large(20_000)
    await picture(p, 'exposure-20000')
    expect(await p.evaluate(() => window.__somnograph.litPixels())).toBeGreaterThan(10_000)
    expect(await p.evaluate(() => window.__somnograph.saturatedShare())).toBeLessThan(0.01)
    await p.mouse.move(800, 430)
    for (let i = 0; i < 4; i++) await p.mouse.wheel(0, -300)
    await atRest(p)
    expect(await p.evaluate(() => window.__somnograph.saturatedShare())).toBeLessThan(0.01)
    await p.context().close()
  })
})

/** What the fit leaves: the smallest distances of drawn points from the free rectangle, and its sides. */
async function reach(p: Page): Promise<{ outside: number; slack: number; page: number }> {
  return p.evaluate(() => {
    const s = window.__somnograph
    const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect()
    const seen = (selector: string) => {
      const el = document.querySelector<HTMLElement>(selector)
      return el && el.offsetWidth > 0 && getComputedStyle(el).visibility !== 'hidden' ? el.getBoundingClientRect() : null
    }
    let [left, right, top, bottom] = [0, window.innerWidth, box('.top').bottom, box('.timeline').top]
    for (const panel of ['.filters', '.dock', '.detail']) {
      const b = seen(panel)
      if (!b) continue
      if (b.width > window.innerWidth * 0.6) bottom = Math.min(bottom, b.top)
      else if (b.left < window.innerWidth / 2) left = Math.max(left, b.right)
      else right = Math.min(right, b.left)
    }
    const spots = s.drawn().map((id) => s.screenPosition(id)!)
    const gaps = [Math.min(...spots.map((q) => q.x)) - left, right - Math.max(...spots.map((q) => q.x)), Math.min(...spots.map((q) => q.y)) - top, bottom - Math.max(...spots.map((q) => q.y))] as const
    return { outside: Math.min(...gaps), slack: Math.min(Math.max(gaps[0], gaps[1]), Math.max(gaps[2], gaps[3])), page: window.innerWidth }
  })
}

describe('the fit of the camera', () => {
  for (const [name, viewport] of [['a desktop', { width: 1440, height: 900 }], ['a phone', { width: 390, height: 844 }]] as const) {
    it(`shows the whole map in the free part of ${name}, at first and after h alike`, async () => {
      const { page: p } = await open(browser, `${server.url}?test=1`, { viewport, reducedMotion: 'reduce' })
      await atRest(p)
      const first = await reach(p)
      expect(first.outside, 'nothing is cut off or covered').toBeGreaterThan(8)
      expect(first.slack, 'and nothing is smaller than it has to be').toBeLessThan(60)
      await picture(p, `fit-${viewport.width}`)
      const where = (q: Page) => q.evaluate(() => window.__somnograph.screenPosition(window.__somnograph.drawn()[0]!)!)
      const before = await where(p)
      await p.mouse.move(viewport.width / 2, 400)
      await p.mouse.wheel(0, -400)
      await eventually(async () => (await where(p)).x !== before.x || (await where(p)).y !== before.y).toBe(true)
      await atRest(p)
      await p.locator('canvas.scene').focus()
      await p.keyboard.press('h')
      await eventually(async () => Math.hypot((await where(p)).x - before.x, (await where(p)).y - before.y)).toBeLessThan(1)
      await p.context().close()
    })
  }

  it('follows panels that open and close, and the size of the window', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1`, { reducedMotion: 'reduce' })
    await atRest(p)
    const good = async (what: string) => {
      await atRest(p)
      const { outside, slack } = await reach(p)
      expect(outside, what).toBeGreaterThan(8)
      expect(slack, what).toBeLessThan(60)
    }
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('m')
    await p.locator('.list-row').first().waitFor()
    await good('a panel on the left')
    await p.evaluate((id) => window.__somnograph.setView({ selected: id }), world.chain[2]!)
    await p.locator('.detail .content').waitFor()
    await good('panels on both sides')
    await p.evaluate(() => window.__somnograph.setView({ selected: null, panel: null }))
    await good('closed again')
    await p.setViewportSize({ width: 1180, height: 700 })
    await good('a smaller window')
    await p.context().close()
  })

  it('leaves a camera that was moved where it is', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1`, { reducedMotion: 'reduce' })
    await atRest(p)
    await p.mouse.move(700, 400)
    await p.mouse.wheel(0, -300)
    await eventually(() => p.evaluate(() => location.hash)).toContain('c=')
    const camera = () => p.evaluate(() => /c=([^&]+)/.exec(location.hash)?.[1])
    await atRest(p)
    const before = await camera()
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('m')
    await p.locator('.list-row').first().waitFor()
    await atRest(p)
    expect(await camera()).toBe(before)
    await p.context().close()
  })
})

/** Pairs of labels, and of a label and a panel, that have a common point. */
async function collisions(p: Page): Promise<{ labels: number; pairs: string[] }> {
  const { labels, panels } = await p.evaluate(() => {
    const rects = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((el) => el.offsetWidth > 0 && getComputedStyle(el).visibility !== 'hidden')
        .map((el) => ({ text: el.textContent!.slice(0, 30), box: el.getBoundingClientRect().toJSON() as DOMRect }))
    return { labels: rects('.label, .region'), panels: rects('#app .panel:not(.tooltip, .toast, .menu), .brand') }
  })
  const pairs: string[] = []
  labels.forEach((a, i) => {
    for (const b of [...labels.slice(i + 1), ...panels]) if (intersect(a.box as Rect, b.box as Rect)) pairs.push(`${a.text} | ${b.text}`)
  })
  return { labels: labels.length, pairs }
}

describe('the labels', () => {
  for (const n of [200, 2000, 20_000]) {
    it(`of ${n.toLocaleString('en')} memories meet no other label and no panel`, async () => {
      for (const options of [{}, { viewport: { width: 390, height: 844 } }, { colorScheme: 'light' as const }]) {
        const p = await large(n, options)
        await eventually(async () => (await collisions(p)).labels).toBeGreaterThan(2)
        await atRest(p)
        await picture(p, `labels-${n}-${options.viewport ? 'phone' : (options.colorScheme ?? 'dark')}`)
        expect((await collisions(p)).pairs).toEqual([])
        expect(await p.locator('.counter').textContent(), 'all are shown').toBe(`${n.toLocaleString('en')} memories`)
        if (!options.viewport) {
          for (const change of [{ panel: 'list' as const }, { flat: true }]) {
            await p.evaluate((v) => window.__somnograph.setView(v), change)
            await atRest(p)
            expect((await collisions(p)).pairs, JSON.stringify(change)).toEqual([])
          }
        }
        await p.context().close()
      }
    })
  }
})
