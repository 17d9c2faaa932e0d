// Loads the scene and applies its changes. If the server sends no changes, or the map has a new
// layout, the scene is loaded again: one load at a time, with a pause that grows with the
// duration of the last load.
import { FrameVersionError, type Frame, type ScenePart } from '../api/frame'
import { ApiError } from '../api/graphql'
import { connect, type Connection, type FeedHandlers } from '../api/live'
import { fetchScene, fetchTile, type Tile } from '../api/scene'
import type { Projection } from '../scene/picking/pick'
import { serverHasSameExplorer } from '../api/version'
import { merge, removeNodes } from '../state/merge'
import { BUDGET, ROOT, tilesToDrop, nextTile } from '../state/tiles'
import { makeWorld, type World } from '../state/world'
import type { Session } from './session'

const MIN_PAUSE_MS = 300
const TILE_DELAY_MS = 250

export class SceneLoader {
  private tag: string | null = null
  private loading = false
  private reloadRequested = false
  private timer = 0
  private loadMs = 0
  private connection: Connection | null = null
  /** changes are sent; no reload is needed */
  private following = false
  /** the server sends no changes: it is older than this page, or has no map */
  private changesRefused = false
  /** the feed has been connected before */
  private connectedBefore = false

  /** ids of the memories of each loaded tile except the root */
  private readonly tiles = new Map<number, Uint8Array>()
  private tileTimer = 0
  /** the memory to show on the map, and the tile that was loaded for it */
  private wantedMemory: string | null = null
  private pinnedTile = ROOT

  constructor(
    private readonly s: Pick<Session, 'live' | 'clock'>,
    private readonly onWorld: (world: World, arrived: boolean) => void,
    private readonly sleepFollower: Pick<FeedHandlers, 'onProgress' | 'onReport' | 'onConnected'>,
  ) {}

  /** Loads the scene and keeps it current. */
  start(): void {
    void this.load()
    this.connection = connect({
      onConnected: () => {
        this.s.live.set({ connected: true })
        this.sleepFollower.onConnected()
        if (!this.following) void this.load() // catch up with what happened while disconnected
        if (this.connectedBefore) void this.checkVersion()
        this.connectedBefore = true
      },
      onDisconnected: () => this.s.live.set({ connected: false }),
      onProgress: (p) => this.sleepFollower.onProgress(p),
      onReport: (report) => {
        this.sleepFollower.onReport(report)
        if (!this.following) this.scheduleLoad()
      },
      onEvent: (event) => {
        this.s.clock.atLeast(Date.parse(event.at))
        if (!this.following) this.scheduleLoad()
      },
    })
  }

  private followChanges(frame: Frame): void {
    if (this.changesRefused) return
    this.following = true
    const again = () => {
      this.following = false
      this.scheduleLoad()
    }
    const refuse = () => {
      this.changesRefused = true
      again()
    }
    this.connection?.followScene(frame, { onPart: (part) => this.applyPart(part), onReload: again, onRefused: refuse })
  }

  private applyPart(part: ScenePart): void {
    const { world } = this.s.live.get()
    if (!world) return
    this.s.clock.atLeast(part.at)
    this.tag = null // the scene is no longer the one with this tag
    this.onWorld(merge(world, part), true)
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.reloadRequested = true
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
        this.pinnedTile = ROOT
        const { wantedMemory } = this
        this.onWorld(makeWorld(loaded.frame), true)
        this.followChanges(loaded.frame)
        if (wantedMemory) await this.loadMemory(wantedMemory)
      } else {
        const { world } = live.get()
        if (world && !this.following) this.followChanges(world.frame)
        live.set({ status: (live.get().world?.count ?? 0) > 0 ? 'ready' : 'empty', problem: '' })
      }
    } catch (e) {
      const problem = e instanceof ApiError || e instanceof FrameVersionError ? e.message : 'The map could not be loaded.'
      live.set({ status: 'error', problem: e instanceof FrameVersionError ? `${problem} Reload the page.` : problem })
      if (e instanceof FrameVersionError) live.set({ outdated: true })
    }
    this.loadMs = performance.now() - start
    this.loading = false
    if (this.reloadRequested) {
      this.reloadRequested = false
      this.scheduleLoad()
    }
  }

  /** After an outage the server may have another build of the explorer. */
  private async checkVersion(): Promise<void> {
    if ((await serverHasSameExplorer()) === false) this.s.live.set({ outdated: true })
  }

  /** Loads the tiles in view of a large scene, one at a time. */
  loadTilesInView(projection: () => Projection): void {
    if (!this.s.live.get().world?.frame.tiles) return
    this.tileTimer ||= window.setTimeout(() => {
      void this.loadNextTile(projection()).then((more) => {
        this.tileTimer = 0
        if (more) this.loadTilesInView(projection)
      }, () => (this.tileTimer = 0)) // the next camera movement tries again
    }, TILE_DELAY_MS)
  }

  private async loadNextTile(projection: Projection): Promise<boolean> {
    const held = this.s.live.get().world
    const list = held?.frame.tiles
    if (!held || !list) return false
    const { load, drop } = nextTile(list, this.heldTiles(), projection, BUDGET, this.pinnedTile)
    if (load === null) return false
    const { map } = held.frame
    const tile = await fetchTile({ key: load }, map)
    if (tile === null) this.scheduleLoad()
    return this.addTile(tile, map, drop)
  }

  /**
   * Makes a memory available on the map. In a large scene its tile is loaded and pinned until
   * another memory is requested. True if the memory is available.
   */
  async loadMemory(id: string): Promise<boolean> {
    this.wantedMemory = id
    const { world } = this.s.live.get()
    if (!world) return false
    if (world.indexOf(id) >= 0) return true
    const list = world.frame.tiles
    if (!list) return false
    const { map } = world.frame
    const tile = await fetchTile({ memory: id }, map)
    if (tile === null || this.wantedMemory !== id) return false
    this.pinnedTile = tile.key
    return this.addTile(tile, map, tilesToDrop(list, tile.key, this.heldTiles(), new Set([ROOT, tile.key])))
  }

  private heldTiles(): Set<number> {
    return new Set([ROOT, ...this.tiles.keys()])
  }

  /** Adds a tile and drops others; false if the map has a new layout by now. */
  private addTile(tile: Tile | null, map: string, drop: readonly number[]): boolean {
    let { world } = this.s.live.get()
    if (!tile || !world || world.frame.map !== map) return false
    for (const key of drop) {
      const ids = this.tiles.get(key)
      if (ids) world = removeNodes(world, ids)
      this.tiles.delete(key)
    }
    this.tiles.set(tile.key, tile.part.ids)
    // Loaded nodes may be newer than the tile: only new ones are added.
    this.onWorld(merge(world, { ...tile.part, cursor: world.frame.cursor, at: world.frame.at, total: world.frame.total }), false)
    return true
  }

  private scheduleLoad(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      void this.load()
    }, Math.max(MIN_PAUSE_MS, 5 * this.loadMs))
  }
}
