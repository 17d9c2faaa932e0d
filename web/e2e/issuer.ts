// Starts the OpenID Connect issuer of the tests, see test/oidc.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('../../', import.meta.url).pathname

export interface Issuer {
  url: string
  /** flags of a server that accepts the issuer's tokens */
  flags: string[]
  /** registers a server's address for sign-ins */
  register: (server: string) => Promise<void>
  stop: () => Promise<void>
}

export async function startIssuer(): Promise<Issuer> {
  const program = execFileSync(join(root, '.ci/oidc'), { encoding: 'utf8' }).trim()
  // The issuer is at localhost and the server at 127.0.0.1, so that they are different sites.
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'ignore'] })
  const url = await new Promise<string>((found, fail) => {
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const m = /issuer (http\S+)\n/.exec(out)
      if (m) found(m[1]!)
    })
    child.on('exit', (code) => fail(new Error(`the issuer ended with ${code}`)))
  })
  const dir = mkdtempSync(join(tmpdir(), 'somnograph-issuer-'))
  const secret = join(dir, 'secret')
  writeFileSync(secret, 'explorer secret', { mode: 0o600 })
  const scopes = ['memory:read', 'memory:write', 'memory:share', 'memory:admin', 'server:admin']
  const settings = {
    issuer: url, audience: 'memory', tenant: 'acme', ceiling: scopes, name: 'Test identity',
    'client-id': 'explorer', 'client-secret-file': secret, 'sign-in-scopes': scopes,
  }
  return {
    url,
    flags: ['--auth', 'keys,oidc', '--oidc-issuers', JSON.stringify(settings)],
    register: async (server) => {
      const body = new URLSearchParams({ uri: new URL('signin/callback', server).href })
      const answer = await fetch(`${url}/control/redirect`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`the issuer refuses a redirect: ${answer.status}`)
    },
    stop: () =>
      new Promise((done) => {
        child.removeAllListeners('exit')
        child.on('exit', () => {
          rmSync(dir, { recursive: true, force: true })
          done()
        })
        child.stdin.end()
      }),
  }
}
