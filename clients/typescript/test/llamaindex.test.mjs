// The memory block in the Memory of LlamaIndex.TS.
import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { createMemory } from '@llamaindex/core/memory'
import { Memory } from 'somnograph'
import { SomnographMemoryBlock } from 'somnograph/llamaindex'
import { Server } from './server.mjs'

const server = new Server()
before(() => server.start())
after(() => server.remove())

test('a block observes messages once, and gives the context of the last question', async () => {
  const memory = new Memory(server.url, { consent: 'EXPLICIT', user: 'ana' })
  const block = new SomnographMemoryBlock(memory, { session: 's' })
  const messages = [
    { id: '1', role: 'user', content: 'My sailing boat is called Petrel.' },
    { id: '2', role: 'assistant', content: [{ type: 'text', text: 'A fine name.' }] },
  ]
  await block.put(messages)
  await block.put(messages)
  assert.equal((await memory.list()).nodes.length, 2)
  const [context, ...more] = await block.get([{ id: '3', role: 'user', content: 'What is my boat called?' }])
  assert.equal(more.length, 0)
  assert.equal(context.role, 'memory')
  assert.match(context.content, /Petrel/)
})

test('what leaves the short-term memory is recalled in another conversation', async () => {
  const somnograph = new Memory(server.url, { consent: 'EXPLICIT', user: 'bo' })
  const open = (session) => createMemory({ tokenLimit: 200, shortTermTokenLimitRatio: 0.3, memoryBlocks: [new SomnographMemoryBlock(somnograph, { session, priority: 0, tokenBudget: 100 })] })
  const first = open('first')
  await first.add({ role: 'user', content: 'The spare key is in the red teapot.' })
  for (let i = 0; i < 12; i++) await first.add({ role: 'user', content: `Sentence number ${i} is about the weather, which was fair on most days of the week.` })
  await first.manageMemoryBlocks?.()
  await first.getLLM()
  assert.ok((await somnograph.search('spare key', { user: 'bo' })).hits.length > 0, 'the block was given what overflowed')
  const second = open('second')
  await second.add({ role: 'user', content: 'Where is the spare key?' })
  assert.match(JSON.stringify(await second.getLLM()), /red teapot/)
})
