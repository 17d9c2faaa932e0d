// The fact sheet of an entity, on a store of its own.
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
