// The proof of an erasure, worked out anew.

/** SHA-256 of the sorted ids joined by newlines, lower-case hex. */
export async function receiptHash(ids: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode([...ids].sort().join('\n')))
  return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, '0')).join('')
}
