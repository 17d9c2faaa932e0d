// The server's clock, and times as text. All times are UTC.

/** ms */
export const DAY = 86_400_000

/** Runs on from the last time that the server reported. */
export class ServerClock {
  private base: number
  private read: number

  constructor(private readonly ticks: () => number) {
    this.base = Date.now()
    this.read = ticks()
  }

  /** Sets the clock to the server's time. */
  set(now: number): void {
    if (!Number.isFinite(now)) return
    this.base = now
    this.read = this.ticks()
  }

  /** Moves the clock forward to the time of an event; never back. */
  atLeast(t: number): void {
    if (t > this.now()) this.set(t)
  }

  now(): number {
    return this.base + (this.ticks() - this.read)
  }
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

export const dayText = (ms: number): string => day.format(ms)
export const minuteText = (ms: number): string => minute.format(ms)
export const monthText = (ms: number): string => month.format(ms)
export const momentText = (ms: number): string => `${day.format(ms)}, ${minute.format(ms)}`

/** "3 days", "5 months", "2 hours": a duration */
export function spanText(ms: number): string {
  const units: [number, string][] = [
    [365.25 * DAY, 'year'],
    [30.44 * DAY, 'month'],
    [DAY, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ]
  for (const [size, name] of units) {
    const n = Math.floor(Math.abs(ms) / size)
    if (n >= 1 && !(name === 'month' && n < 2)) return `${n} ${name}${n === 1 ? '' : 's'}`
  }
  return 'moments'
}
