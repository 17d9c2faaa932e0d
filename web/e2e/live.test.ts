// Live updates: changes of memories, and new layouts of the map.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, eventually, launch, open } from './browser'
import { startServer, type Server } from './server'
import { fillStore } from './world'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  await fillStore(server)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

interface VizGraph {
  vizGraph: { cursor: string; map: string; total: number; nodes: { id: string }[]; edges: { kind: string }[] }
}

const remember = async (content: string, more: object = {}): Promise<string> =>
  (
    await server.ask<{ remember: { memory: { id: string } } }>('mutation($input: RememberInput!) { remember(input: $input) { memory { id } } }', {
      input: { content, consent: 'EXPLICIT', onDuplicate: 'INSERT', ...more },
    })
  ).remember.memory.id

const graph = async (): Promise<VizGraph['vizGraph']> => (await server.ask<VizGraph>('{ vizGraph(first: 5000) { cursor map total nodes { id } edges { kind } } }')).vizGraph

describe('a connected page', () => {
  it('receives changes without loading the scene again', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    await page.locator('.live.on').waitFor({ state: 'attached' })
    await atRest(page) // everything that a connecting page loads is there
    const loads: string[] = []
    page.on('response', (r) => r.url().endsWith('/viz/graph') && r.status() === 200 && loads.push(r.url()))
    const first = await remember('The boathouse key hangs behind the door.', { session: 'live', entities: ['Boathouse'] })
    await page.waitForFunction((id) => window.__somnograph.visible().includes(id), first)
    const second = await remember('The boathouse roof was tarred in spring.', { session: 'live', entities: ['Boathouse'] })
    await page.waitForFunction((id) => window.__somnograph.visible().includes(id), second)
    const { supersede } = await server.ask<{ supersede: { memory: { id: string } } }>('mutation($id: ID!) { supersede(input: {id: $id, content: "The boathouse key hangs beside the window."}) { memory { id } } }', { id: first })
    await page.waitForFunction(([old, id]) => !window.__somnograph.visible().includes(old!) && window.__somnograph.visible().includes(id!), [first, supersede.memory.id])
    const { page: whole } = await open(browser, `${server.url}?test=1`)
    // The cursors may differ: a change of the feed that changes nothing on the map is not sent.
    const held = (p: Page) => p.evaluate(() => ({ map: window.__somnograph.scene().map, edges: window.__somnograph.edges(), drawn: window.__somnograph.drawn() }))
    const loaded = await held(whole)
    await eventually(() => held(page)).toEqual(loaded)
    expect(loads).toEqual([])
    expect(loaded.edges['TEMPORAL_SEQ'] && loaded.edges['ENTITY_OVERLAP'] && loaded.edges['SUPERSEDES']).toBeTruthy()
    expect(faults).toEqual([])
    await page.context().close()
    await whole.context().close()
  })

  it('follows a new layout of the map', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    await page.locator('.live.on').waitFor({ state: 'attached' })
    const before = await page.evaluate(() => window.__somnograph.scene().map)
    for (let i = 0; i < 60; i++) await remember(`Ledger ${i}: the ${['cook', 'clerk', 'smith'][i % 3]} was paid ${10 + i} crowns for week ${i}.`)
    await page.waitForFunction((map) => window.__somnograph.scene().map !== map, before)
    // Eventually the page has the server's latest scene.
    await eventually(async () => {
      const now = await graph()
      const held = await page.evaluate(() => ({ map: window.__somnograph.scene().map, drawn: window.__somnograph.drawn() }))
      return held.map === now.map && JSON.stringify(held.drawn) === JSON.stringify(now.nodes.map((n) => n.id).sort())
    }).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('an edge', () => {
  it('shows the relation at a click, and opens its memories', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1#edges=overlap:all,sequence:all`)
    // The map may move between the search for a free edge and the click, or no edge may be
    // free: then another view is tried.
    const card = page.locator('.edge-card')
    for (let tries = 0; tries < 12 && !(await card.isVisible()); tries++) {
      if (tries > 0) await page.evaluate((angle) => window.__somnograph.turn(angle), 0.5 * tries)
      await atRest(page)
      const spot = await page.evaluate(() => window.__somnograph.edgeSpot('TEMPORAL_SEQ') ?? window.__somnograph.edgeSpot('ENTITY_OVERLAP'))
      if (!spot) continue
      await page.mouse.click(spot.x, spot.y)
      await atRest(page)
    }
    expect(await page.locator('.edge-card').isVisible()).toBe(true)
    expect(await page.locator('.edge-card .edge-name').textContent()).toMatch(/^(came right before|mentions the same entities as)$/)
    expect(await page.locator('.edge-card').textContent()).toContain('%')
    const words = (await page.locator('.edge-end').nth(1).textContent())!.replace('…', '')
    await page.locator('.edge-end').nth(1).click()
    await page.locator('.detail .content').waitFor()
    await eventually(() => page.locator('.detail .content').textContent()).toContain(words)
    await card.waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
    await page.context().close()
  })
})
