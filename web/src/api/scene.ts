// Loads the scene and keeps the server's clock.
import { decodeFrame, type Frame, type Part } from './frame'
import { ApiError } from './graphql'

export interface Loaded {
  frame: Frame
  /** the server's clock when it answered, ms since 1970 */
  now: number
  tag: string | null
}

/** The scene, or null where it is still the one named by the tag. */
export async function fetchScene(tag: string | null): Promise<Loaded | { frame: null; now: number }> {
  let response: Response
  try {
    response = await fetch('viz/graph', { headers: tag ? { 'if-none-match': tag } : {}, cache: 'no-store' })
  } catch {
    throw new ApiError('The server does not answer.', 'OFFLINE')
  }
  const now = Number(response.headers.get('somnograph-now') ?? NaN)
  if (response.status === 304) return { frame: null, now }
  if (!response.ok) throw new ApiError(`The server could not draw the scene (${response.status}).`, 'UNAVAILABLE')
  const frame = decodeFrame(await response.arrayBuffer())
  return { frame, now: Number.isFinite(now) ? now : frame.at, tag: response.headers.get('etag') }
}

/** A tile of a large scene; null where the map it lies on is gone. */
export async function fetchTile(key: number, drawing: string): Promise<Part | null> {
  let response: Response
  try {
    response = await fetch(`viz/graph?tile=${key}&map=${drawing}`)
  } catch {
    throw new ApiError('The server does not answer.', 'OFFLINE')
  }
  if (response.status === 410) return null
  if (!response.ok) throw new ApiError(`The server could not draw a part of the scene (${response.status}).`, 'UNAVAILABLE')
  return decodeFrame(await response.arrayBuffer())
}
