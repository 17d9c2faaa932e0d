// Time: playing, events on the axis, the caption of the day, and what changed between two days.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'
import { fillStore, type TestWorld } from './world'

let server: Server
let world: TestWorld
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  world = await fillStore(server)
  await server.ask('mutation { sleep(input: {wait: true}) { report { id } } }')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const page = (hash = '', options = {}, mode = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options, mode)
const view = (p: Page) => p.evaluate(() => window.__somnograph.view())
const marks = (p: Page, kind: string) => p.locator(`.event-${kind}`)

describe('the axis of time', () => {
  it('has corrections, losses and sleeps with words, one tab stop for all, and leads to their times', async () => {
    const { page: p, faults } = await page()
    await atRest(p)
    await eventually(() => marks(p, 'sleep').count()).toBe(1)
    expect(await marks(p, 'correction').count()).toBe(3)
    const texts = await marks(p, 'correction').evaluateAll((all) => all.map((el) => el.getAttribute('title')))
    expect(texts[0]).toMatch(/^1 correction, \d+ \w+ \d+: “The survey boat/)
    expect(await p.locator('.time-event[tabindex="0"]').count()).toBe(1)
    await p.locator('.time-event[tabindex="0"]').focus()
    await p.keyboard.press('Home')
    await p.keyboard.press('ArrowRight')
    const chosen = await p.evaluate(() => document.activeElement!.getAttribute('title')!)
    await p.keyboard.press('Enter')
    await eventually(async () => (await view(p)).recorded).not.toBeNull()
    expect(await p.evaluate(() => window.__somnograph.view().recorded)).toBeGreaterThan(0)
    await eventually(() => p.locator('.readout .day').textContent()).toBe(/, (\d+ \w+ \d+)/.exec(chosen)![1])
    // Valid time has no recorded events.
    await p.evaluate(() => window.__somnograph.setView({ clock: 'valid', recorded: null }))
    await eventually(() => p.locator('.time-event').count()).toBe(0)
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('says what a past day is about, and opens it', async () => {
    const { page: p } = await page()
    await atRest(p)
    expect(await p.locator('.day-caption').isVisible()).toBe(false)
    const first = (await server.ask<{ memory: { recordedAt: string } }>('query($id: ID!) { memory(id: $id, asOf: null) { recordedAt } }', { id: world.chain[1] })).memory.recordedAt
    await p.evaluate((t) => window.__somnograph.setView({ recorded: t, statuses: ['ACTIVE', 'SUPERSEDED'] }), Date.parse(first) + 1000)
    const caption = p.locator('.day-caption')
    await caption.waitFor()
    const id = await caption.getAttribute('data-id')
    await caption.press('Enter')
    await eventually(async () => (await view(p)).selected).toBe(id)
    await p.context().close()
  })

  it('plays all of it in 20 s by default, or so many seconds a month', async () => {
    const { page: p } = await page('', {}, { paced: true })
    await atRest(p)
    const speed = p.getByLabel('Speed')
    expect(await speed.locator('option').allTextContents()).toEqual(['All in 20 s', '1 s a month', '2 s a month', '5 s a month', '20 s a month'])
    expect(await speed.inputValue()).toBe('0')
    await speed.selectOption('1')
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('Space')
    // Twenty weeks at a second a month end by themselves.
    await p.getByRole('button', { name: 'Pause' }).waitFor()
    await p.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect((await view(p)).recorded).toBeNull()
    await p.context().close()
  })
})

describe('what changed between two days', () => {
  it('is a list and a picture, from a link, without serious violations', async () => {
    // The writes of a week have the time at which the week before ended.
    const [from, to] = [world.instants[4]! - 1000, world.instants[14]!]
    const { page: p, faults } = await page(`#panel=changes&between=${new Date(from).toISOString()},${new Date(to).toISOString()}&t=${new Date(to).toISOString()}`)
    await p.locator('.change-list').first().waitFor()
    await atRest(p)
    const heads = await p.locator('.changes h3').allTextContents()
    expect(heads).toContain('Corrected · 2')
    const corrected = p.locator('.change-list').first()
    expect(await corrected.locator(`[data-id="${world.chain[2]}"]`).count()).toBe(1)
    // What the list says is what the API has learned in between and still has.
    const asOf = async (t: number) =>
      (await server.ask<{ memories: { nodes: { id: string }[] } }>('query($t: Time!) { memories(first: 200, asOf: {recorded: $t}) { nodes { id } } }', { t: new Date(t).toISOString() })).memories.nodes.map((m) => m.id)
    const [before, after] = [new Set(await asOf(from)), await asOf(to)]
    const learned = Number(/Learned · (\d+)/.exec(heads.join())![1])
    expect(learned + 2).toBe(after.filter((id) => !before.has(id)).length)
    // The picture has the old version beside the new one.
    const drawn = await p.evaluate(() => window.__somnograph.drawnInReplay()) // with what is shown in spite of its status
    expect(drawn).toContain(world.chain[2])
    expect(drawn).toContain(world.chain[0])
    expect(await serious(p)).toEqual([])
    await p.getByLabel('From', { exact: true }).fill(new Date(to).toISOString().slice(0, 10))
    await eventually(async () => (await view(p)).compare.length).toBe(2)
    await p.locator(`.change-list [data-id="${world.chain[2]}"]`).waitFor({ state: 'detached' })
    await p.evaluate(() => window.__somnograph.setView({ panel: null }))
    await eventually(() => p.evaluate((id) => window.__somnograph.drawnInReplay().includes(id), world.chain[0]!)).toBe(false)
    expect(await violations(p)).toEqual([])
    expect(faults).toEqual([])
    await p.context().close()
  })
})
