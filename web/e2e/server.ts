// Starts a real server for the tests, with its own store and a simulated clock.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('../../', import.meta.url).pathname
let built = ''

/** The binary: SOMNOGRAPH_BIN, or one built once per test file. */
function binary(): string {
  if (process.env['SOMNOGRAPH_BIN']) return process.env['SOMNOGRAPH_BIN']
  if (!built) {
    built = join(mkdtempSync(join(tmpdir(), 'somnograph-bin-')), 'somnograph')
    execFileSync('go', ['build', '-o', built, './cmd/somnograph'], { cwd: root, stdio: 'inherit' })
  }
  return built
}

export interface Server {
  url: string
  /** sends a GraphQL request; throws on errors */
  ask: <T>(query: string, variables?: object) => Promise<T>
  /** ends the process; its data stays */
  pause: () => Promise<void>
  /** starts the process again, at the same address */
  resume: () => Promise<void>
  /** ends the process and removes its data */
  stop: () => Promise<void>
}

/** Starts a server with an empty store, or with other flags. */
export async function startServer(...flags: string[]): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'somnograph-e2e-'))
  let child: ChildProcess
  const start = (addr: string): Promise<string> => {
    child = spawn(binary(), ['serve', '--addr', addr, '--data', data, '--simulated-clock', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    return new Promise<string>((found, fail) => {
      const read = (chunk: Buffer) => {
        log += chunk.toString()
        const m = /explorer\s+(http:\/\/127\.0\.0\.1:\d+)\//.exec(log)
        if (m) found(m[1]!)
      }
      child.stdout!.on('data', read)
      child.stderr!.on('data', read)
      child.on('exit', (code) => fail(new Error(`the server ended with ${code}:\n${log}`)))
    })
  }
  const pause = (): Promise<void> =>
    new Promise((done) => {
      child.removeAllListeners('exit')
      child.on('exit', () => done())
      child.kill('SIGTERM')
    })
  const url = await start('127.0.0.1:0')
  const ask = async <T>(query: string, variables: object = {}): Promise<T> => {
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) })
    const answer = (await response.json()) as { data?: T; errors?: { message: string }[] }
    if (answer.errors || !answer.data) throw new Error(JSON.stringify(answer.errors ?? answer))
    return answer.data
  }
  return {
    url: `${url}/`,
    ask,
    pause,
    resume: async () => {
      await start(new URL(url).host)
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) await pause()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
