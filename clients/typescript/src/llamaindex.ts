import { BaseMemoryBlock, type MemoryMessage } from '@llamaindex/core/memory'
import type { Memory, Session } from './memory.js'

/** Options of a block. */
export interface SomnographBlockOptions {
  /** conversation that the messages belong to */
  session: string
  /** tokens of the context; default 1,000 */
  tokenBudget?: number
  /** priority of the block; 0: always in the context; default 1 */
  priority?: number
  id?: string
}

/**
 * A long-term memory block of LlamaIndex.TS: what leaves the short-term memory is observed, and the context is built
 * for the last message of the user.
 */
export class SomnographMemoryBlock<Options extends object = object> extends BaseMemoryBlock<Options> {
  readonly #session: Session
  readonly #tokenBudget: number

  constructor(memory: Memory, options: SomnographBlockOptions) {
    super({ id: options.id ?? 'somnograph', priority: options.priority ?? 1, isLongTerm: true })
    this.#session = memory.session(options.session)
    this.#tokenBudget = options.tokenBudget ?? 1000
  }

  async get(messages: MemoryMessage<Options>[] = []): Promise<MemoryMessage<Options>[]> {
    const asked = messages.findLast((m) => m.role === 'user')
    const query = asked && textOf(asked)
    const { text } = await this.#session.context(query || undefined, { tokenBudget: this.#tokenBudget })
    return text.trim() === '' ? [] : [{ id: this.id, role: 'memory', content: text } as MemoryMessage<Options>]
  }

  async put(messages: MemoryMessage<Options>[]): Promise<void> {
    const said = messages.filter((m) => m.role !== 'memory')
    await this.#session.add(said.map((m) => ({ id: m.id, role: m.role, content: textOf(m), ...(m.createdAt && { occurredAt: m.createdAt }) })))
  }
}

function textOf(message: MemoryMessage): string {
  if (typeof message.content === 'string') return message.content
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
