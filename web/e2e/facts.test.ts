// The fact sheet of an entity, and what is known about a user, on a store of their own.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'

const DAY = 86_400
const MARKUP = '<img src=x onerror="window.__broken=1">'

let server: Server
let browser: Browser
/** after the first home, before the second */
let between: number

const remember = async (content: string, input: object = {}): Promise<string> =>
  (await server.ask<{ remember: { memory: { id: string } } }>('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', { i: { content, consent: 'EXPLICIT', sourceKind: 'USER', ...input } })).remember.memory.id
const advance = async (days: number): Promise<number> =>
  Date.parse((await server.ask<{ advanceClock: string }>('mutation($s: Int!) { advanceClock(seconds: $s) }', { s: days * DAY })).advanceClock)

beforeAll(async () => {
  server = await startServer()
  const home = await remember('Ana lives in Oslo.')
  await remember('My dog is called Biscuit, and I hate olives.', { user: 'ana' })
  await remember('Please always answer in Dutch.', { user: 'ana', type: 'PROCEDURAL' })
  await remember(`${MARKUP} is what Bo typed.`, { subject: 'Ana', predicate: 'typed', object: MARKUP })
  between = await advance(10)
  await advance(10)
  await server.ask('mutation($i: SupersedeInput!) { supersede(input: $i) { memory { id } } }', { i: { id: home, content: 'Ana lives in Bergen.', reason: 'she moved' } })
  await advance(10)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const page = (hash = '', options = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options)

async function done({ page: p, faults }: Watched): Promise<void> {
  expect(await p.evaluate(() => window.__broken)).toBeUndefined()
  expect(await violations(p)).toEqual([])
  expect(faults).toEqual([])
  await p.context().close()
}

const entityId = async (name: string): Promise<string> => {
  const { entities } = await server.ask<{ entities: { nodes: { id: string; name: string }[] } }>('query($n: String) { entities(name: $n) { nodes { id name } } }', { n: name })
  return entities.nodes.find((e) => e.name === name)!.id
}

describe('the fact sheet of an entity', () => {
  it('groups facts, folds the past, opens the memory and follows time', async () => {
    const w = await page(`#panel=entities&entity=${await entityId('Ana')}`)
    const p = w.page
    const group = (name: string) => p.locator('.fact-sheet > div').filter({ has: p.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    await group('lives in').waitFor()
    await atRest(p)
    expect(await serious(p)).toEqual([])
    expect(await group('lives in').locator('dd > ul .fact-value').allTextContents()).toEqual(['Bergen'])
    expect(await group('hates').locator('.fact-value').allTextContents()).toEqual(['olives'])
    expect(await group('typed').locator('.fact-value').textContent(), 'markup stays text').toBe(MARKUP)
    const past = group('lives in').locator('.fact-past')
    expect(await past.locator('.fact').isVisible()).toBe(false)
    await past.locator('summary').press('Enter')
    expect(await past.locator('.fact-value').textContent()).toBe('Oslo')
    expect(await past.locator('.fact-notes').textContent()).toMatch(/^\d+ \w+ \d+ – \d+ \w+ \d+.*sure$/)
    await past.locator('.fact-open').press('Enter')
    await eventually(() => p.locator('.detail .content').textContent()).toBe('Ana lives in Oslo.')
    await p.evaluate((at) => window.__somnograph.setView({ selected: null, recorded: at }), between)
    await eventually(() => group('lives in').locator('.fact-value').allTextContents()).toEqual(['Oslo'])
    expect(await p.locator('.entities-tab h3').first().textContent()).toMatch(/^Facts · \d+ on /)
    await done(w)
  })

  it('says what to do when no fact was read', async () => {
    const w = await page(`#panel=entities&entity=${await entityId('Oslo')}`)
    await w.page.getByText('No sentence was read as a fact about Oslo.').waitFor()
    await done(w)
  })
})

describe('what is known about a user', () => {
  interface Line { claim: { subject: string; predicate: string; object: string; confirmed: boolean } | null; memory: { id: string } }
  const known = async (user: string): Promise<Line[]> =>
    (await server.ask<{ known: { lines: Line[] } }>('query($u: String!) { known(user: $u) { lines { claim { subject predicate object confirmed } memory { id } } } }', { u: user })).known.lines
  const objects = async (user: string) => (await known(user)).map((l) => l.claim?.object ?? 'memory').sort()

  it('is reached by key, menu and link, grouped by subject, without accessibility violations', async () => {
    const w = await page()
    const p = w.page
    await p.keyboard.press('u')
    await p.locator('.known-tab .fact').first().waitFor()
    await p.keyboard.press('Escape')
    await p.getByRole('button', { name: 'Save, share and more' }).press('Enter')
    await p.getByRole('menuitem', { name: 'What I know about you' }).press('Enter')
    await p.locator('.known-tab .fact').first().waitFor()
    await atRest(p)
    expect(await serious(p)).toEqual([])
    expect(await p.locator('.known-tab h3').allTextContents()).toEqual(['About ana', 'Rules', "ana's dog"])
    expect(await p.locator('.known-tab .fact:not(.over) .fact-value').allTextContents()).toEqual(expect.arrayContaining(['olives', 'Bergen', 'Dutch', 'Biscuit', MARKUP]))
    const nobody = await page('#panel=known&about=nobody')
    await nobody.page.getByText('Nothing is remembered of nobody.').waitFor()
    await done(nobody)
    await done(w)
  })

  it('is confirmed, corrected with errors that name the field, taken back and undone', async () => {
    const w = await page('#panel=known&about=ana')
    const p = w.page
    const line = (text: string) => p.locator('.known-tab .fact:not(.over)').filter({ has: p.locator('.fact-value', { hasText: new RegExp(`^${text}$`) }) })
    await line('olives').getByRole('button', { name: 'Confirm' }).press('Enter')
    await p.getByText('Confirmed: ana hates olives.').waitFor()
    await line('olives').locator('.tag', { hasText: 'Confirmed' }).waitFor()
    expect(await line('olives').getByRole('button', { name: 'Confirm: ' }).count()).toBe(0)
    expect((await known('ana')).find((l) => l.claim?.object === 'olives')!.claim!.confirmed).toBe(true)

    await line('olives').getByRole('button', { name: 'Correct: ' }).press('Enter')
    const value = line('olives').getByRole('textbox', { name: 'Value' })
    expect(await value.evaluate((el) => el === document.activeElement)).toBe(true)
    await p.keyboard.press('Enter')
    await p.getByText('Nothing was changed.').waitFor()
    await value.fill(' ')
    await p.keyboard.press('Enter')
    await eventually(() => line('olives').getByRole('alert').textContent()).toMatch(/^Value: .*empty/)
    expect(await value.getAttribute('aria-invalid')).toBe('true')
    await value.fill('capers')
    await p.keyboard.press('Enter')
    await p.getByText('Corrected. It was: ana hates olives.').waitFor()
    await line('capers').waitFor()
    expect(await objects('ana')).toContain('capers')
    await p.locator('.known-outcome').getByRole('button', { name: 'Undo' }).press('Enter')
    await line('olives').waitFor()
    expect(await objects('ana')).not.toContain('capers')

    await line('olives').getByRole('button', { name: 'Correct: ' }).click()
    await line('olives').getByRole('button', { name: 'Not true' }).click()
    await p.getByText('No longer believed: ana hates olives.').waitFor()
    await line('olives').waitFor({ state: 'detached' })
    expect(await objects('ana')).not.toContain('olives')
    await p.locator('.known-outcome').getByRole('button', { name: 'Undo' }).click()
    await line('olives').waitFor()
    await done(w)
  })

  it('of nobody in particular is forgotten with a warning', async () => {
    const w = await page('#panel=known&about=ana')
    const p = w.page
    await p.getByRole('button', { name: 'Forget: Ana lives in Bergen' }).press('Enter')
    await p.getByText('It belongs to no user').waitFor()
    await done(w)
  })

  it('is forgotten after a preview, with the receipt', async () => {
    const id = await remember('I keep bees behind the barn.', { user: 'carl' })
    const w = await page('#panel=known&about=carl')
    const p = w.page
    await p.getByRole('button', { name: 'Forget: ' }).first().press('Enter')
    await p.getByText('It can’t be undone.').waitFor()
    expect((await known('carl')).length, 'a preview erases nothing').toBeGreaterThan(0)
    await p.getByRole('button', { name: 'Cancel' }).press('Enter')
    await p.getByText('It can’t be undone.').waitFor({ state: 'detached' })
    await p.getByRole('button', { name: 'Forget: ' }).first().press('Enter')
    await p.getByRole('button', { name: /^Forget this memory/ }).press('Enter')
    await eventually(() => p.locator('.known-outcome').textContent()).toMatch(/^Forgotten: 1 memory. Receipt [0-9a-f-]{36}$/)
    const receipt = /[0-9a-f-]{36}/.exec((await p.locator('.known-outcome').textContent())!)![0]
    const { deletionReceipt } = await server.ask<{ deletionReceipt: { ids: string[] } }>('query($id: ID!) { deletionReceipt(id: $id) { ids } }', { id: receipt })
    expect(deletionReceipt.ids).toEqual([id])
    await p.getByText('Nothing is remembered of carl.').waitFor()
    await done(w)
  })

  it('can be read but not changed while the past is shown', async () => {
    const w = await page(`#panel=known&about=ana&t=${new Date(between).toISOString()}`)
    const p = w.page
    await eventually(() => p.locator('.known-tab .fact-value').allTextContents()).toContain('Oslo')
    expect(await p.locator('.known-actions').count()).toBe(0)
    await p.getByRole('button', { name: 'Back to now' }).first().click()
    await p.locator('.known-actions').first().waitFor()
    await done(w)
  })
})
