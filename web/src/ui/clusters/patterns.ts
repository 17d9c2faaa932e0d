// Patterns: the list with open and decided conflicts, and a single one with its lineage.
import {
  fetchDecidedConflicts, fetchPattern, fetchPatternConflicts, fetchPatterns, type DecidedConflict, type PatternConflict, type PatternDetail, type PatternLineage, type PatternPage,
} from '../../api/clusters'
import type { PatternKind } from '../../api/schema.gen'
import { displayName } from '../../api/vocabulary'
import { dayText } from '../../state/clock'
import { AsyncContent, errorText } from '../asynccontent'
import { h, icon } from '../dom'
import type { Session } from '../session'
import type { Tab } from '../tab'
import { conflictPair, decidedPair } from './decide'
import { clusterButton, memories, memoryRow, openPattern, PATTERN_STATUS, patternButton, percent, sleepButton } from './rows'

const RELOAD_DELAY_MS = 200

const KINDS: Record<PatternKind, string> = {
  WORKFLOW: 'steps that are taken again and again',
  PREFERENCE: 'what is chosen or liked again and again',
  CONSTRAINT: 'what must or must not be done',
  FAILURE_SIGNATURE: 'what was seen when something failed',
}

interface PatternsAnswer {
  page: PatternPage
  conflicts: PatternConflict[]
  decided: DecidedConflict[]
}

export class PatternsTab implements Tab {
  readonly element = h('div', { class: 'patterns-tab' })
  private readonly listing = h('div')
  private readonly rows = h('div')
  private readonly single = h('div')
  private readonly listContent: AsyncContent<PatternsAnswer>
  private readonly patternContent: AsyncContent<{ pattern: PatternDetail; lineage: PatternLineage | null } | null>
  private readonly kind = h('select', { id: 'pattern-kind' }, h('option', { value: '' }, 'All kinds'), ...Object.keys(KINDS).map((k) => h('option', { value: k }, displayName(k))))
  private shown: string | null = null
  private opened = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.kind.addEventListener('change', () => void this.listContent.load())
    this.listing.append(
      h('h2', {}, 'Patterns'),
      h('p', { class: 'muted' }, 'What many memories say alike: workflows, preferences, constraints, and signs of failure. A sleep draws them from clusters and checks them against memories that it keeps aside.'),
      h('div', { class: 'pattern-filter' }, h('label', { for: 'pattern-kind' }, 'Kind'), this.kind),
      this.rows,
    )
    this.listContent = new AsyncContent(this.rows, (signal) => this.fetch(signal), (answer) => this.list(answer), 'patterns')
    this.patternContent = new AsyncContent(this.single, (signal) => fetchPattern(s.view.get().pattern!, signal), (found) => this.pattern(found?.pattern ?? null, found?.lineage ?? null), 'this pattern')
    s.view.on(['namespaces'], () => this.opened && void this.listContent.load())
    s.live.on(['world', 'light'], () => this.reloadSoon())
    s.sleepFollower.store.on(['revision'], () => this.reloadSoon())
  }

  open(): void {
    this.opened = true
    const { pattern } = this.s.view.get()
    this.element.replaceChildren(pattern ? this.single : this.listing)
    if (pattern) void this.patternContent.load(pattern !== this.shown)
    else {
      this.highlight([])
      void this.listContent.load()
    }
    this.shown = pattern
  }

  close(): void {
    this.opened = false
    clearTimeout(this.timer)
    this.listContent.stop()
    this.patternContent.stop()
  }

  // A form that a person fills in must not be replaced.
  private reloadSoon(): void {
    clearTimeout(this.timer)
    if (this.opened && !this.element.querySelector('form')) this.timer = window.setTimeout(() => this.opened && void (this.shown ? this.patternContent : this.listContent).load(), RELOAD_DELAY_MS)
  }

  private highlight(ids: string[]): void {
    if (ids.length + this.s.live.get().highlighted.length > 0) this.s.live.set({ highlighted: ids })
  }

  private namespaces(): string[] | null {
    const { namespaces } = this.s.view.get()
    return namespaces.length > 0 ? namespaces : null
  }

  private kinds(): PatternKind[] | null {
    return this.kind.value === '' ? null : [this.kind.value as PatternKind]
  }

  // --- the list ---

  private async fetch(signal: AbortSignal): Promise<PatternsAnswer> {
    const [page, conflicts, decided] = await Promise.all([
      fetchPatterns(this.namespaces(), this.kinds(), null, signal), fetchPatternConflicts(this.namespaces(), signal), fetchDecidedConflicts(this.namespaces(), signal),
    ])
    return { page, conflicts, decided }
  }

  private list({ page, conflicts, decided }: PatternsAnswer): Node[] {
    if (page.nodes.length === 0) {
      if (this.kinds()) return [h('div', { class: 'dock-note' }, h('p', {}, 'No patterns of this kind.'))]
      return [
        h(
          'div',
          { class: 'dock-note' },
          h('p', {}, 'No patterns yet.'),
          h('p', {}, 'A sleep draws patterns from clusters of at least 20 memories about one matter, from what several clusters have in common, and from what was said on several days. Start one here, or run “somnograph sleep”.'),
          sleepButton(this.s),
        ),
      ]
    }
    const pairs = conflicts.flatMap(({ patterns: [a, b] }) => (a && b ? [conflictPair(this.s, a, b, () => void this.listContent.load())] : []))
    const list = h('ol', { class: 'pattern-list' }, ...page.nodes.map((p) => h('li', {}, patternButton(this.s, p))))
    return [...(pairs.length > 0 ? [h('h3', {}, pairs.length === 1 ? 'One conflict to decide' : `${pairs.length} conflicts to decide`), ...pairs, h('h3', {}, 'All patterns')] : []), list, this.older(list, page), ...this.log(decided)]
  }

  /** The conflicts that were decided. */
  private log(decided: DecidedConflict[]): Node[] {
    if (decided.length === 0) return []
    return [h('h3', {}, decided.length === 1 ? 'One decided conflict' : `${decided.length} decided conflicts`), h('ol', { class: 'conflict-log' }, ...decided.map((c) => decidedPair(this.s, c)))]
  }

  /** A button that adds the next page to the list; nothing if there is none. */
  private older(list: HTMLElement, page: PatternPage): Node {
    let after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    if (!after) return h('span')
    const more = h('button', { type: 'button', class: 'link' }, 'More patterns')
    const load = async () => {
      more.disabled = true
      try {
        const next = await fetchPatterns(this.namespaces(), this.kinds(), after)
        list.append(...next.nodes.map((p) => h('li', {}, patternButton(this.s, p))))
        after = next.pageInfo.hasNextPage ? next.pageInfo.endCursor : null
        if (!after) more.remove()
      } catch (e) {
        more.textContent = `${errorText(e)} Try again`
      }
      more.disabled = false
    }
    more.addEventListener('click', () => void load())
    return more
  }

  // --- one pattern ---

  private pattern(p: PatternDetail | null, lineage: PatternLineage | null): Node[] {
    const { s } = this
    const back = h('button', { type: 'button', class: 'link back', onclick: () => s.view.set({ pattern: null }) }, icon('left'), 'All patterns')
    if (!p) return [back, h('div', { class: 'dock-note' }, h('p', {}, 'This pattern is gone: what it was drawn from was erased, or it is not visible to you.'))]
    s.announce(`${displayName(p.kind)}: ${p.text}`)
    this.highlight(lineage?.clusters.flatMap((c) => c.memories.map((m) => m.id)) ?? [])
    const figures: [string, string][] = [['Confidence', percent(p.confidence)], ['Seen', `${p.occurrences.toLocaleString('en')} ×`], ['Success', p.successRate === null ? 'no feedback' : percent(p.successRate)]]
    const list = (name: string, texts: string[]) => (texts.length > 0 ? [h('h3', {}, name), h('ul', { class: 'pattern-points' }, ...texts.map((t) => h('li', {}, t)))] : [])
    return [
      back,
      h('h2', {}, p.text),
      h('p', { class: 'muted' }, `${displayName(p.kind)}: ${KINDS[p.kind]}`),
      h('p', { class: 'pattern-head' }, h('span', { class: p.status === 'CURRENT' ? 'tag current' : p.status === 'CONTESTED' ? 'tag contested' : 'tag' }, PATTERN_STATUS[p.status]), p.safetyCritical && h('span', { class: 'tag contested' }, 'Safety-critical: a person decides its conflicts')),
      h('div', { class: 'figures' }, ...figures.map(([name, text]) => h('div', { class: 'figure' }, h('span', {}, name), h('b', { class: 'plain' }, text)))),
      h('p', { class: 'muted pattern-check' }, `${percent(p.heldOut)} of the memories kept aside agree. Checked ${dayText(Date.parse(p.validatedAt))}.`),
      ...list('Applies when', p.conditions),
      ...list(p.kind === 'FAILURE_SIGNATURE' ? 'Seen' : 'What to do', p.actions),
      ...(p.conflicts.length > 0 ? [h('h3', {}, 'Conflicts'), ...p.conflicts.map((other) => conflictPair(s, p, other, () => void this.patternContent.load()))] : []),
      h('h3', {}, 'Drawn from'),
      this.lineage(p, lineage),
      ...this.versions(p, lineage),
      h('div', { class: 'buttons cluster-buttons' }, h('button', { type: 'button', class: 'quiet-button', onclick: () => s.open(p.memory.id, true) }, 'Open the memory that holds it')),
    ]
  }

  /** The pattern, the clusters it was drawn from, and the memories in each. */
  private lineage(p: PatternDetail, lineage: PatternLineage | null): HTMLElement {
    const clusters = lineage?.clusters ?? []
    if (clusters.length === 0) return h('p', { class: 'muted' }, 'None of its sources is visible to you.')
    return h(
      'div',
      { class: 'lineage' },
      h('p', { class: 'lineage-root' }, displayName(p.kind)),
      h('ul', {}, ...clusters.map(({ cluster, memories: list }) =>
        h(
          'li',
          {},
          cluster ? clusterButton(this.s, cluster, `${memories(list.length)} of ${cluster.size.toLocaleString('en')}`) : h('p', { class: 'muted' }, 'In no cluster now'),
          h('ul', { class: 'links' }, ...list.map((m) => memoryRow(this.s, m, dayText(Date.parse(m.recordedAt))))),
        ))),
    )
  }

  private versions(p: PatternDetail, lineage: PatternLineage | null): Node[] {
    const versions = lineage?.versions ?? []
    if (versions.length < 2) return []
    return [
      h('h3', {}, 'Versions'),
      h('ol', { class: 'pattern-versions' }, ...versions.map((v) =>
        h('li', {}, h('button', { type: 'button', 'aria-current': v.id === p.id ? 'true' : null, onclick: () => openPattern(this.s, v.id) }, h('b', {}, `Version ${v.version}`), h('small', {}, `${dayText(Date.parse(v.createdAt))} · ${percent(v.confidence)}`), h('span', {}, v.text))))),
    ]
  }
}
