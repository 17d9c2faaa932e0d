// The fact sheet of a subject: what holds at the instant shown, and what held before.
import type { Fact } from '../api/facts'
import { certaintyWord, groupFacts, intervalText, valueText, type FactGroup } from '../state/facts'
import { shorten } from '../scene/labels/labels'
import { h } from './dom'
import type { Session } from './session'

/** The facts by predicate; current ones are open and have actions, past ones are folded. */
export function factSheet(s: Session, facts: readonly Fact[], actions: (f: Fact) => Node | null = () => null): HTMLElement {
  return h('dl', { class: 'fact-sheet' }, ...groupFacts(facts).map((g) => h('div', {}, h('dt', {}, g.predicate), factGroup(s, g, actions))))
}

function factGroup(s: Session, g: FactGroup, actions: (f: Fact) => Node | null): HTMLElement {
  const past = g.past.length > 0 && pastFacts(s, g)
  return h('dd', {}, g.current.length > 0 ? h('ul', {}, ...g.current.map((f) => factLine(s, f, actions(f)))) : h('p', { class: 'muted' }, 'nothing now'), past)
}

function pastFacts(s: Session, g: FactGroup): HTMLElement {
  return h('details', { class: 'fact-past', open: g.current.length === 0 }, h('summary', {}, g.past.length === 1 ? '1 earlier value' : `${g.past.length} earlier values`), h('ul', {}, ...g.past.map((f) => factLine(s, f))))
}

/** One fact with its interval and certainty. A click opens the memory that says it. */
function factLine(s: Session, f: Fact, actions: Node | null = null): HTMLElement {
  return h(
    'li',
    { class: f.current ? 'fact' : 'fact over', 'data-id': f.id },
    h(
      'button',
      { type: 'button', class: 'fact-open', title: 'Open the memory that says it', onclick: () => s.open(f.memory.id, true) },
      h('span', { class: 'fact-value' }, valueText(f)),
      factNotes(f),
      h('q', { class: 'fact-source' }, f.memory.content ?? f.memory.unavailable?.message ?? ''),
    ),
    ...contestedLines(s, f),
    actions,
  )
}

/** Interval, certainty and marks of a fact. */
function factNotes(f: Fact): HTMLElement {
  return h(
    'span',
    { class: 'fact-notes' },
    h('span', {}, intervalText(f)),
    certaintyMark(f),
    f.corrected && h('span', { class: 'tag' }, 'Corrected'),
    f.confirmed && h('span', { class: 'tag' }, 'Confirmed'),
    f.contestedBy.length > 0 && h('span', { class: 'tag contested' }, 'Contested'),
  )
}

/** The certainty as a word and a small bar. */
function certaintyMark(f: Fact): HTMLElement {
  const fill = h('i')
  fill.style.width = `${Math.round(100 * f.confidence)}%`
  return h('span', { class: 'certainty', title: `certainty of the reading ${f.confidence.toFixed(2)}` }, h('span', { class: 'bar', 'aria-hidden': 'true' }, fill), certaintyWord(f.confidence))
}

/** The memories that say otherwise. */
function contestedLines(s: Session, f: Fact): HTMLElement[] {
  return f.contestedBy.map((m) => h('p', { class: 'fact-contested' }, 'Contested by ', h('button', { type: 'button', class: 'link', onclick: () => s.open(m.id, true) }, `“${shorten(m.content ?? '')}”`)))
}
