// Clusters and patterns of the demo world after a sleep.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, eventually, launch, open, violations, type Watched } from './browser'
import { startServer, type Server } from './server'

interface Found {
  id: string
  label: string
  summary: string
  size: number
  members: { id: string }[]
  related: { cluster: { id: string } }[]
}

let server: Server
let browser: Browser
let clusters: Found[]

beforeAll(async () => {
  server = await startServer('--demo')
  browser = await launch()
  await server.ask('mutation { sleep(input: {}) { report { id } } }')
  clusters = (await server.ask<{ clusters: { nodes: Found[] } }>('{ clusters(first: 50) { nodes { id label summary size members(first: 3) { id } related(first: 3) { cluster { id } } } } }')).clusters.nodes
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const page = (hash = ''): Promise<Watched> => open(browser, `${server.url}?test=1${hash}`)
const view = (p: Page) => p.evaluate(() => window.__somnograph.view())

async function settled(p: Page): Promise<void> {
  await p.waitForFunction(() => document.querySelector('.dock h2') !== null && document.querySelector('.dock .skeleton') === null)
  await atRest(p)
}

async function done({ page: p, faults }: Watched): Promise<void> {
  expect(await violations(p)).toEqual([])
  expect(faults).toEqual([])
  await p.context().close()
}

describe('the clusters of a sleep', () => {
  it('colour the map and name it', async () => {
    expect(clusters.length).toBeGreaterThan(2)
    const w = await page()
    await atRest(w.page)
    expect(await w.page.getByLabel('Colour by').inputValue()).toBe('cluster')
    const rows = await w.page.getByRole('group', { name: 'Cluster' }).locator('.row-pair .name').allTextContents()
    expect(clusters.map((c) => c.label)).toEqual(expect.arrayContaining(rows))
    const names = await w.page.locator('.region:visible').allTextContents()
    expect(names.length).toBeGreaterThan(0)
    expect(clusters.map((c) => c.label)).toEqual(expect.arrayContaining(names))
    await done(w)
  })

  it('lead from the list to one, to its members and back to it from a memory', async () => {
    const w = await page('#panel=clusters')
    await settled(w.page)
    const [first] = clusters
    await w.page.locator(`.cluster-row[data-id="${first!.id}"]`).click()
    await eventually(async () => (await view(w.page)).cluster).toBe(first!.id)
    await settled(w.page)
    expect(await w.page.locator('.dock h2').textContent()).toBe(first!.label)
    expect(await w.page.locator('.cluster-summary').textContent()).toBe(first!.summary)
    expect(await w.page.locator('.dock .figure').first().textContent()).toContain(first!.size.toLocaleString('en'))
    const member = w.page.locator('.clusters-tab .links button').first()
    const id = await member.getAttribute('data-id')
    await member.click()
    await eventually(async () => (await view(w.page)).selected).toBe(id)
    await w.page.keyboard.press('Escape')
    await w.page.evaluate((m) => window.__somnograph.open(m), first!.members[0]!.id)
    const chip = w.page.getByRole('button', { name: `Cluster: ${first!.label}` })
    await chip.waitFor()
    await w.page.evaluate(() => window.__somnograph.setView({ panel: null, cluster: null }))
    await chip.click()
    await eventually(async () => (await view(w.page)).cluster).toBe(first!.id)
    expect((await view(w.page)).panel).toBe('clusters')
    await done(w)
  })

  it('lead to related ones and say how they came about', async () => {
    const from = clusters.find((c) => c.related.length > 0)!
    const w = await page(`#panel=clusters&cluster=${from.id}`)
    await settled(w.page)
    const { clusterEvolution: events } = await server.ask<{ clusterEvolution: { nodes: { change: string; cluster: string; size: number }[] } }>(
      'query ($id: ID) { clusterEvolution(cluster: $id, first: 100) { nodes { change cluster size } } }',
      { id: from.id },
    )
    const beginning = events.nodes.find((e) => e.cluster === from.id && (e.change === 'BORN' || e.change === 'SPLIT'))!
    const told = await w.page.locator('.cluster-events').textContent()
    expect(told).toMatch(beginning.change === 'BORN' ? new RegExp(`It was found, with ${beginning.size} memor`) : new RegExp(`It was split off from .+, with ${beginning.size} memor`))
    await w.page.locator(`.clusters-tab .cluster-row[data-id="${from.related[0]!.cluster.id}"]`).click()
    await eventually(async () => (await view(w.page)).cluster).toBe(from.related[0]!.cluster.id)
    await done(w)
  })

  it('and their patterns have panels without serious accessibility violations, dark and light', async () => {
    const w = await page(`#panel=clusters&cluster=${clusters[0]!.id}`)
    for (const change of [{}, { cluster: null }, { panel: 'patterns' as const, cluster: null }]) {
      await w.page.evaluate((c) => window.__somnograph.setView(c), change)
      await settled(w.page)
      expect(await serious(w.page)).toEqual([])
      await w.page.locator('canvas.scene').focus()
      await w.page.keyboard.press('l')
      await settled(w.page)
      expect(await serious(w.page)).toEqual([])
      await w.page.keyboard.press('l')
    }
    await done(w)
  })
})

describe('a store that has not slept', () => {
  it('says what makes clusters', async () => {
    const fresh = await startServer()
    const w = await open(browser, `${fresh.url}?test=1#panel=clusters`)
    await settled(w.page)
    expect(await w.page.locator('.dock').textContent()).toContain('A sleep groups memories')
    await w.page.getByRole('button', { name: 'Open the sleep panel' }).click()
    await eventually(async () => (await view(w.page)).panel).toBe('sleep')
    await done(w)
    await fresh.stop()
  })
})
