// The explorer with a real server.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'
import { fillStore, MARKUP, type TestWorld } from './world'

let server: Server
let world: TestWorld
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  world = await fillStore(server)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const page = (hash = '', options = {}): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`, options)

interface MemoryPage {
  nodes: { id: string }[]
  pageInfo: { hasNextPage: boolean; endCursor: string }
}

/** Ids that the API returns, sorted. */
async function answered(asOf: object | null, statuses: string[] = []): Promise<string[]> {
  const ids: string[] = []
  let after: string | null = null
  for (;;) {
    const { memories }: { memories: MemoryPage } = await server.ask(
      'query($asOf: AsOf, $after: String, $filter: MemoryFilter) { memories(first: 100, after: $after, asOf: $asOf, filter: $filter) { nodes { id } pageInfo { hasNextPage endCursor } } }',
      { asOf, after, filter: statuses.length > 0 ? { statuses } : null },
    )
    ids.push(...memories.nodes.map((n) => n.id))
    if (!memories.pageInfo.hasNextPage) return ids.sort()
    after = memories.pageInfo.endCursor
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()
const drawn = (p: Page): Promise<string[]> => p.evaluate(() => window.__somnograph.drawn())
const view = (p: Page) => p.evaluate(() => window.__somnograph.view())

describe('the map', () => {
  it('is drawn in at most six draw calls and without errors', async () => {
    const { page: p, faults } = await page()
    await atRest(p)
    const seen = await p.evaluate(async () => ({ info: window.__somnograph.info(), lit: await window.__somnograph.litPixels(), lost: window.__somnograph.lost() }))
    expect(seen.lost).toBe(false)
    expect(seen.info.calls).toBeGreaterThan(0)
    expect(seen.info.calls).toBeLessThanOrEqual(6)
    expect(seen.lit).toBeGreaterThan(1500)
    await eventually(() => p.locator('.counter').textContent()).toMatch(/\d+ of \d+ memories/)
    expect(await violations(p)).toEqual([])
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('shows each type in its colour', async () => {
    const { page: p } = await page()
    await atRest(p)
    const found = await p.evaluate(async () => {
      const s = window.__somnograph
      const out: Record<string, [number, number, number]> = {}
      for (const type of ['EPISODIC', 'SEMANTIC', 'PROCEDURAL', 'WORKING', 'DOCUMENT'] as const) {
        s.setView({ types: [type] })
        const id = s.drawn().find((x) => {
          const at = s.screenPosition(x)
          return at && at.x > 300 && at.x < 1300 && at.y > 80 && at.y < 700 && s.memoryAt(at.x, at.y) === x
        })
        if (!id) continue
        const at = s.screenPosition(id)!
        // A working memory is a ring around a dot: its colour is beside the centre.
        out[type] = await s.colorAt(at.x, at.y)
      }
      return out
    })
    const { EPISODIC: e, SEMANTIC: s, PROCEDURAL: pr, DOCUMENT: d } = found
    expect(e![2], 'blue').toBeGreaterThan(Math.max(e![0], e![1]))
    expect(s![1], 'green').toBeGreaterThan(Math.max(s![0], s![2]))
    expect(pr![2], 'purple').toBeGreaterThan(pr![1])
    expect(pr![0], 'purple').toBeGreaterThan(pr![1])
    expect(Math.max(...d!) - Math.min(...d!), 'grey').toBeLessThan(70)
    await p.context().close()
  })

  it('computes retention on the graphics card as the formula does', async () => {
    const { page: p } = await page()
    for (const at of [world.instants[2], world.instants[10], null]) {
      await p.evaluate((t) => window.__somnograph.setView({ recorded: t }), at ?? null)
      expect(await p.evaluate(() => window.__somnograph.retentionGap())).toBeLessThan(1e-3)
    }
    await p.context().close()
  })
})

describe('time', () => {
  it('shows exactly what the API returns as of an instant', async () => {
    const { page: p } = await page()
    const now = Date.parse((await server.ask<{ advanceClock: string }>('mutation { advanceClock(seconds: 1) }')).advanceClock)
    const first = world.instants[0]! - 8 * 86_400_000
    // Twenty instants spread unevenly over the whole span, the same in every run.
    const instants = [...Array.from({ length: 20 }, (_, i) => Math.round(first + (now - first) * ((i * 0.618034) % 1))), ...world.instants.slice(4, 7)]
    for (const t of instants) {
      await p.evaluate((at) => window.__somnograph.setView({ recorded: at }), t)
      const picture = await drawn(p)
      expect(picture, iso(t)).toEqual(await answered({ recorded: iso(t) }))
      expect(await p.evaluate(() => window.__somnograph.visible())).toEqual(picture)
    }
    await p.evaluate(() => window.__somnograph.setView({ recorded: null }))
    expect(await drawn(p)).toEqual(await answered(null))
    await p.context().close()
  })

  it('shows superseded memories if selected', async () => {
    const { page: p } = await page()
    const before = await drawn(p)
    for (const t of [world.instants[7]!, world.instants[15]!]) {
      await p.evaluate((at) => window.__somnograph.setView({ recorded: at, statuses: ['ACTIVE', 'SUPERSEDED'] }), t)
      expect(await drawn(p)).toEqual(await answered({ recorded: iso(t) }, ['ACTIVE', 'SUPERSEDED']))
    }
    await p.evaluate(() => window.__somnograph.setView({ recorded: null, statuses: ['SUPERSEDED'] }))
    const gone = await drawn(p)
    expect(gone).toContain(world.chain[0])
    expect(before).not.toContain(world.chain[0])
    await p.context().close()
  })

  // Versions of a chain share the valid time, so superseded ones are visible.
  it('follows the valid clock', async () => {
    const { page: p } = await page()
    for (const v of [world.instants[3]!, world.instants[8]!, world.instants[16]!]) {
      await p.evaluate((at) => window.__somnograph.setView({ valid: at, clock: 'valid' }), v)
      expect(await drawn(p), iso(v)).toEqual(await answered({ valid: iso(v) }, ['ACTIVE', 'SUPERSEDED']))
    }
    await p.context().close()
  })

  it('moves without uploads to the graphics card', async () => {
    const { page: p } = await open(browser, `${server.url}?test=1`, {}, { silent: true }) // a live update would upload
    const slider = p.getByRole('slider')
    await slider.focus()
    await p.keyboard.press('Home')
    await atRest(p)
    const start = await p.evaluate(() => window.__uploaded)
    const counts: number[] = []
    for (let i = 0; i < 6; i++) {
      const before = (await view(p)).recorded!
      await p.keyboard.press('PageUp')
      await p.waitForFunction((t) => window.__somnograph.view().recorded !== t, before)
      await atRest(p)
      counts.push((await p.evaluate(() => window.__somnograph.visible())).length)
    }
    expect(await p.evaluate(() => window.__uploaded)).toBe(start)
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(counts.at(-1)!).toBeGreaterThan(counts[0]!)
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Known by \d/)
    await p.context().close()
  })

  it('plays and pauses', async () => {
    const { page: p } = await page()
    await p.keyboard.press('Space')
    await p.waitForFunction(() => window.__somnograph.view().recorded !== null && window.__somnograph.visible().length > 3)
    await p.keyboard.press('Space')
    await p.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect((await view(p)).recorded).not.toBeNull()
    await p.keyboard.press('t')
    await eventually(async () => (await view(p)).recorded).toBeNull()
    await p.context().close()
  })
})

describe('a memory', () => {
  it('opens at a click on its point', async () => {
    const { page: p, faults } = await page()
    await atRest(p)
    const target = await p.evaluate(() => {
      const s = window.__somnograph
      for (const id of s.drawn()) {
        const at = s.screenPosition(id)
        if (at && at.x > 300 && at.x < 1300 && at.y > 90 && at.y < 700 && s.memoryAt(at.x, at.y) === id) return { id, ...at }
      }
      return null
    })
    expect(target).not.toBeNull()
    await p.mouse.move(target!.x, target!.y)
    await p.getByRole('tooltip').waitFor({ state: 'visible' })
    const { memory } = await server.ask<{ memory: { content: string } }>('query($id: ID!) { memory(id: $id) { content } }', { id: target!.id })
    await eventually(() => p.getByRole('tooltip').locator('p').textContent()).toContain(memory.content.slice(0, 60))
    await p.mouse.click(target!.x, target!.y)
    await p.locator('.detail .content').waitFor()
    expect(await p.locator('.detail .content').textContent()).toBe(memory.content)
    expect(await p.locator('.detail .curve').count()).toBe(1)
    await p.waitForFunction((id) => location.hash.includes(id), target!.id)
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('shows its versions with their changes, and steps along them', async () => {
    const { page: p } = await page(`#sel=${world.chain[2]}`)
    await p.locator('.version').nth(2).waitFor()
    expect(await p.locator('.version').count()).toBe(3)
    expect(await p.locator('.version').nth(1).locator('del').allTextContents()).toContain('seven')
    expect(await p.locator('.version').nth(1).locator('ins').first().textContent()).toContain('half')
    await eventually(() => p.evaluate(() => window.__somnograph.info().triangles)).toBeGreaterThanOrEqual(4) // the red thread
    await p.getByRole('button', { name: 'Previous version' }).click()
    await p.waitForFunction((id) => window.__somnograph.view().selected === id, world.chain[1]!)
    await p.locator('.tag.status-superseded').waitFor()
    await p.context().close()
  })

  it('shows markup as text', async () => {
    const { page: p } = await page(`#sel=${world.markup}`)
    await p.locator('.detail .content').waitFor()
    expect(await p.locator('.detail .content').textContent()).toBe(MARKUP)
    expect(await p.locator('.detail img, .detail script, .detail .content b').count()).toBe(0)
    expect(await p.evaluate(() => window.__broken)).toBeUndefined()
    await p.context().close()
  })

  it('has a message before it existed', async () => {
    const { page: p } = await page(`#sel=${world.chain[2]}&t=${iso(world.instants[1]!)}`)
    await p.locator('.detail .notice').waitFor()
    expect(await p.locator('.detail .notice').textContent()).toContain('did not exist')
    await p.context().close()
  })
})

describe('search', () => {
  it('works by keyboard alone: find, open, follow, scrub', async () => {
    const { page: p, faults } = await page()
    await p.keyboard.press('/')
    await p.keyboard.type('when does the survey boat leave')
    await p.locator('.hits li').first().waitFor()
    await atRest(p) // the hits may still be those of the words before the last one
    expect(await p.locator('.hits li .parts i').count()).toBeGreaterThan(3)
    const order = await p.locator('.hits li').evaluateAll((rows) => rows.map((r) => r.getAttribute('data-id')))
    const place = order.indexOf(world.chain[2]!)
    expect(place).toBeGreaterThanOrEqual(0)
    for (let i = 0; i <= place; i++) await p.keyboard.press('ArrowDown')
    await p.keyboard.press('Enter')
    await p.waitForFunction((id) => window.__somnograph.view().selected === id, world.chain[2]!)
    await p.locator('.detail .content').waitFor()
    await p.keyboard.press('[')
    await p.waitForFunction((id) => window.__somnograph.view().selected === id, world.chain[1]!)
    await p.keyboard.press('[')
    await p.waitForFunction((id) => window.__somnograph.view().selected === id, world.chain[0]!)
    await p.keyboard.press(']')
    await p.waitForFunction((id) => window.__somnograph.view().selected === id, world.chain[1]!)
    await p.keyboard.press(',')
    await eventually(async () => (await view(p)).recorded).not.toBeNull()
    await p.keyboard.press('t')
    await eventually(async () => (await view(p)).recorded).toBeNull()
    await p.keyboard.press('Escape')
    await eventually(async () => (await view(p)).selected).toBeNull()
    await p.keyboard.press('Escape')
    await eventually(async () => (await view(p)).query).toBe('')
    await atRest(p)
    await p.keyboard.press('ArrowRight')
    await p.keyboard.press('ArrowDown')
    await p.keyboard.press('Enter')
    await p.waitForFunction(() => window.__somnograph.view().selected !== null)
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('searches the past that is shown', async () => {
    const { page: p } = await page(`#t=${iso(world.instants[2]!)}&q=survey+boat`)
    await p.locator('.search-note').waitFor({ state: 'attached' })
    await p.getByRole('combobox', { name: 'Search memory' }).focus()
    await p.locator('.hits li').first().waitFor()
    await atRest(p)
    const ids = await p.locator('.hits li').evaluateAll((rows) => rows.map((r) => r.getAttribute('data-id')))
    expect(ids).toContain(world.chain[0])
    expect(ids).not.toContain(world.chain[2])
    await p.context().close()
  })

  it('does not count as use', async () => {
    const { page: p } = await page('#q=survey+boat')
    await p.locator(`.hits li[data-id="${world.chain[2]}"]`).waitFor({ state: 'attached' })
    await p.context().close()
    const { memory } = await server.ask<{ memory: { usage: number } }>('query($id: ID!) { memory(id: $id) { usage } }', { id: world.chain[2] })
    expect(memory.usage).toBe(0)
  })
})

describe('links', () => {
  it('restore the whole view', async () => {
    const { page: p } = await page()
    await p.getByRole('group', { name: 'Type' }).getByRole('button', { name: /Semantic/ }).click()
    await p.getByRole('group', { name: 'Project' }).getByRole('button', { name: /heron/ }).click()
    // The panel is still sliding in when the map makes room for it.
    await p.evaluate(() => {
      const slow = new CSSStyleSheet()
      slow.replaceSync('.detail { animation-duration: 2s }')
      document.adoptedStyleSheets = [slow]
    })
    await p.evaluate(([id, t]) => window.__somnograph.setView({ selected: id as string, recorded: t as number }), [world.chain[1]!, world.instants[8]!])
    const canvas = (await p.locator('canvas.scene').boundingBox())!
    await p.mouse.move(canvas.x + 600, canvas.y + 400)
    await p.mouse.down()
    await p.mouse.move(canvas.x + 720, canvas.y + 430, { steps: 4 })
    await p.mouse.up()
    await p.waitForFunction(() => location.hash.includes('c=') && location.hash.includes('sel='))
    await atRest(p)
    const { hash, view, ids, spot } = await p.evaluate((id) => ({ hash: location.hash, view: window.__somnograph.view(), ids: window.__somnograph.drawn(), spot: window.__somnograph.screenPosition(id) }), world.chain[1]!)
    const { page: again, faults } = await page(hash)
    await atRest(again)
    const back = await again.evaluate((id) => ({ view: window.__somnograph.view(), ids: window.__somnograph.drawn(), spot: window.__somnograph.screenPosition(id) }), world.chain[1]!)
    expect({ ...back.view, camera: null }).toEqual({ ...view, camera: null })
    expect(back.ids).toEqual(ids)
    expect(Math.hypot(back.spot!.x - spot!.x, back.spot!.y - spot!.y)).toBeLessThan(3)
    expect(faults).toEqual([])
    await p.context().close()
    await again.context().close()
  })

  it('filter before the first drawing', async () => {
    const { page: p } = await page('#type=PROCEDURAL&user=mara')
    const ids = await drawn(p)
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) {
      const { memory } = await server.ask<{ memory: { type: string; user: string } }>('query($id: ID!) { memory(id: $id) { type user } }', { id })
      expect(memory).toEqual({ type: 'PROCEDURAL', user: 'mara' })
    }
    await p.context().close()
  })
})

describe('live updates', () => {
  it('show a new memory, a new version and an erasure', async () => {
    const { page: p, faults } = await page()
    await p.locator('.live.on').waitFor({ state: 'attached' })
    const before = await drawn(p)
    const { remember } = await server.ask<{ remember: { memory: { id: string } } }>(
      'mutation { remember(input: {content: "A heron stood on the pier this morning.", consent: EXPLICIT, type: EPISODIC, importance: 0.9, onDuplicate: INSERT}) { memory { id } } }',
    )
    await p.waitForFunction((id) => window.__somnograph.visible().includes(id), remember.memory.id)
    expect((await drawn(p)).length).toBe(before.length + 1)
    await eventually(() => p.locator('.toast').textContent()).toContain('A heron stood on the pier')
    const next = await server.ask<{ supersede: { memory: { id: string } } }>('mutation($id: ID!) { supersede(input: {id: $id, content: "Two herons stood on the pier this morning."}) { memory { id } } }', { id: remember.memory.id })
    await p.waitForFunction(([a, b]) => !window.__somnograph.visible().includes(a!) && window.__somnograph.visible().includes(b!), [remember.memory.id, next.supersede.memory.id])
    await server.ask('mutation($ids: [ID!]) { forget(input: {ids: $ids}) { receipt { count } } }', { ids: [next.supersede.memory.id, remember.memory.id] })
    await p.waitForFunction((n) => window.__somnograph.visible().length === n, before.length)
    expect(faults).toEqual([])
    await p.context().close()
  })
})

describe('the map and the page', () => {
  it('opens links of earlier versions, whose link forces are the layout by links now', async () => {
    const { page: p, faults } = await page('#springs=1')
    await eventually(() => p.locator('.counter').textContent()).toContain('by links')
    await eventually(async () => (await view(p)).layout).toBe('links')
    expect(await p.evaluate(() => window.__somnograph.drawn())).toEqual(await p.evaluate(() => window.__somnograph.visible()))
    expect([...faults, ...(await violations(p))]).toEqual([])
    await p.context().close()
  })

  it('flat map, light theme, image and help', async () => {
    const { page: p, faults } = await page()
    await p.keyboard.press('2')
    await eventually(async () => (await view(p)).flat).toBe(true)
    await p.keyboard.press('l')
    await eventually(() => p.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
    const [download] = await Promise.all([p.waitForEvent('download'), p.keyboard.press('p')])
    expect(download.suggestedFilename()).toMatch(/^somnograph .*\.png$/)
    await p.keyboard.press('?')
    await p.getByRole('dialog').waitFor()
    expect(await p.getByRole('dialog').textContent()).toContain('Hippocampus')
    await p.keyboard.press('Escape')
    expect(await violations(p)).toEqual([])
    expect(faults).toEqual([])
    await p.context().close()
  })

  it('a small screen fits the page', async () => {
    const { page: p, faults } = await page('', { viewport: { width: 400, height: 800 } })
    await p.getByRole('button', { name: 'Legend and filters' }).click()
    await p.getByRole('group', { name: 'Type' }).waitFor()
    await p.getByRole('button', { name: 'Hide filters' }).click()
    expect(await p.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400)
    for (const part of ['.tools', '.search-box', '.timeline']) {
      const box = (await p.locator(part).boundingBox())!
      expect(box.x + box.width, part).toBeLessThanOrEqual(400)
    }
    expect(faults).toEqual([])
    await p.context().close()
  })
})
