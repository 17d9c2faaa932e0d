// Documents in the explorer: dropped, listed, opened, and a chunk in its place.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, eventually, launch, open, violations } from './browser'
import { startServer, type Server } from './server'

const MARKUP = '<img src=x onerror="window.__broken=1">'
const GUIDE = `# Kite guide\n\n## Launch\n\nThe Heron launches in winds up to fifteen metres per second.\n\n## Landing\n\nFold the tail before it touches the ground. ${MARKUP}\n\n## Storage\n\nThe sail lies in the dry loft.\n`

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  await server.ask('mutation { remember(input: {content: "The harbour is quiet.", consent: EXPLICIT}) { memory { id } } }')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the documents', () => {
  it('are stored from files, refused with a reason, and shown by chunk', async () => {
    const w = await open(browser, `${server.url}?test=1#panel=documents`)
    const p = w.page
    const step = (name: string) => p.locator('.upload-steps li', { hasText: name })
    await p.locator('.documents-tab .muted', { hasText: 'No documents yet.' }).waitFor()

    await p.locator('.drop-input').setInputFiles([
      { name: 'guide.md', mimeType: 'text/markdown', buffer: Buffer.from(GUIDE) },
      { name: 'noise.md', mimeType: 'text/markdown', buffer: Buffer.from([0, 1, 2, 255, 254, 0, 7]) },
    ])
    await eventually(() => step('guide.md').textContent()).toMatch(/stored, 3 new chunks/)
    await eventually(() => step('noise.md').textContent()).toMatch(/refused: .*binary/)
    await eventually(() => p.locator('.document-list .document-path').allTextContents()).toEqual(['guide.md'])

    // Of two files with one name the second is refused.
    await p.locator('.drop-input').setInputFiles(['red', 'white'].map((w) => ({ name: 'kite.txt', mimeType: 'text/plain', buffer: Buffer.from(`The kite is ${w}.`) })))
    await eventually(() => step('kite.txt').textContent()).toMatch(/refused: is that of an earlier file/)
    await eventually(() => p.locator('.document-list .document-path').allTextContents()).toEqual(['guide.md', 'kite.txt'])
    await eventually(() => p.locator('.document-list summary').nth(1).textContent()).toMatch(/1 chunk · version 1/)

    // The next version is dropped.
    const drop = await p.evaluateHandle((text) => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'guide.md', { type: 'text/markdown' }))
      return data
    }, GUIDE.replace('dry loft', 'cedar chest'))
    await p.locator('.drop').dispatchEvent('drop', { dataTransfer: drop })
    await eventually(() => step('guide.md').textContent()).toMatch(/stored, 1 new chunk, 1 ended/)
    await eventually(() => p.locator('.document-list summary').first().textContent()).toMatch(/3 chunks · version 2/)

    await p.locator('.document-list summary').first().press('Enter')
    const chunks = p.locator('.chunk-list button')
    await eventually(() => chunks.count()).toBe(3)
    await chunks.nth(1).click()
    await eventually(() => p.locator('.detail .headings').textContent()).toBe('Kite guide › Landing')
    await eventually(() => p.locator('.place li .edge-name').allTextContents()).toEqual(['before', 'this', 'after'])
    await atRest(p)
    expect(await serious(p)).toEqual([])
    if (process.env['SCREENSHOT']) await p.screenshot({ path: process.env['SCREENSHOT'] })
    await p.locator('.place li').nth(2).locator('button').press('Enter')
    await eventually(() => p.locator('.detail .content').textContent()).toMatch(/cedar chest/)

    expect(await p.evaluate(() => window.__broken)).toBeUndefined()
    expect(await violations(p)).toEqual([])
    expect(w.faults).toEqual([])
    await p.context().close()
  })

  it('go into the namespace that is shown', async () => {
    await server.ask('mutation { remember(input: {content: "The quay is long.", consent: EXPLICIT, namespace: "quay"}) { memory { id } } }')
    const w = await open(browser, `${server.url}?test=1#panel=documents&ns=quay`)
    await w.page.locator('.drop', { hasText: 'in the namespace quay.' }).waitFor()
    await w.page.locator('.drop-input').setInputFiles({ name: 'crane.md', mimeType: 'text/markdown', buffer: Buffer.from('The crane lifts nine tonnes.') })
    await eventually(() => w.page.locator('.document-list .document-path').allTextContents()).toEqual(['crane.md'])
    const answer = await server.ask('{ documents(namespaces: ["quay"]) { nodes { path } } }')
    expect(JSON.stringify(answer)).toContain('crane.md')
    expect(w.faults).toEqual([])
    await w.page.context().close()
  })
})
