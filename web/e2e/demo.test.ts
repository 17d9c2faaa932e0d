// The demo world, as a visitor finds it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type Server } from './server'

let server: Server

beforeAll(async () => {
  server = await startServer('--demo')
})
afterAll(async () => server?.stop())

interface DryRun {
  sleep: { report: { reinforced: number; deduplicated: number; promoted: number; engraved: number; derived: number } }
}

describe('the first sleep of the demo', () => {
  it('has something to do in every phase', async () => {
    const { report } = (await server.ask<DryRun>('mutation { sleep(input: {dryRun: true}) { report { reinforced deduplicated promoted engraved derived } } }')).sleep
    for (const [what, n] of Object.entries(report)) expect(n, what).toBeGreaterThan(0)
  })
})
