// What is remembered of a user, by topic.
import type { Fact, KnownLine } from '../api/facts'
import type { MemoryType } from '../api/schema.gen'

type Memory = KnownLine['memory']

/** The facts about one subject, or the memories of one type. */
export type Topic = { title: string; facts: Fact[] } | { title: string; memories: Memory[] }

const MEMORY_TITLES: Record<MemoryType, string> = {
  EPISODIC: 'What happened',
  SEMANTIC: 'Other statements',
  WORKING: 'For the moment',
  DOCUMENT: 'From documents',
  PROCEDURAL: 'Ways of working',
}

/** Groups lines by subject and type, in their order. */
export function topics(user: string, lines: readonly KnownLine[]): Topic[] {
  const facts = new Map<string, Fact[]>()
  const memories = new Map<string, Memory[]>()
  for (const { claim, memory } of lines) {
    const [map, title, line] = claim ? ([facts, subjectTitle(user, claim.subject), claim] as const) : ([memories, MEMORY_TITLES[memory.type], memory] as const)
    map.set(title, [...(map.get(title) ?? []), line] as never)
  }
  return [...[...facts].map(([title, some]) => ({ title, facts: some })), ...[...memories].map(([title, some]) => ({ title, memories: some }))]
}

/** The heading of the facts about a subject. */
function subjectTitle(user: string, subject: string): string {
  const own = [user.toLowerCase(), 'user'].includes(subject.toLowerCase())
  return own ? `About ${user}` : subject === '' ? 'Rules' : subject
}
