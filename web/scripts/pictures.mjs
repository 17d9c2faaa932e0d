// Takes the pictures of docs/images: the explorer on the demo world, in Chromium.
//
//	make build && cd web && npm run pictures [NAME…]
//
// It starts a server of its own. CHROMIUM and SOMNOGRAPH_BIN name other programs than the installed browser and bin/somnograph.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const WIDE = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }
const LIGHT = { ...WIDE, colorScheme: 'light' }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: 'dark', hasTouch: true, isMobile: true }

// A picture is a link, or what is done on the page after it is open.
const PICTURES = {
  explorer: { link: () => '' },
  'explorer-history': { link: async (ask) => `sel=${(await mostCorrected(ask)).id}`, act: scrolledTo('Versions') },
  'explorer-cluster': { link: async (ask) => `panel=clusters&cluster=${(await closest(ask)).id}` },
  'explorer-entity': { link: async (ask) => `panel=entities&entity=${await entity(ask, 'Heron')}` },
  'explorer-gate': { link: () => 'panel=gate' },
  'explorer-list': { link: () => 'panel=list', context: LIGHT },
  'explorer-narrow': { link: async (ask) => `sel=${(await mostCorrected(ask)).id}`, context: PHONE },
  'explorer-prompt': { link: () => `panel=prompt&${new URLSearchParams({ ask: 'In how much wind may Heron 3 fly?', in: 'heron', budget: '1000' })}` },
  'explorer-quality': { link: () => 'panel=quality' },
  'explorer-sleep': { link: () => 'panel=sleep', act: asleep },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !PICTURES[name])
if (unknown.length > 0) throw new Error(`no picture is called ${unknown}; there are ${Object.keys(PICTURES).join(', ')}`)

const data = mkdtempSync(join(tmpdir(), 'somnograph-pictures-'))
const server = spawn(
  process.env.SOMNOGRAPH_BIN ?? join(root, 'bin/somnograph'),
  ['serve', '--demo', '--simulated-clock', '--addr', '127.0.0.1:0', '--data', join(data, 'data'), '--keys', join(data, 'keys')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--force-color-profile=srgb'] })
try {
  const url = await started(server)
  for (const name of chosen.length > 0 ? chosen : Object.keys(PICTURES)) await take(name, url)
} finally {
  await browser.close()
  const ended = new Promise((resolve) => server.once('exit', resolve))
  if (server.exitCode === null && server.kill()) await ended
  rmSync(data, { recursive: true, force: true })
}

async function take(name, url) {
  const { link, context = WIDE, act = steady } = PICTURES[name]
  const ask = async (query, variables = {}) => {
    const response = await fetch(`${url}graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) })
    const { data, errors } = await response.json()
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const page = await (await browser.newContext(context)).newPage()
  page.setDefaultTimeout(120_000)
  page.on('pageerror', (e) => console.error(`${name}: ${e.message}`))
  await page.goto(`${url}?test=1#${await link(ask)}`)
  await page.waitForFunction(() => window.__somnograph?.ready())
  await act(page)
  await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) })
  await page.context().close()
  console.log(name)
}

// steady returns after the page looks the same for a second.
async function steady(page) {
  await page.waitForLoadState('networkidle')
  for (let before, same = 0; same < 2; ) {
    const now = (await page.screenshot()).toString('base64')
    same = now === before ? same + 1 : 0
    before = now
    await page.waitForTimeout(500)
  }
}

// asleep starts a sleep and returns while its last phase is replayed on the map.
async function asleep(page) {
  await steady(page)
  await page.getByRole('button', { name: 'Sleep now' }).click()
  await page.getByText('REM · Consolidate and dream').waitFor()
  await page.waitForFunction(() => {
    const [, done, all] = /Consolidate and dream\s*(\d+) of (\d+)/.exec(document.body.innerText) ?? []
    return Number(done) > Number(all) / 3
  })
}

// scrolledTo scrolls the panel of a memory to a heading.
function scrolledTo(heading) {
  return async (page) => {
    await steady(page)
    await page.getByRole('heading', { name: heading }).evaluate((e) => e.scrollIntoView({ block: 'start' }))
    await steady(page)
  }
}

async function mostCorrected(ask) {
  const { memories } = await ask('{ memories(first: 1000, filter: {statuses: [ACTIVE]}) { nodes { id version } } }')
  return memories.nodes.reduce((best, m) => (m.version > best.version ? m : best))
}

async function entity(ask, name) {
  const { entities } = await ask('query ($name: String) { entities(first: 1, name: $name) { nodes { id name } } }', { name })
  return entities.nodes[0].id
}

function started(child) {
  return new Promise((resolve, reject) => {
    let out = ''
    child.stdout.on('data', (text) => {
      out += text
      const found = /explorer +(http:\S+)/.exec(out)
      if (found && /^ready in/m.test(out)) resolve(found[1])
    })
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
}

/** the largest cluster that is about one matter, or the densest one: groups of nouns may be loose */
async function closest(ask) {
  const { clusters } = await ask('{ clusters(first: 50) { nodes { id density } } }')
  return clusters.nodes.find((c) => c.density > 0.7) ?? clusters.nodes.reduce((best, c) => (c.density > best.density ? c : best))
}
