import { SomnographError } from './error.js'
import type { Memory, MemoryRecord } from './memory.js'

/** What an adapter stores under a name. */
export interface Entry {
  name: string
  /** the text that searches find, at least one character */
  content: string
  /** what the adapter reads back, at most 16 KiB of JSON */
  meta: unknown
  /** tags that select entries, besides that of the adapter; at most 60, each of at most 512 bytes */
  tags?: readonly string[]
}

/** An entry that a search found. */
export interface EntryHit {
  memory: MemoryRecord
  score: number
}

/**
 * Entries under names, for adapters that promise to return exactly what was stored. An entry is a memory of type
 * DOCUMENT: later statements do not revise it, sleep does not merge or archive it. A new value is a new version of it.
 * Entries of another user, or of nobody where the client names a user, are not seen.
 */
export class Entries {
  readonly #memory: Memory
  readonly #kind: string

  /** @param kind tag of all entries, and beginning of their external ids */
  constructor(memory: Memory, kind: string) {
    this.#memory = memory
    this.#kind = kind
  }

  async get(name: string): Promise<MemoryRecord | undefined> {
    const memory = await this.#memory.getByExternalId(this.#externalId(name))
    return memory?.status === 'ACTIVE' && this.#mine(memory) ? memory : undefined
  }

  /** put stores an entry, as a new version if the name is taken. The last of several writers wins. */
  async put(entry: Entry): Promise<MemoryRecord> {
    const { content, meta } = entry
    const tags = [this.#kind, ...(entry.tags ?? [])]
    for (let attempt = 0; ; attempt++) {
      try {
        const current = await this.get(entry.name)
        if (current) return (await this.#memory.supersede(current.id, content, { tags, meta })).memory
        const externalId = this.#externalId(entry.name)
        const { memory } = await this.#memory.remember(content, { type: 'DOCUMENT', externalId, tags, meta, onDuplicate: 'INSERT' })
        if (equal(memory.meta, meta)) return memory
      } catch (e) {
        if (!(e instanceof SomnographError) || e.code !== 'VERSION_CONFLICT' || attempt >= 9) throw e
      }
    }
  }

  /** create stores an entry unless the name is taken; undefined: it is. */
  async create(entry: Entry): Promise<MemoryRecord | undefined> {
    const { content, meta } = entry
    try {
      const tags = [this.#kind, ...(entry.tags ?? [])]
      const { memory, replayed } = await this.#memory.remember(content, { type: 'DOCUMENT', externalId: this.#externalId(entry.name), tags, meta, onDuplicate: 'INSERT' })
      return replayed && (await this.#memory.lineage(memory.id)).length > 1 ? undefined : memory
    } catch (e) {
      if (e instanceof SomnographError && e.code === 'VERSION_CONFLICT') return undefined
      throw e
    }
  }

  /** replace makes an entry the next version of a memory, also under another name. */
  async replace(id: string, entry: Entry): Promise<MemoryRecord> {
    const tags = [this.#kind, ...(entry.tags ?? [])]
    return (await this.#memory.supersede(id, entry.content, { externalId: this.#externalId(entry.name), tags, meta: entry.meta })).memory
  }

  /** delete erases entries with all their versions. */
  async delete(memories: readonly MemoryRecord[]): Promise<void> {
    const ids = (await parallel(memories, (m) => this.#versions(m))).flat()
    for (let i = 0; i < ids.length; i += 1000) await this.#memory.forget({ ids: ids.slice(i, i + 1000) })
  }

  /** list yields the entries with all of the tags, in the order of writing, or the last written first. */
  async *list(tags: readonly string[] = [], descending = false): AsyncGenerator<MemoryRecord, void> {
    const page = fitting()
    let after: string | undefined
    do {
      const { nodes, pageInfo } = await page((first) => this.#memory.list({ filter: { tags: [this.#kind, ...tags], types: ['DOCUMENT'] }, first, after, descending }))
      for (const memory of nodes) if (this.#mine(memory)) yield memory
      after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
    } while (after)
  }

  /** search finds entries with all of the tags, the best first; limit is at most 100. */
  async search(query: string, limit: number, tags: readonly string[] = []): Promise<EntryHit[]> {
    const { hits } = await this.#memory.search(query, {
      tags: [this.#kind, ...tags],
      types: ['DOCUMENT'],
      topK: Math.max(1, Math.min(100, limit)),
      minScoreRatio: 0,
      order: 'SCORE',
    })
    return hits.filter((hit) => this.#mine(hit.memory)).map(({ memory, score }) => ({ memory, score }))
  }

  /** versions returns the ids of all versions of a memory. */
  async #versions(memory: MemoryRecord): Promise<string[]> {
    if (memory.version === 1) return [memory.id]
    const ids: string[] = []
    const page = fitting()
    for (let afterVersion = 0, more = true; more; ) {
      let asked = 0
      const versions = await page((first) => this.#memory.lineage(memory.id, { first: (asked = first), afterVersion }))
      ids.push(...versions.map((v) => v.memory.id))
      afterVersion = versions.at(-1)?.version ?? 0
      more = versions.length === asked
    }
    return ids
  }

  #mine(memory: MemoryRecord): boolean {
    return (memory.user ?? undefined) === this.#memory.scope.user
  }

  #externalId(name: string): string {
    const id = [this.#kind, encodeURIComponent(this.#memory.scope.user ?? ''), name].join(':')
    if (new TextEncoder().encode(id).length > 512) throw new SomnographError('INVALID_REQUEST', `name: ${name.slice(0, 40)}… is too long`, { field: 'name' })
    return id
  }
}

/** fitting makes a function that asks for a page. If the server refuses an answer as too large, it asks for half as many, then and later. */
export function fitting(first = 1000): <Page>(ask: (first: number) => Promise<Page>) => Promise<Page> {
  return async (ask) => {
    for (;;) {
      try {
        return await ask(first)
      } catch (e) {
        if (!(e instanceof SomnographError) || e.code !== 'LIMIT_EXCEEDED' || first === 1) throw e
        first >>= 1
      }
    }
  }
}

/** createdAt is the time of the first version of a memory: its id, a UUIDv7, begins with the milliseconds. */
export function createdAt(memory: MemoryRecord): Date {
  return new Date(parseInt(memory.chain.replaceAll('-', '').slice(0, 12), 16))
}

/** parallel maps items with at most eight calls at a time. */
export async function parallel<Item, Result>(items: readonly Item[], map: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const i = next++
      results[i] = await map(items[i]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(8, items.length) }, work))
  return results
}

/** equal compares JSON values; the server may order the keys of objects in another way. */
function equal(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (v !== null && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v))
}

/** textOfValue is the text of a JSON value for searches: one line for each string, number and boolean, with its key. */
export function textOfValue(value: unknown, key = ''): string[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [key ? `${key}: ${value}` : String(value)]
  return Object.entries(value).flatMap(([k, v]) => textOfValue(v, Array.isArray(value) ? key : k))
}

/** content makes a text that can be stored: at least a character and at most 30,000 bytes. */
export function searchable(lines: readonly string[]): string {
  const bytes = new TextEncoder().encode(lines.join('\n')).slice(0, 30_000)
  return new TextDecoder().decode(bytes).replace(/\uFFFD+$/, '').trim() || UNSEARCHABLE
}

/** The tag of memories that searches do not find, and their content if there is none. */
export const STORED = '_stored'
export const UNSEARCHABLE = '·'
