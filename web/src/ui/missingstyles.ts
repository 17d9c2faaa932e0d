// Styles that could not be loaded while the server was away. The code that needs them is asked for again, a style is not.

const missing = new Set<string>()

/** Notes from now on every style that fails to load. */
export function watchStyles(): void {
  document.addEventListener('error', ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    missing.add(target.href)
    target.remove()
  }, true)
}

/** Asks for the missing styles again. One that fails again stays missing. */
export function loadMissingStyles(): void {
  for (const href of missing) document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href }))
  missing.clear()
}
