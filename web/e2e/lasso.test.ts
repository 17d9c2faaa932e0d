// The lasso: Shift and drag selects memories, which are exported or forgotten.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atRest, eventually, launch, open } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  for (let i = 0; i < 9; i++) await server.ask('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', { i: { content: `Crate ${i} holds ${['apples', 'nails', 'lamps'][i % 3]} for the ${['mill', 'quay', 'inn'][i % 3]}.`, consent: 'EXPLICIT', onDuplicate: 'INSERT' } })
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

it('a line around memories selects them, to export and to forget', async () => {
  const { page, faults } = await open(browser, `${server.url}?test=1#flat=1`)
  await atRest(page)
  const places = await page.evaluate(() => window.__somnograph.visible().map((id) => ({ id, ...window.__somnograph.screenPosition(id)! })))
  const camera = await page.evaluate(() => location.hash)
  const [left, right] = [Math.min(...places.map((p) => p.x)) - 12, Math.max(...places.map((p) => p.x)) + 12]
  const ys = places.map((p) => p.y).sort((a, b) => a - b)
  const [top, middle] = [ys[0]! - 12, (ys[4]! + ys[5]!) / 2]
  await page.keyboard.down('Shift')
  await page.mouse.move(left, top)
  await page.mouse.down()
  for (const [x, y] of [[right, top], [right, middle], [left, middle], [left, top]]) await page.mouse.move(x!, y!, { steps: 6 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  const inside = places.filter((p) => p.y < middle).map((p) => p.id).sort()
  await eventually(async () => (await page.evaluate(() => window.__somnograph.highlighted())).sort()).toEqual(inside)
  expect(await page.evaluate(() => location.hash), 'the camera did not move').toBe(camera)
  const bar = page.getByRole('group', { name: 'Selection' })
  const [download] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'Export JSON' }).click()])
  const saved = JSON.parse(readFileSync((await download.path())!, 'utf8')) as { memories: { id: string }[] }
  expect(saved.memories.map((m) => m.id).sort()).toEqual(inside)
  await bar.getByRole('button', { name: 'Forget…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`${inside.length} memories will be erased`).waitFor()
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click()
  await dialog.getByText(`Forgotten: ${inside.length} memories`).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.evaluate(() => window.__somnograph.visible().length)).toBe(9 - inside.length)
  await eventually(() => bar.isVisible()).toBe(false)
  expect(faults).toEqual([])
  await page.context().close()
})
