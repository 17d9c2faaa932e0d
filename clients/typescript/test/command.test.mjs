// npx somnograph: the command downloads the binary of its platform once, and only with its checksum.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

// A small program in the place of the real one.
const packed = gzipSync(`#!/bin/sh
case $1 in
version) echo "somnograph 9.9.9" ;;
serve) echo ready && exec sleep 50 ;;
*) exit 2 ;;
esac
${Array.from({ length: 4000 }, (_, i) => `# ${createHash('sha256').update(String(i)).digest('hex')}`).join('\n')}
`)
const os = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform]
const file = `somnograph_9.9.9_${os}_${{ x64: 'amd64', arm64: 'arm64' }[process.arch]}.gz`
const sha256 = createHash('sha256').update(packed).digest('hex')

let server
let base
let served // requested paths
let answer // what the server does with a request
let dir

before(async () => {
  server = createServer((request, response) => {
    served.push(request.url)
    answer(response)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${server.address().port}/v9.9.9/`
})
after(() => server.close())
beforeEach(() => {
  served = []
  answer = (response) => response.end(packed)
  if (dir) rmSync(dir, { recursive: true })
  dir = mkdtempSync(join(tmpdir(), 'somnograph-command-'))
  cpSync(new URL('node_modules/somnograph/bin', import.meta.url), join(dir, 'bin'), { recursive: true })
  release({ [file]: sha256 })
})
after(() => rmSync(dir, { recursive: true, force: true }))

const release = (sums, more = {}) => writeFileSync(join(dir, 'bin/release.json'), JSON.stringify({ version: '9.9.9', base, sha256: sums, ...more }))

/** Starts the command. ended gives its exit code or signal, output and errors. */
function start(args, env = {}) {
  const child = spawn(process.execPath, [join(dir, 'bin/somnograph.mjs'), ...args], {
    env: { PATH: process.env.PATH, HOME: dir, SOMNOGRAPH_CACHE: join(dir, 'cache'), ...env },
  })
  const result = { out: '', err: '' }
  child.stdout.on('data', (d) => (result.out += d))
  child.stderr.on('data', (d) => (result.err += d))
  return { child, ended: new Promise((done) => child.on('close', (code, signal) => done({ ...result, code, signal }))) }
}
const run = (args, env) => start(args, env).ended

const kept = () => readdirSync(join(dir, 'cache'), { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).map((e) => e.name)

describe('npx somnograph', () => {
  it('downloads the binary once and passes arguments and exit codes on', async () => {
    const first = await run(['version'])
    assert.equal(first.code, 0, first.err)
    assert.match(first.out, /^somnograph /)
    assert.deepEqual(served, [`/v9.9.9/${file}`])
    assert.equal((await run(['no-such-command'])).code, 2)
    assert.equal(served.length, 1)
    assert.deepEqual(kept(), [sha256.slice(0, 16) + (os === 'windows' ? '.exe' : '')])
  })

  it('refuses a file with another checksum and keeps nothing', async () => {
    answer = (response) => response.end(gzipSync('#!/bin/sh\necho owned\n'))
    const { code, out, err } = await run(['version'])
    assert.equal(code, 1)
    assert.equal(out, '')
    assert.match(err, /the checksum is [0-9a-f]{64}, not [0-9a-f]{64}; nothing was installed/)
    assert.deepEqual(kept(), [])
  })

  it('keeps nothing of a download that breaks off, and tries again', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': packed.length })
      response.write(packed.subarray(0, 1000), () => response.destroy())
    }
    const { code, err } = await run(['version'])
    assert.equal(code, 1)
    assert.match(err, /; nothing was installed\n$/)
    assert.deepEqual(kept(), [])
    answer = (response) => response.end(packed)
    assert.equal((await run(['version'])).code, 0)
  })

  it('says what is wrong', async () => {
    answer = (response) => response.writeHead(404).end()
    assert.match((await run(['version'])).err, /: 404\n$/)
    release({})
    assert.match((await run(['version'])).err, /release 9\.9\.9 has no binary for .*SOMNOGRAPH_BINARY/)
    release({ [file]: sha256 }, { base: 'http://mirror.example/' })
    assert.match((await run(['version'])).err, /must begin with https/)
    release({ [file]: sha256 }, { base: 'http://127.0.0.1:1/' })
    assert.match((await run(['version'])).err, /http:\/\/127\.0\.0\.1:1\//)
  })

  it('uses a mirror, or a binary that is named', async () => {
    release({ [file]: sha256 }, { base: 'https://releases.example/' })
    assert.equal((await run(['version'], { SOMNOGRAPH_RELEASES: base.slice(0, -1) })).code, 0)
    assert.equal(served.length, 1)
    release({})
    assert.match((await run(['version'], { SOMNOGRAPH_BINARY: process.env.SOMNOGRAPH_BIN })).out, /^somnograph /)
  })

  it('ends with the program, which receives its signals', async () => {
    const { ended, child } = start(['serve'])
    await new Promise((ready) => child.stdout.once('data', ready))
    child.kill('SIGTERM')
    assert.equal((await ended).signal, 'SIGTERM')
  })
})
