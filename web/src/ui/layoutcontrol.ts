// The choice of the layout, and whether entities are shown, at the top of the legend.
import { LAYOUTS, type Layout } from '../state/view'
import { h } from './dom'
import type { Session } from './session'

const NAMES: Record<Layout, [name: string, meaning: string]> = {
  meaning: ['Meaning', 'memories with similar meaning are near each other'],
  links: ['Links', 'memories that share entities, sessions or versions are near each other'],
}

export function layoutControl(s: Pick<Session, 'view'>): HTMLElement {
  const choices = LAYOUTS.map((layout) => {
    const [name, meaning] = NAMES[layout]
    return h('button', { type: 'button', role: 'radio', title: meaning, 'data-layout': layout, onclick: () => s.view.set({ layout }) }, name)
  })
  const step = (e: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(e.key)) return
    e.preventDefault()
    e.stopPropagation()
    const layout = s.view.get().layout === 'links' ? 'meaning' : 'links'
    s.view.set({ layout })
    choices[LAYOUTS.indexOf(layout)]!.focus()
  }
  const entities = h('button', { type: 'button', class: 'chip entities-toggle', title: 'entities that most memories mention, and their relations (e)', onclick: () => s.view.set({ hubs: !s.view.get().hubs }) }, 'Entities')
  const update = (): void => {
    const { layout, hubs } = s.view.get()
    choices.forEach((b, i) => {
      b.setAttribute('aria-checked', String(LAYOUTS[i] === layout))
      b.tabIndex = LAYOUTS[i] === layout ? 0 : -1
    })
    entities.setAttribute('aria-pressed', String(hubs))
    entities.classList.toggle('on', hubs)
  }
  s.view.on(['layout', 'hubs'], update)
  update()
  return h('div', { class: 'color-by layout-by' }, h('span', { id: 'layout-by' }, 'Place by'), h('div', { class: 'segmented small', role: 'radiogroup', 'aria-labelledby': 'layout-by', onkeydown: step }, ...choices), entities)
}
