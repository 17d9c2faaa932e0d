// The steps of the tour. Its examples are taken from the store: the most often corrected
// belief, and a query for it.
import { DEFAULT_PROMPT, type View } from './view'
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
}

const CLEAN_VIEW: Partial<View> = { panel: null, report: null, entity: null, selected: null, query: '', recorded: null, valid: null }
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

/** A query from the first words of a text. */
export function questionOf(label: string): string {
  return label.replace(/[.,;:!?…]+(\s|$)/g, ' ').trim().split(/\s+/).slice(0, QUESTION_WORDS).join(' ')
}

export function tourSteps(world: World, now: number): TourStep[] {
  const f = world.frame
  const chain = longestChain(world)
  const last = chain.at(-1)
  const heaviest = Array.from(f.importance).reduce((best, v, i) => (f.label(i) !== '' && v > f.importance[best]! ? i : best), 0)
  const question = questionOf(f.label(last ?? heaviest))
  const steps: TourStep[] = [
    {
      title: 'Every point is a memory',
      text: 'Shape and colour tell its kind, size how much it matters, faintness how far it has faded. What means alike stands together. Drag to turn, scroll to come closer.',
      target: '.filters', view: CLEAN_VIEW, home: true,
    },
    {
      title: 'Ask it anything',
      text: 'By words and by meaning at once. The coloured bar under each hit says why it stands there; the hits light up in the map.',
      target: '.search', view: { ...CLEAN_VIEW, query: question },
    },
  ]
  if (last !== undefined) {
    const before = f.born[last]! - Math.max((f.born[last]! - f.born[chain.at(-2)!]!) / 2, 1)
    steps.push(
      {
        title: 'Nothing is overwritten',
        text: `This belief was corrected ${chain.length - 1} ${chain.length === 2 ? 'time' : 'times'}. Every version is kept, with what changed and why; the red thread joins them in the map.`,
        target: '.detail', view: { ...CLEAN_VIEW }, open: world.idOf(last),
      },
      {
        title: 'Go back in time',
        text: 'Below you scrub through what was known. Here the last correction has not come yet: the map, the search and the answers are those of that day.',
        target: '.timeline', view: { ...CLEAN_VIEW, recorded: Math.min(before, now) }, open: world.idOf(chain.at(-2)!),
      },
    )
  }
  steps.push(
    {
      title: 'It sleeps',
      text: 'In sleep it strengthens what was used, lets go of what has faded, and folds what belongs together. Every night leaves a report; you can watch one and take it back.',
      target: '.dock', view: { ...CLEAN_VIEW, panel: 'mornings' }, home: true,
    },
    {
      title: 'What would the agent see?',
      text: 'The prompt as an agent would get it: layer by layer, against its budget, and lit up in the map. Change the question or the budget and watch.',
      target: '.dock', view: { ...CLEAN_VIEW, panel: 'prompt', prompt: { ...DEFAULT_PROMPT, query: question } },
    },
    {
      title: 'It is yours',
      text: 'Lists, dashboards and exports are up here. Everything works by keyboard: “?” shows the keys, “/” searches, and the address bar always holds a link to what you see.',
      target: '.tools', view: { ...CLEAN_VIEW, prompt: DEFAULT_PROMPT }, home: true,
    },
  )
  return steps
}
