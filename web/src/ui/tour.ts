// The tour: offered on the first visit, with examples from the store. It can be left at any
// step and started again from the menu.
import { tourSteps, type TourStep } from '../state/tour'
import { h, svg } from './dom'
import { connectTabs } from './connect'
import type { Session } from './session'

const KEY = 'somnograph.guided'
/** With fewer memories the tour is not offered. */
const MIN_MEMORIES = 20
/** Distance of the ring from the element that it surrounds, in pixels. */
const RING = 5
/** Time in which panels and camera come to rest. */
const SETTLE_MS = 420
/** On a page narrower than this, the card is above or below what it is about. */
const NARROW = 760

export class Tour {
  readonly element: HTMLElement
  /** the map is fitted beside it */
  readonly card = h('div', { class: 'tour panel', role: 'dialog', 'aria-label': 'Tour', tabindex: -1 })
  private readonly ring = h('div', { class: 'tour-ring', 'aria-hidden': 'true' })
  private steps: TourStep[] = []
  private index = -1
  private timer = 0
  /** panels grow when their content arrives */
  private readonly grown = new ResizeObserver(() => this.index >= 0 && this.place())

  constructor(private readonly s: Session) {
    this.element = h('div', { class: 'tour-wrap', hidden: true }, this.ring, this.card)
    this.card.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape') return
      e.stopPropagation()
      this.end()
    })
    window.addEventListener('resize', () => this.index >= 0 && this.place())
  }

  /** Offers the tour with the first scene, on the first visit without a link. */
  offerOnFirstVisit(): void {
    if (localStorage.getItem(KEY) !== null || location.hash !== '') return
    this.s.live.on(['world'], ({ world }, before) => !before.world && world && world.count >= MIN_MEMORIES && this.offer())
  }

  start(): void {
    const { world } = this.s.live.get()
    if (!world || world.count === 0) return
    this.steps = tourSteps(world, this.s.clock.now())
    this.showStep(0)
  }

  private offer(): void {
    const no = h('button', { type: 'button', class: 'quiet-button', onclick: () => this.end() }, 'Not now')
    const yes = h('button', { type: 'button', class: 'button', onclick: () => this.start() }, 'Take the tour')
    this.ring.hidden = true
    this.card.classList.add('offer')
    this.card.replaceChildren(h('h2', {}, 'Your first time here?'), h('p', {}, 'A two-minute tour shows the memories, how they changed, and what an agent would see.'), h('div', { class: 'buttons' }, yes, no))
    this.element.hidden = false
    this.s.announce('A two-minute tour is available at the end of the page')
  }

  /** Declines the offer of the tour; false if there is none. */
  decline(): boolean {
    if (this.element.hidden || this.index >= 0) return false
    this.end()
    return true
  }

  private showStep(at: number): void {
    const step = this.steps[at]
    if (!step) {
      this.end()
      return
    }
    this.index = at
    this.card.classList.remove('offer')
    this.ring.classList.toggle('bright', step.bright === true)
    this.s.live.set({ playing: false })
    this.s.view.set(step.view)
    if (step.open) this.s.open(step.open, true)
    if (step.home) this.s.showWholeMap()
    const last = at === this.steps.length - 1
    const next = h('button', { type: 'button', class: 'button', onclick: () => this.showStep(at + 1) }, last ? 'Done' : 'Next')
    const back = h('button', { type: 'button', class: 'quiet-button', disabled: at === 0, onclick: () => this.showStep(at - 1) }, 'Back')
    const skip = h('button', { type: 'button', class: 'link', onclick: () => this.end() }, 'Skip')
    this.card.replaceChildren(
      h('p', { class: 'tour-at' }, `${at + 1} of ${this.steps.length}`, dots(at, this.steps.length)),
      h('h2', {}, step.title),
      h('p', {}, step.text),
      ...(step.connect ? [connectTabs()] : []),
      h('div', { class: 'buttons' }, next, back, ...(last ? [] : [skip])),
    )
    this.element.hidden = false
    this.place()
    this.grown.disconnect()
    const target = document.querySelector(step.target)
    if (target) this.grown.observe(target)
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.place(), SETTLE_MS)
    next.focus({ preventScroll: true })
    this.s.announce(`${step.title}. ${step.text}`)
  }

  /** Moves the frame around the element of the step; hides it if the element is not visible. */
  private place(): void {
    const target = document.querySelector<HTMLElement>(this.steps[this.index]?.target ?? 'none')
    if (target) this.placeCard(target.getBoundingClientRect())
    const scroll = this.steps[this.index]?.scroll
    if (scroll) target?.querySelector(scroll)?.scrollIntoView({ block: 'nearest' })
    const box = target?.getBoundingClientRect()
    const seen = box && box.width > 0 && getComputedStyle(target!).visibility !== 'hidden'
    this.ring.hidden = !seen
    if (!seen) return
    const [left, top] = [Math.max(box.left - RING, 2), Math.max(box.top - RING, 2)]
    const [right, bottom] = [Math.min(box.right + RING, window.innerWidth - 2), Math.min(box.bottom + RING, window.innerHeight - 2)]
    Object.assign(this.ring.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` })
  }

  /** The card stands on the side of the page that the element leaves free, away from the middle of the map. */
  private placeCard(target: DOMRect): void {
    const { innerWidth: width, innerHeight: height } = window
    const narrow = width < NARROW
    this.card.classList.toggle('at-top', narrow ? target.top + target.height / 2 > height / 2 : target.bottom > height * 0.8 && target.top > height / 2)
    // On a narrow page panels begin below the card.
    const below = narrow && this.card.classList.contains('at-top') ? this.card.getBoundingClientRect().bottom : 0
    document.documentElement.style.setProperty('--tour-below', `${below}px`)
    const beside = target.height > height / 3 && target.left + target.width / 2 > width * 0.6
    // What is about the timeline leaves the memory on the right in view.
    const memory = document.querySelector<HTMLElement>('.detail')
    const behind = target.top > height / 2 && memory !== null && memory.offsetWidth > 0 && getComputedStyle(memory).visibility !== 'hidden'
    this.card.classList.toggle('at-left', !narrow && (beside || behind))
  }

  private end(): void {
    clearTimeout(this.timer)
    this.grown.disconnect()
    document.documentElement.style.removeProperty('--tour-below')
    localStorage.setItem(KEY, '1')
    this.element.hidden = true
    if (this.index >= 0) {
      this.s.view.set({ panel: null, selected: null, query: '', recorded: null, hubs: false, layout: 'meaning' })
      this.s.showWholeMap()
    }
    this.index = -1
    document.querySelector<HTMLElement>('canvas.scene')?.focus({ preventScroll: true })
  }
}

function dots(at: number, count: number): SVGElement {
  return svg('svg', { class: 'tour-dots', viewBox: `0 0 ${count * 10} 8`, width: count * 10, height: 8, 'aria-hidden': 'true' }, ...Array.from({ length: count }, (_, i) => svg('circle', { cx: i * 10 + 4, cy: 4, r: i === at ? 3.4 : 2.2, class: i <= at ? 'past' : '' })))
}
