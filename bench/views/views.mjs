// The first view of the explorer, compared with reference pictures: the demo, and made-up scenes of 2,000, 20,000 and
// 100,000 memories; dark and light, desktop and phone. See run.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
const DEVICES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}
const PATIENCE_MS = 300_000

/** Starts a program and returns the address that it prints. */
async function start(program, args, address, ready) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const url = await new Promise((found, fail) => {
    let out = ''
    child.stdout.on('data', (text) => {
      out += text
      if (ready.test(out)) found(address.exec(out)[1])
    })
    child.on('exit', (code) => fail(new Error(`${program} ended with ${code}`)))
  })
  return { url, stop: () => new Promise((ended) => (child.removeAllListeners('exit'), child.on('exit', ended), child.kill())) }
}

async function demo() {
  const data = mkdtempSync(join(tmpdir(), 'somnograph-views-'))
  const args = ['serve', '--demo', '--simulated-clock', '--addr', '127.0.0.1:0', '--data', join(data, 'data'), '--keys', join(data, 'keys')]
  const server = await start(process.env.SOMNOGRAPH_BIN ?? join(root, 'bin/somnograph'), args, /explorer +(http:\S+)/, /^ready in/m)
  return { ...server, stop: async () => (await server.stop(), rmSync(data, { recursive: true, force: true })) }
}

const scene = (nodes) => start(join(root, 'bench/views/out/scene'), ['--nodes', String(nodes), '--explorer', join(root, 'web/dist')], /(http:\S+)/, /\n/)

/** A picture of the page after it has not changed for a while. The dates of the demo are those of the day: its timeline is masked. */
async function picture(page, masked) {
  const take = () => page.screenshot({ type: 'jpeg', quality: 80, animations: 'disabled', mask: masked ? [page.locator('.timeline')] : [], maskColor: '#808890' })
  await page.waitForLoadState('networkidle')
  let last = await take()
  for (let same = 0; same < 2; ) {
    await page.waitForTimeout(500)
    const next = await take()
    same = next.equals(last) ? same + 1 : 0
    last = next
  }
  return last
}

// The share of pixels that may differ. The clusters of the demo have new ids, and so other colours, each time.
const MAY_DIFFER = { demo: 0.03, scene: 0.005 }

const WORLDS = { demo, 2000: () => scene(2000), 20000: () => scene(20_000), 100000: () => scene(100_000) }

for (const [world, begin] of Object.entries(WORLDS).sort()) {
  test.describe(world, () => {
    let server
    test.beforeAll(async () => (server = await begin()))
    test.afterAll(async () => server?.stop())
    for (const [device, options] of Object.entries(DEVICES)) {
      for (const colorScheme of ['dark', 'light']) {
        test(`${device}, ${colorScheme}`, async ({ browser }) => {
          const page = await (await browser.newContext({ ...options, colorScheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' })).newPage()
          page.setDefaultTimeout(PATIENCE_MS)
          const problems = []
          page.on('pageerror', (e) => problems.push(e.message))
          await page.goto(`${server.url}?test=1`)
          await page.waitForFunction(() => window.__somnograph?.ready())
          expect(await picture(page, world === 'demo')).toMatchSnapshot(`${world}-${device}-${colorScheme}.jpg`, { maxDiffPixelRatio: MAY_DIFFER[world] ?? MAY_DIFFER.scene })
          expect(problems).toEqual([])
          await page.context().close()
        })
      }
    }
  })
}
