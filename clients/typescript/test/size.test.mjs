// The size of the core, bundled as for a browser, is the one in the guide.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

test('the guide says the size of the core within 5 %', async () => {
  const { outputFiles } = await build({ stdin: { contents: "export { Memory } from 'somnograph'", resolveDir: '.' }, bundle: true, minify: true, format: 'esm', platform: 'browser', write: false })
  const code = outputFiles[0].contents
  const measured = [code.length, gzipSync(code).length]
  const said = /has\s+([\d,]+) bytes, and ([\d,]+) compressed/.exec(readFileSync('docs/typescript.md', 'utf8')).slice(1).map((n) => Number(n.replaceAll(',', '')))
  for (const i of [0, 1]) assert.ok(Math.abs(said[i] - measured[i]) <= measured[i] / 20, `measured ${measured}, the guide says ${said}`)
})
