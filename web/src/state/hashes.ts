// Recomputes hashes that the server reports: of receipts and of memories. docs/formats has the
// layouts.

/** SHA-256 as lower-case hex. Browsers offer it on https and on localhost only. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, '0')).join('')
}

/** Whether this browser can compute hashes here. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined

/** Hash of the sorted ids, joined by newlines. */
export function receiptHash(ids: readonly string[]): Promise<string> {
  return sha256([...ids].sort().join('\n'))
}

/** Hash of content, creation time and source. */
export function memoryChecksum(m: { content: string; createdAt: string; sourceKind: string; source: string | null }): Promise<string> {
  return sha256(`${m.content}\0${new Date(m.createdAt).toISOString()}\0${m.sourceKind}:${m.source ?? ''}`)
}
