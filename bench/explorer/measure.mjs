// Draws the same scene with the explorer, 3d-force-graph, sigma and cosmos, in interleaved
// rounds, and prints JSON: time to the first picture, time until the explorer responds to a key,
// draw calls, script time and frame time while the camera moves, script time of a step in time and of a
// highlighted memory (the explorer), and heap size. SIZES, ROUNDS,
// PEERS, PATIENCE (time limit of a step in seconds) and CHROMIUM come from the environment.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'

const sizes = (process.env.SIZES ?? '10000,100000').split(',').map(Number)
const rounds = Number(process.env.ROUNDS ?? 3)
const peers = ['explorer', 'explorer, edges on', 'forcegraph', 'sigma', 'cosmos'].filter((p) => !process.env.PEERS || process.env.PEERS.split('+').includes(p))
const FRAMES = 12
const PATIENCE = 1000 * Number(process.env.PATIENCE ?? 120)

mkdirSync('out', { recursive: true })
for (const peer of ['forcegraph', 'sigma', 'cosmos']) {
  await build({ entryPoints: [`peers/${peer}.ts`], bundle: true, minify: true, format: 'esm', target: 'es2022', outfile: `out/${peer}.js`, logLevel: 'error' })
  writeFileSync(`out/${peer}.html`, `<!doctype html><style>html,body,#graph{margin:0;width:100%;height:100%;background:#05070d}</style><div id="graph"></div><script type="module" src="${peer}.js"></script>`)
}

/** Counts draw calls and times the script of frames, in the page. */
const watch = () => {
  window.__calls = 0
  window.__script = 0
  for (const proto of [WebGLRenderingContext.prototype, WebGL2RenderingContext.prototype]) {
    for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'drawRangeElements']) {
      const own = proto[name]
      if (own) proto[name] = function (...a) {
        window.__calls++
        return own.apply(this, a)
      }
    }
  }
  const ask = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (fn) => ask((t) => {
    const start = performance.now()
    fn(t)
    window.__script += performance.now() - start
  })
  window.__frame = ask
}

/**
 * Presses an arrow key in every frame. The explorer is interactive when the key has moved to a
 * memory and the frame that shows it is drawn. In ms since the page began to load.
 */
const knock = () => {
  const again = () => {
    const canvas = document.querySelector('canvas.scene')
    if (document.querySelector('.quiet[role=status]')?.textContent) {
      window.__frame(() => window.__frame(() => (window.__interactive = performance.now())))
      return
    }
    canvas?.focus()
    canvas?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
    window.__frame(again)
  }
  window.__frame(again)
}

/** Moves the camera frame by frame. */
const tour = async (frames) => {
  const times = []
  const script = []
  const calls = []
  for (let i = 1; i <= frames; i++) {
    window.__calls = window.__script = 0
    const start = performance.now()
    const began = performance.now()
    window.__move(i)
    window.__script += performance.now() - began
    // This frame draws the picture; it is on the page before the next frame but one.
    await new Promise((done) => window.__frame(() => window.__frame(done)))
    times.push(performance.now() - start)
    script.push(window.__script)
    calls.push(window.__calls)
  }
  const middle = (x) => [...x].sort((a, b) => a - b)[x.length >> 1]
  return { frameMs: middle(times), scriptMs: middle(script), calls: Math.max(...calls) }
}

/** Measures one viewer. A run that exceeds the time limit has failed. */
async function measure(url, peer) {
  let browser
  let timer
  const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error(`took longer than ${(2 * PATIENCE) / 1000} s`)), 2 * PATIENCE)))
  const run = async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] })
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    page.setDefaultTimeout(PATIENCE)
    await page.addInitScript(watch)
    const own = peer.startsWith('explorer')
    if (own) await page.addInitScript(knock)
    const start = performance.now()
    await page.goto(own ? `${url}?test=1` : `${url}peers/${peer}.html`, { timeout: PATIENCE })
    if (own) {
      await page.waitForFunction(() => window.__somnograph?.ready())
      await page.evaluate(() => new Promise((done) => window.__frame(() => window.__frame(done))))
    } else await page.waitForFunction(() => window.__ready)
    const firstMs = performance.now() - start
    let interactiveMs
    if (own) {
      interactiveMs = await (await page.waitForFunction(() => window.__interactive)).jsonValue()
      await page.evaluate((edges) => {
        if (edges) window.__somnograph.setView({ edges: { supersedes: 'all', session: 'all', sequence: 'all', overlap: 'all', derivation: 'all' } })
        window.__move = (step) => window.__somnograph.turn(step / 20)
      }, peer.endsWith('on'))
    }
    await page.evaluate(tour, 2) // lazily created parts
    const frames = await page.evaluate(tour, FRAMES)
    // Script of a step in time, and of lighting up a memory with its neighbours, both with the drawing calls.
    const steps = own ? await page.evaluate(() => ({ scrubMs: window.__somnograph.scrubCost(40), hoverMs: window.__somnograph.hoverCost(20) })) : {}
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    return { firstMs, interactiveMs, ...frames, ...steps, heapMB: usedSize / 1e6 }
  }
  try {
    return await Promise.race([run(), late])
  } catch (e) {
    return { failed: String(e.message ?? e).split('\n')[0] }
  } finally {
    clearTimeout(timer)
    await browser?.close()
  }
}

const results = []
for (const nodes of sizes) {
  const server = spawn('./out/serve', ['-nodes', String(nodes)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((found) => server.stdout.once('data', (b) => found(b.toString().trim())))
  const runs = Object.fromEntries(peers.map((p) => [p, []]))
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) {
      if (runs[peer].some((r) => r.failed)) continue
      runs[peer].push(await measure(url, peer))
      console.error(nodes, peer, JSON.stringify(runs[peer].at(-1)))
    }
  }
  server.kill()
  const middle = (x) => [...x].sort((a, b) => a - b)[x.length >> 1]
  for (const peer of peers) {
    const bad = runs[peer].find((r) => r.failed)
    const keys = ['firstMs', 'interactiveMs', 'frameMs', 'scriptMs', 'scrubMs', 'hoverMs', 'calls', 'heapMB']
    results.push({ nodes, peer, ...(bad ?? Object.fromEntries(keys.filter((k) => runs[peer][0]?.[k] !== undefined).map((k) => [k, Math.round(10 * middle(runs[peer].map((r) => r[k]))) / 10]))) })
  }
}
console.log(JSON.stringify(results, null, 2))
process.exit() // even if a browser still draws
