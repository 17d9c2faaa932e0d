// Executes the code blocks of a page of docs/guide. README.md beside this file describes how.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'

/** Time that a block may take, in ms. */
const PATIENCE = 180_000

/** Languages of blocks that become files. */
const FILES = new Set(['js', 'javascript', 'ts', 'typescript', 'python', 'json', 'toml', 'yaml', 'text', 'jsonl', 'markdown', 'go'])

/**
 * The fenced blocks of a page: language, second word of the info string, text and line. A fence
 * that is not closed is an error.
 */
export function blocks(markdown) {
  const found = []
  let open
  for (const [i, line] of markdown.split('\n').entries()) {
    const fence = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(line)
    if (!open && fence) {
      const [lang = '', name = ''] = fence[3].trim().split(/\s+/)
      open = { lang, name, line: i + 1, text: '', fence: fence[2], indent: fence[1].length }
    } else if (open && fence && fence[3].trim() === '' && fence[2].startsWith(open.fence)) {
      found.push(open)
      open = undefined
    } else if (open) {
      open.text += line.slice(Math.min(open.indent, line.length - line.trimStart().length)) + '\n'
    }
  }
  if (open) throw new Error(`line ${open.line}: the block is not closed`)
  return found
}

const trimmed = (text) => text.split('\n').map((l) => l.trimEnd()).join('\n').trim()

/** Whether text is what the pattern says, in which … is any text of a line, and a line of only … any lines. */
export function matches(pattern, text) {
  const lines = trimmed(pattern).split('\n').map((l) =>
    l.trim() === '…' ? '(?:.*\\n)*?' : l.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '\\n')
  return new RegExp(`^${lines.join('')}$`).test(trimmed(text) + '\n')
}

/** Whether value has everything of the pattern, in which the string "…" is any value. */
export function contains(pattern, value) {
  if (pattern === '…') return value !== undefined
  if (Array.isArray(pattern)) return Array.isArray(value) && pattern.length === value.length && pattern.every((p, i) => contains(p, value[i]))
  if (pattern && typeof pattern === 'object') return !!value && typeof value === 'object' && Object.entries(pattern).every(([k, p]) => contains(p, value[k]))
  return pattern === value
}

/** Whether a command after block i names its file, or a file that names it. */
function used(all, i, seen = new Set()) {
  if (seen.has(i)) return false
  seen.add(i)
  const { name } = all[i]
  return all.some((b, j) => b.text.includes(name) && (b.lang === 'sh' ? j > i : FILES.has(b.lang) && b.name !== '' && used(all, j, seen)))
}

/**
 * What is done with each block, in the order of the page. A block that would not be executed is an
 * error.
 */
export function plan(markdown) {
  const all = blocks(markdown)
  const steps = all.map((block, i) => {
    const fault = (message) => new Error(`line ${block.line}: ${message}`)
    const before = all[i - 1]
    const { lang, name } = block
    if (lang === 'sh' && (name === '' || name === 'terminal')) return { ...block, kind: name || 'shell' }
    if (lang === 'graphql' && name === '') return { ...block, kind: 'graphql' }
    if (lang === 'output' && name === '') {
      if (before?.lang !== 'sh') throw fault('an output follows a block of sh')
      return { ...block, kind: 'output' }
    }
    if (lang === 'json' && name === '') {
      if (before?.lang !== 'graphql') throw fault('an answer follows a block of graphql; a file has a name')
      return { ...block, kind: 'answer' }
    }
    if (lang === 'mermaid' && name === '') return { ...block, kind: 'picture' }
    if (FILES.has(lang) && name !== '') {
      if (!used(all, i)) throw fault(`no command after it uses ${name}`)
      return { ...block, kind: 'file' }
    }
    throw fault(`a block of ${JSON.stringify(`${lang} ${name}`.trim())} is not executed`)
  })
  return steps
}

const freePort = () =>
  new Promise((found, fail) => {
    const server = createServer().once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })

/** A process in a group of its own, whose output is collected. */
class Process {
  out = ''
  err = ''
  #listeners = new Set()

  constructor(args, options) {
    this.child = spawn('bash', ['--noprofile', '--norc', ...args], { ...options, detached: true })
    for (const stream of ['out', 'err']) {
      this.child[`std${stream}`].setEncoding('utf8').on('data', (text) => {
        this[stream] += text
        this.#changed()
      })
    }
    this.ended = new Promise((done) =>
      this.child.on('close', (code) => {
        this.code = code
        this.#changed()
        done()
      }),
    )
  }

  #changed() {
    for (const listener of this.#listeners) listener()
  }

  /** Waits until the condition holds. It fails if the process ends before, or after PATIENCE. */
  until(condition, what) {
    return new Promise((done, fail) => {
      const end = (act, value) => {
        clearTimeout(timer)
        this.#listeners.delete(look)
        act(value)
      }
      const look = () => {
        if (condition()) end(done)
        else if (this.code !== undefined) end(fail, new Error(`${what}: the command ended with ${this.code}\n${this.out}${this.err}`))
      }
      const timer = setTimeout(() => end(fail, new Error(`${what}: nothing after ${PATIENCE / 1000} s\n${this.out}${this.err}`)), PATIENCE)
      this.#listeners.add(look)
      look()
    })
  }

  /** Ends the process and those that it started. */
  async kill() {
    if (this.code === undefined) {
      try {
        process.kill(-this.child.pid, 'SIGTERM')
      } catch {
        // it has just ended
      }
    }
    await this.ended
  }
}

/**
 * Executes a page in an empty directory. The binary is the only thing that is provided; env says
 * where the package managers find packages that are not published. Returns the steps with the
 * seconds from the first command to the end of each.
 */
export async function run(markdown, { binary, env = {} }) {
  const steps = plan(markdown)
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'somnograph-guide-'))
  const [work, bin] = [join(home, 'work'), join(home, 'bin')]
  mkdirSync(work)
  mkdirSync(bin)
  symlinkSync(resolve(binary), join(bin, 'somnograph'))
  const port = await freePort()
  const options = {
    cwd: work,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: home, LANG: 'C.UTF-8', SOMNOGRAPH_ADDR: `127.0.0.1:${port}`, ...env,
    },
  }
  const own = (text) => text.replaceAll('8420', String(port))
  const shown = (text) => text.replaceAll(String(port), '8420')
  const terminals = []
  const shell = new Process([], options)
  const began = performance.now()
  let last // the process of the latest block of sh, and where its output began
  try {
    for (const [i, step] of steps.entries()) {
      const where = `line ${step.line}`
      switch (step.kind) {
        case 'shell': {
          const from = shell.out.length
          const script = join(home, `block-${step.line}.sh`)
          writeFileSync(script, own(step.text))
          const marker = `--- end of block ${step.line} `
          shell.child.stdin.write(`set -e; . '${script}' </dev/null; set +e; echo; echo '${marker}'\n`)
          await shell.until(() => shell.out.includes(`\n${marker}`, from), where)
          last = { text: () => shell.out.slice(from, shell.out.indexOf(`\n${marker}`, from)) }
          break
        }
        case 'terminal': {
          const terminal = new Process(['-c', own(step.text)], options)
          terminals.push(terminal)
          last = { text: () => terminal.out, terminal }
          if (steps[i + 1]?.kind !== 'output') await terminal.until(() => /\bready\b/.test(terminal.out), where)
          break
        }
        case 'output': {
          const right = () => matches(step.text, shown(last.text()))
          if (last.terminal) await last.terminal.until(right, where)
          else if (!right()) throw new Error(`${where}: the output is\n${shown(last.text())}\nnot\n${step.text}`)
          break
        }
        case 'graphql': {
          const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query: step.text }),
          })
          last = { answer: await response.json() }
          if (steps[i + 1]?.kind !== 'answer' && last.answer.errors) throw new Error(`${where}: ${JSON.stringify(last.answer.errors)}`)
          break
        }
        case 'answer':
          if (!contains(JSON.parse(step.text), last.answer)) throw new Error(`${where}: the answer is\n${JSON.stringify(last.answer, null, 2)}\nnot\n${step.text}`)
          break
        case 'file': {
          const file = resolve(work, step.name)
          if (!file.startsWith(work + sep)) throw new Error(`${where}: ${step.name} is outside the directory of the page`)
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, own(step.text))
          break
        }
      }
      step.seconds = (performance.now() - began) / 1000
    }
    return steps
  } finally {
    for (const process of [...terminals, shell]) await process.kill()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
