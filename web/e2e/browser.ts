// Chromium with instrumented pages: console errors, policy violations and foreign requests are
// collected. Tests wait for conditions, never for a length of time, so that they pass on a slow
// machine as well.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hooks } from '../src/testing'

declare global {
  interface Window {
    __somnograph: Hooks
    __broken?: number
    __uploaded: number
    __violations: string[]
    __pending: () => string[]
  }
}

export interface Watched {
  page: Page
  /** errors on the page, and requests that leave the server */
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

/** How long a condition may take to come true on a slow machine, in ms. */
const DEADLINE = 120_000

/** Polls until the expectation holds: `await eventually(() => …).toBe(…)`. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: DEADLINE, interval: 50 })

// Counts the bytes uploaded to the graphics card, and collects policy violations.
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

// Records what the page is waiting for: timers, frames, requests and workers. Messages that
// would disappear after some seconds stay.
const account = () => {
  const LONG = 15_000 // timers from here on keep a connection alive
  const MESSAGES = [6000, 10_000, 14_000]
  const pending = new Map<unknown, string>()
  const { setTimeout: set, clearTimeout: clear, requestAnimationFrame: frame, cancelAnimationFrame: cancel, fetch: load, Worker: Plain } = window
  Object.assign(window, {
    setTimeout(act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) {
      if (MESSAGES.includes(ms)) return set(() => {}, 0)
      const id = set(() => {
        pending.delete(id)
        act(...args)
      }, ms)
      if (ms < LONG) pending.set(id, `timer of ${ms} ms`)
      return id
    },
    clearTimeout(id: number) {
      pending.delete(id)
      clear(id)
    },
    requestAnimationFrame(draw: FrameRequestCallback) {
      const id = frame((time) => {
        pending.delete(`frame ${id}`)
        draw(time)
      })
      pending.set(`frame ${id}`, 'frame')
      return id
    },
    cancelAnimationFrame(id: number) {
      pending.delete(`frame ${id}`)
      cancel(id)
    },
    fetch(...args: Parameters<typeof load>) {
      const answer = load(...args)
      const url = args[0]
      pending.set(answer, `request ${url instanceof Request ? url.url : url}`)
      return answer.finally(() => pending.delete(answer))
    },
    Worker: class extends Plain {
      constructor(...args: ConstructorParameters<typeof Plain>) {
        super(...args)
        this.addEventListener('message', () => pending.delete(this))
      }
      override postMessage(...args: [never]) {
        pending.set(this, 'worker')
        super.postMessage(...args)
      }
    },
  })
  for (const name of ['json', 'text', 'arrayBuffer'] as const) {
    const own = Response.prototype[name] as () => Promise<never>
    Response.prototype[name] = function (this: Response) {
      const body = own.call(this)
      pending.set(body, `body of ${this.url}`)
      return body.finally(() => pending.delete(body))
    }
  }
  window.__pending = () => {
    const finite = document.getAnimations().filter((a) => a.playState === 'running' && a.effect?.getComputedTiming().endTime !== Infinity)
    return [...pending.values(), ...finite.map(() => 'animation')]
  }
}

// Advances the page's clock by at most 100 ms per frame, so that an animation shows all of its
// stages however slow the frames are.
const pace = () => {
  const real = performance.now.bind(performance)
  const frame = window.requestAnimationFrame.bind(window)
  let [time, read] = [real(), real()]
  const now = () => time + Math.min(real() - read, 100)
  const tick = () => {
    ;[time, read] = [now(), real()]
    frame(tick)
  }
  tick()
  performance.now = now
  window.requestAnimationFrame = (draw) => frame(() => draw(now()))
}

export interface PageMode {
  /** the page's clock is limited to the frames that it draws */
  paced?: boolean
  /** the page receives no live updates */
  silent?: boolean
}

/** A new empty page. */
export async function blank(browser: Browser, options: BrowserContextOptions = {}, mode: PageMode = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', ...options })
  context.setDefaultTimeout(DEADLINE)
  const page = await context.newPage()
  if (mode.paced) await page.addInitScript(pace)
  await page.addInitScript(account) // over the frames of the pace
  if (mode.silent) await page.routeWebSocket('**/graphql', () => {})
  return page
}

export async function open(browser: Browser, url: string, options: BrowserContextOptions = {}, mode: PageMode = {}): Promise<Watched> {
  const page = await blank(browser, options, mode)
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

/** Waits until the page is idle: laid out and drawn, with all answers received. */
export async function atRest(page: Page): Promise<void> {
  const pending = () => page.evaluate(() => new Promise<string[]>((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen(window.__pending())))))
  await eventually(pending).toEqual([])
}

/** Violations of the content security policy. */
export function violations(page: Page): Promise<string[]> {
  return page.evaluate(() => window.__violations)
}
