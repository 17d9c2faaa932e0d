// The store for the tests: half a year of a small team, written through the API on a simulated
// clock.
import type { Server } from './server'

const DAY = 86_400

export interface TestWorld {
  /** three versions of a belief, oldest first */
  chain: string[]
  /** a memory whose content is markup */
  markup: string
  /** instants between the weeks, ms */
  instants: number[]
}

const PROJECTS = ['heron', 'lumen', 'quarry']
const SUBJECTS = ['the intake pump', 'the night shift', 'the winter budget', 'the survey boat', 'the gauge at mile nine', 'the new hydrologist', 'the spare battery']
const EVENTS = ['was checked and found sound', 'was moved to another day', 'was discussed with the harbour office', 'was late again', 'was praised in the review']

export const MARKUP = '<img src=x onerror="window.__broken=1"><b>bold</b> & <script>window.__broken=1</script> stays text'

interface Remembered {
  remember: { memory: { id: string } }
}

export async function fillStore(server: Server): Promise<TestWorld> {
  const remember = async (input: object): Promise<string> =>
    (await server.ask<Remembered>('mutation($input: RememberInput!) { remember(input: $input) { memory { id } } }', { input: { consent: 'EXPLICIT', onDuplicate: 'INSERT', ...input } })).remember.memory.id
  const supersede = async (id: string, content: string, reason: string): Promise<string> =>
    (await server.ask<{ supersede: { memory: { id: string } } }>('mutation($input: SupersedeInput!) { supersede(input: $input) { memory { id } } }', { input: { id, content, reason } })).supersede.memory.id
  const advance = async (seconds: number): Promise<number> =>
    Date.parse((await server.ask<{ advanceClock: string }>('mutation($s: Int!) { advanceClock(seconds: $s) }', { s: seconds })).advanceClock)

  const instants: number[] = []
  const chain = [await remember({ content: 'The survey boat leaves the pier at seven in the morning.', type: 'SEMANTIC', subject: 'survey boat', project: 'heron', importance: 0.9 })]
  const decision = await remember({ content: 'Water samples are kept for thirty days.', type: 'SEMANTIC', subject: 'water samples', project: 'lumen', importance: 0.8 })
  const markup = await remember({ content: MARKUP, type: 'DOCUMENT', project: 'quarry', importance: 0.95 })
  for (let week = 0; week < 20; week++) {
    const session = `week ${week}`
    for (let k = 0; k < 4; k++) {
      const n = week * 4 + k
      await remember({
        content: `${SUBJECTS[n % 7]} ${EVENTS[(n * 3) % 5]} in week ${week}, noted by the ${['first', 'second', 'third'][n % 3]} crew.`,
        type: ['EPISODIC', 'EPISODIC', 'SEMANTIC', 'PROCEDURAL'][k], project: PROJECTS[n % 3], session, user: n % 2 ? 'mara' : 'jon',
        importance: ((n * 37) % 100) / 100, entities: [SUBJECTS[n % 7]],
      })
    }
    if (week === 5) chain.push(await supersede(chain[0]!, 'The survey boat leaves the pier at half past six in the morning.', 'tide tables'))
    if (week === 9) await supersede(decision, 'Water samples are kept for ninety days.', 'new rule')
    if (week === 13) chain.push(await supersede(chain[1]!, 'The survey boat leaves the harbour at six in the morning.', 'the pier is closed'))
    if (week === 16) await remember({ content: 'Remember to bring the long rope tomorrow.', type: 'WORKING', ttlSeconds: 10 * DAY, project: 'heron' })
    instants.push(await advance(7 * DAY))
  }
  await remember({ content: 'Right now the crew is calibrating the gauge.', type: 'WORKING', ttlSeconds: 2 * DAY, project: 'heron', importance: 0.7 })
  return { chain, markup, instants }
}
