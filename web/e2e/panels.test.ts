// The panels on the demo world: keyboard, links, accessibility, and escaping of markup.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PANELS } from '../src/state/view'
import { serious } from './axe'
import { atRest, blank, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser
let markup: string

const MARKUP = '<img src=x onerror="window.__broken=1"><script>window.__broken=2</script> TODO: mend the <b>weather</b> vane'

beforeAll(async () => {
  server = await startServer('--demo')
  const said = await server.ask<{ remember: { memory: { id: string } } }>('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', {
    i: { content: MARKUP, consent: 'EXPLICIT', namespace: 'kites', importance: 0.9, entities: ['<i onclick=x>Vane</i>'] },
  })
  markup = said.remember.memory.id
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const page = (hash = '', options = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options)

/** The first day, UTC, of the month that was n months ago. The demo world is the half year before now. */
function monthsAgo(n: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1))
}
const view = (p: Page) => p.evaluate(() => window.__somnograph.view())

/** Waits until the panel is open and its content is there. */
async function settled(p: Page, panel: string): Promise<void> {
  await p.locator(`#tab-${panel}[aria-selected=true]`).waitFor()
  await p.waitForFunction(() => document.querySelector('.dock h2') !== null && document.querySelector('.dock .skeleton') === null)
  await atRest(p)
}

async function done({ page: p, faults }: Watched): Promise<void> {
  expect(await p.evaluate(() => window.__broken)).toBeUndefined()
  expect(await violations(p)).toEqual([])
  expect(faults).toEqual([])
  await p.context().close()
}

describe('all panels', () => {
  it('open by link, without serious accessibility violations, dark and light', async () => {
    const w = await page('#panel=list')
    const found: Record<string, string[]> = {}
    const look = async (name: string) => {
      const faults = await serious(w.page)
      if (faults.length > 0) found[name] = faults
    }
    for (const panel of PANELS) {
      await w.page.evaluate((x) => window.__somnograph.setView({ panel: x, report: null, entity: null, cluster: null, pattern: null }), panel)
      await settled(w.page, panel)
      await look(panel)
      if (['list', 'entities', 'quality', 'speed', 'prompt', 'tasks'].includes(panel)) {
        await w.page.locator('canvas.scene').focus()
        await w.page.keyboard.press('l')
        await settled(w.page, panel)
        await look(`${panel}, light`)
        await w.page.keyboard.press('l')
      }
    }
    expect(found).toEqual({})
    await w.page.waitForFunction((last) => location.hash.includes(`panel=${last}`), PANELS.at(-1)!)
    await done(w)
  }, 300_000)

  it('are restored from a link with their inputs', async () => {
    const hash = '#tier=L1&decay=SLOW&panel=prompt&ask=who+may+launch&session=today&for=&in=Heron&budget=1500&as=XML'
    const w = await page(hash)
    await settled(w.page, 'prompt')
    const asked = await view(w.page)
    expect(asked).toMatchObject({ panel: 'prompt', tiers: ['L1'], decays: ['SLOW'], prompt: { query: 'who may launch', session: 'today', user: '', project: 'Heron', budget: 1500, format: 'XML' } })
    expect(await w.page.getByRole('textbox', { name: 'Query' }).inputValue()).toBe('who may launch')
    expect(await w.page.getByRole('combobox', { name: 'Project' }).inputValue()).toBe('Heron')
    await w.page.evaluate(() => window.__somnograph.setView({ searchMode: 'words', query: 'launch' }))
    await w.page.waitForFunction(() => location.hash.includes('by=words'))
    const again = await page(await w.page.evaluate(() => location.hash))
    expect(await view(again.page)).toEqual(await view(w.page))
    await done(again)
    await done(w)
  })
})

describe('the list', () => {
  it('works by keyboard, in step with the map and with time', async () => {
    const w = await page()
    const p = w.page
    await p.keyboard.press('m')
    await settled(p, 'list')
    const rows = p.getByRole('listbox', { name: 'Shown memories' })
    for (let i = 0; i < 12 && !(await rows.evaluate((el) => el === document.activeElement)); i++) await p.keyboard.press('Tab')
    await p.keyboard.press('Home')
    await p.keyboard.press('ArrowDown')
    await p.keyboard.press('ArrowDown')
    const held = p.locator('.list-row.at')
    await eventually(() => held.getAttribute('aria-posinset')).toBe('3')
    await atRest(p)
    const drawn = await p.evaluate(() => window.__somnograph.drawn())
    expect(await held.getAttribute('aria-setsize')).toBe(String(drawn.length))
    expect(await rows.getAttribute('aria-activedescendant')).toBe(await held.getAttribute('id'))
    const id = (await held.getAttribute('data-id'))!
    expect(drawn).toContain(id)
    await p.keyboard.press('Enter')
    await p.waitForFunction((x) => window.__somnograph.view().selected === x, id)
    await p.locator('.detail .content').waitFor()
    await p.keyboard.press('End')
    await eventually(() => held.getAttribute('aria-posinset')).toBe(String(drawn.length))
    expect(await p.locator('.list-row').count(), 'only the rows in view').toBeLessThan(40)
    // The map's cursor moves the list as well.
    const end = (await held.getAttribute('data-id'))!
    await p.locator('canvas.scene').focus()
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      if ((await held.getAttribute('data-id')) !== end) break
      await p.keyboard.press(key) // does nothing if no memory is in this direction
      await atRest(p)
    }
    expect(await held.getAttribute('data-id')).not.toBe(end)
    await p.evaluate((at) => window.__somnograph.setView({ selected: null, recorded: at }), monthsAgo(4).getTime())
    const then = await p.evaluate(() => window.__somnograph.drawn().length)
    await p.waitForFunction((n) => document.querySelector('.list-head')?.textContent?.startsWith(`${n} shown`), then)
    expect(then).toBeLessThan(drawn.length)
    await done(w)
  })
})

describe('an entity', () => {
  it('is reached from a memory and lists its mentions', async () => {
    const { memories } = await server.ask<{ memories: { nodes: { id: string; entities: { id: string; name: string }[] }[] } }>('{ memories(first: 200) { nodes { id entities { id name mentionCount } } } }')
    const one = memories.nodes.find((m) => m.entities.some((e) => e.name === 'Tomas'))!
    const tomas = one.entities.find((e) => e.name === 'Tomas')!
    const w = await page(`#sel=${one.id}`)
    await w.page.locator('.detail .chip', { hasText: 'Tomas', hasNotText: 'Cluster:' }).click()
    await settled(w.page, 'entities')
    await w.page.getByRole('heading', { name: 'Tomas' }).waitFor()
    const told = await server.ask<{ memories: { nodes: { id: string }[] } }>('query($e: ID!) { memories(first: 50, descending: true, filter: {entity: $e, statuses: [ACTIVE, SUPERSEDED, CONSOLIDATED, ARCHIVED, EXPIRED]}) { nodes { id } } }', { e: tomas.id })
    await eventually(() => w.page.locator('.entities-tab .links li').count()).toBe(told.memories.nodes.length)
    await w.page.waitForFunction((id) => location.hash.includes(`entity=${id}`), tomas.id)
    await w.page.locator('.entities-tab .links button').first().click()
    await w.page.waitForFunction((id) => window.__somnograph.view().selected === id, told.memories.nodes[0]!.id)
    await w.page.getByRole('button', { name: 'All entities' }).click()
    await w.page.locator('.entity-row').first().waitFor()
    await eventually(() => w.page.locator('.entity-list').textContent()).toContain('Vane')
    expect(await w.page.locator('.entity-list i[onclick]').count()).toBe(0)
    await done(w)
  })
})

describe('the prompt preview', () => {
  it('equals the prompt of the API, and does not count as use', async () => {
    const w = await page('#panel=prompt&ask=mend+the+weather+vane')
    const p = w.page
    await settled(p, 'prompt')
    const input = { session: 'preview', query: 'mend the weather vane', tokenBudget: 4400, track: false }
    const { context } = await server.ask<{ context: { totalTokens: number; layers: { name: string; text: string; memoryIds: string[] }[] } }>(
      'query($input: ContextInput!) { context(input: $input) { totalTokens layers { name text memoryIds } } }', { input },
    )
    expect(await p.locator('.layer-text').allTextContents()).toEqual(context.layers.map((l) => l.text))
    expect(context.layers.flatMap((l) => l.memoryIds)).toContain(markup)
    expect(await p.locator('.layer-box img, .layer-box script').count()).toBe(0)
    expect(await p.locator('.figures').first().textContent()).toContain(context.totalTokens.toLocaleString('en'))
    const slider = p.getByRole('slider', { name: 'Token budget' })
    await slider.focus()
    await p.keyboard.press('Home')
    await p.waitForFunction(() => location.hash.includes('budget=250'))
    await p.waitForFunction(() => Number(document.querySelector('.prompt-tab .figure b')?.textContent) <= 250)
    const { memory } = await server.ask<{ memory: { usage: number } }>('query($id: ID!) { memory(id: $id) { usage } }', { id: markup })
    expect(memory.usage).toBe(0)
    await done(w)
  })
})

describe('tasks', () => {
  it('are confirmed and dismissed', async () => {
    await server.ask('mutation { observe(input: { role: USER, consent: EXPLICIT, text: "TODO: splice the spare halyard.", session: "halyard" }) { memory { id } } }', {})
    await eventually(async () => (await server.ask<{ tasks: { nodes: unknown[] } }>('{ tasks { nodes { status } } }', {})).tasks.nodes.length).not.toBe(0)
    const w = await page('#panel=tasks')
    await settled(w.page, 'tasks')
    const first = (await w.page.locator('.task').first().getAttribute('data-id'))!
    const own = w.page.locator(`.task[data-id="${first}"]`)
    await own.getByRole('button', { name: 'Confirm' }).click()
    await w.page.locator(`.task-confirmed[data-id="${first}"]`).waitFor()
    await own.getByRole('button', { name: 'Dismiss' }).click()
    await own.waitFor({ state: 'detached' })
    await w.page.getByRole('radio', { name: 'Dismissed' }).click()
    await w.page.locator(`.task-dismissed[data-id="${first}"]`).waitFor()
    await done(w)
  })
})

describe('a dry run', () => {
  it('lists its steps with their reasons', async () => {
    const w = await page('#panel=sleep')
    await settled(w.page, 'sleep')
    await w.page.getByLabel('Dry run').check()
    await w.page.getByRole('button', { name: 'Dry run' }).click()
    await w.page.locator('.sleep-outcome summary').click()
    const { sleep } = await server.ask<{ sleep: { report: { steps: { reason: string }[] } } }>('mutation { sleep(input: {deep: true, dryRun: true, wait: true}) { report { steps(first: 200) { reason } } } }')
    expect(sleep.report.steps.length).toBeGreaterThan(0)
    expect(await w.page.locator('.steps small').allTextContents()).toEqual(sleep.report.steps.map((s) => s.reason))
    await done(w)
  })
})

describe('privacy', () => {
  it('verifies a receipt in the browser', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      const said = await server.ask<{ remember: { memory: { id: string } } }>('mutation($c: String!) { remember(input: {content: $c, consent: EXPLICIT, onDuplicate: INSERT}) { memory { id } } }', { c: `To be forgotten, number ${i}.` })
      ids.push(said.remember.memory.id)
    }
    const { forget } = await server.ask<{ forget: { receipt: { id: string; hash: string } } }>('mutation($ids: [ID!]) { forget(input: {ids: $ids}) { receipt { id hash } } }', { ids })
    const w = await page('#panel=privacy')
    await settled(w.page, 'privacy')
    await w.page.getByRole('textbox', { name: 'Deletion receipt id' }).fill(forget.receipt.id)
    await w.page.getByRole('button', { name: 'Verify' }).click()
    await w.page.getByText('The receipt is valid').waitFor()
    expect(await w.page.locator('.hash').textContent()).toBe(forget.receipt.hash)
    // The proof of the erasure can be kept, and the audit has the call and is intact.
    await w.page.getByRole('region', { name: 'State of the erasure by part of the server' }).getByText('Recess').waitFor()
    const [proof] = await Promise.all([w.page.waitForEvent('download'), w.page.getByRole('button', { name: 'Download the proof' }).click()])
    expect(proof.suggestedFilename()).toBe(`receipt-${forget.receipt.id}.json`)
    const document = JSON.parse(readFileSync((await proof.path())!, 'utf8')) as { ids: string[]; checkpoint: string }
    expect(document.ids.sort()).toEqual([...ids].sort())
    expect(document.checkpoint).toContain('— somnograph/')
    await w.page.getByText('The audit is intact').waitFor()
    await w.page.getByRole('region', { name: 'Rows of the audit, the newest first' }).getByRole('cell', { name: 'forget', exact: true }).first().waitFor()
    // A receipt that lists other ids is detected.
    await w.page.route('**/graphql', async (route) => {
      if (!(route.request().postData() ?? '').includes('query Receipt')) return route.continue()
      const answer = await (await route.fetch()).json()
      answer.data.deletionReceipt.ids[0] = ids[1]
      return route.fulfill({ json: answer })
    })
    await w.page.getByRole('button', { name: 'Verify' }).click()
    await w.page.getByText('The hash does not match the ids').waitFor()
    await done(w)
  })
})

describe('exports', () => {
  it('as JSON contain the drawn memories at the instant shown', async () => {
    const at = monthsAgo(3)
    const w = await page(`#t=${at.toISOString()}&type=SEMANTIC`)
    const [download] = await Promise.all([w.page.waitForEvent('download'), w.page.keyboard.press('j')])
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at)
    expect(download.suggestedFilename()).toBe(`somnograph ${day}.json`)
    const saved = JSON.parse(readFileSync((await download.path())!, 'utf8')) as { memories: { id: string; type: string }[]; asOf: { recorded: string } }
    expect(saved.memories.map((m) => m.id).sort()).toEqual(await w.page.evaluate(() => window.__somnograph.drawn()))
    expect(saved.memories.length).toBeGreaterThan(10)
    expect(new Set(saved.memories.map((m) => m.type))).toEqual(new Set(['SEMANTIC']))
    expect(saved.asOf.recorded).toBe(at.toISOString())
    const [picture] = await Promise.all([
      w.page.waitForEvent('download'),
      w.page.getByRole('button', { name: 'Save, share and more' }).press('Enter').then(() => w.page.getByRole('menuitem', { name: /image/ }).press('Enter')),
    ])
    expect(readFileSync((await picture.path())!).subarray(1, 4).toString()).toBe('PNG')
    await done(w)
  })

  it('as Arrow contain all memories and edges', async () => {
    const w = await page()
    const save = async (item: RegExp) => {
      const menu = w.page.getByRole('button', { name: 'Save, share and more' })
      const [download] = await Promise.all([w.page.waitForEvent('download'), menu.press('Enter').then(() => w.page.getByRole('menuitem', { name: item }).press('Enter'))])
      expect(download.suggestedFilename()).toMatch(/\.arrows$/)
      return tableFromIPC(readFileSync((await download.path())!))
    }
    const memories = await save(/memories .Arrow/)
    const ids = new Set([...memories.getChild('id')!] as string[])
    expect([...ids].sort()).toEqual(await w.page.evaluate(() => window.__somnograph.ids().sort()))
    const active = memories.toArray().filter((r: { status: string }) => r.status === 'ACTIVE').map((r: { id: string }) => r.id).sort()
    expect(active).toEqual(await w.page.evaluate(() => window.__somnograph.visible()))
    const edges = await save(/edges .Arrow/)
    const counts = await w.page.evaluate(() => window.__somnograph.edges())
    expect(edges.numRows).toBe(Object.values(counts).reduce((a, b) => a + b, 0))
    expect([...edges.getChild('from')!].every((id) => ids.has(id as string))).toBe(true)
    await done(w)
  })
})

describe('the tour', () => {
  it('is offered once, works by keyboard, and can be left at any step', async () => {
    const w = await open(browser, `${server.url}?test=1&guided`)
    const p = w.page
    await p.getByRole('dialog', { name: 'Tour' }).waitFor()
    await atRest(p)
    // The offer covers no memory, and neither dims nor moves away what is behind it.
    const covered = await p.evaluate(() => {
      const card = document.querySelector('.tour')!.getBoundingClientRect()
      const s = window.__somnograph
      return s.visible().filter((id) => {
        const at = s.screenPosition(id)
        return at && at.x > card.left && at.x < card.right && at.y > card.top && at.y < card.bottom
      })
    })
    expect(covered).toEqual([])
    await p.getByRole('button', { name: 'Take the tour', exact: true }).last().press('Enter')
    const titles: string[] = []
    for (;;) {
      titles.push((await p.locator('.tour h2').textContent())!)
      if (titles.length === 4) {
        await p.locator('.detail .version').first().waitFor()
        await atRest(p)
        expect(await serious(p)).toEqual([])
      }
      if (titles.length === 5) await eventually(async () => (await view(p)).recorded).not.toBeNull()
      if ((await p.evaluate(() => document.activeElement?.textContent)) === 'Done') break
      await p.keyboard.press('Enter')
      await p.waitForFunction((t) => document.querySelector('.tour h2')?.textContent !== t, titles.at(-1)!)
    }
    expect(await p.locator('.connect pre').textContent()).toContain(`--addr ${new URL(server.url).origin}`)
    await p.getByRole('tab', { name: 'Agent (MCP)' }).focus()
    await p.keyboard.press('ArrowRight')
    expect(await p.locator('.connect pre').textContent()).toContain('from somnograph import Memory')
    await p.getByRole('button', { name: 'Done' }).focus()
    expect(titles).toHaveLength(8)
    expect(titles.at(-1)).toBe('Connect your agent')
    await p.keyboard.press('Enter')
    await p.locator('.tour').waitFor({ state: 'hidden' })
    expect(await view(p)).toMatchObject({ panel: null, selected: null, recorded: null, query: '' })
    await p.goto(`${server.url}?test=1&guided`)
    await p.waitForFunction(() => window.__somnograph?.ready() && window.__somnograph.count() > 0)
    expect(await p.locator('.tour').isVisible()).toBe(false)
    await p.getByRole('button', { name: 'Save, share and more' }).click()
    await p.getByRole('menuitem', { name: 'Take the tour' }).click()
    await p.locator('.tour h2').waitFor()
    await p.keyboard.press('Escape')
    await p.locator('.tour').waitFor({ state: 'hidden' })
    await done(w)
  })
})

describe('a hit', () => {
  it('explains its score, and has a path from the previous memory', async () => {
    const w = await page('#q=what+wind+may+Heron+fly+in')
    const p = w.page
    await p.locator('.hits li').nth(1).waitFor()
    await atRest(p)
    expect(await p.locator('.hits li').first().locator('mark').allTextContents()).toContain('Heron')
    await p.locator('.hits li').nth(1).click()
    await p.locator('.detail .why').waitFor()
    const before = (await view(p)).selected!
    await p.locator('.hits li').first().click()
    await p.waitForFunction((x) => window.__somnograph.view().selected !== x, before)
    await p.locator('.why').getByText('Rank 1 for').waitFor()
    const shares = (await p.locator('.why-parts b').allTextContents()).map(Number)
    const score = Number(/score (\d\.\d+)/.exec((await p.locator('.why p').textContent())!)![1])
    expect(shares.length).toBeGreaterThan(2)
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(score, 1)
    await p.locator('.path-find').click()
    await p.locator('.path-steps li, .path [role=status] p').first().waitFor()
    const { path } = await server.ask<{ path: { memories: { id: string }[] } }>('query($a: ID!, $b: ID!) { path(from: $a, to: $b) { memories { id } } }', { a: before, b: (await view(p)).selected })
    expect(await p.locator('.path-steps li').count()).toBe(path.memories.length)
    await p.locator('.detail-tabs').getByRole('button', { name: 'Numbers' }).click()
    await p.getByRole('button', { name: 'Verify checksum' }).click()
    await p.getByText('Checksum matches.').waitFor()
    for (const [kind, other] of [['Meaning', 'keyword'], ['Words', 'semantic']] as const) {
      await p.getByRole('radiogroup', { name: 'Search by' }).getByRole('radio', { name: kind }).click()
      await p.waitForFunction((part) => document.querySelector('.hits li') !== null && document.querySelector(`.hits .part-${part}`) === null, other)
    }
    await done(w)
  })
})

describe('the brush', () => {
  it('filters by time learned, works by keyboard, and is in the link', async () => {
    const w = await page()
    const p = w.page
    await p.keyboard.press('r')
    await p.keyboard.press('PageDown')
    await p.getByRole('slider', { name: 'Learned until' }).focus()
    for (let i = 0; i < 2; i++) await p.keyboard.press('PageDown')
    await atRest(p)
    const [from, to] = (await view(p)).learned as [number, number]
    const ids = await p.evaluate(() => window.__somnograph.drawn())
    const { memories } = await server.ask<{ memories: { nodes: { id: string; recordedAt: string }[] } }>('{ memories(first: 1000) { nodes { id recordedAt } } }')
    const inside = memories.nodes.filter((m) => Date.parse(m.recordedAt) >= from && Date.parse(m.recordedAt) <= to)
    expect(ids).toEqual(inside.map((m) => m.id).sort())
    expect(ids.length).toBeGreaterThan(3)
    expect(ids.length).toBeLessThan(memories.nodes.length)
    await p.waitForFunction(() => location.hash.includes('learned='))
    const again = await page(await p.evaluate(() => location.hash))
    expect(await again.page.evaluate(() => window.__somnograph.drawn())).toEqual(ids)
    await p.keyboard.press('Escape')
    await eventually(async () => (await view(p)).learned).toEqual([])
    expect((await p.evaluate(() => window.__somnograph.drawn())).length).toBe(memories.nodes.length)
    await done(again)
    await done(w)
  })
})

describe('filters', () => {
  it('are restored on a visit without a link', async () => {
    const w = await page()
    const p = w.page
    await p.getByRole('group', { name: 'Decay' }).getByRole('button', { name: /Slow/ }).click()
    await eventually(async () => (await view(p)).decays).toEqual(['SLOW'])
    const some = await p.evaluate(() => window.__somnograph.drawn().length)
    await p.goto(`${server.url}?test=1`)
    await p.waitForFunction(() => window.__somnograph?.ready() && window.__somnograph.count() > 0)
    expect((await view(p)).decays).toEqual(['SLOW'])
    expect(await p.evaluate(() => window.__somnograph.drawn().length)).toBe(some)
    await p.getByRole('button', { name: 'Clear', exact: true }).click()
    await eventually(async () => (await view(p)).decays).toEqual([])
    expect(await p.evaluate(() => window.__somnograph.drawn().length)).toBeGreaterThan(some)
    await done(w)
  })
})

describe('errors', () => {
  it('of one request stay in its panel, with a retry', async () => {
    const w = await page()
    let broken = true
    await w.page.route('**/graphql', (route) => (broken && (route.request().postData() ?? '').includes('query Health') ? route.fulfill({ json: { errors: [{ message: 'The store is resting.', extensions: { code: 'INTERNAL' } }] } }) : route.continue()))
    await w.page.keyboard.press('d')
    const alert = w.page.locator('.dock [role=alert]')
    await alert.waitFor()
    await eventually(() => alert.textContent()).toContain('The store is resting.')
    broken = false
    await alert.getByRole('button', { name: 'Try again' }).click()
    await w.page.locator('.verdict').getByText('Healthy', { exact: true }).waitFor()
    await done(w)
  })

  it('of an older server name the unavailable part', async () => {
    const w = await page()
    await w.page.route('**/graphql', (route) => ((route.request().postData() ?? '').includes('query Performance') ? route.fulfill({ json: { errors: [{ message: 'Cannot query field', extensions: { code: 'INVALID_REQUEST' } }] } }) : route.continue()))
    await w.page.evaluate(() => window.__somnograph.setView({ panel: 'speed' }))
    await w.page.locator('.dock-note').waitFor()
    await eventually(() => w.page.locator('.dock-note').textContent()).toContain('Not available from this server')
    await done(w)
  })

  it('of another server version offer a reload', async () => {
    const p = await blank(browser)
    let drop: (() => void) | undefined
    await p.routeWebSocket('**/graphql', (ws) => {
      ws.connectToServer()
      drop = () => void ws.close({ code: 1012, reason: 'restart' })
    })
    await p.goto(`${server.url}?test=1`)
    await p.locator('.live.on').waitFor({ state: 'attached' })
    await p.route(server.url, (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="./assets/index-other.js"></script>' }))
    drop!()
    await p.locator('.renewal').waitFor()
    expect(await p.locator('.renewal').getByRole('button', { name: 'Reload the page' }).count()).toBe(1)
    await p.getByRole('button', { name: 'Not now' }).click()
    await p.locator('.renewal').waitFor({ state: 'detached' })
    await p.context().close()
  })
})
