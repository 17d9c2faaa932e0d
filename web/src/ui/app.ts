// Puts the parts together: state in, scene and panels out.
import { FrameVersionError } from '../api/frame'
import { ApiError } from '../api/graphql'
import type { Versions } from '../api/operations'
import { follow } from '../api/live'
import { fetchScene } from '../api/scene'
import { STATUSES, TYPES, spoken } from '../api/vocabulary'
import { chooseEdges, type Chosen } from '../scene/edges/choose'
import { chooseLabels, Labels } from '../scene/labels/labels'
import { FRESH, GHOST, HIT, NEAR, PASSES } from '../scene/marks'
import { neighbourTowards, pick, type Heading, type Lens } from '../scene/picking/pick'
import { Stage } from '../scene/stage'
import { makeTheme } from '../scene/theme'
import { ServerClock } from '../state/clock'
import { DAY } from '../state/decay'
import { passing } from '../state/filters'
import { fromHash, toHash } from '../state/url'
import { Store, type View } from '../state/view'
import { defaultStatuses, retentionAt, stateAt, visibleAt, type Moment } from '../state/visibility'
import { chainOf, makeWorld, type World } from '../state/world'
import { Detail } from './detail'
import { Filters } from './filters'
import { Help } from './help'
import { Search } from './search'
import type { Live, Session } from './session'
import { savePicture } from './picture'
import { Timeline } from './timeline'
import { Tooltip } from './tooltip'
import { h, icon, iconButton, svg } from './dom'

const THEME_KEY = 'somnograph.theme'
const RELOAD_MS = 300

export class App implements Session {
  readonly view: Store<View>
  readonly live: Store<Live>
  readonly clock = new ServerClock(() => performance.now())
  readonly stage: Stage
  readonly timeline: Timeline
  readonly search: Search
  readonly help = new Help()
  versions: Versions = []
  private readonly canvas: HTMLCanvasElement
  private readonly labels = new Labels()
  private readonly tooltip: Tooltip
  private readonly speaker = h('div', { class: 'quiet', role: 'status', 'aria-live': 'polite' })
  private readonly counter = h('p', { class: 'counter' })
  private readonly notice = h('div', { class: 'notice-wrap' })
  private readonly toast = h('div', { class: 'toast panel', hidden: true, role: 'status' })
  private readonly flatButton: HTMLButtonElement
  private readonly themeButton: HTMLButtonElement
  private marks: Uint8Array = new Uint8Array(0)
  private chosen: Chosen = { edges: new Uint32Array(0), near: new Set(), left: 0 }
  private fresh = new Set<string>()
  private latest = -Infinity
  private tag: string | null = null
  private loading = false
  private again = false
  private reloadTimer = 0
  private loadCost = 0
  private lens: Lens | null = null
  private labelTimer = 0
  private countTimer = 0
  private toastTimer = 0

  constructor(
    root: HTMLElement,
    private readonly still: () => boolean,
    private readonly pulses: boolean,
  ) {
    this.view = new Store<View>(fromHash(location.hash))
    this.live = new Store<Live>({
      world: null, passing: new Uint8Array(0), hits: [], cursor: -1, hovered: -1, playing: false, speed: 1,
      connected: false, status: 'loading', problem: '', unseen: 0, light: localStorage.getItem(THEME_KEY) === 'light',
    })
    document.documentElement.dataset['theme'] = this.live.get().light ? 'light' : 'dark'
    this.canvas = h('canvas', { class: 'scene', tabindex: 0, role: 'application', 'aria-label': 'Map of memories. Arrow keys move between memories, Enter opens one, slash searches, question mark shows all keys.' })
    const place = h('main', { class: 'stage' }, this.canvas, this.labels.element)
    this.timeline = new Timeline(this)
    this.search = new Search(this)
    this.tooltip = new Tooltip(this)
    const filters = new Filters(this)
    const detail = new Detail(this)
    this.flatButton = iconButton('flat', 'Flat map', () => this.view.set({ flat: !this.view.get().flat, camera: null }), '2')
    this.themeButton = iconButton('sun', 'Light', () => this.toggleTheme(), 'l')
    const tools = h(
      'nav',
      { class: 'tools panel', 'aria-label': 'Tools' },
      iconButton('filter', 'Legend and filters', () => document.body.classList.toggle('show-filters')),
      iconButton('home', 'Whole map', () => this.home(), 'h'),
      this.flatButton,
      this.themeButton,
      iconButton('camera', 'Save a picture', () => void savePicture(this), 'p'),
      iconButton('help', 'Help', () => this.help.toggle(), '?'),
    )
    tools.firstElementChild!.classList.add('only-narrow')
    root.append(
      place,
      h('header', { class: 'top' }, h('div', { class: 'brand' }, brandMark(), h('h1', {}, 'Somnograph'), this.counter), this.search.element, tools),
      filters.element,
      detail.element,
      this.timeline.element,
      this.notice,
      this.toast,
      this.tooltip.element,
      this.speaker,
      this.help.element,
    )
    this.stage = new Stage(
      this.canvas,
      { onCamera: () => this.cameraMoved(), onGrab: () => (this.grabbed = true), onFrame: (lens) => this.drew(lens) },
      still,
    )
    this.wire(detail.element, filters.element)
    this.theme()
    this.showStatus()
    const { camera, flat } = this.view.get()
    if (flat) this.stage.setFlat(true, camera)
    if (camera) this.stage.setCamera(camera)
    this.inset(detail.element, filters.element)
    void this.load()
    follow({
      onOpen: () => {
        this.live.set({ connected: true })
        void this.load() // whatever happened while nobody listened
      },
      onLost: () => this.live.set({ connected: false }),
      onEvent: (event) => {
        this.clock.atLeast(Date.parse(event.at))
        this.loadSoon()
      },
    })
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
    this.view.set({ selected: id })
    const node = this.live.get().world?.indexOf(id) ?? -1
    this.live.set({ cursor: node })
    if (node >= 0 && fly) this.stage.flyTo(node)
  }

  /** Closes what lies on top: the open memory, then the search. */
  close(): void {
    if (this.view.get().selected) {
      this.view.set({ selected: null })
      this.canvas.focus({ preventScroll: true })
    } else if (!this.search.clear()) this.live.set({ cursor: -1 })
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

  toggleTheme(): void {
    const light = !this.live.get().light
    localStorage.setItem(THEME_KEY, light ? 'light' : 'dark')
    this.live.set({ light })
  }

  private theme(): void {
    const { light } = this.live.get()
    document.documentElement.dataset['theme'] = light ? 'light' : 'dark'
    this.themeButton.replaceChildren(icon(light ? 'moon' : 'sun'))
    this.themeButton.title = `${light ? 'Dark' : 'Light'} (l)`
    this.themeButton.setAttribute('aria-label', light ? 'Dark' : 'Light')
    this.stage.setTheme(makeTheme(light))
  }

  private wire(detail: HTMLElement, filters: HTMLElement): void {
    const v = this.view
    v.on(['types', 'projects', 'namespaces', 'users'], () => this.filter())
    v.on(['recorded', 'valid', 'statuses'], () => this.instant())
    v.on(['selected', 'edges'], () => this.emphasise())
    v.on(['selected'], () => requestAnimationFrame(() => this.inset(detail, filters)))
    v.on(['flat'], (now) => {
      this.stage.setFlat(now.flat, now.camera)
      this.flatIcon()
    })
    v.on(Object.keys(v.get()) as (keyof View)[], () => this.saveLink())
    const l = this.live
    l.on(['hits'], () => this.emphasise())
    l.on(['cursor', 'hovered'], () => this.pointAt())
    l.on(['light'], () => this.theme())
    l.on(['status', 'connected', 'problem'], () => this.showStatus())
    l.on(['playing'], () => this.instant())
    window.addEventListener('hashchange', () => {
      const next = fromHash(location.hash)
      this.view.set(next)
      if (next.camera) this.stage.setCamera(next.camera)
    })
    window.addEventListener('resize', () => this.inset(detail, filters))
    this.search.onFold = () => this.inset(detail, filters)
    this.canvas.addEventListener('pointermove', (e) => this.hover(e))
    this.canvas.addEventListener('pointerleave', () => this.leave())
    let down: [number, number] = [0, 0]
    this.canvas.addEventListener('pointerdown', (e) => {
      down = [e.clientX, e.clientY]
      document.body.classList.remove('show-filters')
    })
    this.canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 5) this.click(e)
    })
    this.canvas.addEventListener('dblclick', (e) => {
      const node = this.under(e)
      if (node >= 0) this.stage.flyTo(node)
    })
    document.addEventListener('visibilitychange', () => !document.hidden && this.stage.invalidate())
    this.flatIcon()
    // A time to live may run out while the page rests.
    setInterval(() => this.view.get().recorded === null && !document.hidden && this.instant(), 15_000)
  }

  private flatIcon(): void {
    const { flat } = this.view.get()
    this.flatButton.replaceChildren(icon(flat ? 'cube' : 'flat'))
    this.flatButton.title = flat ? 'Three dimensions (2)' : 'Flat map (2)'
    this.flatButton.setAttribute('aria-label', flat ? 'Three dimensions' : 'Flat map')
  }

  private inset(detail: HTMLElement, filters: HTMLElement): void {
    if (window.innerWidth <= 760) {
      this.stage.setInset({ left: 0, right: 0, top: 100, bottom: 120 + (detail.hidden ? 0 : detail.offsetHeight) })
      return
    }
    const wide = window.innerWidth > 1100
    const right = wide && !detail.hidden ? detail.offsetWidth : 0
    const left = wide ? Math.max(filters.offsetWidth, this.search.width()) : 0
    this.stage.setInset({ left, right, top: 50, bottom: 120 })
  }

  // --- the scene ---------------------------------------------------------------

  private loadSoon(): void {
    if (this.reloadTimer) return
    this.reloadTimer = window.setTimeout(() => {
      this.reloadTimer = 0
      void this.load()
    }, Math.max(RELOAD_MS, 5 * this.loadCost))
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.again = true
      return
    }
    this.loading = true
    const start = performance.now()
    try {
      const loaded = await fetchScene(this.tag)
      this.clock.tell(loaded.now)
      if (loaded.frame) {
        this.tag = loaded.tag
        this.take(makeWorld(loaded.frame))
      } else this.live.set({ status: this.live.get().world!.count > 0 ? 'ready' : 'empty', problem: '' })
    } catch (e) {
      const problem = e instanceof ApiError || e instanceof FrameVersionError ? e.message : 'The scene could not be read.'
      this.live.set({ status: 'error', problem: e instanceof FrameVersionError ? `${problem} Reload the page.` : problem })
    }
    this.loadCost = performance.now() - start
    this.loading = false
    if (this.again) {
      this.again = false
      this.loadSoon()
    }
  }

  private take(world: World): void {
    const before = this.live.get().world
    this.fresh = new Set()
    if (before && before.count > 0) {
      for (let i = 0; i < world.count; i++) if (before.indexOf(world.idOf(i)) < 0) this.fresh.add(world.idOf(i))
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
      passing: passing(world, view),
      status: world.count > 0 ? 'ready' : 'empty',
      problem: '',
      hovered: -1,
      cursor: cursor >= 0 && before ? world.indexOf(before.idOf(cursor)) : -1,
      unseen: past ? this.live.get().unseen + this.fresh.size : 0,
    })
    this.emphasise()
    this.instant()
    if (this.fresh.size > 0 && !past) {
      this.stage.flash()
      this.tellFresh(world)
    }
    if (!before && view.selected && !view.camera) {
      const node = world.indexOf(view.selected)
      if (node >= 0) this.stage.flyTo(node)
    }
    if (!before && !view.camera && !view.selected) this.stage.home()
  }

  private tellFresh(world: World): void {
    const ids = [...this.fresh]
    const node = world.indexOf(ids[0]!)
    const text = ids.length === 1 ? world.frame.label(node) || 'A new memory' : `${ids.length} new memories`
    const type = TYPES[world.frame.type[node]!]!
    this.toast.replaceChildren(
      h('span', { class: `pip type-${type.toLowerCase()}` }),
      h('button', { type: 'button', onclick: () => this.open(ids[0]!, true) }, text),
    )
    this.toast.hidden = false
    clearTimeout(this.toastTimer)
    this.toastTimer = window.setTimeout(() => (this.toast.hidden = true), 6000)
    this.announce(`New: ${text}`)
  }

  private filter(): void {
    const { world } = this.live.get()
    if (!world) return
    this.live.set({ passing: passing(world, this.view.get()) })
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
    this.countSoon()
    this.labelSoon()
  }

  /** Works out who stands out: what is selected and what belongs to it, and the hits. */
  private emphasise(): void {
    const { world, passing: shown, hits } = this.live.get()
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
    for (const id of hits) {
      const n = world.indexOf(id)
      if (n >= 0) marks[n]! |= HIT
    }
    for (const id of this.fresh) {
      const n = world.indexOf(id)
      if (n >= 0) marks[n]! |= FRESH
    }
    this.marks = marks
    this.stage.uniforms.uFocus.value = selected >= 0 || hits.length > 0
    this.stage.uniforms.uSelected.value = selected
    this.stage.setMarks(marks)
    this.stage.edges.show(world, this.chosen.edges)
    this.countSoon()
    this.labelSoon()
  }

  // --- the pointer -------------------------------------------------------------

  private under(e: MouseEvent): number {
    const { world } = this.live.get()
    if (!world) return -1
    const box = this.canvas.getBoundingClientRect()
    return pick(world, (n) => this.drawn(n), this.stage.lens(), e.clientX - box.left, e.clientY - box.top)
  }

  private hoverAsked = 0
  private hover(e: PointerEvent): void {
    if (e.buttons !== 0 || e.pointerType === 'touch') {
      this.leave()
      return
    }
    this.hoverAsked ||= requestAnimationFrame(() => {
      this.hoverAsked = 0
      const node = this.under(e)
      this.live.set({ hovered: node })
      this.tooltip.show(node, e.clientX, e.clientY)
      this.canvas.classList.toggle('over', node >= 0)
    })
  }

  private leave(): void {
    cancelAnimationFrame(this.hoverAsked)
    this.hoverAsked = 0
    this.live.set({ hovered: -1 })
    this.tooltip.show(-1, 0, 0)
  }

  private click(e: MouseEvent): void {
    const { world } = this.live.get()
    const node = this.under(e)
    if (!world) return
    if (node >= 0) this.open(world.idOf(node))
    else if (this.view.get().selected) this.close()
  }

  private pointAt(): void {
    const { hovered, cursor } = this.live.get()
    this.stage.uniforms.uHovered.value = hovered >= 0 ? hovered : cursor
    this.stage.invalidate()
  }

  // --- what follows the picture ---------------------------------------------------

  private drew(lens: Lens): void {
    this.lens = lens
    const { world } = this.live.get()
    if (world) this.labels.place(world, lens)
  }

  private cameraMoved(): void {
    this.labelSoon()
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
    }, 200)
  }

  private labelSoon(): void {
    this.labelTimer ||= window.setTimeout(() => {
      this.labelTimer = 0
      this.relabel()
    }, 120)
  }

  private relabel(): void {
    const { world } = this.live.get()
    if (!world || !this.lens) return
    const at = this.moment()
    const f = world.frame
    const focus = this.stage.uniforms.uFocus.value
    const selected = this.stage.uniforms.uSelected.value
    const weight = (n: number) => {
      const mark = this.marks[n]!
      const standing = n === selected ? 9 : (mark & HIT) !== 0 ? 4 : (mark & NEAR) !== 0 ? 2.5 : 0
      if (focus && standing === 0) return 0
      if (!focus && f.importance[n]! < 90) return 0
      if (!this.drawn(n)) return 0
      return (0.2 + f.importance[n]! / 255) * (0.35 + 0.65 * retentionAt(world, n, at.recorded)) + standing
    }
    const pool = focus ? 18 : window.innerWidth > 900 ? 14 : 6
    this.labels.choose(world, chooseLabels(world, this.lens, weight, pool))
    this.labels.place(world, this.lens)
  }

  private countSoon(): void {
    this.countTimer ||= window.setTimeout(() => {
      this.countTimer = 0
      this.count()
    }, 80)
  }

  private count(): void {
    const { world, connected, status } = this.live.get()
    if (!world) return
    const at = this.moment()
    let shown = 0
    let working = false
    for (let i = 0; i < world.count; i++) {
      if (!((this.marks[i]! & PASSES) !== 0 && visibleAt(world, i, at))) continue
      shown++
      working ||= TYPES[world.frame.type[i]!] === 'WORKING' && retentionAt(world, i, at.recorded) > 0.02
    }
    this.stage.setPulsing(this.pulses && working && !this.still())
    const total = Math.max(world.frame.total, world.count)
    this.counter.replaceChildren(
      h('i', { class: connected && status !== 'error' ? 'live on' : 'live', title: connected ? 'Live' : 'Not connected' }),
      `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} memories`,
      this.chosen.left > 0 ? ` · ${this.chosen.left.toLocaleString('en')} weaker edges left out` : '',
    )
  }

  private showStatus(): void {
    const { status, problem, world } = this.live.get()
    this.countSoon()
    document.body.dataset['status'] = status
    if (status === 'loading') this.notice.replaceChildren(h('div', { class: 'breath', 'aria-label': 'Loading' }, brandMark()))
    else if (status === 'empty') {
      this.notice.replaceChildren(
        h('div', { class: 'notice panel' }, brandMark(), h('h2', {}, 'Nothing is remembered yet'),
          h('p', {}, 'Write a memory through the API and watch it appear here:'),
          h('pre', {}, h('code', {}, 'mutation {\n  remember(input: {\n    content: "Releases go out on Tuesdays"\n    consent: EXPLICIT\n  }) { memory { id } }\n}')))
      )
    } else if (status === 'error' && !world) {
      this.notice.replaceChildren(
        h('div', { class: 'notice panel', role: 'alert' }, h('h2', {}, 'The memory is out of reach'), h('p', {}, problem),
          h('button', { type: 'button', class: 'button', onclick: () => { this.live.set({ status: 'loading' }); void this.load() } }, 'Try again'))
      )
    } else if (status === 'error') {
      this.notice.replaceChildren(h('div', { class: 'strip panel', role: 'alert' }, problem, ' What you see is what was loaded before.', h('button', { type: 'button', class: 'link', onclick: () => void this.load() }, 'Try again')))
    } else this.notice.replaceChildren()
  }
}

/** Three memories on a wave of sleep. */
function brandMark(): SVGElement {
  return svg(
    'svg',
    { class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    svg('path', { d: 'M5 21.5c4.2 0 4.800-12 10.500-12s6 12 11.500 12' }),
    svg('circle', { class: 'type-semantic', cx: 5.8, cy: 21.5, r: 3 }),
    svg('circle', { class: 'type-episodic', cx: 15.6, cy: 9.6, r: 3.8 }),
    svg('circle', { class: 'type-procedural', cx: 26.2, cy: 21.5, r: 3 }),
  )
}
