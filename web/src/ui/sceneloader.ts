// Loads the scene, and from then on takes what changes it. Where the server sends no
// changes, or the map was drawn anew, it is loaded again: one load at a time, and the
// longer it takes, the longer the next one waits.
import { FrameVersionError, type Frame, type Part } from '../api/frame'
import { ApiError } from '../api/graphql'
import { follow, type Connection, type Feed } from '../api/live'
import { fetchScene, fetchTile, type Tile } from '../api/scene'
import type { Projection } from '../scene/picking/pick'
import { sameExplorer } from '../api/version'
import { merge, removeNodes } from '../state/merge'
import { BUDGET, ROOT, tilesToDrop, nextTile } from '../state/tiles'
import { makeWorld, type World } from '../state/world'
import type { Session } from './session'

const PAUSE = 300
const LOOK = 250

export class Loader {
  private tag: string | null = null
  private loading = false
  private again = false
  private timer = 0
  private cost = 0
  private connection: Connection | null = null
  /** changes are sent; nothing has to be loaded again for them */
  private watching = false
  /** the server knows of no changes: it is older than this page, or draws no map */
  private refused = false
  /** the feed was open once */
  private met = false

  /** ids of the memories of each tile that is held beside the root */
  private readonly tiles = new Map<number, Uint8Array>()
  private looking = 0
  /** the memory that is wanted on the map, and the tile that was loaded for it */
  private wanted: string | null = null
  private pinned = ROOT

  constructor(
    private readonly s: Pick<Session, 'live' | 'clock'>,
    private readonly take: (world: World, arrived: boolean) => void,
    private readonly sleeper: Pick<Feed, 'onProgress' | 'onMorning' | 'onOpen'>,
  ) {}

  /** Loads the scene and keeps it current from then on. */
  start(): void {
    void this.load()
    this.connection = follow({
      onOpen: () => {
        this.s.live.set({ connected: true })
        this.sleeper.onOpen()
        if (!this.watching) void this.load() // whatever happened while nobody listened
        if (this.met) void this.compare()
        this.met = true
      },
      onLost: () => this.s.live.set({ connected: false }),
      onProgress: (p) => this.sleeper.onProgress(p),
      onMorning: (report) => {
        this.sleeper.onMorning(report)
        if (!this.watching) this.soon()
      },
      onEvent: (event) => {
        this.s.clock.atLeast(Date.parse(event.at))
        if (!this.watching) this.soon()
      },
    })
  }

  private watch(frame: Frame): void {
    if (this.refused) return
    this.watching = true
    const again = () => {
      this.watching = false
      this.soon()
    }
    const refuse = () => {
      this.refused = true
      again()
    }
    this.connection?.watch(frame, { onPart: (part) => this.put(part), onAgain: again, onRefused: refuse })
  }

  private put(part: Part): void {
    const { world } = this.s.live.get()
    if (!world) return
    this.s.clock.atLeast(part.at)
    this.tag = null // the scene is not the one that was named any more
    this.take(merge(world, part), true)
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.again = true
      return
    }
    this.loading = true
    const { live, clock } = this.s
    const start = performance.now()
    try {
      const loaded = await fetchScene(this.tag)
      clock.set(loaded.now)
      if (loaded.frame) {
        this.tag = loaded.tag
        this.tiles.clear()
        this.pinned = ROOT
        const { wanted } = this
        this.take(makeWorld(loaded.frame), true)
        this.watch(loaded.frame)
        if (wanted) await this.reach(wanted)
      } else {
        const { world } = live.get()
        if (world && !this.watching) this.watch(world.frame)
        live.set({ status: (live.get().world?.count ?? 0) > 0 ? 'ready' : 'empty', problem: '' })
      }
    } catch (e) {
      const problem = e instanceof ApiError || e instanceof FrameVersionError ? e.message : 'The scene could not be read.'
      live.set({ status: 'error', problem: e instanceof FrameVersionError ? `${problem} Reload the page.` : problem })
      if (e instanceof FrameVersionError) live.set({ outdated: true })
    }
    this.cost = performance.now() - start
    this.loading = false
    if (this.again) {
      this.again = false
      this.soon()
    }
  }

  /** A server that was away may have come back as another one. */
  private async compare(): Promise<void> {
    if ((await sameExplorer()) === false) this.s.live.set({ outdated: true })
  }

  /** The camera stands there: of a scene in tiles, what it sees is loaded, one tile at a time. */
  look(lens: () => Projection): void {
    if (!this.s.live.get().world?.frame.tiles) return
    this.looking ||= window.setTimeout(() => {
      void this.nextTile(lens()).then((more) => {
        this.looking = 0
        if (more) this.look(lens)
      }, () => (this.looking = 0)) // the next movement tries again
    }, LOOK)
  }

  private async nextTile(lens: Projection): Promise<boolean> {
    const held = this.s.live.get().world
    const list = held?.frame.tiles
    if (!held || !list) return false
    const { load, drop } = nextTile(list, this.held(), lens, BUDGET, this.pinned)
    if (load === null) return false
    const { drawing } = held.frame
    const tile = await fetchTile({ key: load }, drawing)
    if (tile === null) this.soon()
    return this.add(tile, drawing, drop)
  }

  /**
   * A memory is wanted on the map. Of a scene in tiles its tile is loaded where it is not
   * held, and kept as long as no other is wanted. Says whether the memory is there now.
   */
  async reach(id: string): Promise<boolean> {
    this.wanted = id
    const { world } = this.s.live.get()
    if (!world) return false
    if (world.indexOf(id) >= 0) return true
    const list = world.frame.tiles
    if (!list) return false
    const { drawing } = world.frame
    const tile = await fetchTile({ memory: id }, drawing)
    if (tile === null || this.wanted !== id) return false
    this.pinned = tile.key
    return this.add(tile, drawing, tilesToDrop(list, tile.key, this.held(), new Set([ROOT, tile.key])))
  }

  private held(): Set<number> {
    return new Set([ROOT, ...this.tiles.keys()])
  }

  /** Takes a tile of a drawing in, and lets others go; false where the map is another by now. */
  private add(tile: Tile | null, drawing: string, drop: readonly number[]): boolean {
    let { world } = this.s.live.get()
    if (!tile || !world || world.frame.drawing !== drawing) return false
    for (const key of drop) {
      const ids = this.tiles.get(key)
      if (ids) world = removeNodes(world, ids)
      this.tiles.delete(key)
    }
    this.tiles.set(tile.key, tile.part.ids)
    // What is held may be newer than the tile: only what it adds is taken over.
    this.take(merge(world, { ...tile.part, cursor: world.frame.cursor, at: world.frame.at, total: world.frame.total }), false)
    return true
  }

  private soon(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      void this.load()
    }, Math.max(PAUSE, 5 * this.cost))
  }
}
