// Signing in at an issuer and with a key, signing out, and a session that ends while the page is open.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serious } from './axe'
import { atRest, blank, eventually, launch } from './browser'
import { startIssuer, type Issuer } from './issuer'
import { startServer, type Server } from './server'

let issuer: Issuer
let server: Server
let browser: Browser

beforeAll(async () => {
  issuer = await startIssuer()
  server = await startServer(...issuer.flags)
  await issuer.register(server.url)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await issuer?.stop()
})

/** From the sign-in page to the issuer, and back. */
async function signIn(page: Page, name: string) {
  await page.getByRole('link', { name: 'Sign in with Test identity' }).click()
  await page.waitForURL(`${issuer.url}/**`)
  await page.locator('[name=username]').fill(name)
  await page.locator('[name=password]').fill(name)
  await page.locator('button[type=submit], input[type=submit]').click()
}

const ready = (page: Page) => page.waitForFunction(() => window.__somnograph?.ready())

/** Asks as the page does, with its cookie. */
const ask = (page: Page, query: string) =>
  page.evaluate(async (q) => {
    const response = await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: q }) })
    return (await response.json()) as { data: Record<string, unknown> }
  }, query)

describe('the sign-in', () => {
  it('at an issuer of another site leads to the explorer, with cookies that no script and no other site can use', async () => {
    const page = await blank(browser)
    const faults: string[] = []
    page.on('console', (m) => m.type() === 'error' && new URL(page.url()).origin === new URL(server.url).origin && faults.push(m.text()))
    await page.goto(`${server.url}?test=1`)
    expect(new URL(page.url()).pathname).toBe('/signin')
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/signin.png` })
    await signIn(page, 'ana')
    await page.waitForURL(`${server.url}?test=1`)
    await ready(page)
    expect((await ask(page, '{whoami{tenant user}}')).data).toEqual({ whoami: { tenant: 'acme', user: 'ana' } })
    const cookies = await page.context().cookies(server.url)
    expect(cookies.map((c) => [c.name, c.httpOnly, c.secure, c.sameSite]).sort()).toEqual([
      ['__Host-somnograph', true, true, 'Strict'],
      ['__Host-somnograph-user', false, true, 'Strict'],
    ])
    expect(await page.evaluate(() => document.cookie)).toBe('__Host-somnograph-user=1')
    await page.locator('.live.on').waitFor({ state: 'attached' }) // the socket has the cookie
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('is asked for again when the session ends, and leads back to the same view', async () => {
    const page = await blank(browser)
    await page.goto(`${server.url}?test=1`)
    await signIn(page, 'ana')
    await ready(page)
    await page.locator('.live.on').waitFor({ state: 'attached' })
    await page.evaluate(() => window.__somnograph.setView({ flat: true }))
    await eventually(() => new URL(page.url()).hash).not.toBe('')
    const view = new URL(page.url()).hash
    const other = await page.context().newPage()
    await other.goto(`${server.url}signin?out`)
    expect(await other.locator('[role=status]').textContent()).toBe('You are signed out.')
    const notice = page.locator('.strip[role=alert], .notice[role=alert]')
    await eventually(() => notice.textContent()).toContain('Your sign-in has ended')
    await atRest(page)
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/signedout.png` })
    await page.getByRole('link', { name: 'Sign in again' }).click()
    // The issuer still knows the person, or asks again.
    await signIn(page, 'ana')
    await ready(page)
    expect(new URL(page.url()).hash).toBe(view)
    await page.context().close()
  })

  it('with a key works, and the menu signs out', async () => {
    const page = await blank(browser)
    await page.goto(`${server.url}?test=1`)
    await signIn(page, 'root')
    await ready(page)
    const made = (await ask(page, 'mutation{createApiKey(input:{scopes:[MEMORY_READ],user:"tomas"}){key}}')).data as { createApiKey: { key: string } }
    await page.getByRole('button', { name: 'Save, share and more' }).click()
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/menu.png` })
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('[role=status]', { hasText: 'You are signed out.' }).waitFor()
    expect(await page.context().cookies(server.url)).toEqual([])
    await page.goto(`${server.url}?test=1`)
    await page.getByLabel('API key').fill('sgk_wrong')
    await page.getByRole('button', { name: 'Sign in with the key' }).click()
    await page.locator('[role=status]', { hasText: 'not accepted' }).waitFor()
    await page.getByLabel('API key').fill(made.createApiKey.key)
    await page.getByRole('button', { name: 'Sign in with the key' }).click()
    await ready(page)
    expect((await ask(page, '{whoami{user}}')).data).toEqual({ whoami: { user: 'tomas' } })
    await page.context().close()
  })

  it('to GraphiQL leads to GraphiQL, and GraphiQL asks for it again', async () => {
    const page = await blank(browser)
    await page.goto(`${server.url}graphiql`)
    await signIn(page, 'ana')
    await page.waitForURL(`${server.url}graphiql`)
    await page.locator('.graphiql-container').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.url}signin?out`)
    await page.getByRole('button', { name: /Execute/ }).click()
    await page.waitForURL(/signin/)
    await page.context().close()
  })

  it('without rights is refused, and the page is accessible', async () => {
    const page = await blank(browser)
    await page.goto(server.url)
    expect(await serious(page)).toEqual([])
    await signIn(page, 'eve')
    await page.locator('[role=status]', { hasText: 'not allowed' }).waitFor()
    expect(await page.context().cookies(server.url)).toEqual([])
    await page.context().close()
  })
})
