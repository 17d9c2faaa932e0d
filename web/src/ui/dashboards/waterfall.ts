// A waterfall: totals as full bars, and between them what leaves, each from where the last one ended.
import type { WaterfallStep } from '../../state/boards'
import { h } from '../dom'

const TOTALS = new Set(['learned', 'active', 'well'])

export function waterfallChart(title: string, steps: readonly WaterfallStep[], act: (step: WaterfallStep) => void): HTMLElement {
  const most = Math.max(1, ...steps.map((s) => Math.max(s.from, s.to)))
  return h(
    'ol',
    { class: 'waterfall', 'aria-label': title },
    ...steps.map((step) => {
      const bar = h('i', { class: `layer-${step.key}` })
      bar.style.left = `${(100 * Math.min(step.from, step.to)) / most}%`
      bar.style.width = `${Math.max((100 * Math.abs(step.to - step.from)) / most, 0.4)}%`
      const text = TOTALS.has(step.key) ? step.value.toLocaleString('en') : `−${step.value.toLocaleString('en')}`
      return h('li', {}, h('button', { type: 'button', title: 'show these on the map', onclick: () => act(step) }, h('span', { class: 'name' }, step.label), h('span', { class: 'track' }, bar), h('b', {}, text)))
    }),
  )
}
