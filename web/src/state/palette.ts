// The command palette: which commands match what was typed, and days in words.
import { DAY } from './clock'

/** How well a name matches what was typed: every typed word must begin a word of the name or of the other words for it. 0: it does not match. */
export function matchScore(typed: string, name: string, others = ''): number {
  const want = words(typed)
  if (want.length === 0) return 1
  const own = words(name)
  const more = words(others)
  let score = 0
  for (const w of want) {
    const at = own.findIndex((x) => x.startsWith(w))
    if (at >= 0) score += (own[at] === w ? 3 : 2) + (at === 0 ? 1 : 0)
    else if (more.some((x) => x.startsWith(w))) score += 1
    else return 0
  }
  return score / want.length
}

/** The matching items, best first; equal ones keep their order. */
export function matching<T extends { name: string; words?: string }>(typed: string, items: readonly T[], max: number): T[] {
  return items
    .map((item) => ({ item, score: matchScore(typed, item.name, item.words) }))
    .filter((x) => x.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, max)
    .map((x) => x.item)
}

function words(text: string): string[] {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']

/** The month, 0 to 11, that a word of three letters or more begins; -1: none. */
function monthOf(word: string): number {
  return word.length < 3 ? -1 : MONTHS.findIndex((m) => m.startsWith(word) || (word === 'sept' && m === 'september'))
}

/**
 * The end of the day, UTC, that a text names: "18 August", "Aug 18 2026", "2026-08-18", "August", "yesterday", "3 weeks
 * ago", also after "go to" or "on". Without a year it is the last such day before now. Null: it names none, or one in
 * the future.
 */
export function dayOf(text: string, now: number): number | null {
  const typed = words(text).filter((w) => !['go', 'to', 'on', 'the', 'known', 'by', 'of'].includes(w))
  const day = namedDay(typed, now)
  return day === null || day > now ? null : Math.min(day + DAY - 1, now)
}

/** The beginning of the day. */
function namedDay(typed: readonly string[], now: number): number | null {
  const today = Math.floor(now / DAY) * DAY
  const [a = '', b = '', c = ''] = typed
  if (typed.length === 1 && a === 'today') return today
  if (typed.length === 1 && a === 'yesterday') return today - DAY
  if (typed.length === 3 && c === 'ago') return daysAgo(Number(a), b, today)
  if (typed.length === 3 && /^\d{4}$/.test(a)) return dateOf(Number(a), Number(b) - 1, Number(c))
  const year = typed.find((w) => /^(19|20)\d\d$/.test(w))
  const rest = typed.filter((w) => w !== year)
  const month = rest.map(monthOf).find((m) => m >= 0) ?? -1
  if (month < 0 || rest.length > 2) return null
  const number = rest.find((w) => monthOf(w) < 0)
  const day = number === undefined ? 0 : Number(/^(\d{1,2})(st|nd|rd|th)?$/.exec(number)?.[1] ?? NaN)
  if (Number.isNaN(day)) return null
  // A month without a day is its last day, or today in the present one.
  const at = (y: number) => (day === 0 ? Math.min(Date.UTC(y, month + 1, 0), Math.max(today, Date.UTC(y, month, 1))) : dateOf(y, month, day))
  if (year !== undefined) return at(Number(year))
  const thisYear = new Date(now).getUTCFullYear()
  const here = at(thisYear)
  return here !== null && here > now ? at(thisYear - 1) : here
}

/** A date of the calendar; null: there is no such day. */
function dateOf(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month, day)
  const d = new Date(ms)
  return d.getUTCMonth() === month && d.getUTCDate() === day ? ms : null
}

function daysAgo(n: number, unit: string, today: number): number | null {
  const days = { day: 1, week: 7, month: 30, year: 365 }[unit.replace(/s$/, '')]
  return days === undefined || !Number.isInteger(n) || n < 0 ? null : today - n * days * DAY
}
