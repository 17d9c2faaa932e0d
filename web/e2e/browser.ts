// Debian's Chromium, watched: console errors, violations of the policy and requests that
// leave the server are collected for every page.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import type { Hooks } from '../src/testing'

declare global {
  interface Window {
    __somnograph: Hooks
    __broken?: number
    __uploaded: number
    __violations: string[]
  }
}

export interface Watched {
  page: Page
  /** what went wrong on the page */
  faults: string[]
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: true,
    args: [
      '--no-sandbox', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--disable-default-apps',
      '--disable-sync', '--no-first-run', '--metrics-recording-only', '--force-color-profile=srgb',
    ],
  })
}

// Counts the bytes that the page gives to the graphics card, and keeps what the policy forbade.
const watch = () => {
  window.__uploaded = 0
  window.__violations = []
  document.addEventListener('securitypolicyviolation', (e) => window.__violations.push(`${e.violatedDirective} ${e.blockedURI}`))
  const gl = WebGL2RenderingContext.prototype
  const size = (v: unknown) => (typeof v === 'number' ? v : ArrayBuffer.isView(v) || v instanceof ArrayBuffer ? v.byteLength : 1)
  for (const name of ['bufferData', 'bufferSubData', 'texImage2D', 'texSubImage2D', 'texStorage2D'] as const) {
    const own = gl[name] as (...a: unknown[]) => void
    ;(gl as unknown as Record<string, unknown>)[name] = function (this: WebGL2RenderingContext, ...a: unknown[]) {
      const data = name.startsWith('buffer') ? a[name === 'bufferData' ? 1 : 2] : a.at(-1)
      window.__uploaded += data === null ? 0 : size(data)
      return own.apply(this, a)
    }
  }
}

/** A page of its own, nothing on it yet, that waits for as long as a slow machine may need. */
export async function blank(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  context.setDefaultTimeout(120_000)
  return context.newPage()
}

export async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const page = await blank(browser, options)
  const faults: string[] = []
  const origin = new URL(url).origin
  page.on('console', (m) => m.type() === 'error' && faults.push(`console: ${m.text()}`))
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`))
  page.on('request', (r) => {
    if (!/^(blob|data):/.test(r.url()) && new URL(r.url()).origin !== origin) faults.push(`request to ${r.url()}`)
  })
  await page.addInitScript(watch)
  await page.goto(url)
  await page.waitForFunction(() => window.__somnograph?.ready())
  return { page, faults }
}

/** Waits until the scene neither moves nor gives anything to the graphics card, however slowly it is drawn. */
export async function atRest(page: Page): Promise<void> {
  const look = () =>
    page.evaluate(
      () =>
        new Promise<string>((seen) => {
          const s = window.__somnograph
          const now = () => seen(JSON.stringify([window.__uploaded, location.hash, s.ids().slice(0, 3).map((id) => s.where(id))]))
          requestAnimationFrame(() => requestAnimationFrame(now))
        }),
    )
  for (let before = '', now = await look(); now !== before; now = await look()) {
    before = now
    await page.waitForTimeout(300)
  }
}

/** What the page did that its policy forbids. */
export function violations(page: Page): Promise<string[]> {
  return page.evaluate(() => window.__violations)
}
