import type { AgentInputItem, Session as AgentsSession } from '@openai/agents-core'
import { fitting, STORED, UNSEARCHABLE } from './entries.js'
import { SomnographError } from './error.js'
import type { Memory, MemoryRecord } from './memory.js'
import type { Message } from './messages.js'

/** Options of a session. */
export interface SomnographSessionOptions {
  /** names the session */
  sessionId: string
  /** false: items are stored for the session only, and not observed as turns of a conversation */
  observe?: boolean
}

/** One piece of an item; a long item has several. */
interface Piece {
  item: string
  part: number
  of: number
  json: string
  turn?: string
}

// A meta has at most 16 KiB, and a character of JSON at most 3 bytes, or 6 where it is escaped again.
const PIECE_CHARACTERS = 2_500

/**
 * A session of the OpenAI Agents SDK. Items are stored as they are, in their order. Messages among them are also
 * observed, so that what was said in one session is recalled in others. popItem and clearSession erase the items and
 * the turns that were observed for them.
 */
export class SomnographSession implements AgentsSession {
  readonly #memory: Memory
  readonly #id: string
  readonly #observe: boolean

  constructor(memory: Memory, options: SomnographSessionOptions) {
    this.#memory = memory
    this.#id = options.sessionId
    this.#observe = options.observe ?? true
  }

  async getSessionId(): Promise<string> {
    return this.#id
  }

  /** The items in their order; with a limit only the last ones. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    return (await this.#last(limit)).map((stored) => stored.item)
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    const pieces: Piece[] = []
    for (const item of items) {
      const turn = this.#observe ? await this.#observed(item) : undefined
      const json = JSON.stringify(item)
      const name = crypto.randomUUID()
      const of = Math.ceil(json.length / PIECE_CHARACTERS)
      for (let part = 0; part < of; part++) {
        pieces.push({ item: name, part, of, json: json.slice(part * PIECE_CHARACTERS, (part + 1) * PIECE_CHARACTERS), ...(turn && part === 0 && { turn }) })
      }
    }
    for (let i = 0; i < pieces.length; i += 1000) {
      const batch = pieces.slice(i, i + 1000).map((meta) => ({ content: UNSEARCHABLE, type: 'DOCUMENT', onDuplicate: 'INSERT', tags: this.#tags(), meta }) as const)
      for (const { error } of await this.#memory.rememberMany(batch)) {
        if (error) throw new SomnographError(error.code, error.message, { field: error.field ?? undefined })
      }
    }
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    const [last] = await this.#last(1)
    if (last) await this.#erase(last.ids)
    return last?.item
  }

  async clearSession(): Promise<void> {
    const ids = (await this.#last()).flatMap((stored) => stored.ids)
    await this.#erase(ids)
  }

  /** last reads the last items, in their order, with the ids of the memories that hold them. */
  async #last(limit = Infinity): Promise<{ item: AgentInputItem; ids: string[] }[]> {
    if (limit <= 0) return []
    const whole: { item: AgentInputItem; ids: string[] }[] = []
    const open = new Map<string, MemoryRecord[]>()
    const page = fitting(Math.min(1000, limit + 20))
    let after: string | undefined
    do {
      const { nodes, pageInfo } = await page((first) => this.#memory.list({ filter: { tags: this.#tags(), types: ['DOCUMENT'] }, first, after, descending: true }))
      for (const memory of nodes) {
        const piece = memory.meta as Piece
        const parts = [memory, ...(open.get(piece.item) ?? [])]
        open.set(piece.item, parts)
        if (parts.length < piece.of) continue
        whole.unshift(joined(parts))
        if (whole.length === limit) return whole
      }
      after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
    } while (after)
    return whole
  }

  async #observed(item: AgentInputItem): Promise<string | undefined> {
    if (!('role' in item) || !('content' in item)) return undefined
    const { memories } = await this.#memory.add(item as Message, { session: this.#id })
    return memories[0]?.id
  }

  async #erase(ids: string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += 1000) await this.#memory.forget({ ids: ids.slice(i, i + 1000) })
  }

  #tags(): string[] {
    return [STORED, 'openai-agents', `openai-agents:user:${this.#memory.scope.user ?? ''}`, `openai-agents:session:${this.#id}`]
  }
}

function joined(memories: MemoryRecord[]): { item: AgentInputItem; ids: string[] } {
  const parts = memories.map((m) => m.meta as Piece).sort((a, b) => a.part - b.part)
  const turns = parts.flatMap((p) => (p.turn ? [p.turn] : []))
  return { item: JSON.parse(parts.map((p) => p.json).join('')) as AgentInputItem, ids: [...memories.map((m) => m.id), ...turns] }
}
