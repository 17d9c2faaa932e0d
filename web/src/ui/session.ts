// What the parts of the page share: the state, the world, and the few verbs they use on
// each other. Parts know this and nothing of one another.
import type { Versions } from '../api/operations'
import type { EdgeKind } from '../api/vocabulary'
import type { ServerClock } from '../state/clock'
import type { Store, View } from '../state/view'
import type { Sleeper } from './sleeper'
import type { Moment } from '../state/visibility'
import type { World } from '../state/world'
import type { Why } from './why'

/** What is not part of a link. */
export interface Live {
  world: World | null
  /** nodes that the filters let through */
  passing: Uint8Array
  /** ids that the search found, best first */
  hits: string[]
  /** ids that the open panel points at */
  pointed: string[]
  /** where the keyboard stands; -1: nowhere */
  cursor: number
  hovered: number
  playing: boolean
  /** how much of the span a second of playing takes */
  speed: number
  connected: boolean
  status: 'loading' | 'ready' | 'empty' | 'error'
  problem: string
  /** what the open memory was made of and folded into */
  kin: { from: string; to: string; kind: EdgeKind }[]
  /** memories that came while the past was looked at */
  unseen: number
  light: boolean
  /** the server brings another explorer than the one that runs here */
  outdated: boolean
}

export interface Session {
  view: Store<View>
  live: Store<Live>
  clock: ServerClock
  sleeper: Sleeper
  /** the instant that is shown */
  moment(): Moment
  /** the nodes that are drawn */
  drawn(node: number): boolean
  /** the whole map */
  home(): void
  /** opens a memory; fly moves the camera there */
  open(id: string, fly?: boolean): void
  close(): void
  /** reads something out to who cannot see it */
  announce(text: string): void
  /** steps along the chain, else along the session */
  step(direction: -1 | 1): void
  /** why the search found a memory; null: it did not */
  why(id: string): Why | null
  /** what the detail panel learned of the versions */
  versions: Versions
  /** the memory that was open before this one; null: none */
  before: string | null
}
