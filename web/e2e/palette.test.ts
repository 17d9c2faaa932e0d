// The command palette and the toolbar.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, eventually, launch, open, violations } from './browser'
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
const rows = (p: Page) => p.locator('.palette [role=option]')
const type = async (p: Page, text: string) => {
  await p.keyboard.press('Control+k')
  await p.locator('.palette').waitFor()
  await p.keyboard.type(text)
}

describe('the command palette', () => {
  it('runs actions, goes to days, and opens memories, entities and namespaces, by keyboard alone', async () => {
    const { page: p, faults } = await open(browser, `${server.url}?test=1`)
    await atRest(p)
    await p.keyboard.press('Control+k')
    await p.locator('.palette').waitFor()
    expect(await rows(p).count()).toBeGreaterThan(15)
    expect(await serious(p)).toEqual([])
    await p.keyboard.press('Control+k')
    await p.locator('.palette').waitFor({ state: 'detached' })

    await type(p, 'open conf')
    await p.keyboard.press('Enter')
    await eventually(async () => (await view(p)).panel).toBe('conflicts')

    // Also from a field, where single letters are text.
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('/')
    const day = new Date(world.instants[7]!)
    await type(p, new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(day))
    expect(await rows(p).first().textContent()).toMatch(/^Go to /)
    await p.keyboard.press('Enter')
    await eventually(async () => new Date((await view(p)).recorded ?? 0).toISOString().slice(0, 10)).toBe(day.toISOString().slice(0, 10))

    await type(p, 'back to now')
    await p.keyboard.press('Enter')
    await eventually(async () => (await view(p)).recorded).toBeNull()

    await type(p, 'harbour at six in the morning')
    await rows(p).filter({ hasText: 'leaves the harbour at six' }).waitFor()
    expect(await serious(p)).toEqual([])
    await rows(p).filter({ hasText: 'leaves the harbour at six' }).click()
    await eventually(async () => (await view(p)).selected).toBe(world.chain[2])

    await type(p, 'intake pump')
    const entity = rows(p).filter({ hasText: 'mentions' }).first()
    await entity.waitFor()
    await entity.click()
    await eventually(async () => (await view(p)).panel).toBe('entities')
    expect((await view(p)).entity).not.toBeNull()

    await type(p, 'default')
    await rows(p).filter({ hasText: 'show only this namespace' }).waitFor()
    await rows(p).filter({ hasText: 'show only this namespace' }).click()
    await eventually(async () => (await view(p)).namespaces).toEqual(['default'])
    await type(p, 'clear filters')
    await p.keyboard.press('Enter')
    await eventually(async () => (await view(p)).namespaces).toEqual([])

    await type(p, 'zzzz')
    await p.keyboard.press('Escape')
    await p.locator('.palette').waitFor({ state: 'detached' })
    expect(await violations(p)).toEqual([])
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('opens from the menu on a phone, in the light theme without serious violations', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1`, { viewport: { width: 390, height: 844 }, colorScheme: 'light' })
    await atRest(p)
    await p.getByRole('button', { name: 'Save, share and more' }).click()
    await p.getByRole('menuitem', { name: 'Commands…' }).click()
    await p.locator('.palette').waitFor()
    await p.keyboard.type('boat')
    await rows(p).first().waitFor()
    await atRest(p)
    expect(await serious(p)).toEqual([])
    if (process.env['PICTURES']) await p.screenshot({ path: `${process.env['PICTURES']}/palette-phone.png` })
    await p.context().close()
  })
})

describe('a search without a good match', () => {
  it('says so', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1#q=xqzv`)
    await p.getByText('No good match.').waitFor()
    await atRest(p)
    expect(await p.locator('.hits li').count()).toBe(0)
    await p.evaluate(() => window.__somnograph.setView({ query: 'survey boat' }))
    await p.locator(`.hits li[data-id="${world.chain[2]}"]`).waitFor()
    expect(await p.getByText('No good match.').count()).toBe(0)
    await p.context().close()
  })
})

describe('the legend', () => {
  it('has one tab stop for each kind of edge, and arrow keys choose', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1`)
    const group = p.getByRole('radiogroup', { name: 'Same session: edges shown' })
    expect(await group.locator('[tabindex="0"]').allTextContents()).toEqual(['focus'])
    await group.getByRole('radio', { name: 'focus' }).focus()
    await p.keyboard.press('ArrowRight')
    await eventually(async () => (await view(p)).edges.session).toBe('all')
    await eventually(() => p.evaluate(() => document.activeElement?.textContent)).toBe('all')
    await p.keyboard.press('ArrowRight')
    await eventually(async () => (await view(p)).edges.session).toBe('off')
    await p.context().close()
  })

  it('and the rest of the page have no text below 12 px', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1#sel=${world.chain[2]}&panel=list&q=boat`)
    await p.locator('.detail .content').waitFor()
    await atRest(p)
    const small = await p.evaluate(() => {
      const found = new Set<string>()
      const walk = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT)
      while (walk.nextNode()) {
        const el = walk.currentNode.parentElement!
        if (walk.currentNode.textContent!.trim() !== '' && !el.closest('svg, [hidden]') && parseFloat(getComputedStyle(el).fontSize) < 12) found.add(el.className || el.tagName)
      }
      return [...found]
    })
    expect(small).toEqual([])
    await p.context().close()
  })
})

describe('the toolbar', () => {
  it('has names beside its icons where there is room, and only there', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1`, { viewport: { width: 1280, height: 800 } })
    const names = p.locator('.tool-name')
    expect(await names.allTextContents()).toEqual(['List', 'Clusters', 'Sleep', 'Health', 'Prompt'])
    for (const name of await names.all()) expect(await name.isVisible()).toBe(true)
    const [tools, search] = [(await p.locator('.tools').boundingBox())!, (await p.locator('.search-box').boundingBox())!]
    expect(search.x + search.width).toBeLessThan(tools.x)
    expect(tools.x + tools.width).toBeLessThanOrEqual(1280)
    await p.setViewportSize({ width: 1200, height: 800 })
    for (const name of await names.all()) expect(await name.isVisible()).toBe(false)
    await p.context().close()
  })
})
