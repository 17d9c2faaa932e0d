// Puts the parts together: state in, scene and panels out.
import type { Versions } from '../api/operations'
import { STATUSES, TYPES, spoken } from '../api/vocabulary'
import { chooseEdges, type Chosen } from '../scene/edges/choose'
import { FRESH, GHOST, HIT, NEAR, PASSES } from '../scene/marks'
import { neighbourTowards, type Heading } from '../scene/picking/pick'
import { Stage } from '../scene/stage'
import { makeTheme } from '../scene/theme'
import { ServerClock } from '../state/clock'
import { DAY } from '../state/decay'
import { passing } from '../state/filters'
import { firstView, keepFilters } from '../state/remembered'
import { fromHash, toHash } from '../state/url'
import { FILTERS, narrowed, Store, UNFILTERED, type View } from '../state/view'
import { defaultStatuses, stateAt, visibleAt, type Moment } from '../state/visibility'
import { chainOf, type World } from '../state/world'
import { Annotations } from './annotations'
import { Caption } from './caption'
import { Detail } from './detail'
import { EdgeCard } from './edgecard'
import { Dock } from './dock'
import { Filters } from './filters'
import { Guide } from './guide'
import { Help } from './help'
import { Loader } from './loader'
import { brandMark, Notices } from './notices'
import { Pointer } from './pointer'
import { Search } from './search'
import { Sleeper } from './sleeper'
import type { Live, Session } from './session'
import { savePicture } from './picture'
import { copyLink, saveJson } from './save'
import { Timeline } from './timeline'
import { Tools } from './tools'
import { Tooltip } from './tooltip'
import type { Why } from './why'
import { h } from './dom'

const THEME_KEY = 'somnograph.theme'
const LINK_WAIT = 200

/** As it was left; where the system rules over colours, as the system has it. */
function firstLight(): boolean {
  if (matchMedia('(forced-colors: active)').matches) return matchMedia('(prefers-color-scheme: light)').matches
  return localStorage.getItem(THEME_KEY) === 'light'
}

export class App implements Session {
  readonly view: Store<View>
  readonly live: Store<Live>
  readonly clock = new ServerClock(() => performance.now())
  readonly stage: Stage
  readonly timeline: Timeline
  readonly search: Search
  readonly help = new Help()
  readonly sleeper: Sleeper
  readonly dock: Dock
  readonly guide: Guide
  versions: Versions = []
  before: string | null = null
  private readonly canvas: HTMLCanvasElement
  private readonly speaker = h('div', { class: 'quiet', role: 'status', 'aria-live': 'polite' })
  private marks: Uint8Array = new Uint8Array(0)
  private chosen: Chosen = { edges: new Uint32Array(0), near: new Set(), left: 0 }
  private fresh = new Set<string>()
  private latest = -Infinity
  private readonly linkless = location.hash === ''
  private readonly loader: Loader
  private readonly notices: Notices
  private readonly annotations: Annotations

  constructor(
    root: HTMLElement,
    still: () => boolean,
    pulses: boolean,
    guided: boolean,
  ) {
    this.view = new Store<View>(firstView(localStorage, location.hash))
    this.live = new Store<Live>({
      world: null, passing: new Uint8Array(0), hits: [], pointed: [], cursor: -1, hovered: -1, playing: false, speed: 1,
      connected: false, status: 'loading', problem: '', kin: [], unseen: 0, light: firstLight(), outdated: false,
    })
    document.documentElement.dataset['theme'] = this.live.get().light ? 'light' : 'dark'
    this.canvas = h('canvas', { class: 'scene', tabindex: 0, role: 'application', 'aria-label': 'Map of memories. Arrow keys move between memories, Enter opens one, slash searches, question mark shows all keys.' })
    this.annotations = new Annotations(this, () => ({ stage: this.stage, marks: this.marks, left: this.chosen.left, pulses: pulses && !still() }))
    const place = h('main', { class: 'stage' }, this.canvas, this.annotations.regions.element, this.annotations.labels.element)
    this.timeline = new Timeline(this)
    this.search = new Search(this)
    const tooltip = new Tooltip(this)
    const card = new EdgeCard(this)
    this.sleeper = new Sleeper(this, () => this.stage, () => this.emphasise())
    this.loader = new Loader(this, (world, arrived) => this.take(world, arrived), this.sleeper)
    const caption = new Caption(this, this.sleeper)
    this.dock = new Dock(this)
    this.guide = new Guide(this)
    this.notices = new Notices(this, () => void this.loader.load())
    const filters = new Filters(this)
    const detail = new Detail(this)
    const tools = new Tools(this, this.dock, this.sleeper, {
      home: () => this.home(),
      toggleFlat: () => this.toggleFlat(),
      toggleTheme: () => this.toggleTheme(),
      savePicture: () => void savePicture(this),
      saveJson: () => saveJson(this),
      copyLink: () => void copyLink(this),
      tour: () => void this.guide.start(),
      help: () => this.help.toggle(),
    })
    root.append(
      place,
      h('header', { class: 'top' }, h('div', { class: 'brand' }, brandMark(), h('h1', {}, 'Somnograph'), this.annotations.counter), this.search.element, tools.element),
      filters.element,
      this.dock.element,
      detail.element,
      this.timeline.element,
      this.notices.element,
      this.notices.toast,
      caption.element,
      tooltip.element,
      card.element,
      this.speaker,
      this.help.element,
      this.guide.element,
    )
    this.stage = new Stage(
      this.canvas,
      { onCamera: () => this.cameraMoved(), onGrab: () => (this.grabbed = true), onFrame: (lens) => this.annotations.drew(lens) },
      still,
    )
    new Pointer(this, this.stage, tooltip, card)
    this.wire(detail.element, filters.element)
    this.theme()
    const { camera, flat } = this.view.get()
    if (flat) this.stage.setFlat(true, camera)
    if (camera) this.stage.setCamera(camera)
    this.inset(detail.element, filters.element)
    this.loader.start()
    if (guided) this.guide.watch()
  }

  moment(): Moment {
    const v = this.view.get()
    const statuses = v.statuses.length > 0 ? v.statuses.reduce((mask, s) => mask | (1 << STATUSES.indexOf(s)), 0) : defaultStatuses(v.valid)
    return { recorded: v.recorded ?? Math.max(this.clock.now(), this.latest), valid: v.valid, statuses }
  }

  drawn(node: number): boolean {
    const { world } = this.live.get()
    if (!world) return false
    const mark = this.marks[node]!
    const at = this.moment()
    return ((mark & PASSES) !== 0 && visibleAt(world, node, at)) || ((mark & GHOST) !== 0 && stateAt(world, node, at.recorded) >= 0)
  }

  open(id: string, fly = false): void {
    const { selected } = this.view.get()
    if (selected && selected !== id) this.before = selected
    this.view.set({ selected: id })
    const node = this.live.get().world?.indexOf(id) ?? -1
    this.live.set({ cursor: node })
    if (node >= 0 && fly) this.stage.flyTo(node)
  }

  /** Closes what lies on top: the panel that is in hand, the open memory, the panel, then the search. */
  close(): void {
    const inDock = this.dock.element.contains(document.activeElement)
    if (this.view.get().panel && (inDock || !this.view.get().selected)) {
      if (inDock && (this.view.get().report ?? this.view.get().entity)) this.view.set({ report: null, entity: null })
      else {
        this.dock.close()
        this.canvas.focus({ preventScroll: true })
      }
    } else if (this.view.get().selected) {
      this.view.set({ selected: null })
      this.canvas.focus({ preventScroll: true })
    } else if (!this.search.clear()) this.live.set({ cursor: -1 })
  }

  why(id: string): Why | null {
    return this.search.why(id)
  }

  step(direction: -1 | 1): void {
    const { world } = this.live.get()
    const id = this.view.get().selected
    const node = world && id ? world.indexOf(id) : -1
    if (!world || node < 0) return
    const chain = chainOf(world, node)
    let next = chain.length > 1 ? chain[chain.indexOf(node) + direction] : this.along(world, node, direction)
    if (next === undefined) next = -1
    const at = this.moment().recorded
    if (next < 0 || world.frame.born[next]! > at) {
      this.announce(chain.length > 1 ? (direction < 0 ? 'This is the first version' : 'This is the last version') : 'Nothing further in this session')
      return
    }
    this.open(world.idOf(next), true)
  }

  private along(world: World, node: number, direction: -1 | 1): number {
    const f = world.frame
    for (let k = world.edgeStart[node]!; k < world.edgeStart[node + 1]!; k++) {
      const e = world.edgesAt[k]!
      if (f.edgeKind[e] !== 6) continue
      const [a, b] = [f.from[e]!, f.to[e]!]
      const other = a === node ? b : a
      if (Math.sign(f.validFrom[other]! - f.validFrom[node]! || f.born[other]! - f.born[node]!) === direction) return other
    }
    return -1
  }

  announce(text: string): void {
    this.speaker.textContent = text
  }

  move(heading: Heading): void {
    const { world, cursor } = this.live.get()
    if (!world) return
    const selected = this.view.get().selected
    const from = cursor >= 0 ? cursor : selected ? world.indexOf(selected) : -1
    const next = neighbourTowards(world, (n) => this.drawn(n), this.stage.lens(), from, heading)
    if (next < 0) return
    this.live.set({ cursor: next })
    this.announce(`${spoken(TYPES[world.frame.type[next]!]!)}: ${world.frame.label(next) || 'a memory'}`)
  }

  enter(): void {
    const { world, cursor, hits } = this.live.get()
    if (world && cursor >= 0) this.open(world.idOf(cursor), false)
    else if (hits[0]) this.open(hits[0], true)
  }

  home(): void {
    this.grabbed = false
    this.view.set({ camera: null })
    this.stage.home()
  }

  toggleFlat(): void {
    this.view.set({ flat: !this.view.get().flat, camera: null })
  }

  toggleTheme(): void {
    const light = !this.live.get().light
    localStorage.setItem(THEME_KEY, light ? 'light' : 'dark')
    this.live.set({ light })
  }

  private theme(): void {
    const { light } = this.live.get()
    document.documentElement.dataset['theme'] = light ? 'light' : 'dark'
    this.stage.setTheme(makeTheme(light))
  }

  private wire(detail: HTMLElement, filters: HTMLElement): void {
    const v = this.view
    v.on(['types', 'projects', 'namespaces', 'users', 'tiers', 'decays', 'learned'], () => this.filter())
    // A memory changes its tier as time goes by.
    v.on(['recorded', 'valid', 'statuses'], (now) => (now.tiers.length > 0 ? this.filter() : this.instant()))
    v.on(['selected', 'edges'], () => this.emphasise())
    v.on(['selected', 'panel'], () => requestAnimationFrame(() => this.inset(detail, filters)))
    v.on(['flat'], (now) => {
      this.stage.setFlat(now.flat, now.camera)
    })
    v.on([...FILTERS], (now) => keepFilters(localStorage, now))
    v.on(Object.keys(v.get()) as (keyof View)[], () => this.saveLink())
    const l = this.live
    l.on(['hits', 'kin', 'pointed'], () => this.emphasise())
    l.on(['cursor', 'hovered'], () => this.pointAt())
    l.on(['light'], () => this.theme())
    l.on(['playing'], () => this.instant())
    window.addEventListener('hashchange', () => {
      const next = fromHash(location.hash)
      this.view.set(next)
      if (next.camera) this.stage.setCamera(next.camera)
    })
    window.addEventListener('resize', () => this.inset(detail, filters))
    this.search.onFold = () => this.inset(detail, filters)
    document.addEventListener('visibilitychange', () => !document.hidden && this.stage.invalidate())
    // A time to live may run out while the page rests.
    setInterval(() => this.view.get().recorded === null && !document.hidden && this.instant(), 15_000)
  }

  private inset(detail: HTMLElement, filters: HTMLElement): void {
    if (window.innerWidth <= 760) {
      this.stage.setInset({ left: 0, right: 0, top: 100, bottom: 120 + (detail.hidden ? 0 : detail.offsetHeight) })
      return
    }
    const wide = window.innerWidth > 1100
    const right = wide && !detail.hidden ? detail.offsetWidth : 0
    const left = wide ? Math.max(filters.offsetWidth, this.dock.element.offsetWidth, this.search.width()) : 0
    this.stage.setInset({ left, right, top: 50, bottom: 120 })
  }

  // --- the scene ---------------------------------------------------------------

  private take(world: World, arrived: boolean): void {
    const before = this.live.get().world
    this.fresh = new Set()
    if (arrived && before && before.count > 0) {
      const stood = world.origin(before)
      for (let i = 0; i < world.count; i++) if (stood[i]! < 0) this.fresh.add(world.idOf(i))
    }
    this.latest = -Infinity
    for (const t of world.frame.stateFrom) if (t > this.latest) this.latest = t
    this.latest = Math.min(this.latest, this.clock.now() + 5000)
    const view = this.view.get()
    const past = view.recorded !== null
    const cursor = this.live.get().cursor
    this.stage.setWorld(world, before)
    this.live.set({
      world,
      passing: passing(world, view, this.moment().recorded),
      status: world.count > 0 ? 'ready' : 'empty',
      problem: '',
      hovered: -1,
      cursor: cursor >= 0 && before ? world.indexOf(before.idOf(cursor)) : -1,
      unseen: past ? this.live.get().unseen + this.fresh.size : 0,
    })
    this.emphasise()
    this.instant()
    this.sleeper.refresh()
    if (this.fresh.size > 0 && !past) {
      this.stage.flash()
      this.notices.arrived(world, [...this.fresh])
    }
    if (!before && view.selected && !view.camera) {
      const node = world.indexOf(view.selected)
      if (node >= 0) this.stage.flyTo(node)
    }
    if (!before && !view.camera && !view.selected) this.stage.home()
    if (!before && this.linkless && narrowed(view)) this.notices.tell('Narrowed by the filters, as you left it.', 'Show all', () => this.view.set({ ...UNFILTERED }))
  }

  private filter(): void {
    const { world } = this.live.get()
    if (!world) return
    this.live.set({ passing: passing(world, this.view.get(), this.moment().recorded) })
    this.emphasise()
    this.instant()
  }

  private instant(): void {
    const { world, playing, speed } = this.live.get()
    if (!world) return
    const at = this.moment()
    const span = (this.clock.now() - world.firstBorn) / DAY
    const past = this.view.get().recorded !== null && this.view.get().clock === 'recorded'
    this.stage.uniforms.uGlowDays.value = past ? Math.max(span * (playing ? 0.022 * speed : 0.012), 0.05) : 0
    this.stage.setMoment(at)
    this.sleeper.refresh()
    this.annotations.soon()
  }

  /** Works out who stands out: what is selected and what belongs to it, and the hits. */
  private emphasise(): void {
    const { world, passing: shown, hits, pointed, kin } = this.live.get()
    if (!world) return
    const view = this.view.get()
    const selected = view.selected ? world.indexOf(view.selected) : -1
    const marks = new Uint8Array(world.count)
    for (let i = 0; i < marks.length; i++) if (shown[i]) marks[i] = PASSES
    this.chosen = chooseEdges(world, view.edges, selected, shown)
    if (selected >= 0) {
      for (const n of chainOf(world, selected)) marks[n]! |= GHOST | NEAR
      for (const n of this.chosen.near) marks[n]! |= NEAR
    }
    const lines = this.sleeper.lines(world)
    for (const { from, to, kind } of selected >= 0 && view.edges.derivation !== 'off' ? kin : []) {
      const line = { from: world.indexOf(from), to: world.indexOf(to), kind }
      if (line.from < 0 || line.to < 0) continue
      lines.push(line)
      for (const n of [line.from, line.to]) marks[n]! |= GHOST | NEAR
    }
    for (const id of [...hits, ...pointed]) {
      const n = world.indexOf(id)
      if (n >= 0) marks[n]! |= HIT
    }
    for (const id of this.fresh) {
      const n = world.indexOf(id)
      if (n >= 0) marks[n]! |= FRESH
    }
    this.marks = marks
    this.stage.uniforms.uFocus.value = selected >= 0 || hits.length + pointed.length > 0
    this.stage.uniforms.uSelected.value = selected
    this.stage.setMarks(marks)
    this.stage.edges.show(world, this.chosen.edges, lines)
    this.annotations.soon()
  }

  private pointAt(): void {
    const { hovered, cursor } = this.live.get()
    this.stage.uniforms.uHovered.value = hovered >= 0 ? hovered : cursor
    this.stage.invalidate()
  }

  // --- what follows the picture ---------------------------------------------------

  private cameraMoved(): void {
    this.loader.look(() => this.stage.lens())
    this.annotations.nameSoon()
    this.saveLink()
  }

  private linkTimer = 0
  /** from the first touch on, the camera belongs to the link */
  private grabbed = false
  private saveLink(): void {
    clearTimeout(this.linkTimer)
    this.linkTimer = window.setTimeout(() => {
      const { world } = this.live.get()
      if (!world) return
      const camera = this.grabbed ? this.stage.cameraState() : this.view.get().camera
      const hash = toHash({ ...this.view.get(), camera })
      if (`#${hash}` !== location.hash && (hash !== '' || location.hash !== '')) history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search)
    }, LINK_WAIT)
  }
}
