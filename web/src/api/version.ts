// Whether the server still brings the explorer that runs here. The names of the explorer's
// files carry a hash of what is in them, so equal names are the same explorer.

const ENTRY = /<script[^>]*\bsrc="([^"]+)"/

/** null where it cannot be told: the server does not answer, or brings no explorer. */
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

/** The script that a page begins with. */
export function entryScript(page: string): string | null {
  return ENTRY.exec(page)?.[1] ?? null
}
