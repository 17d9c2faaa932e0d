// What the page may do to a memory, by the scopes of its credential.
import type { MemoryStatus, Scope } from '../api/schema.gen'

export type Action = 'correct' | 'pin' | 'unpin' | 'undoRevision' | 'forget'

/** What an action depends on. */
export interface Target {
  status: MemoryStatus
  /** null: it belongs to nobody, and everybody sees it */
  user: string | null
  core: boolean
  /** erased or unavailable content can't be changed */
  content: string | null
  /** it has replaced others by itself, when it was written */
  revised: boolean
  /** the pattern that it holds: a person can't change its text; null: none */
  pattern: { id: string } | null
}

/** Whether scopes include one: MEMORY_ADMIN includes MEMORY_SHARE and MEMORY_CURATE. */
export function grants(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.includes(scope) || ((scope === 'MEMORY_SHARE' || scope === 'MEMORY_CURATE') && scopes.includes('MEMORY_ADMIN'))
}

/** Whether memories may be added, and those of this user changed; null: nobody's. */
export function mayWrite(scopes: readonly Scope[], user: string | null): boolean {
  return grants(scopes, 'MEMORY_WRITE') && (user !== null || grants(scopes, 'MEMORY_SHARE'))
}

/** The actions on a memory, in the order in which they are shown. There are none while the past is shown. */
export function actionsFor(scopes: readonly Scope[], m: Target, past: boolean): Action[] {
  if (past || m.status === 'FORGOTTEN') return []
  const active = m.status === 'ACTIVE'
  const write = mayWrite(scopes, m.user)
  const curate = grants(scopes, 'MEMORY_CURATE')
  const out: Action[] = []
  if (active && write && m.content !== null && m.pattern === null) out.push('correct')
  if (active && curate) out.push(m.core ? 'unpin' : 'pin')
  if (active && curate && m.revised && m.pattern === null) out.push('undoRevision')
  if (write) out.push('forget')
  return out
}

/** How a person can end a conflict. */
export type Choice = 'earlier' | 'later' | 'both'

/** The ways to end a conflict of two memories: a pattern can be kept, and ends only in favour of another pattern. */
export function choicesFor(earlier: Pick<Target, 'pattern'>, later: Pick<Target, 'pattern'>): Choice[] {
  if (earlier.pattern === null && later.pattern === null) return ['earlier', 'later', 'both']
  if (earlier.pattern !== null && later.pattern !== null) return ['earlier', 'later']
  return [earlier.pattern !== null ? 'earlier' : 'later']
}

/** What a memory to be added says about itself; empty fields are left out. */
export interface Draft {
  content: string
  /** "": by its content */
  type: string
  namespace: string
  user: string
  project: string
  important: boolean
}

/** The input of remember. The person who presses the button gives the consent. */
export function rememberInput(draft: Draft): Record<string, unknown> {
  const out: Record<string, unknown> = { content: draft.content.trim(), consent: 'EXPLICIT' }
  for (const field of ['type', 'namespace', 'user', 'project'] as const) if (draft[field].trim() !== '') out[field] = draft[field].trim()
  if (draft.important) out['important'] = true
  return out
}

/** "1 memory", "3 memories" */
export function memoriesText(n: number): string {
  return `${n.toLocaleString('en')} ${n === 1 ? 'memory' : 'memories'}`
}
