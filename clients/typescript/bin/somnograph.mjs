#!/usr/bin/env node
// Runs the somnograph binary of this platform: SOMNOGRAPH_BINARY, or the one of the release that
// belongs to this package. The latter is downloaded once, into the user's cache, and accepted only
// with the checksum that the package contains. SOMNOGRAPH_RELEASES names a mirror.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** The largest file, compressed and not, in bytes. */
const LIMIT = 500 << 20

/** A failure that is the user's to mend: the message is enough. */
class Refusal extends Error {}

/** Bytes pass until there are more than LIMIT. */
function bounded(also = () => {}) {
  let size = 0
  return new Transform({
    transform(chunk, _, done) {
      size += chunk.length
      also(chunk)
      done(size > LIMIT ? new Refusal('the file is larger than 500 MiB') : null, chunk)
    },
  })
}

/** The cache directory of the user. */
function cache(env, platform) {
  if (env.SOMNOGRAPH_CACHE) return env.SOMNOGRAPH_CACHE
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'somnograph', 'cache')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'somnograph')
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'somnograph')
}

/** The address of a file of the release. Plain HTTP is for this machine only. */
function address(base, file) {
  const url = new URL(file, base.endsWith('/') ? base : `${base}/`)
  const local = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) throw new Refusal(`${url}: the address must begin with https://`)
  return url
}

/** Downloads a compressed file, checks it, and puts its content at target in one step. */
async function install(url, sha256, target, directory) {
  await mkdir(directory, { recursive: true })
  const work = await mkdtemp(join(directory, 'download-'))
  try {
    const response = await fetch(url).catch((error) => {
      throw new Refusal(`${url}: ${error.cause?.message ?? error.message}`)
    })
    if (!response.ok || !response.body) throw new Refusal(`${url}: ${response.status}`)
    const [packed, plain] = [join(work, 'packed'), join(work, 'plain')]
    const hash = createHash('sha256')
    await pipeline(Readable.fromWeb(response.body), bounded((chunk) => hash.update(chunk)), createWriteStream(packed)).catch((error) => {
      throw new Refusal(`${url}: ${error.message}; nothing was installed`)
    })
    const found = hash.digest('hex')
    if (found !== sha256) throw new Refusal(`${url}: the checksum is ${found}, not ${sha256}; nothing was installed`)
    await pipeline(createReadStream(packed), createGunzip(), bounded(), createWriteStream(plain))
    await chmod(plain, 0o755)
    await rename(plain, target)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The path of the binary, after a download if need be. */
async function binary({ platform, arch, env }) {
  if (env.SOMNOGRAPH_BINARY) return env.SOMNOGRAPH_BINARY
  const { version, base, sha256 } = JSON.parse(readFileSync(new URL('release.json', import.meta.url), 'utf8'))
  const os = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[platform]
  const cpu = { x64: 'amd64', arm64: 'arm64' }[arch]
  const file = `somnograph_${version}_${os}_${cpu}.gz`
  if (!os || !cpu || !sha256[file]) {
    throw new Refusal(`release ${version} has no binary for ${platform} ${arch}. Build one from the sources and name it in SOMNOGRAPH_BINARY`)
  }
  const directory = join(cache(env, platform), version)
  const target = join(directory, `${sha256[file].slice(0, 16)}${os === 'windows' ? '.exe' : ''}`)
  if (!existsSync(target)) {
    const url = address(env.SOMNOGRAPH_RELEASES || base, file)
    console.error(`downloading ${url}`)
    await install(url, sha256[file], target, directory)
  }
  return target
}

try {
  const program = await binary(process)
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`somnograph: ${program}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    } else process.exitCode = code ?? 1
  })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`somnograph: ${error.message}`)
  process.exitCode = 1
}
