// Keyboard shortcuts. Fields and buttons keep the keys that they need.
import type { App } from './app'
import { saveImage } from './image'
import { saveJson } from './save'
import { GROUP_KEYS } from './toolbar'
import type { PanelGroup } from '../state/view'

const DIRECTIONS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const

export function listenToKeys(app: App): void {
  app.openPalette = () => void Promise.all([import('./palette/palette'), import('./commands')]).then(([{ openPalette }, { commandsOf }]) => openPalette(app, commandsOf(app)))
  document.addEventListener('keydown', (e) => {
    if ((e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === 'k') {
      e.preventDefault()
      app.openPalette()
      return
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return
    const target = e.target instanceof HTMLElement ? e.target : document.body
    if (target.matches('input, textarea, select')) return
    if (document.querySelector('dialog[open]') && !(app.help.element.open && e.key === '?')) return
    const control = target.matches('button, [role=slider], a, summary')
    if (e.key in DIRECTIONS && !control) app.navigation.moveCursor(DIRECTIONS[e.key as keyof typeof DIRECTIONS])
    else if (e.key === 'Enter' && !control) app.navigation.openAtCursor()
    else if (e.key === ' ' && !target.matches('button')) app.timeline.toggle()
    else if (!runKey(app, e.key)) return
    e.preventDefault()
  })
}

function runKey(app: App, key: string): boolean {
  const actions: Record<string, () => void> = {
    '/': () => app.search.focus(),
    Escape: () => app.close(),
    '[': () => app.stepVersion(-1),
    ']': () => app.stepVersion(1),
    ',': () => app.timeline.stepBy(-0.01),
    '.': () => app.timeline.stepBy(0.01),
    n: () => app.addMemory(),
    t: () => app.timeline.backToNow(),
    r: () => app.timeline.toggleBrush(),
    h: () => app.showWholeMap(),
    f: () => {
      const id = app.view.get().selected
      if (id) app.open(id, true)
    },
    ...Object.fromEntries(Object.entries(GROUP_KEYS).map(([room, key]) => [key, () => app.dock.toggle(room as PanelGroup)])),
    u: () => app.dock.openPanel('known'),
    l: () => app.display.toggleTheme(),
    p: () => void saveImage(app, app.stage),
    j: () => saveJson(app),
    '2': () => app.display.toggleFlat(),
    g: () => app.display.toggleLayout(),
    e: () => app.display.toggleHubs(),
    a: () => app.display.toggleAreas(),
    '?': () => app.help.toggle(),
  }
  actions[key]?.()
  return key in actions
}
