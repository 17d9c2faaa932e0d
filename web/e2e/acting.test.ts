// Acting on a memory: correct, pin, forget, add, resolve; and a key that may only read.
import { readFileSync } from 'node:fs'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, blank, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const remember = async (content: string, more: object = {}): Promise<string> =>
  (await server.ask<{ remember: { memory: { id: string } } }>('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', { i: { content, consent: 'EXPLICIT', type: 'SEMANTIC', onDuplicate: 'INSERT', ...more } })).remember.memory.id
interface State { status: string; content: string | null; core: boolean; supersededBy: { id: string } | null }
const memory = async (id: string): Promise<State> => (await server.ask<{ memory: State }>('query($id: ID!) { memory(id: $id) { status content core supersededBy { id } } }', { id })).memory
const page = (hash = '', options = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options)
const selected = (p: Page) => p.evaluate(() => window.__somnograph.view().selected)
const action = (p: Page, name: string) => p.locator('.acting-bar').getByRole('button', { name, exact: true })

async function done({ page: p, faults }: Watched): Promise<void> {
  expect(await violations(p)).toEqual([])
  expect(faults).toEqual([])
  await p.context().close()
}

const picture = async (p: Page, name: string) => {
  if (process.env['PICTURES']) await p.screenshot({ path: `${process.env['PICTURES']}/${name}.png` })
}

describe('the panel of a memory', () => {
  it('begins with its text and history and ends with its numbers, which are closed; tabs lead to each part', async () => {
    const first = await remember('The ferry leaves at seven.', { entities: ['Ferry'] })
    const second = (await server.ask<{ supersede: { memory: { id: string } } }>('mutation($id: ID!) { supersede(input: {id: $id, content: "The ferry leaves at half past six.", reason: "tides"}) { memory { id } } }', { id: first })).supersede.memory.id
    const w = await page(`#sel=${first}`)
    const p = w.page
    await p.locator('.detail .history').waitFor()
    await atRest(p)
    const order = await p.locator('.detail .panel-body').evaluate((body) => [...body.querySelectorAll('.content, .history, #part-links, .detail-numbers')].map((el) => el.id || el.classList[0]))
    expect(order).toEqual(['content', 'history', 'part-links', 'part-numbers'])
    expect(await p.locator('.detail-tabs button').allTextContents()).toEqual(['Text', 'History2', expect.stringMatching(/^Links\d$/), 'Numbers'])
    expect(await p.locator('.detail .retention').isVisible()).toBe(false)
    await p.locator('.detail-tabs').getByRole('button', { name: 'Numbers' }).press('Enter')
    await p.locator('.detail .retention').waitFor()
    expect(await p.locator('.detail-tabs [aria-current=true]').textContent()).toBe('Numbers')
    const box = (await p.locator('.detail-tabs').boundingBox())!
    await p.locator('.detail-tabs').getByRole('button', { name: 'History' }).press('Enter')
    await eventually(() => p.locator('.detail-tabs [aria-current=true]').textContent()).toBe('History2')
    expect((await p.locator('.detail-tabs').boundingBox())!.y, 'the tabs stay').toBe(box.y)
    await p.evaluate((id) => window.__somnograph.setView({ selected: id }), second)
    await eventually(() => p.locator('.detail .content').textContent()).toBe('The ferry leaves at half past six.')
    expect(await p.locator('.detail .retention').isVisible(), 'numbers stay open').toBe(true)
    expect(await serious(p)).toEqual([])
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('l')
    await atRest(p)
    expect(await serious(p)).toEqual([])
    await done(w)
  })
})

describe('correcting', () => {
  it('shows the changes, makes a new version and can be undone, by keyboard alone', async () => {
    const id = await remember('The gauge stands at mile nine.')
    const w = await page(`#sel=${id}`)
    const p = w.page
    await action(p, 'Correct…').press('Enter')
    const dialog = p.getByRole('dialog', { name: 'Correct this memory' })
    const text = dialog.getByRole('textbox', { name: 'Text' })
    expect(await text.evaluate((el) => el === document.activeElement)).toBe(true)
    await dialog.getByRole('button', { name: 'Save as a new version' }).press('Enter')
    await dialog.getByRole('alert').getByText('Change the text first.').waitFor()
    await text.fill('The gauge stands at mile ten.')
    expect(await dialog.locator('del').allTextContents()).toEqual(['nine'])
    expect(await dialog.locator('ins').allTextContents()).toEqual(['ten'])
    expect(await serious(p)).toEqual([])
    await picture(p, 'acting-correct')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('measured again')
    await p.keyboard.press('Enter')
    await eventually(() => p.locator('.detail .content').textContent()).toBe('The gauge stands at mile ten.')
    expect((await memory(id)).status).toBe('SUPERSEDED')
    await p.locator('.detail .reason', { hasText: 'measured again' }).waitFor()
    await p.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter')
    await eventually(() => p.locator('.detail .content').textContent()).toBe('The gauge stands at mile nine.')
    await eventually(() => p.locator('.detail .version').count()).toBe(3)
    expect((await memory((await selected(p))!)).content).toBe('The gauge stands at mile nine.')
    await done(w)
  })

  it('takes back what a memory revised when it was written', async () => {
    const old = await remember('Lena lives in Oslo.', { user: 'lena' })
    const { remember: answer } = await server.ask<{ remember: { memory: { id: string }; revised: { id: string }[] } }>(
      'mutation { remember(input: {content: "Lena lives in Bergen now.", consent: EXPLICIT, type: SEMANTIC, user: "lena"}) { memory { id } revised { id } } }')
    expect(answer.revised.map((m) => m.id)).toEqual([old])
    const w = await page(`#sel=${answer.memory.id}`)
    const p = w.page
    await action(p, 'Take back the revision…').press('Enter')
    await eventually(async () => (await memory(old)).status).toBe('ACTIVE')
    // Both stand, contested and side by side, until one is kept.
    const pair = p.locator('.detail .pair')
    await pair.waitFor()
    expect(await pair.locator('.pair-side').count()).toBe(2)
    expect(await serious(p)).toEqual([])
    await picture(p, 'acting-contested')
    await pair.getByRole('button', { name: 'Keep later' }).press('Enter')
    await p.keyboard.press('Enter')
    await eventually(async () => (await memory(old)).status).toBe('SUPERSEDED')
    await pair.waitFor({ state: 'detached' })
    await done(w)
  })
})

describe('pinning', () => {
  it('is undone from the message, and by the button', async () => {
    const id = await remember('Long ropes hang behind the door.')
    const w = await page(`#sel=${id}`)
    const p = w.page
    await action(p, 'Pin').press('Enter')
    await action(p, 'Unpin').waitFor()
    expect((await memory(id)).core).toBe(true)
    await p.locator('.detail .tag.core').waitFor()
    await p.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter')
    await action(p, 'Pin').waitFor()
    expect((await memory(id)).core).toBe(false)
    await done(w)
  })
})

describe('forgetting', () => {
  it('previews what goes, then shows the receipt, which can be downloaded', async () => {
    const first = await remember('The spare key lies under the pot.', { user: 'mara' })
    const second = (await server.ask<{ supersede: { memory: { id: string } } }>('mutation($id: ID!) { supersede(input: {id: $id, content: "The spare key lies in the shed."}) { memory { id } } }', { id: first })).supersede.memory.id
    const w = await page(`#sel=${second}`)
    const p = w.page
    await action(p, 'Forget…').press('Enter')
    const dialog = p.getByRole('dialog', { name: 'Forget this memory' })
    await dialog.getByText('2 memories will be erased').waitFor()
    expect(await dialog.locator('.acting-list li').allTextContents()).toEqual(expect.arrayContaining(['The spare key lies in the shed.']))
    expect(await serious(p)).toEqual([])
    await picture(p, 'acting-forget')
    expect((await memory(second)).status, 'a preview erases nothing').toBe('ACTIVE')
    await dialog.getByRole('checkbox', { name: 'All 2 versions' }).press('Space')
    await dialog.getByText('1 memory will be erased').waitFor()
    await dialog.getByRole('checkbox', { name: 'All 2 versions' }).press('Space')
    await dialog.getByText('2 memories will be erased').waitFor()
    await p.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await memory(second)).status).toBe('ACTIVE')

    await action(p, 'Forget…').press('Enter')
    await dialog.getByText('2 memories will be erased').waitFor()
    await dialog.getByRole('button', { name: 'Forget', exact: true }).press('Enter')
    await dialog.getByText('Forgotten: 2 memories').waitFor()
    const receipt = (await dialog.locator('.receipt-id').textContent())!
    const [file] = await Promise.all([p.waitForEvent('download'), dialog.getByRole('button', { name: 'Download the receipt' }).press('Enter')])
    expect(file.suggestedFilename()).toBe(`receipt-${receipt}.json`)
    const text = readFileSync((await file.path())!, 'utf8')
    expect(text).toContain(receipt)
    expect(text).not.toContain('spare key')
    await picture(p, 'acting-receipt')
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
    const { deletionReceipt } = await server.ask<{ deletionReceipt: { ids: string[] } }>('query($id: ID!) { deletionReceipt(id: $id) { ids } }', { id: receipt })
    expect([...deletionReceipt.ids].sort()).toEqual([first, second].sort())
    expect(await selected(p)).toBeNull()
    await done(w)
  })
})

describe('adding', () => {
  it('begins with n, writes the memory with what was filled in, and opens it', async () => {
    const w = await page()
    const p = w.page
    await atRest(p)
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('n')
    const dialog = p.getByRole('dialog', { name: 'Add a memory' })
    await dialog.getByRole('textbox', { name: 'Text' }).fill('The tea room opens at four.')
    await dialog.getByRole('combobox', { name: 'Namespace' }).fill('a b')
    await dialog.getByRole('button', { name: 'Remember' }).press('Enter')
    await eventually(() => dialog.getByRole('alert').textContent()).toContain('namespace')
    expect(await dialog.getByRole('combobox', { name: 'Namespace' }).getAttribute('aria-invalid')).toBe('true')
    expect(await serious(p)).toEqual([])
    await picture(p, 'acting-add')
    await dialog.getByRole('combobox', { name: 'Namespace' }).fill('harbour')
    await dialog.getByRole('combobox', { name: 'User' }).fill('ines')
    await dialog.getByRole('button', { name: 'Remember' }).press('Enter')
    await eventually(() => p.locator('.detail .content').textContent()).toBe('The tea room opens at four.')
    const { memory: m } = await server.ask<{ memory: { namespace: string; user: string; consent: string } }>('query($id: ID!) { memory(id: $id) { namespace user consent } }', { id: await selected(p) })
    expect(m).toEqual({ namespace: 'harbour', user: 'ines', consent: 'EXPLICIT' })
    await done(w)
  })
})

describe('while the past is shown', () => {
  it('nothing can be changed', async () => {
    const id = await remember('The weir was mended in spring.')
    await server.ask('mutation { advanceClock(seconds: 86400) }')
    const w = await page(`#sel=${id}`)
    const p = w.page
    await action(p, 'Correct…').waitFor()
    await p.evaluate(() => window.__somnograph.setView({ recorded: window.__somnograph.moment().recorded - 1000 }))
    await action(p, 'Correct…').waitFor({ state: 'hidden' })
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('n')
    await p.locator('.toast').getByText('The past can’t be changed.').waitFor()
    expect(await p.locator('dialog[open]').count()).toBe(0)
    await p.locator('.toast').getByRole('button', { name: 'Back to now' }).press('Enter')
    await action(p, 'Correct…').waitFor()
    await done(w)
  })
})

describe('a key that may only read', () => {
  it('sees no buttons that change anything', async () => {
    const id = await remember('The mill stands by the weir.')
    const p = await blank(browser)
    // The server of these tests has no keys: the answer is that of a key with the scope memory:read.
    await p.route('**/graphql', async (route: Route) => {
      if (!String(route.request().postDataJSON().query).includes('whoami')) return route.continue()
      const answer = (await (await route.fetch()).json()) as { data: { whoami: object } }
      return route.fulfill({ json: { data: { whoami: { ...answer.data.whoami, scopes: ['MEMORY_READ'] } } } })
    })
    await p.goto(`${server.url}?test=1#sel=${id}`)
    await p.waitForFunction(() => window.__somnograph?.ready())
    await p.locator('.detail .content').waitFor()
    await atRest(p)
    expect(await p.locator('.acting-bar').count()).toBe(0)
    await p.locator('canvas.scene').focus()
    await p.keyboard.press('n')
    await p.locator('.toast').getByText('This sign-in may not write memories.').waitFor()
    await p.context().close()
  })
})
