// The colours of the map, its clusters with their names and areas, and the legend. Scenes with
// clusters come from the test.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, blank, eventually, launch, open, violations } from './browser'
import { clusterId, largeFrame } from './encode'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  for (const [content, namespace] of [['The ferry leaves the north quay at seven.', 'harbour'], ['The kettle of the tea room was descaled.', 'kitchen']]) {
    await server.ask('mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }', { i: { content, namespace, user: 'ines', type: 'SEMANTIC', importance: 0.9, consent: 'EXPLICIT' } })
  }
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const LABELS = ['Ferry and quay', 'Kettle and tea room', 'Weir and mill', 'Ledgers of the cooperative', 'Orchard and winter store', 'Lanterns', 'School and pond', 'Tower clock', 'Market days', 'North field']

/** A page with memories in named clusters. It is silent: the server does not know this scene. */
async function clustered(n = 1200, hash = ''): Promise<Page> {
  const now = Date.now()
  const frame = Buffer.from(largeFrame(n, now, 90, { first: 0, total: n }, LABELS))
  const page = await blank(browser, {}, { silent: true })
  await page.route('**/viz/graph*', (route) => route.fulfill({ body: frame, headers: { 'somnograph-now': String(now) } }))
  await page.goto(`${server.url}?test=1${hash}`)
  await page.waitForFunction(() => window.__somnograph?.ready())
  await atRest(page)
  return page
}

const view = (p: Page) => p.evaluate(() => window.__somnograph.view())
const calls = (p: Page) => p.evaluate(() => window.__somnograph.info().calls)
const pressOnMap = async (p: Page, key: string) => {
  await p.locator('canvas.scene').focus()
  await p.keyboard.press(key)
}

describe('a scene without clusters', () => {
  it('is coloured by type, and by namespace, user, retention, age or confidence if chosen', async () => {
    const { page, faults } = await open(browser, `${server.url}?test=1`)
    await atRest(page)
    const select = page.getByLabel('Colour by')
    expect(await select.inputValue()).toBe('type')
    expect(await select.locator('option').allTextContents()).toEqual(['Type', 'Namespace', 'User', 'Retention', 'Age', 'Confidence'])
    expect(await page.getByRole('group', { name: 'Cluster' }).count()).toBe(0)
    const ids = await page.evaluate(() => window.__somnograph.visible())
    const colors = () => page.evaluate(async (list) => {
      const s = window.__somnograph
      return Promise.all(list.map((id) => s.colorAt(s.screenPosition(id)!.x, s.screenPosition(id)!.y)))
    }, ids)
    const apart = ([a, b]: number[][]) => Math.hypot(...a!.map((x, d) => x - b![d]!))
    const byType = await colors()
    expect(apart(byType), 'both are semantic').toBeLessThan(25)
    await select.selectOption('namespace')
    await atRest(page)
    expect(apart(await colors()), 'their namespaces differ').toBeGreaterThan(40)
    expect(await page.getByRole('group', { name: 'Namespace' }).locator('.swatch').count()).toBe(2)
    for (const by of ['user', 'retention', 'age']) {
      await select.selectOption(by)
      await eventually(async () => (await view(page)).color).toBe(by)
      await atRest(page)
      expect(apart([(await colors())[0]!, byType[0]!]), by).toBeGreaterThan(20)
    }
    expect(await page.getByRole('group', { name: 'Age' }).textContent()).toContain('new')
    await eventually(() => page.evaluate(() => location.hash)).toContain('color=age')
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('a scene with clusters', () => {
  it('is coloured by cluster, and a row of the legend shows only its cluster', async () => {
    const page = await clustered()
    expect(await page.getByLabel('Colour by').inputValue()).toBe('cluster')
    const legend = page.getByRole('group', { name: 'Cluster' })
    expect(await legend.locator('.row-pair').count()).toBe(8)
    await legend.getByRole('button', { name: '2 more' }).click()
    expect(await legend.locator('.row-pair').count()).toBe(LABELS.length)
    const row = legend.getByRole('button', { name: /^Weir and mill/ })
    expect(await row.textContent()).toBe('Weir and mill20')
    await row.focus()
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate(() => window.__somnograph.visible().length)).toBe(20)
    expect((await view(page)).clusters).toEqual([clusterId(2)])
    expect(await row.evaluate((el) => el === document.activeElement), 'the row keeps the focus').toBe(true)
    await legend.getByRole('button', { name: /^In no cluster/ }).click()
    await eventually(() => page.evaluate(() => window.__somnograph.visible().length)).toBe(1020)
    await eventually(() => page.evaluate(() => location.hash)).toContain(`within=${clusterId(2)},none`)
    await page.getByRole('button', { name: 'Reset' }).click()
    await eventually(() => page.evaluate(() => window.__somnograph.visible().length)).toBe(1200)
    await page.context().close()
  })

  it('is named by its clusters; the names do not overlap, and a click opens one', async () => {
    const page = await clustered(1200, '#flat=1')
    const names = page.locator('.region:visible')
    await eventually(() => names.count()).toBeGreaterThan(3)
    await atRest(page)
    const boxes = await names.evaluateAll((all) => all.filter((el) => (el as HTMLElement).style.visibility !== 'hidden').map((el) => ({ name: el.textContent!, box: el.getBoundingClientRect().toJSON() as DOMRect })))
    for (const [i, { name, box: a }] of boxes.entries()) {
      expect(LABELS).toContain(name)
      for (const { name: other, box: b } of boxes.slice(i + 1)) {
        expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom, `${name} overlaps ${other}`).toBe(false)
      }
    }
    // A point of a name at which no memory is.
    const spot = await page.evaluate((all) => {
      for (const { name, box } of all) {
        for (let x = box.left + 3; x < box.right; x += 3) {
          const y = (box.top + box.bottom) / 2
          if (window.__somnograph.memoryAt(x, y) === null) return { name, x, y }
        }
      }
      return null
    }, boxes)
    await page.mouse.click(spot!.x, spot!.y)
    await eventually(async () => (await view(page)).cluster).toBe(clusterId(LABELS.indexOf(spot!.name)))
    expect((await view(page)).panel).toBe('clusters')
    await page.locator('#tab-clusters[aria-selected=true]').waitFor()
    await page.context().close()
  })

  it('opens a cluster from the legend by keyboard', async () => {
    const page = await clustered()
    const about = page.getByRole('button', { name: 'About the cluster Lanterns' })
    await about.focus()
    await page.keyboard.press('Enter')
    await eventually(async () => (await view(page)).cluster).toBe(clusterId(5))
    await pressOnMap(page, 'k')
    await eventually(async () => (await view(page)).panel).toBeNull()
    expect((await view(page)).cluster).toBeNull()
    await page.context().close()
  })

  it('draws the areas of its clusters in one call, until they are hidden', async () => {
    const page = await clustered()
    const shown = await calls(page)
    await pressOnMap(page, 'a')
    await eventually(() => calls(page)).toBe(shown - 1)
    expect((await view(page)).areas).toBe(false)
    await eventually(() => page.evaluate(() => location.hash)).toContain('areas=0')
    await page.getByRole('button', { name: 'Save, share and more' }).click()
    await page.getByRole('menuitem', { name: 'Show or hide cluster areas' }).click()
    await eventually(() => calls(page)).toBe(shown)
    await page.context().close()
  })

  it('is drawn in at most six calls with 100,000 memories, all edges and areas', async () => {
    const page = await clustered(100_000)
    await page.evaluate(() => {
      const s = window.__somnograph
      s.setView({ selected: s.ids()[500]!, edges: { supersedes: 'all', session: 'all', sequence: 'all', overlap: 'all', derivation: 'all' } })
    })
    await atRest(page)
    const info = await page.evaluate(() => window.__somnograph.info())
    expect(info.points).toBeGreaterThanOrEqual(100_000)
    expect(info.calls).toBeLessThanOrEqual(6)
    await page.context().close()
  })

  it('has a legend without serious accessibility violations, dark and light', async () => {
    const page = await clustered()
    expect(await serious(page)).toEqual([])
    await pressOnMap(page, 'l')
    await atRest(page)
    expect(await serious(page)).toEqual([])
    await page.context().close()
  })
})
