// Loading of code that is split off by the bundler. A browser never asks again for a module that
// could not be loaded, so the files of a module are fetched first. The import then finds them in the
// browser's cache.

const ready = new Map<string, Promise<void>>()

/**
 * Imports a module after its files. The bundler calls this for every dynamic import of the page.
 * Fails, and can be called again, when a file cannot be loaded.
 *
 * @param load imports the module
 * @param files scripts and styles of the module and of what it imports, relative to the importer
 * @param importer URL of the importing script
 */
export async function importChunk<T>(load: () => Promise<T>, files: readonly string[] = [], importer = location.href): Promise<T> {
  await Promise.all(files.map((file) => once(new URL(file, importer).href)))
  return load()
}

function once(url: string): Promise<void> {
  const started = ready.get(url) ?? (/\.css$/.test(url) ? addStyle(url) : fetchFile(url))
  ready.set(url, started)
  started.catch(() => ready.delete(url))
  return started
}

async function fetchFile(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`)
  await response.arrayBuffer() // only a file that was read to its end is cached
}

function addStyle(url: string): Promise<void> {
  if ([...document.styleSheets].some((sheet) => sheet.href === url)) return Promise.resolve()
  return new Promise((loaded, failed) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href: url })
    link.onload = () => loaded()
    link.onerror = () => {
      link.remove()
      failed(new Error(`${url} could not be loaded`))
    }
    document.head.append(link)
  })
}
