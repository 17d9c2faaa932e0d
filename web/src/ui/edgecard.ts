// The card of an edge: how two memories are related, and how strongly.
import { EDGE_KINDS, type EdgeKind } from '../api/vocabulary'
import { shorten } from '../scene/labels/labels'
import { h } from './dom'
import type { Session } from './session'

/** The relation from the first memory to the second. */
const RELATION_TEXT: Record<EdgeKind, string> = {
  SUPERSEDES: 'supersedes',
  DERIVED_FROM: 'was derived from',
  CONSOLIDATED_INTO: 'was merged into',
  EVIDENCE_FOR: 'is evidence for',
  CONTRADICTS: 'contradicts',
  SAME_SESSION: 'is from the same session as',
  TEMPORAL_SEQ: 'came right before',
  ENTITY_OVERLAP: 'mentions the same entities as',
}

/** The strength of an edge as text. */
function strengthText(kind: EdgeKind, weight: number): string {
  const percent = `${Math.round((weight / 255) * 100)} %`
  if (kind === 'ENTITY_OVERLAP') return `${percent} of the entities in common`
  if (kind === 'CONTRADICTS') return `conflict ${(weight / 255).toFixed(2)}`
  return `strength ${percent}`
}

export class EdgeCard {
  readonly element = h('div', { class: 'tooltip edge-card panel', role: 'group', 'aria-label': 'Edge', hidden: true })

  constructor(private readonly s: Session) {
    s.view.on(['selected', 'recorded', 'valid', 'edges'], () => this.hide())
    s.live.on(['world'], () => this.hide())
  }

  /** Shows the card of an edge at a point of the page; its ends are buttons. */
  show(row: ArrayLike<number>, x: number, y: number): void {
    const { world } = this.s.live.get()
    if (!world) return
    const [from, to, code, weight] = [row[0]!, row[1]!, row[2]!, row[3]!]
    const kind = EDGE_KINDS[code]!
    const end = (node: number) =>
      h('button', { type: 'button', class: 'edge-end', onclick: () => this.s.open(world.idOf(node), true) }, shorten(world.frame.label(node)) || 'untitled memory')
    this.element.replaceChildren(
      end(from),
      h('p', { class: `edge-name edge-${kind.toLowerCase()}` }, RELATION_TEXT[kind]),
      end(to),
      h('div', { class: 'tooltip-foot' }, h('span', {}, strengthText(kind, weight))),
    )
    this.element.hidden = false
    const box = this.element.getBoundingClientRect()
    const left = Math.min(Math.max(x + 12, 8), window.innerWidth - box.width - 8)
    const top = y + 14 + box.height > window.innerHeight - 8 ? y - box.height - 12 : y + 14
    this.element.style.transform = `translate(${left}px, ${top}px)`
    this.s.announce(`${world.frame.label(from) || 'Untitled memory'} ${RELATION_TEXT[kind]} ${world.frame.label(to) || 'untitled memory'}, ${strengthText(kind, weight)}`)
  }

  hide(): void {
    this.element.hidden = true
  }
}
