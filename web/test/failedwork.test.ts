import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DeadLetters } from '../src/api/dashboards'
import { failedWork } from '../src/ui/dashboards/failedwork'

/** As much of an element as the list uses. */
class FakeElement {
  attributes: Record<string, string> = {}
  children: (FakeElement | string)[] = []
  disabled = false
  private listeners: (() => void)[] = []
  constructor(readonly tag: string) {}
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value
  }
  addEventListener(_: string, listener: () => void): void {
    this.listeners.push(listener)
  }
  append(...more: (FakeElement | string)[]): void {
    this.children.push(...more)
  }
  get textContent(): string {
    return this.children.map((c) => (typeof c === 'string' ? c : c.textContent)).join('')
  }
  set textContent(text: string) {
    this.children = [text]
  }
  click(): void {
    for (const listener of this.listeners) listener()
  }
  all(tag: string): FakeElement[] {
    return this.children.flatMap((c) => (typeof c === 'string' ? [] : [...(c.tag === tag ? [c] : []), ...c.all(tag)]))
  }
}

const letter = (memoryId: string, work: string, state = 'GIVEN_UP') => ({ memoryId, work, state, attempts: 4, lastAt: '2026-11-20T10:00:00Z', reason: 'The model answered 413.' })
const letters = (hasNextPage: boolean, ...nodes: object[]) => ({ nodes, pageInfo: { hasNextPage } }) as unknown as DeadLetters

let sent: { query: string; variables: object }[]
let answer: object

/** The list in one element, and how often it asked to be loaded again. */
function show(all: DeadLetters): { list: FakeElement; reload: ReturnType<typeof vi.fn<() => void>> } {
  const reload = vi.fn<() => void>()
  const list = new FakeElement('main')
  list.append(...(failedWork(all, reload) as unknown as FakeElement[]))
  return { list, reload }
}

beforeEach(() => {
  sent = []
  answer = { data: {} }
  vi.stubGlobal('document', { createElement: (tag: string) => new FakeElement(tag) })
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    sent.push(JSON.parse(init.body) as (typeof sent)[number])
    return Promise.resolve({ status: 200, json: () => Promise.resolve(answer) })
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the list of failed work', () => {
  it('is absent without any', () => expect(failedWork(letters(false), () => undefined)).toEqual([]))

  it('names the work, the memory, the attempts and the reason, and says when there is more', () => {
    const { list } = show(letters(true, letter('0192f0aa-1111', 'EMBED'), letter('0192f0bb-2222', 'ENGRAVE')))
    const rows = list.all('li').map((x) => x.textContent)
    expect(rows[0]).toMatch(/^Embedding of memory 0192f0aa, 4 attempts until 20 Nov 2026: The model answered 413\. /)
    expect(rows[1]).toMatch(/^Archiving of memory 0192f0bb, /)
    expect(list.all('button').map((b) => b.attributes['aria-label'])).toEqual([
      'Try again: Embedding of memory 0192f0aa', 'Discard: Embedding of memory 0192f0aa', 'Try again: Archiving of memory 0192f0bb', 'Discard: Archiving of memory 0192f0bb',
    ])
    expect(list.textContent).toContain('Showing the first 100.')
    expect(show(letters(false, letter('0192f0aa-1111', 'EMBED'))).list.textContent).not.toContain('Showing')
  })

  it('says of work that is retried that the server goes on trying', () => {
    const { list } = show(letters(false, letter('0192f0aa-1111', 'EMBED', 'RETRYING'), letter('0192f0bb-2222', 'EMBED')))
    const rows = list.all('li').map((x) => x.textContent)
    expect(rows[0]).toMatch(/: The model answered 413\. The server goes on trying\. Try againDiscard$/)
    expect(rows[1]).not.toContain('goes on')
  })

  it.each([[0, 'mutation RetryDeadLetter('], [1, 'mutation DiscardDeadLetter(']])('button %i sends %s for its memory once, and loads the list again', async (which, operation) => {
    const { list, reload } = show(letters(false, letter('0192f0aa-1111', 'EMBED')))
    const button = list.all('button')[which]!
    button.click()
    expect(button.disabled).toBe(true)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(sent).toHaveLength(1)
    expect(sent[0]!.query).toContain(operation)
    expect(sent[0]!.variables).toEqual({ ids: ['0192f0aa-1111'] })
  })

  it('says why a button failed, and lets it be pressed again', async () => {
    answer = { errors: [{ message: 'The caller may not do this.', extensions: { code: 'FORBIDDEN' } }] }
    const { list, reload } = show(letters(false, letter('0192f0aa-1111', 'EMBED')))
    const button = list.all('button')[0]!
    button.click()
    await vi.waitFor(() => expect(button.disabled).toBe(false))
    expect(list.all('span').map((x) => x.textContent)).toContain('The caller may not do this.')
    expect(reload).not.toHaveBeenCalled()
  })
})
