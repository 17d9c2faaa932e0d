// Detects that the server now has another build of the explorer. File names contain a hash of
// their content, so equal names mean the same build.

const ENTRY = /<script[^>]*\bsrc="([^"]+)"/

/** Null if unknown: the server does not answer, or has no explorer. */
export async function serverHasSameExplorer(): Promise<boolean | null> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src')
  if (!own) return null
  try {
    const response = await fetch('./', { cache: 'no-cache', headers: { accept: 'text/html' } })
    if (!response.ok) return null
    const entry = entryScript(await response.text())
    return entry === null ? null : entry === own
  } catch {
    return null
  }
}

/** The URL of the first script of a page. */
export function entryScript(page: string): string | null {
  return ENTRY.exec(page)?.[1] ?? null
}
