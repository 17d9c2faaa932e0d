// Three tasks that somebody does who has never seen the page: each step uses only words that the page says.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, launch, open } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  const ask = <T>(query: string, variables: object) => server.ask<T>(query, variables)
  const remember = async (input: object) =>
    (await ask<{ remember: { memory: { id: string } } }>('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', { i: { consent: 'EXPLICIT', onDuplicate: 'INSERT', type: 'SEMANTIC', ...input } })).remember.memory.id
  for (let i = 0; i < 12; i++) await remember({ content: `The ${['north', 'south', 'east'][i % 3]} shed was swept on day ${i} by the ${['early', 'late'][i % 2]} shift.`, type: 'EPISODIC' })
  const limit = await remember({ content: 'The crane may lift at most 900 kilograms.', subject: 'crane', importance: 0.9, source: 'manual of 2019' })
  await ask('mutation($i: SupersedeInput!) { supersede(input: $i) { memory { id } } }', { i: { id: limit, content: 'The crane may lift at most 750 kilograms.', reason: 'the inspector found a worn cable', source: 'Petra Holm' } })
  await remember({ content: 'Konrad Weiss lives above the bakery.', entities: ['Konrad Weiss'], user: 'mila' })
  await remember({ content: 'Konrad Weiss is allergic to bees.', entities: ['Konrad Weiss'], user: 'jon' })
  await remember({ content: 'The bakery opens at six.', entities: ['bakery'] })
  // Two ferries in sentences that are nearly alike: a sleep takes them for one.
  await remember({ content: 'The ferry Marigold leaves the east pier every morning at seven o’clock sharp.' })
  await remember({ content: 'The ferry Marigold leaves the east pier every morning at seven o’clock sharp!' })
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const visible = (p: Page) => p.evaluate(() => window.__somnograph.visible().length)

describe('somebody who has never seen the page', () => {
  it('finds who changed a limit, and why', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    await page.getByPlaceholder('Search memory').fill('how much may the crane lift')
    await page.getByRole('option', { name: /crane may lift/ }).first().click()
    const versions = page.locator('.detail .history')
    await versions.getByText('History · 2 versions').waitFor()
    const last = versions.locator('.version').last()
    expect(await last.textContent()).toMatch(/was 900 ?.*now 750/)
    expect(await last.textContent()).toContain('by Petra Holm')
    expect(await last.textContent()).toContain('“the inspector found a worn cable”')
    expect(await versions.locator('.version').first().textContent()).toContain('by manual of 2019')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('undoes a wrong merge', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    const before = await visible(page)
    await page.getByRole('button', { name: 'Sleep', exact: true }).click()
    await page.getByRole('button', { name: 'Sleep now' }).click()
    await eventually(() => visible(page)).toBeLessThan(before)
    await page.getByRole('tab', { name: 'Reports' }).click()
    await page.locator('.report-row').first().click()
    await page.getByText('Merged').first().waitFor()
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('button', { name: 'Yes, roll back' }).click()
    await eventually(() => visible(page)).toBe(before)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('forgets a person, and keeps the receipt', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    const before = await visible(page)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('tab', { name: 'Entities' }).click()
    await page.getByPlaceholder('Name starts with…').fill('Konrad')
    await page.locator('.entity-row', { hasText: 'Konrad Weiss' }).first().click()
    await page.getByRole('button', { name: 'Forget everything about Konrad Weiss…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Forget everything about Konrad Weiss' })
    await dialog.getByText('2 memories will be erased').waitFor()
    expect(await dialog.locator('.acting-list').textContent()).toContain('allergic to bees')
    const forget = dialog.getByRole('button', { name: 'Forget', exact: true })
    await dialog.getByLabel('Type Konrad Weiss to confirm').fill('Konrad')
    await forget.click()
    expect(await visible(page)).toBe(before)
    await dialog.getByLabel('Type Konrad Weiss to confirm').fill('Konrad Weiss')
    await forget.click()
    await dialog.getByText('Forgotten: 2 memories').waitFor()
    const id = (await dialog.locator('.receipt-id').textContent())!
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download the receipt' }).click()])
    expect(readFileSync((await download.path())!, 'utf8')).toContain(id)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await eventually(() => visible(page)).toBe(before - 2)
    // The receipt is on the boards afterwards.
    await page.getByRole('button', { name: 'Health', exact: true }).click()
    await page.getByRole('tab', { name: 'Boards' }).click()
    await eventually(() => page.getByRole('region', { name: 'Erasures' }).textContent()).toContain(id)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
