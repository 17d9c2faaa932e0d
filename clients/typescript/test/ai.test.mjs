// The middleware and the tools with the AI SDK itself, version 6 and, on Node 22, version 7. Only the model is a fake: the
// SDK's own mock.
import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { generateText, simulateReadableStream, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import * as mocks from 'ai/test'
import { Memory } from 'somnograph'
import { memoryMiddleware, memoryTools } from 'somnograph/ai'
import { Server } from './server.mjs'

const Model = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3
const server = new Server()
before(() => server.start())
after(() => server.remove())
const open = (user) => new Memory(server.url, { consent: 'EXPLICIT', user })

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const says = (text) => ({ content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] })
const calls = (toolName, input) => ({ content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }], finishReason: { unified: 'tool-calls', raw: 'tool' }, usage, warnings: [] })
const mock = (...answers) => new Model({ doGenerate: async () => answers.shift() })
const turns = async (memory, session) => (await memory.list({ filter: { session } })).nodes.map((m) => [m.sourceKind, m.content])

test('the middleware observes turns, and adds context in another session', async () => {
  const memory = open('ana')
  const model = mock(says('Noted.'), says('It is called Piko.'))
  const wrapped = (session) => wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { session }) })
  await generateText({ model: wrapped('one'), prompt: 'My dog is called Piko.' })
  const { text } = await generateText({ model: wrapped('two'), system: 'Be brief.', prompt: 'What is my dog called?' })
  assert.equal(text, 'It is called Piko.')
  assert.deepEqual(await turns(memory, 'one'), [['USER', 'My dog is called Piko.'], ['ASSISTANT', 'Noted.']])
  assert.deepEqual(await turns(memory, 'two'), [['USER', 'What is my dog called?'], ['ASSISTANT', 'It is called Piko.']])
  const prompt = model.doGenerateCalls[1].prompt
  assert.deepEqual(prompt.map((m) => m.role), ['system', 'system', 'user'])
  assert.equal(prompt[0].content, 'Be brief.')
  assert.match(prompt[1].content, /My dog is called Piko/)
})

test('a stream is observed at its end', async () => {
  const memory = open('bo')
  const chunks = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'Good ' }, { type: 'text-delta', id: '1', delta: 'morning.' }, { type: 'text-end', id: '1' }, { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }]
  const model = new Model({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) })
  const result = streamText({ model: wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { session: 's' }) }), prompt: 'Hello there.' })
  let text = ''
  for await (const delta of result.textStream) text += delta
  assert.equal(text, 'Good morning.')
  assert.deepEqual(await turns(memory, 's'), [['USER', 'Hello there.'], ['ASSISTANT', 'Good morning.']])
})

test('the tools remember, recall and correct, and a loop observes its message once', async () => {
  const memory = open('carla')
  const { memory: old } = await memory.remember('The ferry leaves at seven.')
  const model = mock(
    calls('recall', { query: 'when does the ferry leave' }),
    calls('correct', { id: old.id, text: 'The ferry leaves at eight.', reason: 'new timetable' }),
    calls('remember', { text: 'Carla prefers the morning ferry.', quote: 'I like the morning one' }),
    says('Done.'),
  )
  const wrapped = wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { session: 's' }) })
  const { text, steps } = await generateText({ model: wrapped, tools: memoryTools(memory, { session: 's' }), stopWhen: stepCountIs(5), prompt: 'The ferry now leaves at eight.' })
  assert.equal(text, 'Done.')
  const results = steps.flatMap((s) => s.toolResults)
  assert.equal(results[0].output[0].id, old.id)
  assert.equal(results[1].output.version, 2)
  const { hits } = await memory.search('which ferry does Carla prefer')
  assert.deepEqual([hits[0].memory.content, hits[0].memory.sourceKind, hits[0].memory.meta], ['Carla prefers the morning ferry.', 'USER', { quote: 'I like the morning one' }])
  const said = (await turns(memory, 's')).filter(([, content]) => content === 'The ferry now leaves at eight.')
  assert.equal(said.length, 1)
  assert.equal((await memoryTools(memory).recall.execute({ query: 'quantum chromodynamics' })), 'No memory matches.')
})

test('the model answers although memory is away, and the failure is told', async () => {
  const memory = new Memory('http://127.0.0.1:1', { consent: 'EXPLICIT', retry: { retries: 0 } })
  const failures = []
  const model = wrapLanguageModel({ model: mock(says('Hello.')), middleware: memoryMiddleware(memory, { session: 's', onError: (e) => failures.push(e.code) }) })
  assert.equal((await generateText({ model, prompt: 'Hi.' })).text, 'Hello.')
  assert.deepEqual(failures, ['UNREACHABLE', 'UNREACHABLE'])
})
