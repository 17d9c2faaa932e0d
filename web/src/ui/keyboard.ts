// The keys of the page. Fields and buttons keep those they need.
import type { App } from './app'
import { savePicture } from './image'
import { saveJson } from './save'
import { ROOM_KEYS } from './toolbar'
import type { PanelGroup } from '../state/view'

const HEADINGS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const

export function listen(app: App): void {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return
    const target = e.target instanceof HTMLElement ? e.target : document.body
    if (target.matches('input, textarea, select')) return
    if (app.help.element.open && e.key !== '?') return
    const control = target.matches('button, [role=slider], a, summary')
    if (e.key in HEADINGS && !control) app.move(HEADINGS[e.key as keyof typeof HEADINGS])
    else if (e.key === 'Enter' && !control) app.enter()
    else if (e.key === ' ' && !target.matches('button')) app.timeline.toggle()
    else if (!single(app, e.key)) return
    e.preventDefault()
  })
}

function single(app: App, key: string): boolean {
  const actions: Record<string, () => void> = {
    '/': () => app.search.focus(),
    Escape: () => app.close(),
    '[': () => app.step(-1),
    ']': () => app.step(1),
    ',': () => app.timeline.nudge(-0.01),
    '.': () => app.timeline.nudge(0.01),
    n: () => app.timeline.now(),
    r: () => app.timeline.range(),
    h: () => app.home(),
    f: () => {
      const id = app.view.get().selected
      if (id) app.open(id, true)
    },
    ...Object.fromEntries(Object.entries(ROOM_KEYS).map(([room, key]) => [key, () => app.dock.toggle(room as PanelGroup)])),
    l: () => app.toggleTheme(),
    p: () => void savePicture(app, app.stage),
    j: () => saveJson(app),
    '2': () => app.toggleFlat(),
    g: () => app.toggleSprings(),
    '?': () => app.help.toggle(),
  }
  actions[key]?.()
  return key in actions
}
