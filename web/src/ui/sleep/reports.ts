// Morning reports: the list, and a single one.
import { ApiError } from '../../api/graphql'
import { fetchReport, fetchReports, rollBack, type Report, type ReportDetail } from '../../api/sleep'
import { fetchLabel } from '../../api/operations'
import { PHASES, TYPES, displayName } from '../../api/vocabulary'
import { dayText, momentText } from '../../state/clock'
import { balanceOf, stepCounts, trendReports, NORMAL_RATE, phasesOf, rateBand, secondsText } from '../../state/reports'
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
      'Morning reports',
    )
    this.reportContent = new AsyncContent(
      this.single,
      async (signal) => {
        if (this.reports.length === 0) this.reports = (await fetchReports(PAGE_SIZE, null, signal)).nodes
        return fetchReport(this.s.view.get().report!, signal)
      },
      (r) => this.report(r),
      'This report',
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
          h('p', {}, 'Somnograph has not slept yet. After every sleep a report stands here: what grew stronger, what was let go, what became permanent.'),
          h('button', { type: 'button', class: 'button', onclick: () => this.s.view.set({ panel: 'sleep' }) }, 'To sleep'),
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
        h('span', { class: 'muted small' }, r.completedAt === null ? 'It runs' : counts.join(' · ') || 'nothing to do'),
        dividedBar('Of those in force', balanceOf(r).pieces.map((p) => ({ ...p, label: p.key }))),
      ),
    )
  }

  /** Trends of the last reports, small in the list; `at` is the open report. */
  private trends(at: string | null): Node[] {
    const some = trendReports(this.reports).slice(-TREND_LENGTH)
    if (some.length < 2) return []
    const room = at ? FULL_WIDTH : HALF_WIDTH
    const name = (r: Report) => (at ? dayText(Date.parse(r.startedAt)) : dayText(Date.parse(r.startedAt)).replace(/ \d{4}$/, ''))
    const health = lineChart('Health', some.map((r) => ({ name: name(r), value: r.healthAfter ?? r.healthBefore, at: r.id === at })), percent, 1, undefined, room)
    const done = stackedBars('What was done', some.map((r) => ({ name: name(r), values: Object.fromEntries(SERIES.map((l) => [l.key, r[l.key]])), at: r.id === at })), SERIES, room)
    if (!at) {
      const half = (title: string, chart: Node) => h('div', {}, h('h3', {}, title), chart)
      return [h('div', { class: 'halves' }, half('Health', health), half(`Last ${some.length} sleeps`, done)), legend(SERIES)]
    }
    return [
      h('h3', {}, `Health, last ${some.length} sleeps`),
      health,
      h('h3', {}, 'What was done, sleep by sleep'),
      done,
      legend(SERIES),
      h('h3', {}, 'Promotion rate, normal 5–10 % a day'),
      lineChart('Promotion rate', some.map((r) => ({ name: name(r), value: r.promotionRate, at: r.id === at })), rate, 0.12, NORMAL_RATE),
    ]
  }

  // --- a single report ---

  private report(r: ReportDetail): Node[] {
    const all = h('button', { type: 'button', class: 'link back', onclick: () => this.s.view.set({ report: null }) }, icon('left'), 'All reports')
    const balance = balanceOf(r)
    const standing = rateBand(r.promotionRate)
    const words = { below: 'below', normal: 'within', above: 'above' }[standing]
    const parts: (Node | false)[] = [
      all,
      h('h2', { class: 'report-title' }, momentText(Date.parse(r.startedAt)), ' UTC', ...tagsOf(r)),
      h('p', { class: 'muted small' }, startText(r)),
      h(
        'div',
        { class: 'figures' },
        figure('Health', r.healthAfter === null ? '…' : percent(r.healthAfter), r.healthAfter === null ? `before ${percent(r.healthBefore)}` : `${signed(100 * (r.healthAfter - r.healthBefore))} points, before ${percent(r.healthBefore)}`),
        figure('Promoted a day', rate(r.promotionRate), `${words} the normal 5–10 %`, standing === 'normal' ? 'good' : ''),
        figure('Tokens saved', r.tokensSaved.toLocaleString('en'), 'of what is in force'),
      ),
      h('section', { class: 'chart-counts' }, h('h3', {}, r.dryRun ? 'What would be done' : 'What was done'), barList(stepCounts(r))),
      h(
        'section',
        { class: 'chart-balance' },
        h('h3', {}, `Where ${balance.in.toLocaleString('en')} memories went`),
        dividedBar('Balance', balance.pieces.map((p) => ({ ...p, label: p.key }))),
        legend(balance.pieces.map((p) => ({ key: p.key, label: p.key, value: p.value }))),
        h('p', { class: balance.whole ? 'muted small' : 'bad' }, balance.whole ? `in ${balance.in} = kept + merged + archived + left${balance.derived > 0 ? `; ${balance.derived} derived came to them` : ''}` : `the parts do not add up to ${balance.in}`),
      ),
      r.phases.length > 0 &&
        h(
          'section',
          { class: 'chart-phases' },
          h('h3', {}, 'Time by phase'),
          barList(phasesOf(r).map((p) => ({ key: `phase-${p.phase.toLowerCase()}`, label: PHASES.find(([c]) => c === p.phase)?.[1] ?? p.phase, meaning: `${p.phase}, ${p.items} items`, value: p.seconds, text: secondsText(p.seconds) }))),
        ),
      this.memorySection('In doubt', 'were ready for the recess, but a second look found a conflict', r.doubts),
      this.memorySection('To review', 'facts of low confidence that a person should look at', r.review),
      this.memorySection('Skipped', 'took more than 200 ms; the next sleep tries them again', r.skipped),
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
      const words = h('span', { class: 'name' }, world && node >= 0 ? shorten(world.frame.label(node)) || 'a memory' : 'a memory')
      if (node < 0 || !world?.frame.label(node)) void fetchLabel(id, AbortSignal.timeout(10_000)).then((t) => (words.textContent = shorten(t) || 'a memory'), () => {})
      return h('li', {}, h('button', { type: 'button', onclick: () => this.s.open(id, true) }, node >= 0 ? glyph(TYPES[world!.frame.type[node]!]!) : icon('target'), words))
    })
    return h('section', {}, h('h3', {}, `${name} · ${ids.length}`), h('p', { class: 'muted small' }, meaning), h('ul', { class: 'links' }, ...rows))
  }

  private actions(r: ReportDetail): HTMLElement {
    const box = h('div', { class: 'report-actions' })
    if (r.dryRun || r.completedAt === null) return box
    const over = this.s.clock.now() - Date.parse(r.completedAt) > UNDO_DAYS * 86_400_000
    const said = h('div', { class: 'said' })
    const again = h('button', { type: 'button', class: 'quiet-button', disabled: over, title: over ? 'The steps are kept for 7 days' : 'Shows in the map what this sleep did' }, 'Watch it again')
    again.addEventListener('click', () => {
      again.disabled = true
      void this.s.sleepFollower
        .replay(r.id)
        .catch((e: unknown) => said.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e))))
        .finally(() => (again.disabled = false))
    })
    const back = h('button', { type: 'button', class: 'quiet-button danger', disabled: over || r.rolledBackAt !== null, title: over ? 'A sleep can be taken back for 7 days' : 'Everything stands as it did before this sleep' }, r.rolledBackAt ? 'Rolled back' : 'Roll back')
    back.addEventListener('click', () => this.confirm(r, back, said))
    box.append(h('div', { class: 'buttons' }, again, back), said)
    return box
  }

  private confirm(r: ReportDetail, button: HTMLButtonElement, said: HTMLElement): void {
    const stay = h('button', { type: 'button', class: 'quiet-button' }, 'No, let it stand')
    const go = h('button', { type: 'button', class: 'button danger' }, 'Yes, roll it back')
    const ask = h(
      'div',
      { class: 'confirm', role: 'alertdialog', 'aria-label': 'Roll back this sleep' },
      h('p', {}, 'Every memory will stand as it did before this sleep. What was used or erased since stays used or erased.'),
      h('div', { class: 'buttons' }, go, stay),
    )
    const leave = () => {
      said.replaceChildren()
      button.focus()
    }
    stay.addEventListener('click', leave)
    ask.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape') return
      e.stopPropagation()
      leave()
    })
    go.addEventListener('click', () => void this.rollBack(r, go, said))
    said.replaceChildren(ask)
    stay.focus()
  }

  private async rollBack(r: ReportDetail, go: HTMLButtonElement, said: HTMLElement): Promise<void> {
    go.disabled = true
    try {
      await rollBack(r.id)
      this.s.announce('The sleep was rolled back')
      this.s.sleepFollower.skip()
      this.reports = []
      await this.reportContent.load()
    } catch (e) {
      said.replaceChildren(this.rollbackError(e))
    }
  }

  /** An error message; if a later sleep has to be rolled back first, a link to it. */
  private rollbackError(e: unknown): HTMLElement {
    const later = e instanceof ApiError && e.code === 'VERSION_CONFLICT' ? /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(e.message)?.[0] : undefined
    const known = this.reports.find((x) => x.id === later)
    if (!later || !(known || /sleep/.test((e as ApiError).message))) return h('p', { class: 'bad', role: 'alert' }, errorText(e).replace(/^id: /, 'It '))
    return h(
      'p',
      { class: 'bad', role: 'alert' },
      'A later sleep stands on this one: ',
      h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ report: later }) }, known ? `that of ${momentText(Date.parse(known.startedAt))}` : 'see which'),
      '. Roll that one back first.',
    )
  }
}

function tagsOf(r: Report): HTMLElement[] {
  const tags: [boolean, string, string][] = [
    [true, displayName(r.kind), ''],
    [r.completedAt === null, 'Runs', 'current'],
    [r.dryRun, 'Rehearsal', ''],
    [r.rolledBackAt !== null, 'Rolled back', 'historical'],
    [!r.complete && r.completedAt !== null && r.rolledBackAt === null, 'Not all of it', 'contested'],
    [!r.budgetKept, 'Over budget', 'contested'],
  ]
  return tags.filter(([is]) => is).map(([, text, kind]) => h('span', { class: `tag ${kind}` }, text))
}

function startText(r: Report): string {
  const why = { HAND: 'by hand', SCHEDULE: 'by the clock', EVENT: 'because something called for it', PRESSURE: 'because the index was full' }[r.trigger]
  const seconds = r.phases.reduce((n, p) => n + p.seconds, 0)
  const took = r.completedAt ? `, took ${secondsText(seconds)}` : ''
  return `Begun ${why}${took}${r.resumed ? ', went on where another had stopped' : ''}${r.rolledBackAt ? `, taken back ${momentText(Date.parse(r.rolledBackAt))}` : ''}`
}

function figure(name: string, value: string, note: string, kind = ''): HTMLElement {
  return h('div', { class: `figure ${kind}` }, h('span', {}, name), h('b', {}, value), h('small', {}, note))
}

function signed(v: number): string {
  return `${v >= 0 ? '+' : '−'}${Math.abs(v).toFixed(1)}`
}
