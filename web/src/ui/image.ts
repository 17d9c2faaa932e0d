// Saves the scene with its background as PNG, at screen resolution.
import type { Stage } from '../scene/stage'
import { makeTheme } from '../scene/theme'
import { dayText } from '../state/clock'
import type { Session } from './session'

export async function saveImage(s: Pick<Session, 'view' | 'live' | 'clock' | 'announce'>, stage: Stage): Promise<void> {
  const at = s.view.get().recorded
  download(await renderImage(stage, s.live.get().light), `somnograph ${dayText(at ?? s.clock.now())}.png`)
  s.announce('Image saved')
}

/** Starts a download. */
export function download(blob: Blob, name: string): void {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(blob)
  a.download = name
  a.click()
  URL.revokeObjectURL(a.href)
}

export function renderImage(stage: Stage, light: boolean): Promise<Blob> {
  const source = stage.canvas
  const out = document.createElement('canvas')
  out.width = source.width
  out.height = source.height
  const g = out.getContext('2d')
  if (!g) return Promise.reject(new Error('no canvas'))
  const { palette } = makeTheme(light)
  const fade = g.createRadialGradient(out.width / 2, out.height * 0.45, 0, out.width / 2, out.height * 0.45, out.width * 0.75)
  fade.addColorStop(0, palette.background[0])
  fade.addColorStop(1, palette.background[1])
  g.fillStyle = fade
  g.fillRect(0, 0, out.width, out.height)
  stage.renderNow() // the drawing buffer is only valid in the same task
  g.drawImage(source, 0, 0)
  return new Promise((done, fail) => out.toBlob((b) => (b ? done(b) : fail(new Error('no picture'))), 'image/png'))
}
