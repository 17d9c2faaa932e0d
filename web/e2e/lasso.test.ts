// The selection of several memories: Shift and drag, or the palette; they are listed, exported, tagged, pinned or forgotten.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serious } from './axe'
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

const marksOf = async (ids: string[]) => {
  const all = []
  for (const id of ids) all.push((await server.ask<{ memory: { tags: string[]; core: boolean } }>('query($id: ID!) { memory(id: $id) { tags core } }', { id })).memory)
  return all
}

it('all shown memories are selected from the palette, listed, tagged and pinned by keyboard, and both is undone', async () => {
  const { page, faults } = await open(browser, `${server.url}?test=1`)
  await atRest(page)
  const ids = await page.evaluate(() => window.__somnograph.visible())
  await server.ask('mutation($id: ID!) { update(input: {id: $id, tags: ["of the mill"]}) { id } }', { id: ids[0] })
  await page.keyboard.press('Control+k')
  await page.locator('.palette input').fill('select all shown')
  await page.keyboard.press('Enter')
  const bar = page.getByRole('group', { name: 'Selection' })
  await bar.getByText('9 memories selected').waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('List')
  await page.keyboard.press('Enter')
  expect(await bar.locator('.lasso-list li').count()).toBe(9)
  expect(await serious(page)).toEqual([])
  await page.keyboard.press('Enter')
  expect(await bar.locator('.lasso-list').isVisible()).toBe(false)

  await bar.getByRole('button', { name: 'Tag…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Tag 9 memories' })
  await dialog.waitFor()
  await page.keyboard.type('harvest')
  await page.keyboard.press('Enter')
  await page.getByText('Tagged 9 memories with “harvest”.').first().waitFor()
  const tagged = await marksOf(ids)
  expect(tagged.map((m) => m.tags)).toEqual([['of the mill', 'harvest'], ...Array.from({ length: 8 }, () => ['harvest'])])
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('The tag “harvest” is removed again.').first().waitFor()
  expect((await marksOf(ids)).map((m) => m.tags)).toEqual([['of the mill'], ...Array.from({ length: 8 }, () => [])])

  await bar.getByRole('button', { name: 'Pin' }).press('Enter')
  await page.getByText('Pinned 9 memories').first().waitFor()
  expect((await marksOf(ids)).every((m) => m.core)).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Unpinned.').first().waitFor()
  expect((await marksOf(ids)).some((m) => m.core)).toBe(false)
  expect(faults).toEqual([])
  await page.context().close()
})

it('a tag that is too many for one of them is given to none', async () => {
  const { page } = await open(browser, `${server.url}?test=1`)
  await atRest(page)
  const ids = await page.evaluate(() => window.__somnograph.visible())
  const tags = Array.from({ length: 64 }, (_, i) => `t${i}`)
  await server.ask('mutation($id: ID!, $tags: [String!]!) { update(input: {id: $id, tags: $tags}) { id } }', { id: ids[8], tags })
  await page.keyboard.press('Control+k')
  await page.locator('.palette input').fill('select all shown')
  await page.keyboard.press('Enter')
  const bar = page.getByRole('group', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Tag…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tag 9 memories' })
  await dialog.getByLabel('Tag').fill('harvest')
  await dialog.getByRole('button', { name: 'Tag', exact: true }).click()
  await dialog.getByText('One memory has 64 tags already, which is the most.').waitFor()
  expect((await marksOf(ids)).map((m) => m.tags.includes('harvest'))).toEqual(ids.map(() => false))
  await server.ask('mutation($id: ID!) { update(input: {id: $id, tags: []}) { id } }', { id: ids[8] })
  // In the past nothing can be changed.
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.__somnograph.setView({ recorded: window.__somnograph.moment().recorded }))
  await eventually(() => bar.getByRole('button', { name: 'Tag…' }).count()).toBe(0)
  expect(await bar.getByRole('button', { name: 'Forget…' }).count()).toBe(0)
  await page.context().close()
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
