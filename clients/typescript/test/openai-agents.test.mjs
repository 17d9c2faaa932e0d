// The session with the OpenAI Agents SDK itself. Only the model is a fake.
import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { Agent, Runner, setTracingDisabled, Usage } from '@openai/agents-core'
import { Memory } from 'somnograph'
import { SomnographSession } from 'somnograph/openai-agents'
import { Server } from './server.mjs'

const server = new Server()
before(() => server.start())
after(() => server.remove())
setTracingDisabled(true)
const open = (user) => new Memory(server.url, { consent: 'EXPLICIT', user })

const user = (content) => ({ role: 'user', content })
const assistant = (text) => ({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] })
const call = { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"city":"Lisbon"}', status: 'completed' }
const result = { type: 'function_call_result', callId: 'c1', name: 'weather', status: 'completed', output: { type: 'text', text: 'sunny' } }

test('items come back as they were, in their order', async () => {
  const session = new SomnographSession(open('ana'), { sessionId: 's' })
  assert.equal(await session.getSessionId(), 's')
  assert.deepEqual(await session.getItems(), [])
  assert.equal(await session.popItem(), undefined)
  const items = [user('What is the weather in Lisbon?'), call, result, assistant('It is sunny.')]
  await session.addItems(items)
  await session.addItems([user('Thanks.')])
  assert.deepEqual(await session.getItems(), [...items, user('Thanks.')])
  assert.deepEqual(await session.getItems(2), [items[3], user('Thanks.')])
  assert.deepEqual(await session.getItems(0), [])
  const other = new SomnographSession(open('ana'), { sessionId: 'other' })
  assert.deepEqual(await other.getItems(), [])
  assert.deepEqual(await new SomnographSession(open('bo'), { sessionId: 's' }).getItems(), [])
  assert.deepEqual(await session.popItem(), user('Thanks.'))
  assert.deepEqual(await session.popItem(), items[3])
  assert.deepEqual(await session.getItems(), items.slice(0, 3))
  await session.clearSession()
  assert.deepEqual(await session.getItems(), [])
})

test('equal items are kept apart, and long items are whole', async () => {
  const session = new SomnographSession(open('carla'), { sessionId: 's', observe: false })
  const long = { ...result, output: { type: 'text', text: '"\u{1F419}\u0001' + 'é€"\\'.repeat(9_000) } }
  const items = [user('Again.'), user('Again.'), long, user('Again.')]
  await session.addItems(items)
  assert.deepEqual(await session.getItems(), items)
  assert.deepEqual(await session.getItems(2), items.slice(2))
  await session.popItem()
  assert.deepEqual(await session.popItem(), long)
  assert.deepEqual(await session.getItems(), items.slice(0, 2))
})

test('what was said in one session is recalled in another, until it is taken back', async () => {
  const memory = open('dora')
  const session = new SomnographSession(memory, { sessionId: 'one' })
  await session.addItems([user('My parrot is called Rio.'), assistant('A fine name.')])
  assert.equal((await memory.search('what is my parrot called')).hits[0].memory.content, 'My parrot is called Rio.')
  await session.clearSession()
  assert.equal((await memory.search('what is my parrot called')).hits.length, 0)
})

test('items of a session are not found by searches', async () => {
  const memory = open('eli')
  await new SomnographSession(memory, { sessionId: 's', observe: false }).addItems([user('The password is swordfish.')])
  const { hits } = await memory.search('what is the password')
  assert.deepEqual(hits.map((h) => h.memory.content), [])
  assert.doesNotMatch((await memory.context('what is the password')).text, /·|swordfish/)
})

test('a runner continues a conversation', async () => {
  const seen = []
  const model = {
    async getResponse({ input }) {
      seen.push(structuredClone(input))
      return { usage: new Usage(), output: [assistant(`Answer ${seen.length}.`)] }
    },
    async *getStreamedResponse() {},
  }
  const runner = new Runner({ modelProvider: { getModel: () => model } })
  const session = new SomnographSession(open('finn'), { sessionId: 'run' })
  const agent = new Agent({ name: 'Helper', instructions: 'Help.' })
  assert.equal((await runner.run(agent, 'First question.', { session })).finalOutput, 'Answer 1.')
  assert.equal((await runner.run(agent, 'Second question.', { session })).finalOutput, 'Answer 2.')
  const texts = (items) => items.map((i) => (typeof i.content === 'string' ? i.content : i.content[0].text))
  assert.deepEqual(texts(seen[1]), ['First question.', 'Answer 1.', 'Second question.'])
  assert.deepEqual(texts(await session.getItems()), ['First question.', 'Answer 1.', 'Second question.', 'Answer 2.'])
})
