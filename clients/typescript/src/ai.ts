import { jsonSchema, type LanguageModelMiddleware, tool } from 'ai'
import { SomnographError } from './error.js'
import type { Memory, Session } from './memory.js'

/** Options of the middleware. */
export interface MemoryMiddlewareOptions {
  /** the conversation */
  session: string
  /** tokens of the context; default 1,000 */
  tokenBudget?: number
  /** false: turns are not observed */
  observe?: boolean
  /** called when memory fails; the model is then called without it. Default: console.warn */
  onError?: (error: SomnographError) => void
}

type Prompt = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']['prompt']

/**
 * A middleware for wrapLanguageModel: it adds the context for the last message of the user to the prompt, and observes
 * that message and the answer. In a loop of tool calls the message is observed once.
 */
export function memoryMiddleware(memory: Memory, options: MemoryMiddlewareOptions): LanguageModelMiddleware {
  const { tokenBudget = 1000, observe = true, onError = (e) => console.warn(`somnograph: ${e.code}: ${e.message}`) } = options
  const session = memory.session(options.session)
  const guarded = async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (e) {
      if (!(e instanceof SomnographError)) throw e
      onError(e)
    }
  }
  const keep = (prompt: Prompt, answer: string) => guarded(() => observeTurns(session, prompt, observe ? answer : undefined))
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      let { prompt } = params
      await guarded(async () => {
        const query = textOf(prompt.findLast((m) => m.role === 'user'))
        const { text } = await session.context(query || undefined, { tokenBudget })
        if (text.trim() !== '') prompt = withContext(prompt, text)
      })
      return { ...params, prompt }
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      await keep(params.prompt, result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''))
      return result
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream()
      let answer = ''
      type Part = typeof stream extends ReadableStream<infer Chunk> ? Chunk : never
      const watched = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type === 'text-delta') answer += part.delta
          controller.enqueue(part)
        },
        flush: () => keep(params.prompt, answer),
      })
      return { stream: stream.pipeThrough(watched), ...rest }
    },
  }
}

async function observeTurns(session: Session, prompt: Prompt, answer: string | undefined): Promise<void> {
  if (answer === undefined) return
  const last = prompt.at(-1)
  await session.add([...(last?.role === 'user' ? [{ role: 'user', content: textOf(last) }] : []), { role: 'assistant', content: answer }])
}

/** withContext adds the context after the system messages. */
function withContext(prompt: Prompt, text: string): Prompt {
  const rest = prompt.findIndex((m) => m.role !== 'system')
  const at = rest < 0 ? prompt.length : rest
  return [...prompt.slice(0, at), { role: 'system', content: text }, ...prompt.slice(at)]
}

function textOf(message: Prompt[number] | undefined): string {
  if (!message) return ''
  if (typeof message.content === 'string') return message.content
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Options of the tools. */
export interface MemoryToolsOptions {
  /** conversation in which the tools are called, to count uses */
  session?: string
  /** number of memories that recall returns; default 6 */
  limit?: number
}

/** Tools with which a model recalls, remembers and corrects. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}) {
  const { session, limit = 6 } = options
  return {
    recall: tool({
      description: 'Search long-term memory. Returns what is known, the most relevant first.',
      inputSchema: jsonSchema<{ query: string }>({ type: 'object', properties: { query: { type: 'string', description: 'what to look for, as a question or words' } }, required: ['query'], additionalProperties: false }),
      async execute({ query }) {
        const found = await memory.search(query, { topK: limit, ...(session !== undefined && { askedIn: session }) })
        // What is still in the buffer of this conversation is in the prompt.
        const hits = found.hits.filter((hit) => session === undefined || hit.memory.session !== session || hit.memory.tier !== 'L0')
        if (hits.length === 0) return 'No memory matches.'
        return hits.map(({ memory: m, label }) => ({ id: m.id, text: m.content ?? '', date: m.occurredAt.slice(0, 10), label }))
      },
    }),
    remember: tool({
      description: 'Store one statement in long-term memory.',
      inputSchema: jsonSchema<{ text: string; quote?: string }>({
        type: 'object',
        properties: { text: { type: 'string', description: 'one complete sentence' }, quote: { type: 'string', description: "the user's own words, if the user said it" } },
        required: ['text'],
        additionalProperties: false,
      }),
      async execute({ text, quote }) {
        const origin = quote ? ({ sourceKind: 'USER', meta: { quote } } as const) : ({ sourceKind: 'ASSISTANT' } as const)
        const { memory: m, duplicateOf } = await memory.remember(text, { ...origin, ...(session !== undefined && { session }) })
        return { id: m.id, known: duplicateOf !== null }
      },
    }),
    correct: tool({
      description: 'Replace a memory that is wrong or out of date by a new version. The id comes from recall.',
      inputSchema: jsonSchema<{ id: string; text: string; reason?: string }>({
        type: 'object',
        properties: { id: { type: 'string' }, text: { type: 'string', description: 'the corrected sentence' }, reason: { type: 'string' } },
        required: ['id', 'text'],
        additionalProperties: false,
      }),
      async execute({ id, text, reason }) {
        const { memory: m } = await memory.supersede(id, text, { reason })
        return { id: m.id, version: m.version }
      },
    }),
  }
}
