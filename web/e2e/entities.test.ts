// Structure on the map: edges at rest, neighbours under the pointer, the layout by links, and entities as nodes.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, blank, eventually, launch, open, violations } from './browser'
import { largeFrame } from './encode'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer('--demo')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const view = (p: Page) => p.evaluate(() => window.__somnograph.view())
const hub = (p: Page, key: string) => p.locator(`.hub[data-key="${key}"]`)
const drawnEdges = (p: Page) => p.evaluate(() => window.__somnograph.drawnEdges())

/** A page with so many memories, which the server does not know. */
async function large(n: number): Promise<Page> {
  const now = Date.now()
  const frame = Buffer.from(largeFrame(n, now, 90, { first: 0, total: n }))
  const page = await blank(browser, {}, { silent: true })
  await page.route('**/viz/graph*', (route) => route.fulfill({ body: frame, headers: { 'somnograph-now': String(now) } }))
  await page.goto(`${server.url}?test=1`)
  await page.waitForFunction(() => window.__somnograph?.ready())
  await atRest(page)
  return page
}

describe('edges', () => {
  it('at rest are the strongest one or two of each memory', async () => {
    const { page } = await open(browser, `${server.url}?test=1`)
    await atRest(page)
    const { rest, focus, most } = await drawnEdges(page)
    expect(rest).toBeGreaterThan(50)
    expect(focus).toBe(0)
    const count = await page.evaluate(() => window.__somnograph.count())
    expect(rest).toBeLessThanOrEqual(2 * count)
    expect(most, 'of a memory that is the strongest neighbour of many').toBeGreaterThan(2)
    await page.evaluate(() => window.__somnograph.setView({ edges: { supersedes: 'off', session: 'off', sequence: 'off', overlap: 'off', derivation: 'off' } }))
    await eventually(async () => (await drawnEdges(page)).rest).toBe(0)
    await page.context().close()
  })

  for (const n of [0, 20_000]) {
    it(`of the memory under the pointer light up with its neighbours${n > 0 ? `, of ${n.toLocaleString('en')} memories too` : ''}`, async () => {
      const page = n > 0 ? await large(n) : (await open(browser, `${server.url}?test=1`)).page
      await atRest(page)
      const spot = await page.evaluate(() => {
        const s = window.__somnograph
        for (const id of s.visible()) {
          const at = s.screenPosition(id)
          if (at && at.x > 320 && at.x < 1300 && at.y > 100 && at.y < 700 && s.memoryAt(at.x, at.y) === id && s.neighbours(id).length > 0) return { id, ...at, near: s.neighbours(id) }
        }
        return null
      })
      await page.mouse.move(spot!.x, spot!.y)
      await eventually(async () => (await drawnEdges(page)).focus).toBeGreaterThan(0)
      const lit = await page.evaluate(() => window.__somnograph.litIds())
      expect(lit.sort()).toEqual([...new Set([spot!.id, ...spot!.near])].sort())
      await page.mouse.move(spot!.x, 20)
      await eventually(async () => (await drawnEdges(page)).focus).toBe(0)
      expect(await page.evaluate(() => window.__somnograph.litIds())).toEqual([])
      console.info(`script per hovered memory at ${await page.evaluate(() => window.__somnograph.count())}: ${(await page.evaluate(() => window.__somnograph.hoverCost(20))).toFixed(1)} ms`)
      await page.context().close()
    })
  }
})

describe('the layout by links', () => {
  it('moves memories to what they are linked to, the same way each time, and back', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`, {}, { silent: true }) // an update of the map would move a few points
    await atRest(page)
    const places = () => page.evaluate(() => window.__somnograph.places())
    const before = await places()
    await page.getByRole('radio', { name: 'Links' }).click()
    await eventually(async () => JSON.stringify(await places()) === JSON.stringify(before)).toBe(false)
    await atRest(page)
    const linked = await places()
    const mean = (at: number[][], pairs: number[][]) => pairs.reduce((sum, [a, b]) => sum + Math.hypot(...[0, 1, 2].map((d) => at[a!]![d]! - at[b!]![d]!)), 0) / pairs.length
    const { strong, others } = await page.evaluate(() => window.__somnograph.pairs())
    expect(mean(linked, strong) / mean(linked, others)).toBeLessThan(0.5 * (mean(before, strong) / mean(before, others)) + 0.2)
    expect(await page.locator('.counter').textContent()).toContain('by links')
    await eventually(() => page.evaluate(() => location.hash)).toContain('layout=links')
    await page.getByRole('radio', { name: 'Links' }).focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(places).toEqual(before)
    expect((await view(page)).layout).toBe('meaning')
    await page.locator('canvas.scene').focus()
    await page.keyboard.press('g')
    await eventually(places).toEqual(linked)
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('stays still while time moves, and uploads nothing for a step', async () => {
    const { page } = await open(browser, `${server.url}?test=1#layout=links`)
    await eventually(() => page.evaluate(() => window.__somnograph.places()[0]![2])).toBe(0)
    await atRest(page)
    const places = await page.evaluate(() => window.__somnograph.places())
    await page.evaluate(() => (window.__uploaded = 0))
    for (let i = 0; i < 5; i++) await page.keyboard.press(',')
    await atRest(page)
    expect(await page.evaluate(() => window.__uploaded)).toBe(0)
    expect(await page.evaluate(() => window.__somnograph.places())).toEqual(places)
    expect(await page.evaluate(() => window.__somnograph.drawn())).toEqual(await page.evaluate(() => window.__somnograph.visible()))
    await page.context().close()
  })

  it('is computed for 20,000 memories, and says so for more', async () => {
    const page = await large(20_000)
    await page.getByRole('radio', { name: 'Links' }).click()
    await eventually(() => page.evaluate(() => window.__somnograph.places()[0]![2])).toBe(0)
    expect(await page.evaluate(() => window.__somnograph.info().calls)).toBeLessThanOrEqual(6)
    await page.context().close()
    const more = await large(20_001)
    await more.getByRole('radio', { name: 'Links' }).click()
    await more.getByText('Places by links need 20,000 memories or fewer').first().waitFor()
    expect((await view(more)).layout).toBe('meaning')
    await more.context().close()
  })
})

describe('entities on the map', () => {
  it('are shown with their relations, expand, hide and come back', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    await page.getByRole('button', { name: 'Entities', exact: true }).click()
    await hub(page, 'heron').waitFor()
    await atRest(page)
    expect(await page.locator('.hub:visible').count()).toBeGreaterThan(10)
    // The pointer is on the pressed button, whose text is dark.
    const ground = () => page.getByRole('button', { name: 'Entities', exact: true }).evaluate(async (b) => {
      await Promise.all(b.getAnimations().map((a) => a.finished))
      return getComputedStyle(b).backgroundColor
    })
    const hovered = await ground()
    await page.mouse.move(5, 5)
    await atRest(page)
    expect(await ground()).toBe(hovered)
    await hub(page, 'heron').click()
    const card = page.getByRole('group', { name: 'Entity', exact: true })
    const { entities } = await server.ask<{ entities: { nodes: { name: string; mentionCount: number }[] } }>('{ entities(first: 50, name: "heron") { nodes { name mentionCount } } }')
    const mentions = entities.nodes.find((e) => e.name === 'Heron')!.mentionCount
    expect(mentions).toBeGreaterThan(20)
    expect(await card.textContent()).toContain(`mentioned by ${mentions} memories`)
    await eventually(async () => (await page.evaluate(() => window.__somnograph.litIds())).length).toBeGreaterThan(5)
    const before = await page.locator('.hub').count()
    await card.getByRole('button', { name: 'Expand' }).click()
    await card.getByRole('button', { name: 'Collapse' }).waitFor()
    await eventually(() => page.locator('.hub').count()).toBeGreaterThan(before + 2)
    await hub(page, '6 square metres').waitFor()
    await card.getByRole('button', { name: 'Hide' }).click()
    await eventually(() => hub(page, 'heron').count()).toBe(0)
    await page.getByRole('button', { name: 'Show it again' }).click()
    await hub(page, 'heron').waitFor()
    await eventually(() => page.evaluate(() => location.hash)).toContain('hubs=1')
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('work by keyboard alone: show, move, open, path, close', async () => {
    const { page } = await open(browser, `${server.url}?test=1#layout=links`)
    await page.locator('canvas.scene').focus()
    await page.keyboard.press('e')
    await hub(page, 'heron').waitFor()
    await atRest(page)
    expect(await page.locator('.hub[tabindex="0"]').count()).toBe(1)
    await page.locator('.hub[tabindex="0"]').focus()
    const first = await page.evaluate(() => (document.activeElement as HTMLElement).dataset['key'])
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
      await page.keyboard.press(key)
      if ((await page.evaluate(() => (document.activeElement as HTMLElement).dataset['key'])) !== first) break
    }
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset['key'])).not.toBe(first)
    await hub(page, 'bram').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Path to…' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Choose the other entity on the map.').waitFor()
    await hub(page, 'teal').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'From Bram to Teal' }).waitFor()
    const steps = page.locator('.hub-path li')
    expect(await steps.count()).toBeGreaterThan(0)
    expect(await steps.first().textContent()).toMatch(/Bram/)
    expect(await steps.last().textContent()).toMatch(/Teal/)
    await hub(page, 'bram').focus()
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('.hub-card').isVisible()).toBe(false)
    await page.context().close()
  })

  it('are those of the instant shown', async () => {
    const { page } = await open(browser, `${server.url}?test=1#hubs=1`)
    await hub(page, 'heron').waitFor()
    const now = await page.locator('.hub:visible').count()
    const start = await page.evaluate(() => window.__somnograph.firstBorn())
    await page.evaluate((at) => window.__somnograph.setView({ recorded: at }), start + 86_400_000)
    await eventually(() => page.locator('.hub:visible').count()).toBeLessThan(now)
    await page.context().close()
  })

  it('have names that meet no other name, label or panel, and no serious accessibility violations', async () => {
    for (const options of [{}, { viewport: { width: 390, height: 844 } }, { colorScheme: 'light' as const }]) {
      const { page } = await open(browser, `${server.url}?test=1#hubs=1&layout=links`, options)
      await hub(page, 'heron').waitFor({ state: 'attached' })
      await eventually(() => page.evaluate(() => window.__somnograph.places()[0]![2])).toBe(0)
      await atRest(page)
      const meeting = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll<HTMLElement>('.hub-name, .label, .region, #app .panel:not(.tooltip, .toast, .menu), .brand')]
          .filter((el) => el.offsetWidth > 0 && getComputedStyle(el).visibility !== 'hidden' && !el.closest('.hub')?.matches(':hover'))
          .map((el) => ({ name: el.classList.contains('panel') ? '' : el.textContent!, box: el.getBoundingClientRect() }))
        return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => (a.name || b.name) && a.box.left < b.box.right && b.box.left < a.box.right && a.box.top < b.box.bottom && b.box.top < a.box.bottom).map((b) => `${a.name} | ${b.name}`))
      })
      expect(meeting).toEqual([])
      if (!options.viewport) expect(await serious(page)).toEqual([])
      await page.context().close()
    }
  })
})
