// Which boards there are: of each its chart, its numbers, and what a click on a part of it shows.
import type { Decision, Erasure, Health, ListedReceipt } from '../../api/dashboards'
import type { Conflict, Report } from '../../api/sleep'
import { STATUSES, displayName } from '../../api/vocabulary'
import { degreeHistogram, quorumHistogram, recallIndicators, reportsByWeek, waterfall, weekEnd, within, type Range } from '../../state/boards'
import { dayText, momentText } from '../../state/clock'
import { cohorts, indicatorText } from '../../state/dashboards'
import { DECISIONS } from '../../state/gatedecisions'
import type { World } from '../../state/world'
import { shorten } from '../../scene/labels/labels'
import { legend, lineChart, stackedBars } from '../charts'
import { h } from '../dom'
import type { Session } from '../session'
import { waterfallChart } from './waterfall'
import { plainTable } from './parts'

/** What the boards show of the server's answers; null: the credential may not see it, or the server has none. */
export interface Answers {
  reports: Report[] | null
  decisions: Decision[] | null
  conflicts: Conflict[] | null
  erasures: Erasure[] | null
  receipts: ListedReceipt[] | null
  health: Health | null
}

export interface Board {
  title: string
  /** what it says, in one sentence */
  about: string
  /** empty: `nothing` is shown */
  content: Node[]
  nothing: string
  head: string[]
  rows: (string | number)[][]
}

const SLEEP = [['reinforced', 'Strengthened'], ['pruned', 'Archived'], ['deduplicated', 'Merged'], ['promoted', 'Promoted'], ['engraved', 'Engraved'], ['derived', 'Derived']] as const
const WIDE = { width: 372, height: 150 }
const COHORTS = 24

/** Highlights memories, and makes room for the map. */
function showOnMap(s: Session, ids: readonly string[]): void {
  s.live.set({ highlighted: [...new Set(ids)] })
  s.view.set({ wide: false })
  s.announce(`${ids.length.toLocaleString('en')} ${ids.length === 1 ? 'memory is' : 'memories are'} highlighted on the map`)
}

/** The boards of the scene at the instant shown. */
export function sceneBoards(s: Session, world: World, range: Range): Board[] {
  const at = s.moment()
  const light = (nodes: readonly number[]) => showOnMap(s, nodes.map((n) => world.idOf(n)))
  const passes = s.live.get().filterMask
  const steps = waterfall(world, passes, at, range)
  const degrees = degreeHistogram(world, (n) => s.isDrawn(n), range)
  const spans = cohorts(world, at.recorded, COHORTS)
  const statuses = STATUSES.map((t) => ({ key: t.toLowerCase(), label: displayName(t) })).filter((k) => spans.some((c) => (c.values[k.key] ?? 0) > 0))
  const width = spans.length > 1 ? spans[1]!.from - spans[0]!.from : 0
  const learned = spans.map((c) => ({ name: dayText(c.from), values: c.values, current: range.length > 0 && c.from >= range[0]! - 1 && c.from < range[1]!, act: () => s.view.set({ learned: [Math.round(c.from), Math.round(c.from + width)] }) }))
  return [
    {
      title: 'Decay waterfall', about: 'From what was learned to what is remembered well.', nothing: 'Nothing was learned in this time.',
      content: steps[0]!.value > 0 ? [waterfallChart('Decay waterfall', steps, (step) => light(step.nodes))] : [],
      head: ['step', 'memories'], rows: steps.map((x) => [x.label, x.value]),
    },
    {
      title: 'Learned over time', about: 'What became of the memories by the time they were learned. A click narrows the range.', nothing: 'Nothing was learned yet.',
      content: learned.length > 0 ? [stackedBars('Memories by time learned', learned, statuses, WIDE), legend(statuses)] : [],
      head: ['from', ...statuses.map((k) => k.label)], rows: learned.map((r) => [r.name, ...statuses.map((k) => r.values[k.key] ?? 0)]),
    },
    {
      title: 'Edges per memory', about: 'How many links each shown memory has.', nothing: 'No memory is shown in this time.',
      content: degrees.some((b) => b.nodes.length > 0) ? [stackedBars('Memories by number of edges', degrees.map((b) => ({ name: b.name, values: { left: b.nodes.length }, act: () => light(b.nodes) })), [{ key: 'left', label: 'memories' }], WIDE)] : [],
      head: ['edges', 'memories'], rows: degrees.map((b) => [b.name, b.nodes.length]),
    },
  ]
}

/** The boards of the server's answers. */
export function answeredBoards(s: Session, a: Answers, range: Range): Board[] {
  return [quorumBoard(s, a, range), conflictBoard(s, a, range), sleepBoard(s, a, range), recallBoard(a, range), erasureBoard(a, range)]
}

const HIDDEN = 'This sign-in may not see it.'

function quorumBoard(s: Session, { decisions }: Answers, range: Range): Board {
  const keys = DECISIONS.map((d) => ({ key: `gate-${d.toLowerCase()}`, label: displayName(d) }))
  const rows = quorumHistogram(decisions ?? [], range)
  const some = rows.some((r) => r.memories.length > 0 || Object.keys(r.values).length > 0)
  const used = keys.filter((k) => rows.some((r) => (r.values[k.key] ?? 0) > 0))
  return {
    title: 'Quorum of evidence', about: 'How much weight the evidence had in the gate’s decisions.',
    nothing: decisions === null ? HIDDEN : 'The gate decided nothing in this time. Evidence is given with “adjudicate”.',
    content: some ? [stackedBars('Decisions by quorum', rows.map((r) => ({ ...r, act: () => showOnMap(s, r.memories) })), used, WIDE), legend(used)] : [],
    head: ['quorum from', ...used.map((k) => k.label)], rows: some ? rows.map((r) => [r.name, ...used.map((k) => r.values[k.key] ?? 0)]) : [],
  }
}

function conflictBoard(s: Session, { conflicts }: Answers, range: Range): Board {
  const log = (conflicts ?? []).filter((c) => within(range, Date.parse(c.at))).sort((x, y) => y.at.localeCompare(x.at))
  const text = (m: { content: string | null; unavailable: { message: string } | null }) => m.content ?? m.unavailable?.message ?? ''
  return {
    title: 'Conflict log', about: 'Unresolved contradictions, the newest first.',
    nothing: conflicts === null ? HIDDEN : 'No unresolved conflict was found in this time.',
    content: log.length === 0 ? [] : [
      h('ol', { class: 'board-log' }, ...log.slice(0, 5).map((c) => h('li', {}, h('button', { type: 'button', class: 'link', onclick: () => showOnMap(s, [c.earlier.id, c.later.id]) }, shorten(text(c.later))), h('span', { class: 'muted small' }, `against “${shorten(text(c.earlier))}”, ${dayText(Date.parse(c.at))}, ${c.score.toFixed(2)}`)))),
      h('button', { type: 'button', class: 'quiet-button', onclick: () => s.view.set({ panel: 'conflicts' }) }, 'Resolve conflicts'),
    ],
    head: ['found', 'score', 'earlier', 'later'], rows: log.map((c) => [c.at, c.score, c.earlier.id, c.later.id]),
  }
}

function sleepBoard(s: Session, { reports }: Answers, range: Range): Board {
  const weeks = reportsByWeek(reports ?? [], SLEEP.map(([key]) => key), range)
  const keys = SLEEP.map(([key, label]) => ({ key, label })).filter((k) => weeks.some((w) => (w.values[k.key] ?? 0) > 0))
  return {
    title: 'Sleep by week', about: 'What sleeps did, week by week. A click narrows the range.',
    nothing: reports === null ? HIDDEN : 'No sleep changed anything in this time.',
    content: keys.length > 0 ? [stackedBars('Sleep by week', weeks.map((w) => ({ name: dayText(w.from), values: w.values, act: () => s.view.set({ learned: [w.from, weekEnd(w.from)] }) })), keys, WIDE), legend(keys)] : [],
    head: ['week from', ...SLEEP.map(([, label]) => label)], rows: weeks.map((w) => [dayText(w.from), ...SLEEP.map(([key]) => w.values[key] ?? 0)]),
  }
}

function recallBoard({ health }: Answers, range: Range): Board {
  const found = recallIndicators(health?.indicators ?? [], range).filter((i) => i.history.length > 0)
  return {
    title: 'Recall quality', about: 'What the daily canary measured in a simulated world, in the last 35 days.',
    nothing: health === null ? HIDDEN : 'The canary has not run yet in this time. It runs once a day.',
    content: found.flatMap((i) => [
      h('h4', {}, `${i.title}: ${indicatorText(i.unit, i.value)}`),
      lineChart(i.title, i.history.map((p) => ({ name: dayText(Date.parse(p.at)), value: p.value })), (v) => indicatorText(i.unit, v), 1, i.higherIsBetter ? [i.warning, 1] : [0, i.warning], { width: 372, height: 92 }),
    ]),
    head: ['indicator', 'time', 'value'], rows: found.flatMap((i) => i.history.map((p) => [i.name, p.at, p.value])),
  }
}

function erasureBoard({ erasures, receipts }: Answers, range: Range): Board {
  const own = (receipts ?? []).filter((r) => within(range, Date.parse(r.requestedAt)))
  const pending = own.filter((r) => r.status === 'PENDING')
  const done = own.filter((r) => r.status !== 'PENDING')
  // One erasure has several rows in the audit, one for each commit; a request that failed has one.
  const failed = (erasures ?? []).filter((e) => e.outcome !== 'OK' && within(range, Date.parse(e.at)))
  const count = (name: string, n: number) => h('div', { class: 'figure' }, h('span', {}, name), h('b', {}, n.toLocaleString('en')))
  const table = (title: string, head: string[], rows: string[][]) => (rows.length > 0 ? [h('h4', {}, title), plainTable(title, head, rows.slice(0, 8))] : [])
  return {
    title: 'Erasures', about: 'Erasures that were asked for. A pending one is resumed until nothing is left; a failed one was refused or could not begin.',
    nothing: erasures === null && receipts === null ? HIDDEN : 'Nothing was erased in this time.',
    content: own.length + failed.length === 0 ? [] : [
      h('div', { class: 'figures' }, count('Done', done.length), ...(erasures === null ? [] : [count('Failed', failed.reduce((n, e) => n + e.count, 0))]), count('Pending', pending.length)),
      ...table('Receipts', ['Time (UTC)', 'State', 'Memories', 'Receipt'], [...pending, ...done].map((r) => [momentText(Date.parse(r.requestedAt)), displayName(r.status), String(r.count), r.id])),
      ...table('Failed requests', ['Time (UTC)', 'By', 'Outcome'], failed.map((e) => [momentText(Date.parse(e.at)), e.principal, e.outcome])),
    ],
    head: ['time', 'by', 'outcome', 'receipt', 'memories'],
    rows: [...own.map((r) => [r.requestedAt, '', r.status, r.id, r.count]), ...failed.map((e) => [e.at, e.principal, e.outcome, '', e.ids.length + e.more])],
  }
}
