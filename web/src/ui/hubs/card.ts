// The card of an entity on the map: what can be done with it, and the path to another one.
import { displayName } from '../../api/vocabulary'
import type { Hub, PathStep } from '../../state/links/entitygraph'
import { h } from '../dom'

export interface HubActions {
  expand(hub: Hub): void
  hide(hub: Hub): void
  startPath(hub: Hub): void
  openEntity(hub: Hub): void
  openMemory(id: string): void
  close(): void
}

/** What to do with an entity. */
export function hubCard(hub: Hub, expanded: boolean, actions: HubActions): Node[] {
  const button = (text: string, act: () => void) => h('button', { type: 'button', class: 'quiet-button', onclick: act }, text)
  return [
    h('h2', {}, hub.name),
    h('p', { class: 'muted' }, `${displayName(hub.type)} · mentioned by ${hub.mentions.toLocaleString('en')} ${hub.mentions === 1 ? 'memory' : 'memories'}`),
    h(
      'div',
      { class: 'buttons' },
      button(expanded ? 'Collapse' : 'Expand', () => actions.expand(hub)),
      button('Path to…', () => actions.startPath(hub)),
      button('Hide', () => actions.hide(hub)),
      button('Facts and mentions', () => actions.openEntity(hub)),
    ),
  ]
}

/** The other end of a path is being chosen. */
export function choosingCard(hub: Hub, cancel: () => void): Node[] {
  return [
    h('h2', {}, `Path from ${hub.name}`),
    h('p', { class: 'muted' }, 'Choose the other entity on the map.'),
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'quiet-button', onclick: cancel }, 'Cancel')),
  ]
}

/** A path in words. `textOf` is the text of a memory. */
export function pathCard(steps: readonly PathStep[], nameOf: (key: string) => string, textOf: (id: string) => string, actions: HubActions): Node[] {
  const close = h('button', { type: 'button', class: 'quiet-button', onclick: () => actions.close() }, 'Close')
  if (steps.length === 0) return [h('h2', {}, 'No path'), h('p', { class: 'muted' }, 'No relation or memory joins these two entities among those on the map. Expand one of them and try again.'), h('div', { class: 'buttons' }, close)]
  const [first, last] = [nameOf(steps[0]!.hub), nameOf(steps.at(-1)!.hub)]
  return [
    h('h2', {}, `From ${first} to ${last}`),
    h(
      'ol',
      { class: 'hub-path' },
      ...steps.slice(1).map((step, i) => {
        const from = nameOf(steps[i]!.hub)
        const to = nameOf(step.hub)
        if (step.memory === null) return h('li', {}, h('b', {}, step.back ? to : from), ` ${step.words} `, h('b', {}, step.back ? from : to))
        const id = step.memory
        return h('li', {}, h('b', {}, from), ' and ', h('b', {}, to), ' are both in ', h('button', { type: 'button', class: 'link', onclick: () => actions.openMemory(id) }, `“${textOf(id) || 'a memory'}”`))
      }),
    ),
    h('div', { class: 'buttons' }, close),
  ]
}
