// Entities: the list, and a single one with its relations and mentions.
import { fetchFacts, FACTS_PAGE, type Fact } from '../../api/facts'
import { asOfView, fetchEntities, fetchMentions, fetchRelations, type Entity, type Mention, type MentionPage, type Relation } from '../../api/entities'
import type { EntityType } from '../../api/schema.gen'
import { STATUSES, displayName } from '../../api/vocabulary'
import { grants } from '../../state/actions'
import { dayText } from '../../state/clock'
import { coOccurring, relationText } from '../../state/entities'
import { AsyncContent, errorText } from '../asynccontent'
import { factSheet } from '../factsheet'
import type { Tab } from '../tab'
import { glyph, h, icon } from '../dom'
import type { Session } from '../session'

const PAGE_SIZE = 1000
const RELOAD_DELAY_MS = 200

interface EntityDetail {
  entity: Entity | null
  facts: Fact[]
  relations: Relation[]
  mentions: MentionPage
}

export class EntitiesTab implements Tab {
  readonly element = h('div', { class: 'entities-tab' })
  private readonly listing = h('div')
  private readonly single = h('div')
  private readonly name: HTMLInputElement
  private readonly rows = h('div')
  private readonly listContent: AsyncContent<{ nodes: Entity[]; more: boolean }>
  private readonly entityContent: AsyncContent<EntityDetail>
  private types: EntityType[] = []
  private entities: Entity[] = []
  private shownEntity: string | null = null
  private opened = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.name = h('input', { type: 'search', placeholder: 'Name starts with…', 'aria-label': 'Name starts with', autocomplete: 'off', spellcheck: 'false', maxlength: 100 })
    this.name.addEventListener('input', () => {
      clearTimeout(this.timer)
      this.timer = window.setTimeout(() => void this.listContent.load(), RELOAD_DELAY_MS)
    })
    this.listing.append(h('h2', {}, 'Entities'), h('p', { class: 'muted' }, 'People, places and things mentioned in memories.'), this.name, this.rows)
    this.listContent = new AsyncContent(
      this.rows,
      async (signal) => {
        const { namespaces } = s.view.get()
        const page = await fetchEntities({ first: PAGE_SIZE, after: null, name: this.name.value.trim() || null, types: null, namespaces: namespaces.length > 0 ? namespaces : null }, signal)
        return { nodes: page.nodes.filter((e) => e.mentionCount > 0).sort((a, b) => b.mentionCount - a.mentionCount || a.name.localeCompare(b.name)), more: page.pageInfo.hasNextPage }
      },
      ({ nodes, more }) => {
        this.entities = nodes
        return this.listRows(more)
      },
      'entities',
    )
    this.entityContent = new AsyncContent(this.single, (signal) => this.fetch(signal), (known) => this.entity(known), 'this entity')
    s.view.on(['namespaces'], () => this.opened && void this.listContent.load())
    s.view.on(['recorded', 'valid'], () => this.opened && this.reloadSoon())
    s.live.on(['world'], () => this.opened && this.reloadSoon())
  }

  open(): void {
    this.opened = true
    const { entity } = this.s.view.get()
    this.element.replaceChildren(entity ? this.single : this.listing)
    if (entity) void this.entityContent.load(entity !== this.shownEntity)
    else {
      this.highlight([])
      void this.listContent.load()
    }
    this.shownEntity = entity
  }

  close(): void {
    this.opened = false
    this.listContent.stop()
    this.entityContent.stop()
  }

  private reloadSoon(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.opened && this.shownEntity && void this.entityContent.load(), RELOAD_DELAY_MS)
  }

  private highlight(ids: string[]): void {
    if (ids.length + this.s.live.get().highlighted.length > 0) this.s.live.set({ highlighted: ids })
  }

  // --- the list ---

  private listRows(more: boolean): Node[] {
    if (this.entities.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, this.name.value ? 'No matching entities.' : 'No entities yet.'))]
    const counts = new Map<EntityType, number>()
    for (const e of this.entities) counts.set(e.type, (counts.get(e.type) ?? 0) + 1)
    const chips = [...counts].sort((a, b) => b[1] - a[1]).map(([type, n]) => {
      const on = this.types.includes(type)
      const flip = () => {
        this.types = on ? this.types.filter((t) => t !== type) : [...this.types, type]
        this.rows.replaceChildren(...this.listRows(more))
      }
      return h('button', { type: 'button', class: on ? 'chip on' : 'chip', 'aria-pressed': String(on), onclick: flip }, displayName(type), h('small', {}, n.toLocaleString('en')))
    })
    const shown = this.entities.filter((e) => this.types.length === 0 || this.types.includes(e.type))
    const max = shown[0]?.mentionCount ?? 1
    return [
      h('div', { class: 'chips', role: 'group', 'aria-label': 'Types' }, ...chips),
      h('ol', { class: 'entity-list' }, ...shown.map((e) => this.row(e, max))),
      ...(more ? [h('p', { class: 'muted small' }, `Only the first ${PAGE_SIZE.toLocaleString('en')} are listed. Type the start of a name to find others.`)] : []),
    ]
  }

  private row(e: Entity, most: number): HTMLElement {
    const fill = h('i')
    fill.style.width = `${(100 * e.mentionCount) / most}%`
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'entity-row', 'data-id': e.id, onclick: () => this.s.view.set({ entity: e.id }) },
        h('span', { class: 'name' }, e.name),
        h('small', {}, [displayName(e.type), e.namespace === 'default' ? '' : e.namespace, e.user ?? ''].filter(Boolean).join(' · ')),
        h('span', { class: 'bar' }, fill),
        h('b', { title: 'number of memories that mention it' }, e.mentionCount.toLocaleString('en')),
      ),
    )
  }

  // --- a single entity ---

  private async fetch(signal: AbortSignal): Promise<EntityDetail> {
    const { entity: id, recorded, namespaces } = this.s.view.get()
    const asOf = recorded === null ? null : { recorded: new Date(recorded).toISOString() }
    const [relations, mentions] = await Promise.all([fetchRelations(id!, asOf, signal), fetchMentions(id!, asOf, null, signal)])
    const entity =
      mentions.nodes.flatMap((m) => m.entities).find((e) => e.id === id) ??
      relations.nodes.flatMap((r) => [r.source, r.target]).find((e) => e?.id === id) ??
      this.entities.find((e) => e.id === id) ??
      null
    const facts = entity ? await fetchFacts(entity.name, namespaces.length > 0 ? namespaces : null, asOfView(this.s.view.get()), 0, signal) : []
    return { entity, facts, relations: relations.nodes, mentions }
  }

  private entity({ entity: e, facts, relations, mentions }: EntityDetail): Node[] {
    const back = h('button', { type: 'button', class: 'link back', onclick: () => this.s.view.set({ entity: null }) }, icon('left'), 'All entities')
    if (!e) return [back, h('div', { class: 'dock-note' }, h('p', {}, 'No memories mention this entity at this time.'))]
    this.highlight(mentions.nodes.map((m) => m.id))
    this.s.announce(`${e.name}, ${displayName(e.type)}, mentioned by ${e.mentionCount} memories`)
    const others = coOccurring(e.id, mentions.nodes)
    const figures: [string, string][] = [['Mentioned', `${e.mentionCount.toLocaleString('en')} ×`], ['First', dayText(Date.parse(e.firstSeen))], ['Last', e.lastSeen ? dayText(Date.parse(e.lastSeen)) : 'never']]
    return [
      back,
      h('h2', {}, e.name),
      h('p', { class: 'muted' }, [displayName(e.type), e.namespace === 'default' ? '' : e.namespace, e.user ? `of the user ${e.user}` : ''].filter(Boolean).join(' · ')),
      h('div', { class: 'figures' }, ...figures.map(([name, text]) => h('div', { class: 'figure' }, h('span', {}, name), h('b', { class: 'plain' }, text)))),
      ...this.facts(e, facts),
      ...(relations.length > 0 ? [h('h3', {}, `Relations · ${relations.length}`), h('ul', { class: 'relation-list' }, ...relations.map((r) => this.relation(e, r)))] : []),
      ...(others.length > 0
        ? [h('h3', {}, 'Often mentioned with'), h('div', { class: 'chips' }, ...others.map((o) => h('button', { type: 'button', class: 'chip', onclick: () => this.s.view.set({ entity: o.entity.id }) }, o.entity.name, h('small', {}, `${o.count} ×`))))]
        : []),
      h('h3', {}, 'Mentions'),
      this.mentions(e, mentions),
      ...(this.mayForget() ? [h('button', { type: 'button', class: 'quiet-button danger forget-all', onclick: () => void import('../acting/forgetall').then(({ forgetAllDialog }) => forgetAllDialog(this.s, { entity: e.name, name: e.name })) }, `Forget everything about ${e.name}…`)] : []),
    ]
  }

  /** Erasing what belongs to others takes an administrator, and the past can't be changed. */
  private mayForget(): boolean {
    const { recorded, valid } = this.s.view.get()
    return recorded === null && valid === null && grants(this.s.live.get().scopes, 'MEMORY_ADMIN')
  }

  private facts(e: Entity, facts: Fact[]): Node[] {
    const { recorded, valid } = this.s.view.get()
    const at = valid ?? recorded
    const when = at === null ? '' : ` on ${dayText(at)}`
    if (facts.length === 0) return [h('h3', {}, 'Facts'), h('p', { class: 'muted' }, `No sentence was read as a fact about ${e.name}${when}. The memories below mention it.`)]
    const count = facts.filter((f) => f.current).length
    const title = `Facts · ${count === 0 ? 'none now' : count}${when}`
    return [h('h3', {}, title), factSheet(this.s, facts), ...(facts.length === FACTS_PAGE ? [h('p', { class: 'muted' }, `Only the first ${FACTS_PAGE} facts are listed.`)] : [])]
  }

  private relation(own: Entity, r: Relation): HTMLElement {
    const { words, other } = relationText(own.id, r)
    const fill = h('i')
    fill.style.width = `${Math.round(100 * r.weight)}%`
    const until = r.validTo ? ` until ${dayText(Date.parse(r.validTo))}` : ''
    return h(
      'li',
      { class: r.validTo ? 'relation over' : 'relation', title: `strength ${r.strength.toFixed(2)}, weight ${r.weight.toFixed(2)}, confidence ${r.confidence.toFixed(2)}` },
      h('span', { class: 'relation-words' }, words),
      other ? h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ entity: other.id }) }, other.name) : h('span', { class: 'muted' }, 'an entity that you cannot access'),
      h('span', { class: 'bar', 'aria-hidden': 'true' }, fill),
      h('small', {}, `since ${dayText(Date.parse(r.validFrom))}${until}`),
    )
  }

  private mentions(e: Entity, page: MentionPage): HTMLElement {
    const list = h('ul', { class: 'links' }, ...page.nodes.map((m) => this.mention(m)))
    const out = h('div', {}, list)
    let after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    if (!after) return out
    const more = h('button', { type: 'button', class: 'link' }, 'Older mentions')
    const older = async () => {
      more.disabled = true
      try {
        const next = await fetchMentions(e.id, null, after)
        list.append(...next.nodes.map((m) => this.mention(m)))
        this.highlight([...this.s.live.get().highlighted, ...next.nodes.map((m) => m.id)])
        after = next.pageInfo.hasNextPage ? next.pageInfo.endCursor : null
        if (after) more.disabled = false
        else more.remove()
      } catch (error) {
        more.disabled = false
        more.textContent = `${errorText(error)} Try again`
      }
    }
    more.addEventListener('click', () => void older())
    out.append(more)
    return out
  }

  private mention(m: Mention): HTMLElement {
    const gone = m.status !== STATUSES[0]
    return h(
      'li',
      {},
      h('button', { type: 'button', class: gone ? 'gone' : null, onclick: () => this.s.open(m.id, true) }, glyph(m.type), h('span', { class: 'name' }, (m.content ?? m.unavailable?.message ?? '').slice(0, 160)), h('span', { class: 'edge-name' }, gone ? displayName(m.status) : dayText(Date.parse(m.recordedAt)))),
    )
  }
}
