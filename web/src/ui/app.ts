// Puts the parts together: state in, scene and panels out.
import type { Versions } from '../api/operations'
import { STATUSES, TYPES, spoken } from '../api/vocabulary'
import { nextInDirection, type Direction } from '../scene/picking/pick'
import { Stage } from '../scene/stage'
import { makeTheme } from '../scene/theme'
import { ServerClock } from '../state/clock'
import { DAY } from '../state/decay'
import { filterMask } from '../state/filters'
import { initialView, saveFilters } from '../state/savedfilters'
import { FILTERS, isFiltered, Store, NO_FILTERS, type View } from '../state/view'
import { defaultStatuses, type Moment } from '../state/visibility'
import { sessionNeighbour, versionChain, type World } from '../state/world'
import { Annotations } from './annotations'
import { Caption } from './sleepcaption'
import { Detail } from './detail/detail'
import { EdgeCard } from './edgecard'
import { Dock } from './dock'
import { Emphasis } from './emphasis'
import { Filters } from './filters'
import { Guide } from './tour'
import { Help } from './help'
import { Loader } from './sceneloader'
import { brandMark, Notices } from './notices'
import { Permalink } from './permalink'
import { Pointer } from './pointer'
import { Search } from './search'
import { FeedSleeper } from './sleepfollower'
import type { Live, Session } from './session'
import { savePicture } from './image'
import { copyLink, saveArrow, saveJson } from './save'
import { Springs } from './attraction'
import { Timeline } from './timeline'
import { Tools } from './toolbar'
import { Tooltip } from './tooltip'
import type { Why } from './explanation'
import { h } from './dom'

const THEME_KEY = 'somnograph.theme'

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
  readonly sleeper: FeedSleeper
  readonly dock: Dock
  readonly guide: Guide
  versions: Versions = []
  before: string | null = null
  private readonly canvas: HTMLCanvasElement
  private readonly speaker = h('div', { class: 'quiet', role: 'status', 'aria-live': 'polite' })
  private readonly emphasis = new Emphasis(this, () => this.stage)
  private readonly link: Permalink
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
    this.view = new Store<View>(initialView(localStorage, location.hash))
    this.live = new Store<Live>({
      world: null, passing: new Uint8Array(0), hits: [], pointed: [], cursor: -1, hovered: -1, playing: false, speed: 1,
      connected: false, status: 'loading', problem: '', kin: [], unseen: 0, light: firstLight(), outdated: false,
    })
    document.documentElement.dataset['theme'] = this.live.get().light ? 'light' : 'dark'
    this.canvas = h('canvas', { class: 'scene', tabindex: 0, role: 'application', 'aria-label': 'Map of memories. Arrow keys move between memories, Enter opens one, slash searches, question mark shows all keys.' })
    this.annotations = new Annotations(this, () => ({ stage: this.stage, marks: this.emphasis.marks, left: this.emphasis.left, pulses: pulses && !still() }))
    const place = h('main', { class: 'stage' }, this.canvas, this.annotations.regions.element, this.annotations.labels.element)
    this.timeline = new Timeline(this)
    this.search = new Search(this)
    const tooltip = new Tooltip(this)
    const card = new EdgeCard(this)
    this.sleeper = new FeedSleeper(this, () => this.stage, () => this.emphasise())
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
      toggleSprings: () => this.toggleSprings(),
      toggleTheme: () => this.toggleTheme(),
      savePicture: () => void savePicture(this, this.stage),
      saveJson: () => saveJson(this),
      saveArrow: (table) => saveArrow(this, table),
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
    this.link = new Permalink(this, () => this.stage.cameraState(), ({ camera, selected }) => {
      if (camera) this.stage.setCamera(camera)
      if (selected) void this.show(selected, false)
    })
    this.stage = new Stage(
      this.canvas,
      { onCamera: () => this.cameraMoved(), onCameraStart: () => (this.link.grabbed = true), onFrame: (lens) => this.annotations.drew(lens) },
      still,
    )
    new Pointer(this, this.stage, tooltip, card)
    new Springs(this, this.stage)
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
    return this.emphasis.drawn(node)
  }

  open(id: string, fly = false): void {
    const { selected } = this.view.get()
    if (selected && selected !== id) this.before = selected
    this.view.set({ selected: id })
    void this.show(id, fly)
  }

  /** Puts the cursor on a memory and flies there; of a scene in tiles its tile may have to be loaded first. */
  private async show(id: string, fly: boolean): Promise<void> {
    const stands = (): boolean => {
      const node = this.live.get().world?.indexOf(id) ?? -1
      this.live.set({ cursor: node })
      if (node >= 0 && fly) this.stage.flyTo(node)
      return node >= 0
    }
    const here = stands()
    try {
      const reached = await this.loader.reach(id)
      if (!here && reached && this.view.get().selected === id) stands()
    } catch (e) {
      this.announce(e instanceof Error ? e.message : 'The map could not be loaded there.')
    }
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
    const chain = versionChain(world, node)
    let next = chain.length > 1 ? chain[chain.indexOf(node) + direction] : sessionNeighbour(world, node, direction)
    if (next === undefined) next = -1
    const at = this.moment().recorded
    if (next < 0 || world.frame.born[next]! > at) {
      this.announce(chain.length > 1 ? (direction < 0 ? 'This is the first version' : 'This is the last version') : 'Nothing further in this session')
      return
    }
    this.open(world.idOf(next), true)
  }

  announce(text: string): void {
    this.speaker.textContent = text
  }

  move(heading: Direction): void {
    const { world, cursor } = this.live.get()
    if (!world) return
    const selected = this.view.get().selected
    const from = cursor >= 0 ? cursor : selected ? world.indexOf(selected) : -1
    const next = nextInDirection(world, (n) => this.drawn(n), this.stage.projection(), from, heading)
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
    this.link.grabbed = false
    this.view.set({ camera: null })
    this.stage.showWholeMap()
  }

  toggleFlat(): void {
    this.view.set({ flat: !this.view.get().flat, camera: null })
  }

  toggleSprings(): void {
    const attraction = !this.view.get().attraction
    this.view.set({ attraction })
    this.announce(attraction ? 'What is joined draws near' : 'All stand at their exact places')
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
    v.on([...FILTERS], (now) => saveFilters(localStorage, now))
    const l = this.live
    l.on(['hits', 'kin', 'pointed'], () => this.emphasise())
    l.on(['cursor', 'hovered'], () => this.pointAt())
    l.on(['light'], () => this.theme())
    l.on(['playing'], () => this.instant())
    window.addEventListener('resize', () => this.inset(detail, filters))
    // An open memory grows when its answer comes.
    new ResizeObserver(() => this.inset(detail, filters)).observe(detail)
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
    const right = detail.hidden ? 0 : detail.offsetWidth
    const left = Math.max(filters.offsetWidth, this.dock.element.offsetWidth, this.search.width())
    this.stage.setInset({ left, right, top: 84, bottom: 130 })
  }

  // --- the scene ---------------------------------------------------------------

  private take(world: World, arrived: boolean): void {
    const before = this.live.get().world
    this.emphasis.arrived(world, arrived ? before : null)
    const { fresh } = this.emphasis
    this.latest = -Infinity
    for (const t of world.frame.stateFrom) if (t > this.latest) this.latest = t
    this.latest = Math.min(this.latest, this.clock.now() + 5000)
    const view = this.view.get()
    const past = view.recorded !== null
    const cursor = this.live.get().cursor
    this.stage.setWorld(world, before)
    this.live.set({
      world,
      passing: filterMask(world, view, this.moment().recorded),
      status: world.count > 0 ? 'ready' : 'empty',
      problem: '',
      hovered: -1,
      cursor: cursor >= 0 && before ? world.indexOf(before.idOf(cursor)) : -1,
      unseen: past ? this.live.get().unseen + fresh.size : 0,
    })
    this.emphasise()
    this.instant()
    this.sleeper.refresh()
    if (fresh.size > 0 && !past) {
      this.stage.flashNew()
      this.notices.arrived(world, [...fresh])
    }
    if (!before && view.selected) void this.show(view.selected, !view.camera)
    if (!before && !view.camera && (view.selected === null || world.indexOf(view.selected) < 0)) this.stage.showWholeMap()
    if (!before && this.linkless && isFiltered(view)) this.notices.tell('Narrowed by the filters, as you left it.', 'Show all', () => this.view.set({ ...NO_FILTERS }))
  }

  private filter(): void {
    const { world } = this.live.get()
    if (!world) return
    this.live.set({ passing: filterMask(world, this.view.get(), this.moment().recorded) })
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

  /** Other memories or edges stand out. */
  private emphasise(): void {
    this.emphasis.update()
    this.annotations.soon()
  }

  private pointAt(): void {
    const { hovered, cursor } = this.live.get()
    this.stage.uniforms.uHovered.value = hovered >= 0 ? hovered : cursor
    this.stage.invalidate()
  }

  // --- what follows the picture ---------------------------------------------------

  private cameraMoved(): void {
    this.loader.look(() => this.stage.projection())
    this.annotations.nameSoon()
    this.link.save()
  }
}
