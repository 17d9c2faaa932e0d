// Entities as nodes over the map: buttons with names, joined by relations. They expand, hide, and show the path between
// two. One of them is a tab stop; arrow keys lead to the others.
import '../../style/hubs.css'
import { drawnRelations, hubEnds, hubPlaces, mostTogether, pathBetween, placeBeside, ownersOf, type Hub, type PathStep, type Point } from '../../state/links/entitygraph'
import type { HubEnd } from '../../state/links/layout'
import type { Rect } from '../../state/inset'
import { projectPosition, type Projection, type ScreenPoint } from '../../scene/picking/pick'
import { errorText } from '../asynccontent'
import { h } from '../dom'
import type { Session } from '../session'
import { choosingCard, hubCard, pathCard, type HubActions } from './card'
import { drawHubLines, type HubColors, type HubLines, type Spot } from './drawing'
import { HubSource } from './source'

const RELOAD_DELAY_MS = 300
/** Space between the card and what is at the right of it, in pixels. */
const CARD_GAP = 14
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

export interface HubHost {
  /** lights up memories; none: an empty list */
  light(nodes: readonly number[]): void
  /** what is laid out has changed */
  changed(): void
  redraw(): void
}

interface Node {
  hub: Hub
  button: HTMLButtonElement
  name: HTMLElement
  /** on the map; null: it is not shown */
  place: Point | null
  /** on the page; null: it is not there */
  spot: Spot | null
}

export class EntityHubs implements HubActions {
  readonly element = h('div', { class: 'hubs', role: 'group', 'aria-label': 'Entities' })
  private readonly canvas = h('canvas', { class: 'hub-lines', 'aria-hidden': 'true' })
  private readonly card = h('div', { class: 'hub-card panel', role: 'group', 'aria-label': 'Entity', hidden: true })
  private readonly source = new HubSource()
  private readonly nodes = new Map<string, Node>()
  private readonly expanded = new Set<string>()
  private readonly hidden = new Set<string>()
  private shown: string[] = []
  private focus: string | null = null
  private pathFrom: string | null = null
  private path: PathStep[] = []
  private laidOut: Float32Array | null = null
  private colors: HubColors | null = null
  private running: AbortController | null = null
  private timer = 0
  /** values, and the entity that each stands beside */
  private owners = new Map<string, string>()
  private lines: Pick<HubLines, 'relations' | 'together'> = { relations: [], together: [] }

  constructor(
    private readonly s: Session,
    private readonly host: HubHost,
  ) {
    this.element.append(this.canvas, this.card)
    this.element.addEventListener('keydown', (e) => this.onKey(e))
    s.view.on(['namespaces'], () => this.loadSoon(true))
    s.view.on(['recorded', 'valid'], () => {
      this.update()
      this.loadSoon(false)
    })
    s.view.on(['statuses', 'types', 'projects', 'users', 'clusters', 'tiers', 'decays', 'learned'], () => this.update())
    s.live.on(['world'], (_, before) => {
      if (before.world) this.source.forgetMembers()
      this.loadSoon(true)
    })
    s.live.on(['light'], () => (this.colors = null))
  }

  /** Whether entities are shown. */
  private get on(): boolean {
    return this.s.view.get().hubs
  }

  /** Shows the entities, or hides them. */
  show(): void {
    this.element.hidden = !this.on
    if (this.on) void this.load(true)
    else {
      this.running?.abort()
      this.unfocus()
      this.host.changed()
    }
  }

  private loadSoon(all: boolean): void {
    clearTimeout(this.timer)
    if (this.on) this.timer = window.setTimeout(() => void this.load(all), RELOAD_DELAY_MS)
  }

  /** Loads the entities, or only their relations, which depend on the instant. */
  private async load(all: boolean): Promise<void> {
    this.running?.abort()
    const { signal } = (this.running = new AbortController())
    try {
      if (all) {
        const top = await this.source.load(this.s.view.get(), signal)
        await this.source.loadMembers([...this.expanded].flatMap((key) => [key, ...this.source.related(key)]), signal)
        this.shown = top
        if (top.length === 0) this.s.notify('No entity is mentioned in two memories or more.')
      } else await this.source.loadRelations(this.s.view.get(), signal)
      if (signal.aborted) return
      this.update()
      if (all) this.host.changed()
    } catch (e) {
      if (!signal.aborted) this.s.notify(`The entities could not be loaded. ${errorText(e)}`, { name: 'Try again', act: () => this.load(all) })
    }
  }

  /** The entities on the map: those of most mentions and what was expanded, without what was hidden. */
  private keys(): string[] {
    const keys = new Set([...this.shown, ...[...this.expanded].flatMap((key) => [key, ...this.source.related(key)])])
    return [...keys].filter((key) => !this.hidden.has(key) && this.source.hubs.has(key))
  }

  /** Chooses entities and lines anew: what is shown has changed. */
  private update(): void {
    if (!this.on) return
    const keys = this.keys()
    const wanted = new Set(keys)
    for (const [key, node] of this.nodes) {
      if (wanted.has(key)) continue
      node.button.remove()
      this.nodes.delete(key)
    }
    for (const key of keys) this.nodeOf(key)
    const hubs = [...this.nodes.values()].map((n) => n.hub)
    this.owners = ownersOf(hubs, this.source.relations)
    this.placeNodes()
    this.lines = { relations: drawnRelations(this.source.relations, wanted, this.expanded), together: mostTogether(hubs) }
    this.updateTabStops()
    this.host.redraw()
  }

  private nodeOf(key: string): Node {
    const hub = this.source.hubs.get(key)!
    const held = this.nodes.get(key)
    if (held) {
      held.hub = hub
      return held
    }
    const name = h('span', { class: 'hub-name' }, hub.name)
    const button = h('button', { type: 'button', class: 'hub', 'data-key': key, 'aria-label': hub.name, tabindex: -1 }, h('i'), name)
    button.style.setProperty('--size', `${Math.round(5 + 3.4 * Math.sqrt(Math.min(hub.mentions, 60)))}px`)
    button.addEventListener('click', () => this.choose(key))
    button.addEventListener('dblclick', () => this.expand(this.source.hubs.get(key)!))
    button.addEventListener('contextmenu', (e) => {
      e.preventDefault()
      this.choose(key)
    })
    button.addEventListener('pointerenter', () => this.light(key))
    button.addEventListener('pointerleave', () => this.light(this.focus))
    button.addEventListener('focus', () => this.updateTabStops(key))
    const node: Node = { hub, button, name, place: null, spot: null }
    this.nodes.set(key, node)
    this.element.insertBefore(button, this.card)
    return node
  }

  /** The memories of an entity that are drawn now. */
  private drawn(hub: Hub): number[] {
    const { world } = this.s.live.get()
    if (!world) return []
    return hub.members.map((id) => world.indexOf(id)).filter((n) => n >= 0 && this.s.isDrawn(n))
  }

  /** The entities with a place of their own, in the order of the layout. */
  private free(): Node[] {
    return [...this.nodes.values()].filter(({ hub }) => !this.owners.has(hub.key))
  }

  private placeNodes(): void {
    const p = this.s.live.get().world?.frame.positions
    const nodes = this.free()
    const out = this.laidOut?.length === 3 * nodes.length ? this.laidOut : null
    const members = nodes.map(({ hub }) => this.drawn(hub))
    const places = hubPlaces(members.map((list) => list.map((n): Point => [p![3 * n]!, p![3 * n + 1]!, p![3 * n + 2]!])))
    nodes.forEach((node, i) => {
      node.place = members[i]!.length === 0 ? null : out ? [out[3 * i]!, out[3 * i + 1]!, out[3 * i + 2]!] : places[i]!
    })
    const beside = new Map<string, number>()
    for (const [key, owner] of this.owners) {
      const [node, by] = [this.nodes.get(key), this.nodes.get(owner)]
      if (!node) continue
      const k = beside.get(owner) ?? 0
      beside.set(owner, k + 1)
      node.place = by?.place ? placeBeside(by.place, k) : null
    }
  }

  // --- the layout by links ---

  links(): { count: number; ends: HubEnd[] } {
    const { world } = this.s.live.get()
    if (!world || !this.on) return { count: 0, ends: [] }
    const hubs = this.free().map((n) => n.hub)
    return { count: hubs.length, ends: hubEnds(hubs, this.source.relations, world.count, (id) => world.indexOf(id)) }
  }

  place(positions: Float32Array | null): void {
    this.laidOut = positions
    this.placeNodes()
    this.host.redraw()
  }

  // --- what can be done with an entity ---

  private choose(key: string): void {
    const hub = this.source.hubs.get(key)!
    if (this.pathFrom !== null && this.pathFrom !== key) {
      this.showPath(this.pathFrom, key)
      return
    }
    this.pathFrom = null
    this.path = []
    this.focus = key
    this.light(key)
    this.showCard(hubCard(hub, this.expanded.has(key), this))
    this.s.announce(`${hub.name}: expand, path, hide, or facts and mentions`)
  }

  expand(hub: Hub): void {
    if (this.expanded.delete(hub.key)) {
      this.choose(hub.key)
      this.update()
      this.host.changed()
      return
    }
    this.expanded.add(hub.key)
    this.focus = hub.key
    const { signal } = (this.running ??= new AbortController())
    const more = this.source.related(hub.key)
    void this.source.loadMembers(more, signal).then(
      () => {
        this.update()
        this.host.changed()
        this.choose(hub.key)
        this.s.announce(`${hub.name} expanded: ${more.length} related ${more.length === 1 ? 'entity' : 'entities'}`)
      },
      (e: unknown) => this.s.notify(errorText(e)),
    )
  }

  hide(hub: Hub): void {
    this.hidden.add(hub.key)
    this.unfocus()
    this.update()
    this.host.changed()
    this.s.notify(`${hub.name} is hidden.`, {
      name: 'Show it again',
      act: () => {
        this.hidden.delete(hub.key)
        this.update()
        this.host.changed()
      },
    })
  }

  startPath(hub: Hub): void {
    this.pathFrom = hub.key
    this.showCard(choosingCard(hub, () => this.close()))
    this.nodes.get(hub.key)?.button.focus({ preventScroll: true })
    this.s.announce('Choose the other entity')
  }

  private showPath(from: string, to: string): void {
    const { world } = this.s.live.get()
    const hubs = [...this.nodes.values()].filter((n) => n.place !== null).map((n) => ({ ...n.hub, members: world ? this.drawn(n.hub).map((i) => world.idOf(i)) : [] }))
    this.path = pathBetween(hubs, this.source.relations, from, to)
    this.pathFrom = null
    this.focus = null
    this.s.live.set({ highlighted: this.path.flatMap((step) => step.memory ?? []) })
    const nameOf = (key: string) => this.source.hubs.get(key)?.name ?? key
    this.showCard(pathCard(this.path, nameOf, (id) => (world ? world.frame.label(world.indexOf(id)) : ''), this))
    this.s.announce(this.path.length === 0 ? 'No path' : `A path of ${this.path.length - 1} ${this.path.length === 2 ? 'step' : 'steps'}`)
    this.host.redraw()
  }

  openEntity(hub: Hub): void {
    this.s.view.set({ panel: 'entities', entity: hub.ids[0]! })
  }

  openMemory(id: string): void {
    this.s.open(id, true)
  }

  close(): void {
    const back = this.focus ?? this.pathFrom ?? this.path[0]?.hub
    this.unfocus()
    if (back) this.nodes.get(back)?.button.focus({ preventScroll: true })
  }

  private unfocus(): void {
    if (this.path.length > 0) this.s.live.set({ highlighted: [] })
    this.focus = null
    this.pathFrom = null
    this.path = []
    this.card.hidden = true
    this.light(null)
  }

  private showCard(content: globalThis.Node[]): void {
    this.card.replaceChildren(...content)
    this.card.hidden = false
    this.host.redraw()
  }

  private lit: string | null = null

  /** Lights up the memories of an entity. */
  private light(key: string | null): void {
    this.lit = key
    const hub = key === null ? null : this.nodes.get(key)?.hub
    this.host.light(hub ? this.drawn(hub) : [])
    this.host.redraw()
  }

  // --- keyboard ---

  private onKey(e: KeyboardEvent): void {
    const own = e.target instanceof HTMLElement ? e.target.dataset['key'] : undefined
    if (e.key === 'Escape' && !this.card.hidden) this.close()
    else if (own !== undefined && ARROWS[e.key]) this.step(own, ARROWS[e.key]!)
    else return
    e.preventDefault()
    e.stopPropagation()
  }

  /** Moves the focus to the nearest entity in a direction on the page. */
  private step(from: string, [dx, dy]: [number, number]): void {
    const start = this.nodes.get(from)?.spot
    if (!start) return
    let [best, least] = ['', Infinity]
    for (const [key, { spot }] of this.nodes) {
      if (!spot || key === from) continue
      const along = (spot.x - start.x) * dx + (spot.y - start.y) * dy
      const across = Math.abs((spot.x - start.x) * dy - (spot.y - start.y) * dx)
      if (along > 0.5 && across <= 2 * along && along + 2 * across < least) [best, least] = [key, along + 2 * across]
    }
    this.nodes.get(best)?.button.focus({ preventScroll: true })
  }

  private updateTabStops(at?: string): void {
    const first = at ?? [...this.nodes.keys()].find((key) => this.nodes.get(key)!.place !== null)
    for (const [key, { button }] of this.nodes) button.tabIndex = key === first ? 0 : -1
  }

  // --- drawing ---

  /** The names on the page: those of the entity in focus and of what is related to it first, then those of most mentions. */
  names(): HTMLElement[] {
    if (!this.on) return []
    const { lit } = this
    const near = (n: Node) => (n.hub.key === lit ? 2 : lit !== null && this.isRelated(lit, n.hub.key) ? 1 : 0)
    return [...this.nodes.values()].filter((n) => n.spot !== null).sort((a, b) => near(b) - near(a)).map((n) => n.name)
  }

  /** The places of the entities on the page, which names and labels do not cover. */
  dots(): Rect[] {
    if (!this.on) return []
    return [...this.nodes.values()].filter((n) => n.spot !== null).map((n) => n.button.firstElementChild!.getBoundingClientRect())
  }

  /** A frame was drawn: moves the entities with it. */
  onFrame(projection: Projection): void {
    if (!this.on) return
    const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
    const spots = new Map<string, Spot>()
    for (const [key, node] of this.nodes) {
      const seen = node.place !== null && projectPosition(node.place, projection, at) && at.x > 0 && at.y > 0 && at.x < projection.width && at.y < projection.height
      node.spot = seen ? { x: at.x, y: at.y } : null
      node.button.hidden = !seen
      if (!node.spot) continue
      spots.set(key, node.spot)
      node.button.classList.toggle('hub-value', this.owners.has(key))
      node.button.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`
      node.button.classList.toggle('dim', this.lit !== null && this.lit !== key && !this.isRelated(this.lit, key))
      node.button.classList.toggle('lit', this.lit === key || this.path.some((step) => step.hub === key))
    }
    const { free } = projection
    if (free) this.card.style.right = `${Math.round(projection.width - free.right + CARD_GAP)}px`
    this.draw(projection, spots)
  }

  private isRelated(a: string, b: string): boolean {
    const joins = (l: { from: string; to: string }) => (l.from === a && l.to === b) || (l.from === b && l.to === a)
    return this.lines.relations.some(joins) || this.lines.together.some(joins)
  }

  private draw(projection: Projection, spots: ReadonlyMap<string, Spot>): void {
    const g = this.canvas.getContext('2d')
    if (!g) return
    const ratio = Math.min(window.devicePixelRatio, 2)
    const [width, height] = [Math.round(projection.width * ratio), Math.round(projection.height * ratio)]
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height]
    this.colors ??= colorsOf(this.element)
    const focus = this.lit
    // Placed by links, an entity is joined to all of its memories.
    const strong = new Set([...this.expanded, ...(focus ? [focus] : [])])
    const open = this.laidOut ? [...spots.keys()] : [...strong].filter((key) => spots.has(key))
    const mentions = open.map((hub) => ({ hub, strong: strong.has(hub), at: this.spotsOf(this.drawn(this.nodes.get(hub)!.hub), projection) }))
    const names = [...this.nodes.values()].filter((n) => n.spot).map((n): Rect => boxOf(n))
    drawHubLines(g, ratio, projection, spots, { ...this.lines, mentions, path: this.pathSpots(projection), focus }, this.colors, names)
  }

  private spotsOf(nodes: readonly number[], projection: Projection): Spot[] {
    const { world } = this.s.live.get()
    const p = projection.positions ?? world?.frame.positions
    const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
    return nodes.flatMap((n) => (p && projectPosition([p[3 * n]!, p[3 * n + 1]!, p[3 * n + 2]!], projection, at) ? [{ x: at.x, y: at.y }] : []))
  }

  private pathSpots(projection: Projection): Spot[] {
    const { world } = this.s.live.get()
    return this.path.flatMap((step) => {
      const through = step.memory && world ? this.spotsOf([world.indexOf(step.memory)].filter((n) => n >= 0), projection) : []
      return [...through, ...(this.nodes.get(step.hub)?.spot ? [this.nodes.get(step.hub)!.spot!] : [])]
    })
  }
}

/** About the space of a name, for the names of relations. */
function boxOf({ spot, hub, name }: Node): Rect {
  const width = name.classList.contains('collides') ? 0 : 10 + 7 * hub.name.length
  return { left: spot!.x - 12, right: spot!.x + 12 + width, top: spot!.y - 11, bottom: spot!.y + 11 }
}

function colorsOf(element: HTMLElement): HubColors {
  const style = getComputedStyle(element)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return { ink: of('--ink'), muted: of('--muted'), accent: of('--accent'), ground: of('--ground-out') }
}
