// The client in the edge runtimes of Cloudflare (workerd) and Vercel, bundled as their tools bundle it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EdgeRuntime } from 'edge-runtime'
import { build } from 'esbuild'
import workerd from 'workerd'
import { serve } from './server.mjs'

const WANTED = {
  added: [false, ['I moved from Oslo to Bergen.', 'Bergen has a harbour.']],
  event: 'CREATED',
  context: true,
  closed: ['My boat is called Heron.'],
  berth: [1, 2],
  decision: 'STORED',
  errors: [[true, 'INVALID_REQUEST'], [true, 'ABORTED'], [true, 'UNREACHABLE']],
  found: 'I moved from Oslo to Bergen.',
  facts: ['Bergen'],
  slept: true,
  forgotten: ['COMPLETE', null],
}

// bundle returns the scenario and the packed client as one script. No module of Node may be in it.
async function bundle(format, entry) {
  const stdin = { contents: `import { scenario } from './edge/scenario.mjs'\n${entry}`, resolveDir: import.meta.dirname }
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format, platform: 'neutral', target: 'es2022', logLevel: 'error' })
  return outputFiles[0].text
}

test('the client runs in workerd', async (t) => {
  const server = await serve(t)
  const dir = mkdtempSync(join(tmpdir(), 'somnograph-edge-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'worker.js'), await bundle('esm', 'export default { fetch: async (_, env) => Response.json(await scenario(env.MEMORY)) }'))
  writeFileSync(
    join(dir, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-11-01",
      bindings = [(name = "MEMORY", text = "${server.url}")], globalOutbound = "network")),
    (name = "network", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  )
  const child = spawn(workerd.default, ['serve', 'config.capnp', '--control-fd=3'], { cwd: dir, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  t.after(async () => {
    child.kill()
    await ended
  })
  const port = await new Promise((resolve, reject) => {
    let said = ''
    child.stdio[3].on('data', (data) => {
      said += data
      const listening = /"event":"listen","socket":"http","port":(\d+)/.exec(said)
      if (listening) resolve(listening[1])
    })
    ended.then((code) => reject(new Error(`workerd ended with ${code}`)))
  })
  const response = await fetch(`http://127.0.0.1:${port}/`)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  assert.deepEqual(JSON.parse(text), WANTED)
})

test("the client runs in Vercel's edge runtime", async (t) => {
  const server = await serve(t)
  const entry = `addEventListener('fetch', (e) => e.respondWith(scenario(${JSON.stringify(server.url)}).then((seen) => Response.json(seen))))`
  const runtime = new EdgeRuntime({ initialCode: await bundle('iife', entry) })
  const response = await runtime.dispatchFetch('https://edge.example/')
  await response.waitUntil()
  assert.deepEqual(await response.json(), WANTED)
})
