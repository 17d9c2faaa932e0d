// Loads the scene and its tiles, and reads the server's clock.
import { decodeFrame, type Frame, type ScenePart } from './frame'
import { ApiError } from './graphql'
import { noteStatus } from './signin'

export interface LoadedScene {
  frame: Frame
  /** the server's time when it answered, ms since 1970 */
  now: number
  tag: string | null
}

/** Loads the scene; frame is null if it still is the one with this tag. index.html preloads the first scene before any script runs. */
export async function fetchScene(tag: string | null): Promise<LoadedScene | { frame: null; now: number }> {
  let response: Response
  try {
    response = await fetch('viz/graph', tag ? { headers: { 'if-none-match': tag } } : {})
  } catch {
    throw new ApiError('The server does not answer.', 'OFFLINE')
  }
  noteStatus(response.status)
  const now = Number(response.headers.get('somnograph-now') ?? NaN)
  if (response.status === 304) return { frame: null, now }
  if (!response.ok) throw new ApiError(`The server could not send the map (${response.status}).`, 'UNAVAILABLE')
  const frame = decodeFrame(await response.arrayBuffer())
  return { frame, now: Number.isFinite(now) ? now : frame.at, tag: response.headers.get('etag') }
}

export interface Tile {
  key: number
  part: ScenePart
}

/** Loads a tile of a large scene, by its key or by a memory in it. Null if the map has changed or the memory does not exist. */
export async function fetchTile(which: { key: number } | { memory: string }, map: string): Promise<Tile | null> {
  const named = 'key' in which ? `tile=${which.key}` : `memory=${encodeURIComponent(which.memory)}`
  let response: Response
  try {
    response = await fetch(`viz/graph?${named}&map=${map}`)
  } catch {
    throw new ApiError('The server does not answer.', 'OFFLINE')
  }
  noteStatus(response.status)
  if (response.status === 410 || response.status === 404) return null
  if (!response.ok) throw new ApiError(`The server could not send this part of the map (${response.status}).`, 'UNAVAILABLE')
  const key = 'key' in which ? which.key : Number(response.headers.get('somnograph-tile') ?? NaN)
  if (Number.isNaN(key)) return null // an older server answers without this header
  return { key, part: decodeFrame(await response.arrayBuffer()) }
}
