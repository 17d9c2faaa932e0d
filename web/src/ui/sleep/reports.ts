// Morning reports: the list, and a single one.
import { ApiError } from '../../api/graphql'
import { fetchReport, fetchReports, rollBack, type Report, type ReportDetail } from '../../api/sleep'
import { fetchLabel } from '../../api/operations'
import { PHASES, TYPES, displayName } from '../../api/vocabulary'
import { dayText, momentText } from '../../state/clock'
import { balanceOf, cutText, NORMAL_RATE, phasesOf, rateBand, secondsText, stepCounts, trendReports } from '../../state/reports'
import { shorten } from '../../scene/labels/labels'
import type { Tab } from '../tab'
import { glyph, h, icon } from '../dom'
import type { Session } from '../session'
import { AsyncContent, errorText } from '../asynccontent'
import { barList, lineChart, dividedBar, HALF_WIDTH, stackedBars, legend, FULL_WIDTH } from '../charts'

const PAGE_SIZE = 30
/** Number of reports in a trend. */
const TREND_LENGTH = 14
const UNDO_DAYS = 7

const SERIES = [
  { key: 'reinforced', label: 'Strengthened' },
  { key: 'pruned', label: 'Archived' },
  { key: 'deduplicated', label: 'Merged' },
  { key: 'promoted', label: 'Promoted' },
  { key: 'engraved', label: 'Engraved' },
  { key: 'derived', label: 'Derived' },
] as const

const percent = (v: number): string => `${Math.round(100 * v)} %`
const rate = (v: number): string => `${Number((100 * v).toFixed(1))} %`

export class ReportsTab implements Tab {
  readonly element = h('div', { class: 'mornings-tab' })
  private readonly listing = h('div')
  private readonly single = h('div')
  private readonly listContent: AsyncContent<Report[]>
  private readonly reportContent: AsyncContent<ReportDetail>
  private reports: Report[] = []
  private more: string | null = null
  private opened = false
  private shown: string | null = null

  constructor(private readonly s: Session) {
    this.listContent = new AsyncContent(
      this.listing,
      async (signal) => {
        const page = await fetchReports(PAGE_SIZE, null, signal)
        this.more = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
        return (this.reports = page.nodes)
      },
      () => this.rows(),
      'morning reports',
    )
    this.reportContent = new AsyncContent(
      this.single,
      async (signal) => {
        if (this.reports.length === 0) this.reports = (await fetchReports(PAGE_SIZE, null, signal)).nodes
        return fetchReport(this.s.view.get().report!, signal)
      },
      (r) => this.report(r),
      'this report',
    )
    s.sleepFollower.store.on(['revision'], () => this.opened && this.open(true))
  }

  open(again = false): void {
    this.opened = true
    const { report } = this.s.view.get()
    this.element.replaceChildren(report ? this.single : this.listing)
    if (report) void this.reportContent.load(report !== this.shown)
    else void this.listContent.load()
    this.shown = report
    if (again && report) void this.listContent.load() // the trend may have changed
  }

  close(): void {
    this.opened = false
    this.listContent.stop()
    this.reportContent.stop()
  }

  // --- the list ---

  private rows(): Node[] {
    if (this.reports.length === 0) {
      return [
        h('h2', {}, 'Morning reports'),
        h(
          'div',
          { class: 'dock-note' },
          h('p', {}, 'No sleep has run yet. Every sleep writes a report here: what got stronger, what was archived, what became permanent.'),
          h('button', { type: 'button', class: 'button', onclick: () => this.s.view.set({ panel: 'sleep' }) }, 'Open the sleep panel'),
        ),
      ]
    }
    const more = this.more && h('button', { type: 'button', class: 'link', onclick: (e: Event) => void this.older(e.currentTarget as HTMLButtonElement) }, 'Older reports')
    return [h('h2', {}, 'Morning reports'), ...this.trends(null), h('ol', { class: 'report-list' }, ...this.reports.map((r) => this.row(r))), ...(more ? [more] : [])]
  }

  private async older(button: HTMLButtonElement): Promise<void> {
    button.disabled = true
    try {
      const page = await fetchReports(PAGE_SIZE, this.more)
      this.reports = [...this.reports, ...page.nodes]
      this.more = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
      this.listing.replaceChildren(...this.rows())
    } catch (e) {
      button.disabled = false
      button.textContent = `${errorText(e)} Try again`
    }
  }

  private row(r: Report): HTMLElement {
    const counts = SERIES.filter((l) => r[l.key] > 0).map((l) => `${r[l.key].toLocaleString('en')} ${l.label.toLowerCase()}`)
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'report-row', 'data-id': r.id, onclick: () => this.s.view.set({ report: r.id }) },
        h('span', { class: 'report-head' }, h('b', {}, momentText(Date.parse(r.startedAt))), ...tagsOf(r)),
        h('span', { class: 'muted small' }, r.completedAt === null ? 'Running' : counts.join(' · ') || 'nothing changed'),
        dividedBar('Active memories', balanceOf(r).pieces.map((p) => ({ ...p, label: p.key }))),
      ),
    )
  }

  /** Trends of the last reports, small in the list; `at` is the open report. */
  private trends(at: string | null): Node[] {
    const reports = trendReports(this.reports).slice(-TREND_LENGTH)
    if (reports.length < 2) return []
    const size = at ? FULL_WIDTH : HALF_WIDTH
    const name = (r: Report) => (at ? dayText(Date.parse(r.startedAt)) : dayText(Date.parse(r.startedAt)).replace(/ \d{4}$/, ''))
    const health = lineChart('Health', reports.map((r) => ({ name: name(r), value: r.healthAfter ?? r.healthBefore, current: r.id === at })), percent, 1, undefined, size)
    const steps = stackedBars('Steps', reports.map((r) => ({ name: name(r), values: Object.fromEntries(SERIES.map((l) => [l.key, r[l.key]])), current: r.id === at })), SERIES, size)
    if (!at) {
      const half = (title: string, chart: Node) => h('div', {}, h('h3', {}, title), chart)
      return [h('div', { class: 'halves' }, half('Health', health), half(`Last ${reports.length} sleeps`, steps)), legend(SERIES)]
    }
    return [
      h('h3', {}, `Health, last ${reports.length} sleeps`),
      health,
      h('h3', {}, 'Steps by sleep'),
      steps,
      legend(SERIES),
      h('h3', {}, 'Promotion rate per day (normal: 5–10 %)'),
      lineChart('Promotion rate', reports.map((r) => ({ name: name(r), value: r.promotionRate, current: r.id === at })), rate, 0.12, NORMAL_RATE),
    ]
  }

  // --- a single report ---

  private report(r: ReportDetail): Node[] {
    const all = h('button', { type: 'button', class: 'link back', onclick: () => this.s.view.set({ report: null }) }, icon('left'), 'All reports')
    const balance = balanceOf(r)
    const band = rateBand(r.promotionRate)
    const words = { below: 'below', normal: 'within', above: 'above' }[band]
    const parts: (Node | false)[] = [
      all,
      h('h2', { class: 'report-title' }, momentText(Date.parse(r.startedAt)), ' UTC', ...tagsOf(r)),
      h('p', { class: 'muted small' }, startText(r)),
      h(
        'div',
        { class: 'figures' },
        figure('Health', r.healthAfter === null ? '…' : percent(r.healthAfter), r.healthAfter === null ? `before ${percent(r.healthBefore)}` : `${signed(100 * (r.healthAfter - r.healthBefore))} points, before ${percent(r.healthBefore)}`),
        figure('Promotion rate', rate(r.promotionRate), `a day, ${words} the normal 5–10 %`, band === 'normal' ? 'good' : ''),
        figure('Tokens saved', r.tokensSaved.toLocaleString('en'), 'in active memories'),
      ),
      h('section', { class: 'chart-counts' }, h('h3', {}, r.dryRun ? 'Planned steps' : 'Steps'), barList(stepCounts(r))),
      h(
        'section',
        { class: 'chart-balance' },
        h('h3', {}, `What happened to ${balance.in.toLocaleString('en')} memories`),
        dividedBar('Balance', balance.pieces.map((p) => ({ ...p, label: p.key }))),
        legend(balance.pieces.map((p) => ({ key: p.key, label: p.key, value: p.value }))),
        h('p', { class: balance.whole ? 'muted small' : 'bad' }, balance.whole ? `in ${balance.in} = kept + merged + archived + left${balance.derived > 0 ? `; ${balance.derived} derived were added` : ''}` : `the parts do not add up to ${balance.in}`),
      ),
      r.phases.length > 0 &&
        h(
          'section',
          { class: 'chart-phases' },
          h('h3', {}, 'Time by phase'),
          barList(phasesOf(r).map((p) => ({ key: `phase-${p.phase.toLowerCase()}`, label: PHASES.find(([c]) => c === p.phase)?.[1] ?? p.phase, meaning: `${p.phase}, ${p.items} items`, value: p.seconds, text: secondsText(p.seconds) }))),
        ),
      this.memorySection('In doubt', 'ready to become permanent, but a second check found a conflict', r.doubts),
      this.memorySection('To review', 'low-confidence facts for a person to check', r.review),
      this.memorySection('Skipped', 'took more than 200 ms; the next sleep retries them', r.skipped),
      ...this.trends(r.id),
      this.actions(r),
    ]
    return parts.filter((p): p is Node => p !== false)
  }

  /** A list of memories in a report, with their labels if available. */
  private memorySection(name: string, meaning: string, ids: readonly string[]): Node | false {
    if (ids.length === 0) return false
    const { world } = this.s.live.get()
    const rows = ids.map((id) => {
      const node = world?.indexOf(id) ?? -1
      const label = h('span', { class: 'name' }, world && node >= 0 ? shorten(world.frame.label(node)) || 'untitled memory' : 'untitled memory')
      if (node < 0 || !world?.frame.label(node)) void fetchLabel(id, AbortSignal.timeout(10_000)).then((t) => (label.textContent = shorten(t) || 'untitled memory'), () => {})
      return h('li', {}, h('button', { type: 'button', onclick: () => this.s.open(id, true) }, node >= 0 ? glyph(TYPES[world!.frame.type[node]!]!) : icon('target'), label))
    })
    return h('section', {}, h('h3', {}, `${name} · ${ids.length}`), h('p', { class: 'muted small' }, meaning), h('ul', { class: 'links' }, ...rows))
  }

  private actions(r: ReportDetail): HTMLElement {
    const box = h('div', { class: 'report-actions' })
    if (r.dryRun || r.completedAt === null) return box
    const expired = this.s.clock.now() - Date.parse(r.completedAt) > UNDO_DAYS * 86_400_000
    const message = h('div', { class: 'said' })
    const replay = h('button', { type: 'button', class: 'quiet-button', disabled: expired, title: expired ? 'Steps are kept for 7 days' : 'Show on the map what this sleep did' }, 'Replay')
    replay.addEventListener('click', () => {
      replay.disabled = true
      void this.s.sleepFollower
        .replay(r.id)
        .catch((e: unknown) => message.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e))))
        .finally(() => (replay.disabled = false))
    })
    const rollBack = h('button', { type: 'button', class: 'quiet-button danger', disabled: expired || r.rolledBackAt !== null, title: expired ? 'A sleep can be rolled back for 7 days' : 'Undo everything that this sleep changed' }, r.rolledBackAt ? 'Rolled back' : 'Roll back')
    rollBack.addEventListener('click', () => this.confirm(r, rollBack, message))
    box.append(h('div', { class: 'buttons' }, replay, rollBack), message)
    return box
  }

  private confirm(r: ReportDetail, button: HTMLButtonElement, message: HTMLElement): void {
    const cancel = h('button', { type: 'button', class: 'quiet-button' }, 'Cancel')
    const submit = h('button', { type: 'button', class: 'button danger' }, 'Yes, roll back')
    const dialog = h(
      'div',
      { class: 'confirm', role: 'alertdialog', 'aria-label': 'Roll back this sleep' },
      h('p', {}, 'All memories return to their state before this sleep. Later uses and erasures are kept.'),
      h('div', { class: 'buttons' }, submit, cancel),
    )
    const close = () => {
      message.replaceChildren()
      button.focus()
    }
    cancel.addEventListener('click', close)
    dialog.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape') return
      e.stopPropagation()
      close()
    })
    submit.addEventListener('click', () => void this.rollBack(r, submit, message))
    message.replaceChildren(dialog)
    cancel.focus()
  }

  private async rollBack(r: ReportDetail, submit: HTMLButtonElement, message: HTMLElement): Promise<void> {
    submit.disabled = true
    try {
      await rollBack(r.id)
      this.s.announce('Sleep rolled back')
      this.s.sleepFollower.skip()
      this.reports = []
      await this.reportContent.load()
    } catch (e) {
      message.replaceChildren(this.rollbackError(e))
    }
  }

  /** An error message; if a later sleep has to be rolled back first, a link to it. */
  private rollbackError(e: unknown): HTMLElement {
    const later = e instanceof ApiError && e.code === 'VERSION_CONFLICT' ? /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(e.message)?.[0] : undefined
    const known = this.reports.find((x) => x.id === later)
    if (!later || !(known || /sleep/.test((e as ApiError).message))) return h('p', { class: 'bad', role: 'alert' }, errorText(e).replace(/^id: /, 'This sleep '))
    return h(
      'p',
      { class: 'bad', role: 'alert' },
      'A later sleep depends on this one: ',
      h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ report: later }) }, known ? `the one of ${momentText(Date.parse(known.startedAt))}` : 'see which'),
      '. Roll that one back first.',
    )
  }
}

function tagsOf(r: Report): HTMLElement[] {
  const tags: [boolean, string, string][] = [
    [true, displayName(r.kind), ''],
    [r.completedAt === null, 'Running', 'current'],
    [r.dryRun, 'Dry run', ''],
    [r.rolledBackAt !== null, 'Rolled back', 'historical'],
    [!r.complete && r.completedAt !== null && r.rolledBackAt === null, 'Incomplete', 'contested'],
    [!r.budgetKept, 'Over budget', 'contested'],
  ]
  return tags.filter(([is]) => is).map(([, text, kind]) => h('span', { class: `tag ${kind}` }, text))
}

function startText(r: Report): string {
  const why = { HAND: 'manually', SCHEDULE: 'by schedule', EVENT: 'by an event', PRESSURE: 'because the index (L1) was full' }[r.trigger]
  const seconds = r.phases.reduce((n, p) => n + p.seconds, 0)
  const took = r.completedAt ? `, took ${secondsText(seconds)}` : ''
  return `Started ${why}${took}${cutText(r)}${r.resumed ? ', resumed an interrupted sleep' : ''}${r.rolledBackAt ? `, rolled back ${momentText(Date.parse(r.rolledBackAt))}` : ''}`
}

function figure(name: string, value: string, note: string, kind = ''): HTMLElement {
  return h('div', { class: `figure ${kind}` }, h('span', {}, name), h('b', {}, value), h('small', {}, note))
}

function signed(v: number): string {
  return `${v >= 0 ? '+' : '−'}${Math.abs(v).toFixed(1)}`
}
