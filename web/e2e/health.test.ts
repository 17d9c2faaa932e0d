// The health board with real faults: less disk space than the limit for writes, and a model that refuses texts.
import { createServer, type Server as HTTPServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, launch, open, violations } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer('--min-free-space', '1000000GiB')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the health board', () => {
  it('says in a sentence what is wrong, and ends an alarm by hand', async () => {
    const { page } = await open(browser, `${server.url}?test=1#panel=health`)
    const verdict = page.locator('.verdict')
    await verdict.waitFor()
    expect(await verdict.textContent()).toMatch(/Critical.*Free disk space/)
    expect(await page.locator('.alarms').first().textContent()).toContain('Free some disk space')
    expect(await page.locator('.indicators li').count()).toBeGreaterThan(3)
    expect(await page.locator('.indicators .spark .course').count()).toBeGreaterThan(3)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: /End the alarm/ }).click()
    await page.getByRole('heading', { name: 'Ended alarms' }).waitFor()
    expect(await page.locator('.board').textContent()).toContain('ended by loopback')
    await page.context().close()
  })
})

/** An embedding endpoint that refuses some texts while it is strict. */
async function startModel(): Promise<{ url: string; server: HTTPServer; setStrict: (on: boolean) => void }> {
  let strict = true
  const vector = (text: string): number[] => {
    const v = new Array<number>(16).fill(0.1)
    for (const c of text.toLowerCase()) v[c.charCodeAt(0) % 16]! += 1
    return v
  }
  const model = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] }
      if (strict && input.some((text) => text.includes('glyph'))) return response.writeHead(413).end('too long')
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vector(text) })) }))
    })
  })
  await new Promise<void>((listening) => model.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`, server: model, setStrict: (on) => (strict = on) }
}

describe('failed work', () => {
  it('is listed, tried again and discarded', async () => {
    const model = await startModel()
    const refusing = await startServer('--embedder-kind', 'openai', '--embedder-url', model.url, '--embedder-model', 'letters')
    try {
      for (const content of ['A glyph stands on the mill.', 'Nobody reads the glyph of the baker.']) {
        await refusing.ask('mutation($content: String!) { remember(input: { content: $content, consent: EXPLICIT }) { memory { id } } }', { content })
      }
      const left = async (): Promise<number> => (await refusing.ask<{ deadLetters: { nodes: object[] } }>('{ deadLetters { nodes { memoryId } } }')).deadLetters.nodes.length
      await eventually(left).toBe(2)
      const { page, faults } = await open(browser, `${refusing.url}?test=1#panel=health`)
      await page.getByRole('heading', { name: 'Failed work' }).waitFor()
      const rows = page.locator('.alarms li', { hasText: 'attempts until' })
      expect(await rows.count()).toBe(2)
      const row = await rows.first().textContent()
      expect(row).toMatch(/^Embedding of memory [0-9a-f]{8}, \d+ attempts until .*413/)
      const attempts = Number(/(\d+) attempts/.exec(row!)![1])
      // The model refuses again, and the work stays.
      await rows.first().getByRole('button', { name: /^Try again/ }).click()
      await rows.first().getByText(`${attempts + 1} attempts`).waitFor()
      model.setStrict(false)
      await rows.first().getByRole('button', { name: /^Try again/ }).click()
      await eventually(() => rows.count()).toBe(1)
      expect(await left()).toBe(1)
      await rows.first().getByRole('button', { name: /^Discard/ }).click()
      await page.getByRole('heading', { name: 'Failed work' }).waitFor({ state: 'detached' })
      expect(await left()).toBe(0)
      expect(faults).toEqual([])
      expect(await violations(page)).toEqual([])
      await page.context().close()
    } finally {
      await refusing.stop()
      model.server.close()
    }
  })
})
