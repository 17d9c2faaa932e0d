// Runs every block of code of the documents, in order, and checks its types.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { before, after, test } from 'node:test'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { Server } from './server.mjs'

const exec = promisify(execFile)
const server = new Server()
before(() => server.start())
after(() => server.remove())

const documents = readdirSync('docs').filter((f) => f.endsWith('.md'))
const blocks = documents.flatMap((document) =>
  [...readFileSync(`docs/${document}`, 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], i) => ({ name: `${document.slice(0, -3)}-${i + 1}`, code })),
)

test('there are blocks in every document', () => {
  for (const document of documents) assert.ok(blocks.some((b) => b.name.startsWith(document.slice(0, -3))), document)
})

for (const { name, code } of blocks) {
  test(`${name} runs`, async () => {
    const script = await transform(code, { loader: 'ts', format: 'esm' })
    const file = `${name}.block.mjs`
    writeFileSync(file, script.code.replaceAll('http://127.0.0.1:8420', server.url))
    await exec(process.execPath, [file], { timeout: 30_000 })
  })
}

test('types of the blocks, and of what a user writes, are right', async () => {
  for (const { name, code } of blocks) writeFileSync(`${name}.block.ts`, code)
  await exec('node_modules/.bin/tsc', ['--project', '.']).catch((e) => assert.fail(e.stdout))
})
