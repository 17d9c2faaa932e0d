// Servers for the tests: the built binary on loopback, each with an empty data directory.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bin = process.env.SOMNOGRAPH_BIN
if (!bin) throw new Error('SOMNOGRAPH_BIN must name the built binary')

// run starts the binary with arguments and resolves with its standard output at its end.
export function run(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(bin, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let log = ''
    child.stdout.on('data', (d) => (out += d))
    child.stderr.on('data', (d) => (log += d))
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve(out) : reject(new Error(`${args[0]} ended with ${code}: ${log}`))))
  })
}

// A server that can be stopped and started again on the same port and data.
export class Server {
  #dir = mkdtempSync(join(tmpdir(), 'somnograph-'))
  #port = 0
  #flags
  #child

  constructor(flags = []) {
    this.#flags = flags
  }

  get data() {
    return join(this.#dir, 'data')
  }
  get keys() {
    return join(this.#dir, 'keys')
  }
  get port() {
    return this.#port
  }
  get url() {
    return `http://127.0.0.1:${this.#port}`
  }

  async start() {
    const args = ['serve', '--addr', `127.0.0.1:${this.#port}`, '--data', this.data, '--keys', this.keys, ...this.#flags]
    const child = spawn(bin, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let out = ''
    let log = ''
    await new Promise((resolve, reject) => {
      child.stderr.on('data', (d) => (log += d))
      child.stdout.on('data', (d) => {
        out += d
        if (/^ready in/m.test(out)) resolve()
      })
      child.on('exit', () => reject(new Error(`the server did not start: ${log}`)))
    })
    this.#port = Number(/graphql +http:\/\/127\.0\.0\.1:(\d+)/.exec(out)[1])
    return this
  }

  // stop ends the server with a signal and waits for its end.
  async stop(signal = 'SIGTERM') {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  async remove() {
    await this.stop('SIGKILL')
    rmSync(this.#dir, { recursive: true, force: true })
  }
}

// serve starts a server for the tests of a file.
export async function serve(t, flags) {
  const server = await new Server(flags).start()
  t.after(() => server.remove())
  return server
}

// A TCP relay to a server, whose connections can be cut.
export async function relay(t, server) {
  const sockets = new Set()
  const hold = (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const listener = net.createServer((client) => {
    const upstream = net.connect(server.port, '127.0.0.1')
    hold(client)
    hold(upstream)
    client.pipe(upstream)
    upstream.pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  t.after(() => {
    cut()
    listener.close()
  })
  return { url: `http://127.0.0.1:${listener.address().port}`, cut, connections: () => sockets.size }
}
