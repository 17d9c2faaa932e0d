import { SomnographError } from './error.js'
import type { Role } from './generated.js'

/** A part of the content of a message. Parts that are not text are not remembered. */
export interface MessagePart {
  type: string
  text?: unknown
}

/** A message of a conversation, as most model APIs write it. */
export interface Message {
  /** user, assistant, tool or system; omitted: user. developer counts as system, function as tool */
  role?: string
  /** the text, or its parts; a message without text is not remembered */
  content?: string | readonly MessagePart[] | null
  /** names the message in its session: sent again, it is kept once */
  id?: string
  /** when it was said; omitted: now */
  occurredAt?: string | Date
}

/** A turn to observe. */
export interface Turn {
  role: Role
  text: string
  id?: string | undefined
  occurredAt?: string | Date | undefined
}

const ROLES: Record<string, Role> = {
  user: 'USER',
  human: 'USER',
  assistant: 'ASSISTANT',
  ai: 'ASSISTANT',
  model: 'ASSISTANT',
  tool: 'TOOL',
  function: 'TOOL',
  system: 'SYSTEM',
  developer: 'SYSTEM',
}

/** turnsOf converts messages into turns. A text is a turn of the user. */
export function turnsOf(messages: string | Message | readonly Message[]): Turn[] {
  if (typeof messages === 'string') return [{ role: 'USER', text: messages }]
  const list = Array.isArray(messages) ? (messages as readonly Message[]) : [messages as Message]
  return list.flatMap((message, i) => {
    const role = ROLES[String(message?.role ?? 'user').toLowerCase()]
    if (!role) throw new SomnographError('INVALID_REQUEST', `messages[${i}].role: must be user, assistant, tool or system`, { field: `messages[${i}].role` })
    const { content } = message
    if (content != null && typeof content !== 'string' && !Array.isArray(content)) {
      throw new SomnographError('INVALID_REQUEST', `messages[${i}].content: must be a text or a list of parts`, { field: `messages[${i}].content` })
    }
    const text = textOf(content)
    return text.trim() === '' ? [] : [{ role, text, id: message.id, occurredAt: message.occurredAt }]
  })
}

/** textOf joins the text of a content. */
export function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content
  const texts = (content ?? []).filter((p) => /^(input_|output_)?text$/.test(p.type) && typeof p.text === 'string')
  return texts.map((p) => p.text).join('\n')
}
