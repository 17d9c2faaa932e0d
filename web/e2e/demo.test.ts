// The demo world, as a visitor finds it.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, open } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer('--demo', '--simulated-clock=false')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

interface DryRun {
  sleep: { report: { reinforced: number; deduplicated: number; promoted: number; engraved: number; derived: number } }
}

describe('the first sleep of the demo', () => {
  it('has something to do in every phase', async () => {
    const { report } = (await server.ask<DryRun>('mutation { sleep(input: {dryRun: true}) { report { reinforced deduplicated promoted engraved derived } } }')).sleep
    for (const [what, n] of Object.entries(report)) expect(n, what).toBeGreaterThan(0)
  })
  it('waits for the visitor, who then sees work in every phase', async () => {
    const scheduled = async (on: Server) => (await on.ask<{ sleepStatus: { nextScheduled: string | null } }>('{ sleepStatus { nextScheduled } }')).sleepStatus.nextScheduled
    expect(await scheduled(server)).toBeNull()
    const other = await startServer('--simulated-clock=false')
    expect(await scheduled(other), 'a store of one’s own has a schedule').not.toBeNull()
    await other.stop()
    const { page, faults } = await open(browser, `${server.url}?test=1`, { reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Sleep', exact: true }).click()
    await page.getByRole('button', { name: 'Sleep now' }).click()
    await page.getByRole('button', { name: 'Read report' }).click()
    await page.locator('.chart-counts').waitFor()
    const counts = await page.locator('.chart-counts').evaluate((el) => Object.fromEntries([...el.querySelectorAll('dt')].map((dt) => [dt.textContent!, Number(dt.nextElementSibling!.textContent)])))
    for (const step of ['Strengthened', 'Merged', 'Promoted', 'Engraved', 'Derived']) expect(counts[step], step).toBeGreaterThan(0)
    expect(await page.locator('.chart-balance').textContent()).toContain('= kept + merged + archived + left')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
