import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import { Entries, UNSEARCHABLE } from './entries.js'
import { SomnographError } from './error.js'
import type { Memory, MemoryRecord } from './memory.js'

type Command<Name extends keyof MemoryToolHandlers> = Parameters<MemoryToolHandlers[Name]>[0]

const ROOT = '/memories'
const MAX_LINES = 999_999

/**
 * Handlers of Anthropic's memory tool (memory_20250818) for betaMemoryTool. A file is a chain of versions: every edit
 * is a new version, a renamed file keeps its versions, delete erases them. Directories exist while they hold a file.
 * Answers and errors have the texts of the SDK's own handlers.
 */
export class SomnographMemoryFiles implements MemoryToolHandlers {
  readonly #entries: Entries

  constructor(memory: Memory) {
    this.#entries = new Entries(memory, 'memory-tool')
  }

  async view({ path, view_range }: Command<'view'>): Promise<string> {
    const at = safe(path)
    const file = at === ROOT ? undefined : await this.#entries.get(at)
    if (!file) return this.#viewDirectory(path, at)
    const lines = textOf(file).split('\n')
    if (lines.length > MAX_LINES) throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is ${MAX_LINES.toLocaleString()} lines.`)
    if (view_range?.length !== 2) return `Here's the content of ${path} with line numbers:\n${numbered(lines, 1)}`
    const [first = 1, last = -1] = view_range
    const from = Math.max(1, first)
    return `Here's the content of ${path} with line numbers:\n${numbered(lines.slice(from - 1, last === -1 ? lines.length : last), from)}`
  }

  async create({ path, file_text }: Command<'create'>): Promise<string> {
    const at = safe(path)
    if (at === ROOT || (await this.#below(at)).length > 0) throw new Error(`File ${path} already exists`)
    for (const directory of directoriesOf(at).slice(1)) {
      if (await this.#entries.get(directory)) throw new Error(`The path ${directory} is not a directory.`)
    }
    if (!(await this.#entries.create(entryOf(at, file_text)))) throw new Error(`File ${path} already exists`)
    return `File created successfully at: ${path}`
  }

  async str_replace({ path, old_str, new_str }: Command<'str_replace'>): Promise<string> {
    let answer = ''
    await this.#edit(path, (text) => {
      const lines = text.split('\n')
      const matching = lines.flatMap((line, i) => (line.includes(old_str) ? [i + 1] : []))
      const places = text.split(old_str).length - 1
      if (places === 0) throw new Error(`No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`)
      if (places > 1) {
        const where = matching.length > 0 ? matching : startsOf(text, old_str)
        throw new Error(`No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${where.join(', ')}. Please ensure it is unique`)
      }
      const changed = text.replace(old_str, () => new_str)
      const line = text.slice(0, text.indexOf(old_str)).split('\n').length
      const from = Math.max(1, line - 2)
      answer = `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(changed.split('\n').slice(from - 1, line + 2), from)}`
      return changed
    })
    return answer
  }

  async insert({ path, insert_line, insert_text }: Command<'insert'>): Promise<string> {
    await this.#edit(path, (text) => {
      const lines = text.split('\n')
      if (insert_line < 0 || insert_line > lines.length) {
        throw new Error(`Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`)
      }
      lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''))
      return lines.join('\n')
    })
    return `The file ${path} has been edited.`
  }

  async delete({ path }: Command<'delete'>): Promise<string> {
    const at = safe(path)
    if (at === ROOT) throw new Error('Cannot delete the /memories directory itself')
    const files = await this.#tree(at)
    if (files.length === 0) throw new Error(`The path ${path} does not exist`)
    await this.#entries.delete(files)
    return `Successfully deleted ${path}`
  }

  async rename({ old_path, new_path }: Command<'rename'>): Promise<string> {
    const from = safe(old_path)
    const to = safe(new_path)
    if (from === ROOT) throw new Error('Cannot rename the /memories directory itself')
    if (to === ROOT || (await this.#tree(to)).length > 0) throw new Error(`The destination ${new_path} already exists`)
    if (to.startsWith(from + '/')) throw new Error(`Cannot rename ${old_path} to a path below itself`)
    const files = await this.#tree(from)
    if (files.length === 0) throw new Error(`The path ${old_path} does not exist`)
    for (const file of files) await this.#entries.replace(file.id, entryOf(to + pathOf(file).slice(from.length), textOf(file)))
    return `Successfully renamed ${old_path} to ${new_path}`
  }

  /** edit makes a new version of a file; it begins again if another version came in between. */
  async #edit(path: string, change: (text: string) => string): Promise<void> {
    const at = safe(path)
    for (let attempt = 0; ; attempt++) {
      const file = at === ROOT ? undefined : await this.#entries.get(at)
      if (!file && (at === ROOT || (await this.#below(at)).length > 0)) throw new Error(`The path ${path} is not a file.`)
      if (!file) throw new Error(`The path ${path} does not exist. Please provide a valid path.`)
      try {
        await this.#entries.replace(file.id, entryOf(at, change(textOf(file))))
        return
      } catch (e) {
        if (!(e instanceof SomnographError) || e.code !== 'VERSION_CONFLICT' || attempt >= 9) throw e
      }
    }
  }

  async #viewDirectory(path: string, at: string): Promise<string> {
    const files = await this.#below(at)
    if (files.length === 0 && at !== ROOT) throw new Error(`The path ${path} does not exist. Please provide a valid path.`)
    const sizes = new Map<string, number>([['', 0]])
    for (const file of files) {
      const parts = pathOf(file).slice(at.length + 1).split('/')
      if (parts.some((part) => part.startsWith('.') || part === 'node_modules')) continue
      const size = new TextEncoder().encode(textOf(file)).length
      for (let depth = 0; depth <= Math.min(2, parts.length); depth++) {
        const name = parts.slice(0, depth).join('/') + (depth > 0 && depth < parts.length ? '/' : '')
        sizes.set(name, (sizes.get(name) ?? 0) + size)
      }
    }
    const lines = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, size]) => `${readable(size)}\t${name === '' ? path : `${at}/${name}`}`)
    return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join('\n')}`
  }

  /** tree returns the file at a path, or the files of a directory. */
  async #tree(at: string): Promise<MemoryRecord[]> {
    const file = await this.#entries.get(at)
    return file ? [file] : this.#below(at)
  }

  async #below(directory: string): Promise<MemoryRecord[]> {
    const files = []
    for await (const file of this.#entries.list([tagOf(directory)])) files.push(file)
    return files
  }
}

/**
 * safe checks a path, and returns it without a slash at its end. Paths that leave the directory in any spelling are
 * refused, also percent-encoded ones.
 */
function safe(path: string): string {
  if (typeof path !== 'string' || (path !== ROOT && !path.startsWith(ROOT + '/'))) throw new Error(`Path must start with ${ROOT}, got: ${path}`)
  const parts = path.slice(ROOT.length).replace(/\/$/, '').split('/').slice(1)
  const unsafe = (part: string) => part === '' || part === '.' || part === '..' || /[\\\u0000-\u001f\u007f]|%(2e|2f|5c|00)/i.test(part)
  if (parts.some(unsafe)) throw new Error(`Path ${path} would escape ${ROOT} directory`)
  return [ROOT, ...parts].join('/')
}

function directoriesOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(2).map((_, i) => parts.slice(0, i + 2).join('/'))
}

function tagOf(directory: string): string {
  return `memory-tool:${directory}/`
}

function entryOf(path: string, text: string) {
  return { name: path, content: text.trim() === '' ? UNSEARCHABLE : text, meta: { path, ...(text.trim() === '' && { text }) }, tags: directoriesOf(path).map(tagOf) }
}

function pathOf(file: MemoryRecord): string {
  return (file.meta as { path: string }).path
}

function textOf(file: MemoryRecord): string {
  return (file.meta as { text?: string }).text ?? file.content ?? ''
}

function numbered(lines: string[], first: number): string {
  return lines.map((line, i) => `${String(i + first).padStart(6, ' ')}\t${line}`).join('\n')
}

/** startsOf returns the lines in which a text of several lines begins. */
function startsOf(text: string, part: string): number[] {
  const lines = []
  for (let i = text.indexOf(part); i >= 0; i = text.indexOf(part, i + 1)) lines.push(text.slice(0, i).split('\n').length)
  return lines
}

function readable(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const unit = bytes < 1024 ** 2 ? 1 : 2
  const size = bytes / 1024 ** unit
  return (size % 1 === 0 ? size.toString() : size.toFixed(1)) + ['B', 'K', 'M'][unit]
}
