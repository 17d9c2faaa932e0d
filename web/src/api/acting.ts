// Requests that change a memory.
import { request, required } from './graphql'
import { operation } from './operations'
import type { ConflictSideQuery, ForgetAllMutation, ForgetMutation, MarksQuery, PinMutation, RememberMutation, SetTagsMutation, SupersedeMemoryMutation, UndoRevisionMutation, UnpinMutation } from './schema.gen'

export type Remembered = NonNullable<RememberMutation['remember']>
export type ForgetReceipt = NonNullable<ForgetMutation['forget']>['receipt']
export type ConflictSide = NonNullable<ConflictSideQuery['memory']>

export async function remember(input: Record<string, unknown>): Promise<Remembered> {
  return required((await request<RememberMutation, object>(operation('Remember'), { input })).remember)
}

/** Writes a new version of a memory and returns its id. */
export async function supersede(id: string, content: string, reason: string): Promise<string> {
  const input = { id, content, ...(reason === '' ? {} : { reason }) }
  return required((await request<SupersedeMemoryMutation, object>(operation('SupersedeMemory'), { input })).supersede).memory.id
}

export async function pin(id: string): Promise<void> {
  required((await request<PinMutation, object>(operation('Pin'), { id })).pin)
}

export async function unpin(id: string): Promise<void> {
  required((await request<UnpinMutation, object>(operation('Unpin'), { id })).unpin)
}

/** The tags of a memory, and whether it is pinned. */
export async function fetchMarks(id: string): Promise<{ tags: string[]; core: boolean }> {
  return required((await request<MarksQuery, object>(operation('Marks'), { id })).memory)
}

/** Replaces the tags of a memory. */
export async function setTags(id: string, tags: readonly string[]): Promise<void> {
  required((await request<SetTagsMutation, object>(operation('SetTags'), { id, tags })).update)
}

/** Takes back what a memory revised when it was written; those memories are active again. */
export async function undoRevision(id: string): Promise<void> {
  required((await request<UndoRevisionMutation, object>(operation('UndoRevision'), { id })).undoRevision)
}

/** Erases memories and what was derived from them; a dry run only says which. */
export async function forget(ids: readonly string[], dryRun: boolean): Promise<ForgetReceipt> {
  return required((await request<ForgetMutation, object>(operation('Forget'), { ids, dryRun })).forget).receipt
}

/** Erases all memories that mention an entity, or all of a user; a dry run only says which. */
export async function forgetAll(of: { entity: string } | { user: string }, dryRun: boolean): Promise<ForgetReceipt & { mentions: number | null }> {
  return required((await request<ForgetAllMutation, object>(operation('ForgetAll'), { input: { ...of, dryRun } })).forget).receipt
}

export async function fetchConflictSide(id: string): Promise<ConflictSide> {
  return required((await request<ConflictSideQuery, object>(operation('ConflictSide'), { id })).memory)
}
