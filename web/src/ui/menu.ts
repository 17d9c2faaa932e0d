// A button with a drop-down menu.
import { h, icon, iconButton } from './dom'

export interface Item {
  name: string
  icon: string
  key?: string
  act: () => void
  /** also a button of the toolbar, and in the menu only if there is no room for the button */
  narrow?: boolean
}

export class Menu {
  readonly element: HTMLElement
  private readonly button: HTMLButtonElement
  private readonly list: HTMLElement

  constructor(name: string, sign: string, items: readonly Item[]) {
    this.button = iconButton(sign, name, () => this.setClosed(!this.list.hidden))
    this.button.setAttribute('aria-haspopup', 'menu')
    this.list = h('div', { class: 'menu panel', role: 'menu', 'aria-label': name, hidden: true })
    for (const item of items) {
      const act = () => {
        this.setClosed(true)
        this.button.focus({ preventScroll: true })
        item.act()
      }
      this.list.append(
        h('button', { type: 'button', role: 'menuitem', tabindex: -1, class: item.narrow ? 'only-small' : null, onclick: act }, icon(item.icon), h('span', {}, item.name), item.key ? h('kbd', { 'aria-hidden': 'true' }, item.key) : null),
      )
    }
    this.element = h('div', { class: 'menu-wrap' }, this.button, this.list)
    this.setClosed(true)
    this.element.addEventListener('keydown', (e) => this.onKey(e))
    this.element.addEventListener('focusout', (e) => !this.element.contains(e.relatedTarget as Node | null) && this.setClosed(true))
  }

  private items(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('[role=menuitem]')].filter((item) => item.offsetParent !== null)
  }

  private setClosed(closed: boolean): void {
    this.list.hidden = closed
    this.button.setAttribute('aria-expanded', String(!closed))
    if (!closed) this.items()[0]?.focus()
  }

  private onKey(e: KeyboardEvent): void {
    if (this.list.hidden) {
      if (e.key !== 'ArrowDown') return
      this.setClosed(false)
    } else {
      const all = this.items()
      const at = all.indexOf(document.activeElement as HTMLElement)
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key]
      if (to !== undefined) all[(to + all.length) % all.length]?.focus()
      else if (e.key === 'Escape') {
        this.setClosed(true)
        this.button.focus({ preventScroll: true })
      } else return
    }
    e.preventDefault()
    e.stopPropagation()
  }
}
