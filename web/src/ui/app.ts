// Creates the parts of the page and connects them.
import { fetchWhoami } from '../api/dashboards'
import type { Versions } from '../api/operations'
import { onSignedOut, signOut } from '../api/signin'
import { STATUSES } from '../api/vocabulary'
import type { Projection } from '../scene/picking/pick'
import { Stage } from '../scene/stage'
import { makeTheme } from '../scene/theme'
import { grants } from '../state/actions'
import { ServerClock } from '../state/clock'
import { categories, coloring } from '../state/colorby'
import { DAY } from '../state/decay'
import { filterMask } from '../state/filters'
import { wasImported } from '../state/emptymap'
import { insetOf } from '../state/inset'
import { pace } from '../state/playback'
import { initialView, saveFilters } from '../state/savedfilters'
import { FILTERS, isFiltered, Store, NO_FILTERS, type View } from '../state/view'
import { defaultStatuses, type Moment } from '../state/visibility'
import type { World } from '../state/world'
import { Annotations } from './annotations'
import { retryFailed } from './asynccontent'
import { SleepCaption } from './sleepcaption'
import { Detail } from './detail/detail'
import { EdgeCard } from './edgecard'
import { currentLight, Display, systemTheme } from './display'
import { Dock } from './dock'
import { Emphasis } from './emphasis'
import { Filters } from './filters'
import { Tour } from './tour'
import { Help } from './help'
import { Navigation } from './navigation'
import { SceneLoader } from './sceneloader'
import { brandMark, Notices } from './notices'
import { Permalink } from './permalink'
import { Pointer } from './pointer'
import { Search } from './search'
import { FeedSleepFollower } from './sleepfollower'
import type { Live, MessageAction, Session } from './session'
import { saveImage } from './image'
import { copyLink, saveArrow, saveJson } from './save'
import { LayoutSwitch } from './layout'
import { Lasso } from './lasso'
import { LazyHubs } from './lazyhubs'
import { Timeline } from './timeline'
import { Toolbar } from './toolbar'
import { Tooltip } from './tooltip'
import type { Explanation } from './explanation'
import { h, placeOf } from './dom'

/** While time plays, new memories glow for so many seconds. */
const GLOW_SECONDS = 0.88

/** The neighbours of a memory light up when the pointer has rested on it for this long. */
const HOVER_DELAY_MS = 70

export class App implements Session {
  readonly view: Store<View>
  readonly live: Store<Live>
  readonly clock = new ServerClock(() => performance.now())
  readonly stage: Stage
  readonly timeline: Timeline
  readonly search: Search
  readonly help = new Help()
  /** opens the command palette; set by the keyboard, which knows the commands */
  openPalette: () => void = () => {}
  readonly sleepFollower: FeedSleepFollower
  readonly dock: Dock
  readonly tour: Tour
  readonly lasso: Lasso
  readonly display: Display = new Display(this)
  readonly navigation: Navigation
  versions: Versions = []
  previousSelection: string | null = null
  private readonly canvas: HTMLCanvasElement
  private readonly liveRegion = h('div', { class: 'quiet', role: 'status', 'aria-live': 'polite' })
  private readonly emphasis = new Emphasis(this, () => this.stage)
  private readonly permalink: Permalink
  private latestState = -Infinity
  private lightTimer = 0
  private readonly openedWithoutLink = location.hash === ''
  private readonly sceneLoader: SceneLoader
  private readonly notices: Notices
  private readonly annotations: Annotations
  private readonly hubs: LazyHubs
  private layoutSwitch: LayoutSwitch | null = null
  private pointer: Pointer | null = null
  /** the bar at the top, the panels that cover a side of the map, and the caption of a sleep */
  private readonly layout: { header: HTMLElement; panels: readonly HTMLElement[]; caption: HTMLElement }

  constructor(
    root: HTMLElement,
    reducedMotion: () => boolean,
    pulses: boolean,
    guided: boolean,
  ) {
    this.view = new Store<View>(initialView(localStorage, location.hash))
    this.live = new Store<Live>({
      world: null, filterMask: new Uint8Array(0), hits: [], highlighted: [], ghosts: [], cursor: -1, hovered: -1, playing: false, speed: 0,
      connected: false, status: 'loading', problem: '', relations: [], newWhileInPast: 0, light: currentLight(), outdated: false, signedOut: false, scopes: [],
    })
    onSignedOut(() => this.live.set({ signedOut: true }))
    const applyStyle = () => (document.documentElement.dataset['theme'] = this.live.get().light ? 'light' : 'dark')
    applyStyle()
    this.live.on(['light'], applyStyle) // before the parts, which read the colours of the style
    systemTheme.addEventListener('change', () => this.live.set({ light: currentLight() }))
    this.canvas = h('canvas', { class: 'scene', tabindex: 0, role: 'application', 'aria-label': 'Map of memories. Arrow keys move between memories, Enter opens one, slash searches, question mark shows all keys.' })
    this.annotations = new Annotations(this, () => ({ stage: this.stage, marks: this.emphasis.marks, omittedEdges: this.emphasis.omittedEdges, focused: this.emphasis.focused, names: this.hubs.names(), dots: this.hubs.dots(), pulses: pulses && !reducedMotion() }))
    this.hubs = new LazyHubs(this, {
      light: (nodes) => this.emphasis.lightNodes(nodes),
      changed: () => this.layoutSwitch?.restart(),
      redraw: () => {
        this.stage.invalidate()
        this.annotations.updateLabelsSoon()
      },
    })
    const main = h('main', { class: 'stage' }, this.canvas, this.annotations.regions.element, this.annotations.labels.element, this.hubs.element)
    this.timeline = new Timeline(this)
    this.search = new Search(this)
    const tooltip = new Tooltip(this)
    const card = new EdgeCard(this)
    this.sleepFollower = new FeedSleepFollower(this, () => this.stage, () => this.updateEmphasis())
    this.sceneLoader = new SceneLoader(this, (world, arrived) => this.setWorld(world, arrived), this.sleepFollower)
    const caption = new SleepCaption(this, this.sleepFollower)
    this.dock = new Dock(this)
    this.tour = new Tour(this)
    this.notices = new Notices(this, () => void this.sceneLoader.load())
    this.navigation = new Navigation(this, { stage: () => this.stage, sceneLoader: this.sceneLoader, dock: this.dock, search: this.search, tour: this.tour, canvas: this.canvas })
    const filters = new Filters(this)
    const detail = new Detail(this)
    const toolbar = new Toolbar(this, this.dock, this.sleepFollower, {
      showWholeMap: () => this.showWholeMap(),
      toggleFlat: () => this.display.toggleFlat(),
      toggleLayout: () => this.display.toggleLayout(),
      toggleHubs: () => this.display.toggleHubs(),
      toggleAreas: () => this.display.toggleAreas(),
      toggleTheme: () => this.display.toggleTheme(),
      saveImage: () => void saveImage(this, this.stage),
      saveJson: () => saveJson(this),
      saveArrow: (table) => saveArrow(this, table),
      copyLink: () => void copyLink(this),
      tour: () => void this.tour.start(),
      signOut,
      known: () => this.dock.openPanel('known'),
      add: () => this.addMemory(),
      palette: () => this.openPalette(),
      help: () => this.help.toggle(),
    })
    const header = h('header', { class: 'top' }, h('div', { class: 'brand' }, brandMark(), h('h1', {}, 'Somnograph'), this.annotations.counter), this.search.element, toolbar.element)
    this.layout = { header, panels: [filters.element, this.dock.element, detail.element, this.tour.card], caption: caption.element }
    root.append(
      main,
      header,
      filters.element,
      this.dock.element,
      detail.element,
      this.timeline.element,
      this.notices.element,
      this.annotations.emptyMap.element,
      caption.element,
      this.notices.toast,
      tooltip.element,
      card.element,
      this.liveRegion,
      this.help.element,
      this.tour.element,
    )
    this.permalink = new Permalink(this, () => this.stage.cameraState(), ({ camera, selected }) => {
      if (camera) this.stage.setCamera(camera)
      if (selected) void this.navigation.showMemory(selected, false)
    })
    this.stage = new Stage(
      this.canvas,
      { onCamera: () => this.cameraMoved(), onCameraStart: () => (this.permalink.cameraMoved = true), onFrame: (projection) => this.frameDrawn(projection) },
      reducedMotion,
    )
    this.stage.setShown((node) => this.isDrawn(node))
    this.pointer = new Pointer(this, this.stage, tooltip, card, (x, y) => this.annotations.clusterAt(x, y))
    this.lasso = new Lasso(this, this.stage)
    main.append(this.lasso.element)
    this.layoutSwitch = new LayoutSwitch(this, this.stage, this.hubs)
    this.listen()
    this.applyTheme()
    const { camera, flat } = this.view.get()
    if (flat) this.stage.setFlat(true, camera)
    if (camera) this.stage.setCamera(camera)
    this.updateInset()
    this.sceneLoader.start()
    void this.loadScopes()
    this.hubs.show()
    if (guided) this.tour.offerOnFirstVisit()
  }

  moment(): Moment {
    const v = this.view.get()
    const statuses = v.statuses.length > 0 ? v.statuses.reduce((mask, s) => mask | (1 << STATUSES.indexOf(s)), 0) : defaultStatuses(v.valid)
    return { recorded: v.recorded ?? Math.max(this.clock.now(), this.latestState), valid: v.valid, statuses }
  }

  isDrawn(node: number): boolean {
    return this.emphasis.isDrawn(node)
  }

  /** lights up the neighbours of a node; -1: of none */
  light(node: number): void {
    this.emphasis.light(node)
  }

  /** how each node is emphasised, see scene/marks.ts */
  marks(): Uint8Array {
    return this.emphasis.marks
  }

  open(id: string, fly = false): void {
    this.navigation.open(id, fly)
  }

  close(): void {
    this.navigation.close()
  }

  showArea(position: readonly [number, number, number], radius: number): void {
    this.navigation.showArea(position, radius)
  }

  openCluster(id: string): void {
    this.navigation.openCluster(id)
  }

  stepVersion(direction: -1 | 1): void {
    this.navigation.stepVersion(direction)
  }

  explain(id: string): Explanation | null {
    return this.search.explain(id)
  }

  notify(text: string, action?: MessageAction): void {
    this.notices.showMessage(text, action)
    this.announce(action ? `${text} ${action.name} is offered at the bottom of the page.` : text)
  }

  addMemory(): void {
    const { scopes } = this.live.get()
    if (!grants(scopes, 'MEMORY_WRITE')) this.notify('This sign-in may not write memories.')
    else if (this.view.get().recorded !== null || this.view.get().valid !== null) this.notify('The past can’t be changed.', { name: 'Back to now', act: () => this.timeline.backToNow() })
    else void import('./acting/add').then(({ add }) => add(this))
  }

  clearFilters(): void {
    this.view.set({ ...NO_FILTERS })
  }

  /** Asks what the credential may do; without an answer the page offers no changes. */
  private async loadScopes(): Promise<void> {
    try {
      const { scopes } = await fetchWhoami()
      if (scopes.join() !== this.live.get().scopes.join()) this.live.set({ scopes })
    } catch {
      // It is asked again when the server is back.
    }
  }

  announce(text: string): void {
    this.liveRegion.textContent = text
  }

  showWholeMap(): void {
    this.permalink.cameraMoved = false
    this.view.set({ camera: null })
    this.stage.showWholeMap()
  }

  private applyTheme(): void {
    this.stage.setTheme(makeTheme(this.live.get().light))
  }

  private listen(): void {
    const v = this.view
    v.on(['types', 'projects', 'namespaces', 'users', 'clusters', 'tiers', 'decays', 'learned'], () => this.applyFilters())
    // The tier of a memory changes with time.
    v.on(['recorded', 'valid', 'statuses'], (now) => (now.tiers.length > 0 ? this.applyFilters() : this.applyMoment()))
    v.on(['selected', 'edges', 'cluster'], () => this.updateEmphasis())
    v.on(['panel'], (now) => now.cluster !== null && this.updateEmphasis())
    v.on(['color', 'areas', 'layout'], () => this.applyColoring())
    v.on(['selected', 'panel', 'wide'], () => requestAnimationFrame(() => this.updateInset()))
    v.on(['flat'], (now) => {
      this.stage.setFlat(now.flat, now.camera)
    })
    v.on([...FILTERS], (now) => saveFilters(localStorage, now))
    const l = this.live
    l.on(['hits', 'relations', 'highlighted', 'ghosts'], () => this.updateEmphasis())
    l.on(['cursor', 'hovered'], () => this.applyCursor())
    l.on(['light'], () => this.applyTheme())
    l.on(['playing'], () => this.applyMoment())
    l.on(['connected'], ({ connected }) => {
      if (!connected) return
      retryFailed()
      void this.loadScopes()
    })
    window.addEventListener('resize', () => this.updateInset())
    // Panels grow when their answers arrive.
    const grown = new ResizeObserver(() => this.updateInset())
    for (const el of [this.layout.header, this.timeline.element, ...this.layout.panels]) grown.observe(el)
    // The caption of a sleep comes and goes while the map stays: no label may be below it.
    new ResizeObserver(() => this.annotations.updateLabelsSoon()).observe(this.layout.caption)
    this.search.onResize = () => this.updateInset()
    document.addEventListener('visibilitychange', () => !document.hidden && this.stage.invalidate())
    // Memories may expire while nothing else happens.
    setInterval(() => this.view.get().recorded === null && !document.hidden && this.applyMoment(), 15_000)
  }

  private updateInset(): void {
    const { header, panels } = this.layout
    const bars = { top: header.getBoundingClientRect(), bottom: this.timeline.element.getBoundingClientRect() }
    const { wide } = this.view.get()
    // A dock as wide as the page covers the map for a while: the map keeps its fit.
    const open = panels.filter((el) => getComputedStyle(el).visibility !== 'hidden' && !(wide && el === this.dock.element)).map(placeOf)
    this.stage.setInset(insetOf({ width: window.innerWidth, height: window.innerHeight }, bars, [...open, ...this.search.besideMap()]))
    this.annotations.updateLabelsSoon()
  }

  // --- the scene ---

  private setWorld(world: World, arrived: boolean): void {
    const before = this.live.get().world
    this.emphasis.recordNew(world, arrived ? before : null)
    const { newIds } = this.emphasis
    this.latestState = -Infinity
    for (const t of world.frame.stateFrom) if (t > this.latestState) this.latestState = t
    this.latestState = Math.min(this.latestState, this.clock.now() + 5000)
    const view = this.view.get()
    const inPast = view.recorded !== null
    const cursor = this.live.get().cursor
    this.stage.setWorld(world, before)
    this.live.set({
      world,
      filterMask: filterMask(world, view, this.moment().recorded),
      status: world.count > 0 ? 'ready' : 'empty',
      problem: '',
      hovered: -1,
      cursor: cursor >= 0 && before ? world.indexOf(before.idOf(cursor)) : -1,
      newWhileInPast: inPast ? this.live.get().newWhileInPast + newIds.size : 0,
    })
    this.applyColoring()
    this.updateEmphasis()
    this.applyMoment()
    this.sleepFollower.refresh()
    if (newIds.size > 0 && !inPast) {
      this.stage.flashNew()
      this.notices.showNewMemories(world, [...newIds])
    }
    if (!before && view.selected) void this.navigation.showMemory(view.selected, !view.camera)
    if (!before && !view.camera && (view.selected === null || world.indexOf(view.selected) < 0)) this.stage.showWholeMap(0)
    // Of an import, the times at which things were true say more.
    if (!before && this.openedWithoutLink && wasImported(this.clock.now(), world.firstBorn, world.firstValid)) this.view.set({ clock: 'valid' })
    if (!before && this.openedWithoutLink && isFiltered(view)) this.notices.showMessage('Filters from last time are on.', { name: 'Clear', act: () => this.view.set({ ...NO_FILTERS }) })
  }

  private applyFilters(): void {
    const { world } = this.live.get()
    if (!world) return
    this.live.set({ filterMask: filterMask(world, this.view.get(), this.moment().recorded) })
    this.updateEmphasis()
    this.applyMoment()
  }

  private applyColoring(): void {
    const { world } = this.live.get()
    if (!world) return
    const { color, areas, layout } = this.view.get()
    const by = coloring(color, world.frame)
    this.stage.setColoring(by, categories(world, by), (this.clock.now() - world.firstBorn) / DAY)
    this.stage.setAreas(areas && layout === 'meaning', by !== 'cluster')
  }

  private applyMoment(): void {
    const { world, playing, speed } = this.live.get()
    if (!world) return
    const at = this.moment()
    const span = (this.clock.now() - world.firstBorn) / DAY
    const past = this.view.get().recorded !== null && this.view.get().clock === 'recorded'
    this.stage.uniforms.uGlowDays.value = past ? Math.max(playing ? GLOW_SECONDS * pace(span, speed) : span * 0.012, 0.05) : 0
    this.stage.setMoment(at)
    this.sleepFollower.refresh()
    this.annotations.updateSoon()
  }

  /** Updates what is emphasised, and which edges are drawn. */
  private updateEmphasis(): void {
    this.emphasis.update()
    this.annotations.updateSoon()
  }

  private applyCursor(): void {
    const { hovered, cursor } = this.live.get()
    clearTimeout(this.lightTimer)
    // Not for each point that the pointer passes.
    this.lightTimer = window.setTimeout(() => this.light(this.live.get().hovered), hovered >= 0 ? HOVER_DELAY_MS : 0)
    this.stage.uniforms.uHovered.value = hovered >= 0 ? hovered : cursor
    this.stage.invalidate()
  }

  // --- the camera ---

  private frameDrawn(projection: Projection): void {
    this.annotations.onFrame(projection)
    this.hubs.onFrame(projection)
  }

  private cameraMoved(): void {
    this.pointer?.leave()
    this.sceneLoader.loadTilesInView(() => this.stage.projection())
    this.annotations.updateLabelsSoon()
    this.permalink.save()
  }
}
