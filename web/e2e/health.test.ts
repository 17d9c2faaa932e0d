// The health board with a real fault: less disk space than the limit for writes.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, open, violations } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer('--min-free-space', '1000000GiB')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the health board', () => {
  it('says in a sentence what is wrong, and ends an alarm by hand', async () => {
    const { page } = await open(browser, `${server.url}?test=1#panel=health`)
    const verdict = page.locator('.verdict')
    await verdict.waitFor()
    expect(await verdict.textContent()).toMatch(/Critical.*Free disk space/)
    expect(await page.locator('.alarms').first().textContent()).toContain('Free some disk space')
    expect(await page.locator('.indicators li').count()).toBeGreaterThan(3)
    expect(await page.locator('.indicators .spark .course').count()).toBeGreaterThan(3)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: /End the alarm/ }).click()
    await page.getByRole('heading', { name: 'Ended alarms' }).waitFor()
    expect(await page.locator('.board').textContent()).toContain('ended by loopback')
    await page.context().close()
  })
})
