// Executes every code block of docs/guide. .ci/guide provides the packages of the clients.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { blocks, contains, matches, plan, run } from './page.mjs'
import { startRegistry } from './registry.mjs'

const root = new URL('../../', import.meta.url).pathname
const binary = process.env.SOMNOGRAPH_BIN ?? join(root, 'bin/somnograph')
const packages = process.env.GUIDE_PACKAGES // directory with the packed clients

// Pages that another stage executes, and the file that says so.
const elsewhere = { 'typescript.md': '.ci/typescript' }

let registry
let env

before(async () => {
  assert.ok(packages, 'run .ci/guide')
  const npm = (key) => execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim()
  const tarball = readdirSync(packages).find((f) => /^somnograph-.*\.tgz$/.test(f))
  const manifest = JSON.parse(execFileSync('tar', ['xzOf', join(packages, tarball), 'package/package.json'], { encoding: 'utf8' }))
  registry = await startRegistry({ somnograph: { version: manifest.version, manifest, file: join(packages, tarball) } }, npm('registry'))
  env = {
    npm_config_registry: registry.url, npm_config_cache: npm('cache'), npm_config_prefer_offline: 'true', npm_config_audit: 'false',
    npm_config_fund: 'false', npm_config_update_notifier: 'false',
    PIP_NO_INDEX: '1', PIP_FIND_LINKS: packages, PIP_DISABLE_PIP_VERSION_CHECK: '1',
  }
})
after(() => registry?.close())

const pages = readdirSync(join(root, 'docs/guide')).filter((f) => f.endsWith('.md'))
const starts = pages.filter((page) => page.startsWith('start-'))

// execute runs a page and returns its steps. Every block must have been executed.
async function execute(t, page) {
  const text = readFileSync(join(root, 'docs/guide', page), 'utf8')
  const steps = await run(text, { binary, env })
  assert.equal(steps.filter((s) => s.seconds !== undefined).length, blocks(text).length, 'blocks that were executed')
  if (process.env.GUIDE_TIMES) for (const s of steps) t.diagnostic(`line ${s.line} ${s.kind} ${s.name}: ${s.seconds.toFixed(1)} s`)
  return steps
}

// The first output of these pages is what an agent was told in its run before. They run one at a time, as for a newcomer.
describe('five minutes', { concurrency: 1 }, () => {
  it('are for TypeScript, Python and MCP', () => assert.deepEqual(starts, ['start-mcp.md', 'start-python.md', 'start-typescript.md']))
  for (const page of starts) {
    it(`${page}: the first recall is within 60 s of the first command`, async (t) => {
      const recall = (await execute(t, page)).find((s) => s.kind === 'output')
      assert.ok(recall.seconds < 60, `it took ${recall.seconds.toFixed(1)} s`)
    })
  }
})

describe('docs/guide', { concurrency: 3 }, () => {
  for (const page of pages.filter((page) => !starts.includes(page))) {
    if (elsewhere[page]) {
      it(`${page} is executed by ${elsewhere[page]}`, () => {
        assert.match(readFileSync(join(root, elsewhere[page]), 'utf8'), new RegExp(`docs/guide/${page.replace('.', '\\.')}`))
      })
      continue
    }
    it(page, (t) => execute(t, page))
  }
})

describe('README.md', () => {
  it('has first lines that run', async () => {
    const all = blocks(readFileSync(join(root, 'README.md'), 'utf8'))
    const text = (lang) => all.find((b) => b.lang === lang).text
    const fence = '```'
    const steps = await run(
      [
        ['sh terminal', 'somnograph serve --data memory\n'],
        ['js a.mjs', text('js')],
        ['sh', 'npm install somnograph; node a.mjs\n'],
        ['output', '…\n…I am allergic to peanuts.\n…\n'],
        ['python a.py', text('python')],
        ['sh', 'python3 -m venv .venv; . .venv/bin/activate; pip install -q somnograph; python a.py\n'],
        ['output', '…\n…I am allergic to peanuts.\n…\n'],
        ['sh', all.find((b) => b.text.includes('somnograph init')).text],
      ].map(([info, body]) => `${fence}${info}\n${body}${fence}\n`).join('\n'),
      { binary, env },
    )
    assert.ok(steps.every((s) => s.seconds !== undefined))
  })
})

describe('the runner', () => {
  const fence = '```'
  const page = (...parts) => parts.map(([info, text]) => `${fence}${info}\n${text}\n${fence}\n`).join('\n')
  const fails = (text, why) => assert.rejects(async () => run(text, { binary }), why)

  it('refuses a block that it would not execute', () => {
    for (const [text, why] of [
      [page(['js', 'let a']), /not executed/],
      [page(['', 'a']), /not executed/],
      [page(['rust', 'fn main() {}']), /not executed/],
      [page(['js a.mjs', 'let a']), /no command after it uses a.mjs/],
      [page(['sh', 'node a.mjs'], ['js a.mjs', 'let a']), /no command after it uses a.mjs/],
      [page(['js a.mjs', "import './b.mjs'"], ['js b.mjs', "import './a.mjs'"]), /no command after it uses/],
      [page(['output', 'a']), /follows/],
      [page(['json', '{}']), /follows/],
      [`${fence}sh\necho`, /not closed/],
    ]) assert.throws(() => plan(text), why)
    assert.equal(plan(page(['js a.mjs', ''], ['js b.mjs', "import './a.mjs'"], ['sh', 'node b.mjs'])).length, 3)
    assert.equal(plan(`1. a list\n\n   ${fence}sh\n   echo a\n   ${fence}\n`)[0].text, 'echo a\n')
  })

  it('fails when a command fails, in the middle of a block too', async () => {
    await fails(page(['sh', 'false']), /line 1: the command ended with 1/)
    await fails(page(['sh', 'false\ntrue']), /ended with 1/)
    await fails(page(['sh terminal', 'exit 3']), /ended with 3/)
  })

  it('compares outputs', async () => {
    await run(page(['sh', 'a=7; echo one; echo two 22; echo $a'], ['output', 'one\ntwo …\n7'], ['sh', 'echo $a; pwd; ls'], ['output', '7\n…/work']), { binary })
    await fails(page(['sh', 'echo one'], ['output', 'two']), /the output is/)
    await fails(page(['sh', 'echo one; echo two'], ['output', 'one']), /the output is/)
    assert.ok(matches('a\n…\nz', 'a\nb\nc\nz\n') && matches('a\n…\nz', 'a\nz') && !matches('a…', 'b') && !matches('a.c', 'abc'))
  })

  it('compares answers of the server', async () => {
    const serve = ['sh terminal', 'somnograph serve --data memory']
    await run(page(serve, ['graphql', '{ health { status memories } }'], ['json', '{"data": {"health": {"status": "…", "memories": 0}}}']), { binary })
    await fails(page(serve, ['graphql', '{ health { nothing } }']), /Cannot query field|nothing/)
    assert.ok(contains({ a: ['…', { b: 1 }] }, { a: [2, { b: 1, c: 2 }], d: 0 }) && !contains({ a: 1 }, { a: 2 }) && !contains([1], [1, 2]) && !contains({ a: '…' }, {}))
  })
})
