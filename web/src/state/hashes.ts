// What a server claims, worked out anew: the hash of a receipt, the checksum of a memory.
// The layouts stand in docs/formats.

/** SHA-256, lower-case hex. Only on a secure connection, or on this machine. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, '0')).join('')
}

/** Whether this browser can prove anything here. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined

/** Of the sorted ids joined by newlines. */
export function receiptHash(ids: readonly string[]): Promise<string> {
  return sha256([...ids].sort().join('\n'))
}

/** Of what was said, when it was made, and by whom. */
export function memoryChecksum(m: { content: string; createdAt: string; sourceKind: string; source: string | null }): Promise<string> {
  return sha256(`${m.content}\0${new Date(m.createdAt).toISOString()}\0${m.sourceKind}:${m.source ?? ''}`)
}
