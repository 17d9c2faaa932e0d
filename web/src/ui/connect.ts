// How to connect an agent or a program to this server: tabs with text to copy.
import { snippets } from '../state/snippets'
import { h } from './dom'

export function connectTabs(): HTMLElement {
  const all = snippets(location.origin)
  const code = h('code')
  const about = h('p', { class: 'muted small' })
  const copy = h('button', { type: 'button', class: 'quiet-button' }, 'Copy')
  const panel = h('div', { class: 'connect-panel', role: 'tabpanel', id: 'connect-panel' }, about, h('pre', { tabindex: 0, 'aria-label': 'Example' }, code), copy)
  const show = (at: number, focus = false) => {
    const s = all[at]!
    code.textContent = s.code
    about.textContent = s.about
    copy.textContent = 'Copy'
    tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === at))
      tab.tabIndex = i === at ? 0 : -1
    })
    panel.setAttribute('aria-labelledby', `connect-${s.key}`)
    if (focus) tabs[at]!.focus()
  }
  const tabs = all.map((s, i) => h('button', { type: 'button', role: 'tab', id: `connect-${s.key}`, 'aria-controls': 'connect-panel', onclick: () => show(i) }, s.name))
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Select the text to copy it'),
    )
  })
  const onKey = (e: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key]
    if (!step) return
    e.preventDefault()
    e.stopPropagation()
    const at = tabs.findIndex((tab) => tab.tabIndex === 0)
    show((at + step + tabs.length) % tabs.length, true)
  }
  const element = h('div', { class: 'connect' }, h('div', { class: 'connect-tabs', role: 'tablist', 'aria-label': 'Connect with', onkeydown: onKey }, ...tabs), panel)
  show(0)
  return element
}
