// Moving about in the explorer: the browser's history, the theme of the system, tooltips,
// filters, and a server that is away for a moment.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, blank, eventually, launch, open, type Watched } from './browser'
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

const page = (hash = '', options = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options)
const view = (p: Page) => p.evaluate(() => window.__somnograph.view())

/** A point of the map that shows a memory, and one that shows none. */
const points = (p: Page) =>
  p.evaluate(() => {
    const s = window.__somnograph
    for (const id of s.drawn()) {
      const at = s.screenPosition(id)
      if (at && at.x > 400 && at.x < 1000 && at.y > 150 && at.y < 600 && s.memoryAt(at.x, at.y) === id) return { id, x: at.x, y: at.y }
    }
    return null
  })

describe('the Back button', () => {
  it('returns to the memory and the panel before, and leaves the page last', async () => {
    const { page: p, faults } = await page()
    await atRest(p)
    await p.evaluate((id) => window.__somnograph.setView({ selected: id }), world.chain[1]!)
    await p.waitForFunction((id) => location.hash.includes(id), world.chain[1]!)
    await p.evaluate((id) => window.__somnograph.setView({ selected: id }), world.chain[2]!)
    await p.waitForFunction((id) => location.hash.includes(id), world.chain[2]!)
    await p.evaluate(() => window.__somnograph.setView({ panel: 'health' }))
    await p.waitForFunction(() => location.hash.includes('panel=health'))
    await p.goBack()
    await eventually(async () => (await view(p)).panel).toBe(null)
    expect((await view(p)).selected).toBe(world.chain[2])
    await p.goBack()
    await eventually(async () => (await view(p)).selected).toBe(world.chain[1])
    await p.goForward()
    await eventually(async () => (await view(p)).selected).toBe(world.chain[2])
    await p.goBack()
    await p.goBack()
    await eventually(async () => (await view(p)).selected).toBe(null)
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('keeps the entries of a page that saves its view at the same moment', async () => {
    const p = await blank(browser)
    // hashchange comes after a save that was due when the browser went back.
    await p.addInitScript(() => {
      window.addEventListener('hashchange', (e) => {
        if (!e.isTrusted) return
        e.stopImmediatePropagation()
        setTimeout(() => window.dispatchEvent(new HashChangeEvent('hashchange')), 500)
      })
    })
    await p.goto(`${server.url}?test=1`)
    await p.waitForFunction(() => window.__somnograph?.ready())
    await atRest(p)
    for (const id of world.chain.slice(1, 3)) {
      await p.evaluate((id) => window.__somnograph.setView({ selected: id }), id)
      await p.waitForFunction((id) => location.hash.includes(id), id)
    }
    await p.evaluate((t) => {
      window.__somnograph.setView({ recorded: t })
      history.back()
    }, world.instants[3]!)
    await p.waitForFunction((id) => location.hash.includes(id), world.chain[1]!)
    await atRest(p)
    expect(await p.evaluate(() => location.hash)).toContain(world.chain[1])
    expect((await view(p)).selected).toBe(world.chain[1])
    await p.context().close()
  })

  it('does not step through instants', async () => {
    const { page: p } = await page()
    await atRest(p)
    const before = await p.evaluate(() => history.length)
    for (const at of world.instants.slice(2, 5)) {
      await p.evaluate((t) => window.__somnograph.setView({ recorded: t }), at)
      await p.waitForFunction((t) => location.hash.includes(new Date(t).toISOString()), at)
    }
    expect(await p.evaluate(() => history.length)).toBe(before)
    await p.context().close()
  })
})

describe('the theme', () => {
  const theme = (p: Page) => p.evaluate(() => document.documentElement.dataset['theme'])

  it('is that of the system until one is chosen', async () => {
    const { page: p } = await page('', { colorScheme: 'light' })
    expect(await theme(p)).toBe('light')
    await p.emulateMedia({ colorScheme: 'dark' })
    await eventually(() => theme(p)).toBe('dark')
    await p.keyboard.press('l')
    await p.emulateMedia({ colorScheme: 'light' })
    await p.emulateMedia({ colorScheme: 'dark' })
    expect(await theme(p)).toBe('light')
    await p.context().close()
  })

  it('colours the timeline', async () => {
    const { page: p } = await page()
    await atRest(p)
    // The colours that are drawn, and the one that the style has now.
    const bar = () =>
      p.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.bars')!
        const g = canvas.getContext('2d')!
        const data = g.getImageData(0, 0, canvas.width, canvas.height).data
        const seen = new Set<string>()
        for (let i = 0; i < data.length; i += 4) seen.add(data.slice(i, i + 4).join())
        const probe = document.createElement('canvas').getContext('2d')!
        probe.fillStyle = getComputedStyle(document.querySelector('.timeline')!).getPropertyValue('--bar')
        probe.fillRect(0, 0, 1, 1)
        return { seen: [...seen], want: probe.getImageData(0, 0, 1, 1).data.join() }
      })
    for (let i = 0; i < 2; i++) {
      await p.keyboard.press('l')
      await atRest(p)
      const { seen, want } = await bar()
      expect(seen).toContain(want)
    }
    await p.context().close()
  })
})

describe('the tooltip', () => {
  it('is hidden when a memory is opened and when the map moves', async () => {
    const { page: p } = await page()
    await atRest(p)
    const at = await points(p)
    expect(at).not.toBe(null)
    const card = p.locator('[role=tooltip]')
    await p.mouse.move(at!.x, at!.y)
    await card.waitFor()
    await p.mouse.wheel(0, -240)
    await card.waitFor({ state: 'hidden' })
    await atRest(p)
    const again = await points(p)
    await p.mouse.move(again!.x, again!.y)
    await card.waitFor()
    await p.mouse.click(again!.x, again!.y)
    await card.waitFor({ state: 'hidden' })
    await p.context().close()
  })
})

describe('a message', () => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    it(`does not cover the caption of a sleep on a page ${viewport.width} pixels wide`, async () => {
      const { page: p } = await page('', { viewport, reducedMotion: 'reduce' })
      await atRest(p)
      const [caption, toast] = await p.evaluate(() =>
        ['.caption', '.toast'].map((selector) => {
          const el = document.querySelector<HTMLElement>(selector)!
          el.hidden = false
          el.append('REM · Consolidate and dream: 7 strengthened, 19 archived, 12 dreamed, 1 distilled')
          return el.getBoundingClientRect().toJSON() as DOMRect
        }),
      )
      expect(caption!.height).toBeGreaterThan(20)
      expect(toast!.bottom).toBeLessThan(caption!.top)
      expect(toast!.top).toBeGreaterThan(0)
      await p.context().close()
    })
  }
})

describe('the filter by status', () => {
  it('adds with a click, and shows only one with Alt', async () => {
    const { page: p } = await page()
    await atRest(p)
    const status = (name: string) => p.locator('.group-status .row', { hasText: name })
    const note = p.locator('.hidden-note')
    expect(await status('Active').getAttribute('aria-pressed')).toBe('true')
    expect(await note.textContent()).toMatch(/^\d+ hidden: superseded/)
    await status('Superseded').click()
    expect((await view(p)).statuses).toEqual(['ACTIVE', 'SUPERSEDED'])
    expect(await note.textContent()).not.toContain('superseded')
    await status('Superseded').click()
    expect((await view(p)).statuses).toEqual([])
    await status('Superseded').click({ modifiers: ['Alt'] })
    expect((await view(p)).statuses).toEqual(['SUPERSEDED'])
    await p.context().close()
  })
})

describe('the brush', () => {
  it('ends at the instant that is shown', async () => {
    const { page: p } = await page()
    await atRest(p)
    const at = world.instants[4]!
    await p.evaluate((t) => window.__somnograph.setView({ recorded: t }), at)
    await p.keyboard.press('r')
    const { learned } = await view(p)
    expect(learned[1]).toBe(at)
    expect(learned[0]).toBeLessThan(at)
    await p.context().close()
  })
})

describe('a server that is away', () => {
  it('leaves the panels usable, and they load when it is back', async () => {
    const { page: p } = await page()
    await p.locator('.live.on').waitFor({ state: 'attached' })
    await atRest(p)
    let away = true
    await p.route('**/graphql', (route) => (away ? route.abort() : route.continue()))
    await p.evaluate(() => window.__somnograph.setView({ panel: 'conflicts' }))
    await p.locator('.dock [role=alert]').waitFor()
    expect(await p.locator('.dock').textContent()).not.toContain('Reload the page')
    away = false
    // The connection that the page noticed is the one of live updates.
    await p.evaluate(() => window.__somnograph.reconnected())
    await p.locator('.dock [role=alert]').waitFor({ state: 'detached' })
    await p.context().close()
  })
})
