// The steps of the tour. Its examples are taken from the store: the most often corrected
// belief, and a query for it.
import { DEFAULT_PROMPT, NOTHING_OPEN, type View } from './view'
import { versionChain, type World } from './world'

export interface TourStep {
  title: string
  text: string
  /** selector of the element that the step is about */
  target: string
  /** the view during the step */
  view: Partial<View>
  open?: string
  home?: boolean
  /** scrolls to this element of the target */
  scroll?: string
  /** the map is what the step is about: it is not dimmed */
  bright?: boolean
  /** the step offers to connect an agent */
  connect?: boolean
}

const CLEAN_VIEW: Partial<View> = { hubs: false, layout: 'meaning', panel: null, wide: false, ...NOTHING_OPEN, selected: null, query: '', recorded: null, valid: null }
const QUESTION_WORDS = 7

/** The longest version chain with labels, the youngest of equal ones. Empty: there is none. */
export function longestChain(world: World): number[] {
  let best: number[] = []
  for (let i = 0; i < world.count; i++) {
    if (world.nextVersion[i]! >= 0 || world.previousVersion[i]! < 0 || world.frame.label(i) === '') continue
    const chain = versionChain(world, i)
    if (chain.length > best.length || (chain.length === best.length && world.frame.born[i]! > world.frame.born[best.at(-1)!]!)) best = chain
  }
  return best
}

/** What a sentence is about, and the verb after it: "Heron 3 may fly", "the pier is". */
const SUBJECT_AND_VERB = /^(?:(The|An?|Our|My|This|These) )?([^.,;:!?…]{2,60}?) (may|must|can|should|is|are|was|were)(?: (not|never|only|always))? ([a-z]+)/

/**
 * A question to which a text is the answer. Of a text without a verb that is known here it is the first words, which do not
 * end in a short word: that would be half a phrase.
 */
export function questionOf(label: string): string {
  const found = SUBJECT_AND_VERB.exec(label.trim())
  if (found) {
    const [, article, noun, verb, , action] = found
    const subject = article ? `${article.toLowerCase()} ${noun!}` : noun!
    return /^(?:may|must|can|should)$/.test(verb!) ? `How ${verb!} ${subject} ${action!}?` : `What about ${subject}?`
  }
  const words = label.replace(/[.,;:!?…]+(\s|$)/g, ' ').trim().split(/\s+/)
  const some = words.slice(0, QUESTION_WORDS)
  while (words.length > some.length && some.length > 1 && /^[a-z]{1,3}$/.test(some.at(-1)!)) some.pop()
  return some.join(' ')
}

export function tourSteps(world: World, now: number): TourStep[] {
  const f = world.frame
  const chain = longestChain(world)
  const last = chain.at(-1)
  const mostImportant = Array.from(f.importance).reduce((best, v, i) => (f.label(i) !== '' && v > f.importance[best]! ? i : best), 0)
  const question = questionOf(f.label(last ?? mostImportant))
  const steps: TourStep[] = [
    {
      title: 'Every point is a memory',
      text: 'The shape shows the type, the size the importance; the legend says what the colour shows. Faint points have faded. Memories with similar meaning are close together. Drag to rotate, scroll to zoom.',
      target: '.filters', view: CLEAN_VIEW, home: true, bright: true,
    },
    {
      title: 'Search by words and meaning',
      text: 'The coloured bar under each hit shows how its score is made up. Hits are highlighted on the map.',
      target: '.search', view: { ...CLEAN_VIEW, query: question }, bright: true,
    },
    {
      title: 'See what is connected',
      text: 'The named circles are the people and things that most memories mention, and the lines are their relations. Click one to expand it or to find the path to another. “Place by” moves linked memories together.',
      target: '.layout-by', view: { ...CLEAN_VIEW, hubs: true, layout: 'links' }, home: true, bright: true,
    },
  ]
  if (last !== undefined) {
    const before = f.born[last]! - Math.max((f.born[last]! - f.born[chain.at(-2)!]!) / 2, 1)
    steps.push(
      {
        title: 'Nothing is overwritten',
        text: `This belief was corrected ${chain.length - 1} ${chain.length === 2 ? 'time' : 'times'}. Every version is kept, with its changes and the reason. Red arrows connect the versions on the map.`,
        target: '.detail', view: { ...CLEAN_VIEW }, open: world.idOf(last), scroll: '.version',
      },
      {
        title: 'Go back in time',
        text: 'Drag the timeline to see what was known at any time. Now it is set to a day before the last correction: map, search and answers are those of that day.',
        target: '.timeline', view: { ...CLEAN_VIEW, recorded: Math.min(before, now) }, open: world.idOf(chain.at(-2)!),
      },
    )
  }
  steps.push(
    {
      title: 'Sleep',
      text: 'During sleep, used memories get stronger, faded ones are archived, and related ones are merged. Every sleep writes a report. You can replay it and roll it back.',
      target: '.dock', view: { ...CLEAN_VIEW, panel: 'mornings' }, home: true,
    },
    {
      title: 'What the agent sees',
      text: 'The prompt that an agent would get, by layer and against its token budget. Its memories are highlighted on the map. Change the query or the budget and watch.',
      target: '.dock', view: { ...CLEAN_VIEW, panel: 'prompt', prompt: { ...DEFAULT_PROMPT, query: question } },
    },
    {
      title: 'Connect your agent',
      text: 'That was the tour. Give your own agent this memory: copy one of these, and what it remembers appears here at once. Everything else is in the toolbar; ? shows the keys.',
      target: '.tools', view: { ...CLEAN_VIEW, prompt: DEFAULT_PROMPT }, home: true, bright: true, connect: true,
    },
  )
  return steps
}
