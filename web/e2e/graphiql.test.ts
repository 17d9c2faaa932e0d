// GraphiQL on a real server: nothing is loaded from elsewhere, operations and subscriptions run,
// and every example of its menu works.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples, variablesOf, type Example } from '../graphiql/examples'
import { blank, eventually, launch } from './browser'
import { startServer, type Server } from './server'

let server: Server
let browser: Browser

beforeAll(async () => {
  server = await startServer('--demo')
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function graphiql() {
  const page = await blank(browser)
  const faults: string[] = []
  page.on('console', (m) => m.type() === 'error' && faults.push(`console: ${m.text()}`))
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`))
  const own = new URL(server.url).host
  await page.route(
    (url) => url.host !== own && url.protocol !== 'data:' && url.protocol !== 'blob:',
    (route) => {
      faults.push(`request to ${route.request().url()}`)
      return route.abort()
    },
  )
  await page.goto(`${server.url}graphiql`)
  const text = async (part: string) => ((await page.locator(`${part} .view-lines`).first().textContent()) ?? '').replaceAll('\u00a0', ' ')
  const run = page.getByRole('button', { name: /^Execute query/ })
  await run.waitFor()
  await eventually(() => text('.graphiql-query-editor')).toContain('search(input: $input)')
  return { page, faults, text, run }
}

const remember = (content: string) => server.ask('mutation($c: String!) { remember(input: {content: $c, consent: EXPLICIT, onDuplicate: INSERT}) { memory { id } } }', { c: content })

describe('GraphiQL', () => {
  it('runs an operation without the network, and shows the schema', async () => {
    const { page, faults, text, run } = await graphiql()
    await run.click()
    await eventually(() => text('.graphiql-response')).toContain('latencyMs')
    expect(await text('.graphiql-response')).not.toContain('errors')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await eventually(() => page.locator('.graphiql-doc-explorer').textContent()).toContain('Subscription')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('opens an example in a tab and shows the events of a subscription', async () => {
    const { page, faults, text, run } = await graphiql()
    await page.getByRole('button', { name: 'Changes of memories' }).click()
    await eventually(() => text('.graphiql-query-editor')).toContain('memoryEvents')
    await eventually(() => page.locator('.graphiql-tab').count()).toBe(2)
    const sockets: string[] = []
    page.on('websocket', (s) => sockets.push(s.url()))
    await run.click()
    await page.getByRole('button', { name: /^Stop query/ }).waitFor()
    // A subscription delivers what is written after its begin, so something is written until it does.
    let written = 0
    await eventually(async () => {
      await remember(`The lantern of buoy ${++written} was lit.`)
      return text('.graphiql-response')
    }).toContain('The lantern of buoy')
    expect(sockets).toEqual([`${server.url.replace('http', 'ws')}graphql`])
    if (process.env['SCREENSHOT']) await page.screenshot({ path: process.env['SCREENSHOT'] })
    await page.getByRole('button', { name: /^Stop query/ }).click()
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('the examples', () => {
  const ask = (query: string) => server.ask(query).catch(() => undefined)
  const variables = async (e: Example): Promise<object> => JSON.parse((await variablesOf(e, ask)) || '{}') as object

  for (const example of examples.filter((e) => !e.query.startsWith('subscription') && e.section !== 'Errors')) {
    it(`${example.section}: ${example.name}`, async () => {
      const data = await server.ask<Record<string, unknown>>(example.query, await variables(example))
      // Without a rate limit rateLimit is null.
      expect(Object.entries(data).filter(([field, answer]) => answer === null && field !== 'rateLimit')).toEqual([])
    })
  }

  it('of an error names the field', async () => {
    const example = examples.find((e) => e.section === 'Errors')!
    await expect(server.ask(example.query)).rejects.toThrow(/INVALID_REQUEST.*topK|topK.*INVALID_REQUEST/)
  })

  for (const example of examples.filter((e) => e.query.startsWith('subscription'))) {
    it(`${example.section}: ${example.name}`, async () => {
      const end = new AbortController()
      const response = await fetch(`${server.url}graphql`, {
        method: 'POST',
        signal: end.signal,
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: example.query }),
      })
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      await (example.query.includes('sleepProgress') ? server.ask('mutation { sleep { report { id } } }') : remember('A flag was hoisted at the pier.'))
      let received = ''
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) if ((received += chunk).includes('event: next')) break
      expect(received).not.toContain('"errors"')
      end.abort()
    })
  }

  it('cover the sections of docs/api.md and of the README that have code', () => {
    const api = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8').split(/^## /m).slice(1)
    const sections = new Set(examples.map((e) => e.section))
    expect(api.filter((part) => part.includes('```')).map((part) => part.split('\n')[0]!).filter((h) => !sections.has(h))).toEqual([])
    const screen = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').split('## The API on one screen')[1]!.split('\n## ')[0]!
    const bold = [...screen.matchAll(/^\*\*([^*]+?)[.*]/gm)].map((m) => m[1]!)
    expect(bold.length).toBeGreaterThan(3)
    expect(bold.filter((b) => !sections.has(b))).toEqual([])
  })
})
