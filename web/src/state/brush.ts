// A span of time that is moved by its ends or as a whole, and never leaves its bounds.

export type Grip = 'from' | 'to' | 'both'
export type Span = readonly [from: number, to: number]

/** The span after one of its grips has moved by so much; an end stops a least width before the other. */
export function shifted([from, to]: Span, grip: Grip, by: number, [first, last]: Span, least: number): Span {
  switch (grip) {
    case 'from':
      return [Math.min(Math.max(from + by, first), to - least), to]
    case 'to':
      return [from, Math.max(Math.min(to + by, last), from + least)]
    case 'both': {
      const room = Math.min(Math.max(by, first - from), last - to)
      return [from + room, to + room]
    }
  }
}
