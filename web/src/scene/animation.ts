// Runs animations by name. Frames are requested only while one is running.

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

  /** Starts an animation in place of a running one of the same name. With reduced motion it ends at once. */
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

  /** Advances all animations to a time; true if one is still running. */
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

/** Cubic ease in and out. */
export function ease(x: number): number {
  return x < 0.5 ? 4 * x ** 3 : 1 - (-2 * x + 2) ** 3 / 2
}
