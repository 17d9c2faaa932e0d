// Moves a span of time by its ends or as a whole, within bounds.

export type Handle = 'from' | 'to' | 'both'
export type Span = readonly [from: number, to: number]

/** The span after a handle was moved. The ends keep a minimum distance. */
export function moveSpan([from, to]: Span, handle: Handle, by: number, [first, last]: Span, minWidth: number): Span {
  switch (handle) {
    case 'from':
      return [Math.min(Math.max(from + by, first), to - minWidth), to]
    case 'to':
      return [from, Math.max(Math.min(to + by, last), from + minWidth)]
    case 'both': {
      const shift = Math.min(Math.max(by, first - from), last - to)
      return [from + shift, to + shift]
    }
  }
}
