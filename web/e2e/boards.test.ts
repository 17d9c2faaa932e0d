// The boards: a shared time range, clicks that narrow the map, and CSV.
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, eventually, launch, open, violations } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer('--demo')
  await server.ask('mutation { a: adjudicate(input: {content: "The shed opens at six.", subject: "shed", evidence: [{source: "ines", weight: 0.5, confidence: 0.9}], consent: EXPLICIT}) { decision } }').catch(() => null)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const view = (p: Page) => p.evaluate(() => window.__somnograph.view())
const board = (p: Page, name: string) => p.getByRole('region', { name, exact: true })
const marked = (p: Page) => p.evaluate(() => window.__somnograph.highlighted())

describe('the boards', () => {
  it('take the full width, and give it back', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1#panel=health`)
    await page.getByRole('tab', { name: 'Boards' }).click()
    await board(page, 'Decay waterfall').waitFor()
    await board(page, 'Erasures').waitFor()
    const width = () => page.locator('.dock').evaluate((el) => el.getBoundingClientRect().width)
    await eventually(width).toBeGreaterThan(1300)
    expect(await page.locator('.board-tile').count()).toBe(8)
    expect((await page.locator('.boards-grid').first().evaluate((el) => getComputedStyle(el).gridTemplateColumns)).split(' ').length).toBeGreaterThanOrEqual(3)
    await eventually(() => page.evaluate(() => location.hash)).toContain('wide=1')
    await page.getByRole('button', { name: 'Full width' }).click()
    await eventually(width).toBeLessThan(500)
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('add up, and follow the filters, the range and the timeline', async () => {
    const { page } = await open(browser, `${server.url}?test=1#panel=boards`)
    const steps = async () => Object.fromEntries((await board(page, 'Decay waterfall').locator('.waterfall button').allTextContents()).map((t) => [t.replace(/[−\d,]+$/, ''), Number(/([\d,]+)$/.exec(t)![1]!.replaceAll(',', ''))]))
    await board(page, 'Decay waterfall').waitFor()
    const all = await steps()
    expect(all['Learned']).toBe(await page.evaluate(() => window.__somnograph.count()))
    expect(all['Active']).toBe(await page.evaluate(() => window.__somnograph.visible().length))
    expect(all['Active']).toBe(all['Faint']! + all['Remembered well']!)
    await page.getByRole('radio', { name: '30 days' }).click()
    await eventually(async () => (await steps())['Learned']).toBeLessThan(all['Learned']!)
    const { learned } = await view(page)
    expect(learned[1]! - learned[0]!).toBe(30 * 86_400_000)
    await page.locator('.brush').waitFor({ state: 'attached' })
    expect((await steps())['Active']).toBe(await page.evaluate(() => window.__somnograph.visible().length))
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => { const v = (await view(page)).learned; return v.length === 0 ? 0 : Math.round((v[1] - v[0]) / 86_400_000) }).toBe(7)
    await page.context().close()
  })

  it('show on the map what a bar is about', async () => {
    const { page } = await open(browser, `${server.url}?test=1#panel=boards`)
    const archived = board(page, 'Decay waterfall').locator('button', { hasText: 'Archived' })
    await archived.click()
    await eventually(async () => (await marked(page)).length).toBeGreaterThan(100)
    expect((await view(page)).wide).toBe(false)
    await page.getByRole('button', { name: 'Full width' }).click()
    const bar = board(page, 'Edges per memory').locator('.bar-button').first()
    await bar.focus()
    await page.keyboard.press('ArrowRight')
    const label = await page.evaluate(() => document.activeElement!.getAttribute('aria-label')!)
    await page.keyboard.press('Enter')
    await eventually(async () => (await marked(page)).length).toBe(Number(label.split(': ')[1]))
    await page.getByRole('button', { name: 'Full width' }).click()
    await board(page, 'Learned over time').locator('.bar-button').nth(3).click()
    await eventually(async () => (await view(page)).learned.length).toBe(2)
    await page.context().close()
  })

  it('are saved as CSV', async () => {
    const { page } = await open(browser, `${server.url}?test=1#panel=boards`)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Decay waterfall as CSV' }).click()])
    expect(download.suggestedFilename()).toBe('somnograph decay waterfall all time.csv')
    const lines = readFileSync((await download.path())!, 'utf8').replace('\ufeff', '').split('\r\n')
    expect(lines[0]).toBe('step,memories')
    expect(lines[1]).toBe(`Learned,${await page.evaluate(() => window.__somnograph.count())}`)
    await page.context().close()
  })

  it('list every erasure, whichever browser asked for it, the pending and the failed ones first', async () => {
    const keys = mkdtempSync(join(tmpdir(), 'somnograph-e2e-keys-'))
    const own = await startServer('--keys', keys)
    const remember = async (content: string) =>
      (await own.ask<{ remember: { memory: { id: string } } }>('mutation($content: String!) { remember(input: {content: $content, consent: EXPLICIT}) { memory { id } } }', { content })).remember.memory.id
    const forget = async (...ids: string[]) =>
      (await own.ask<{ forget: { receipt: { id: string } } }>('mutation($ids: [ID!]) { forget(input: {ids: $ids}) { receipt { id } } }', { ids })).forget.receipt.id
    const done = await forget(await remember('The spare key is under the mat.'))
    await own.ask('mutation { forget(input: {}) { receipt { id } } }').catch(() => null) // selects nothing: it fails
    // While the directory of the keys is away, the key of what was erased can't be destroyed: the erasure stays pending.
    const barn = await remember('The second key is in the barn.')
    const rings = join(keys, readdirSync(keys)[0]!, 'rings')
    renameSync(rings, `${rings}.away`)
    await expect(forget(barn)).rejects.toThrow('INTERNAL')
    const { page } = await open(browser, `${own.url}?test=1`)
    await page.evaluate(() => window.__somnograph.setView({ panel: 'boards' }))
    const receipts = board(page, 'Erasures').locator('table', { has: page.locator('th', { hasText: 'State' }) })
    await receipts.waitFor()
    expect(await receipts.locator('tbody tr').allTextContents()).toEqual([expect.stringMatching(/Pending/i), expect.stringContaining(done)])
    const figures = async () => (await board(page, 'Erasures').locator('.figures').textContent())!.replaceAll(/\s/g, '')
    expect(await figures()).toBe('Done1Failed2Pending1')
    renameSync(`${rings}.away`, rings)
    await forget(await remember('The third key is lost.')) // finishes the pending one first
    await page.waitForFunction(() => location.hash.includes('panel=boards'))
    await page.reload()
    await eventually(async () => (await board(page, 'Erasures').isVisible()) && figures()).toBe('Done3Failed2Pending0')
    await page.context().close()
    await own.stop()
    rmSync(keys, { recursive: true, force: true })
  })

  it('say what is missing, and have no serious accessibility violations, dark and light', async () => {
    const { page } = await open(browser, `${server.url}?test=1#panel=boards`)
    await board(page, 'Erasures').waitFor()
    expect(await board(page, 'Erasures').textContent()).toContain('Nothing was erased in this time.')
    expect(await board(page, 'Recall quality').textContent()).toContain('The canary has not run yet')
    await atRest(page)
    expect(await serious(page)).toEqual([])
    await page.evaluate(() => document.querySelector<HTMLElement>('.tools [title^="Light theme"]')?.click())
    await atRest(page)
    expect(await serious(page)).toEqual([])
    await page.context().close()
  })
})
