// Movements that take a while: they run only as long as something moves.

export type Animate = (progress: number) => void

interface RunningAnimation {
  start: number
  length: number
  step: Animate
}

export class Animations {
  private running = new Map<string, RunningAnimation>()

  constructor(
    private readonly reducedMotion: () => boolean,
    private readonly requestFrame: () => void,
  ) {}

  /** Starts a movement in place of the one of that name. With motion reduced it is over at once. */
  start(name: string, length: number, step: Animate): void {
    if (this.reducedMotion() || length <= 0) {
      this.running.delete(name)
      step(1)
    } else this.running.set(name, { start: -1, length, step })
    this.requestFrame()
  }

  stop(name: string): void {
    this.running.delete(name)
  }

  /** Moves everything to the time of the page; says whether something goes on. */
  advance(time: number): boolean {
    for (const [name, r] of this.running) {
      if (r.start < 0) r.start = time
      const progress = Math.min((time - r.start) / r.length, 1)
      if (progress === 1) this.running.delete(name)
      r.step(progress)
    }
    return this.running.size > 0
  }
}

/** Slow, fast, slow. */
export function ease(x: number): number {
  return x < 0.5 ? 4 * x ** 3 : 1 - (-2 * x + 2) ** 3 / 2
}
