// The part of the page that panels leave to the map.

export interface Rect {
  left: number
  right: number
  top: number
  bottom: number
}

/** Space between the map and a panel, in pixels. */
const GAP = 8

/** The margins of the page that bars above and below and panels at the sides cover. A side panel that spans most of the width, as on a phone, covers what is above or below it. */
export function insetOf(page: { width: number; height: number }, bars: { top: Rect; bottom: Rect }, panels: readonly Rect[]): Rect {
  const inset = { left: 0, right: 0, top: bars.top.bottom + GAP, bottom: page.height - bars.bottom.top + GAP }
  for (const p of panels) {
    if (p.right <= p.left || p.bottom <= p.top) continue
    const [toLeft, toRight] = [p.left, page.width - p.right]
    if (p.right - p.left > page.width * 0.6) {
      if (p.top - inset.top > page.height - inset.bottom - p.bottom) inset.bottom = Math.max(inset.bottom, page.height - p.top + GAP)
      else inset.top = Math.max(inset.top, p.bottom + GAP)
    } else if (toLeft <= toRight) inset.left = Math.max(inset.left, p.right + GAP)
    else inset.right = Math.max(inset.right, page.width - p.left + GAP)
  }
  return inset
}

/** Whether two rectangles have a common point inside. */
export function intersect(a: Rect, b: Rect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/**
 * Which labels can be shown: each one that is inside the frame and meets neither an obstacle nor an earlier label. Labels
 * are given in order of importance.
 */
export function withoutCollisions(labels: readonly Rect[], obstacles: readonly Rect[], frame: Rect): boolean[] {
  const taken = [...obstacles]
  return labels.map((l) => {
    const free = l.left >= frame.left && l.right <= frame.right && l.top >= frame.top && l.bottom <= frame.bottom && !taken.some((t) => intersect(l, t))
    if (free) taken.push(l)
    return free
  })
}
