// The stream of changes of clusters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Memory } from 'somnograph'
import { relay, serve } from './server.mjs'

const things = { winch: ['winch', 'hawser', 'capstan', 'bollard', 'windlass', 'shackle'], bakery: ['sourdough', 'rye loaf', 'brioche', 'baguette', 'flour', 'yeast'] }

// tell remembers sentences about a matter.
async function tell(memory, matter, n) {
  const words = things[matter]
  for (let i = 0; i < n; i++) {
    const at = (k) => words[(i * (k + 1) + k) % words.length]
    await memory.remember(`The ${at(0)} and the ${at(1)} were seen beside the ${at(2)} of the ${matter}, number ${100 + i}.`, { onDuplicate: 'INSERT' })
  }
}

const sleep = (memory) => memory.graphql('mutation { sleep(input: { deep: true, wait: true }) { report { id } } }')

// evolution lists the ids of the changes, the oldest first.
async function evolution(memory) {
  const { clusterEvolution } = await memory.graphql('{ clusterEvolution(first: 100) { nodes { id } } }')
  return clusterEvolution.nodes.map((e) => e.id).reverse()
}

test('changes of clusters resume after a cut without loss or repetition', async (t) => {
  const server = await serve(t)
  const path = await relay(t, server)
  const writer = new Memory(server.url, { consent: 'EXPLICIT' })
  await tell(writer, 'winch', 30)
  await sleep(writer)
  const before = await evolution(writer)
  assert.ok(before.length > 0)

  const events = new Memory(path.url, { retry: { baseMs: 10 } }).clusterEvents()
  await events.ready
  path.cut() // before the first event
  await tell(writer, 'bakery', 30)
  await sleep(writer)
  const wanted = (await evolution(writer)).slice(before.length)
  assert.ok(wanted.length > 0)
  const seen = []
  while (seen.length < wanted.length) {
    const { value } = await events.next()
    seen.push(value.id)
    assert.ok(value.size > 0 && value.namespace === 'default', JSON.stringify(value))
    path.cut()
  }
  assert.deepEqual(seen, wanted)
  await events.return()
  assert.equal((await events.next()).done, true)

  // A stream from a known change begins after it.
  const again = writer.clusterEvents({ after: before[0] })
  assert.equal((await again.next()).value.id, [...before, ...wanted][1])
  await again.return()
})

test('clusters and patterns are listed, read, drawn, checked and decided on', async (t) => {
  const server = await serve(t)
  const memory = new Memory(server.url, { consent: 'EXPLICIT' })
  await tell(memory, 'winch', 30)
  await sleep(memory)
  const [first] = (await memory.clusters()).nodes
  assert.ok(first.label, JSON.stringify(first))
  assert.equal((await memory.cluster(first.id)).members.length, first.size)
  const drawn = await memory.extractPattern(first.id)
  assert.equal((await memory.patterns()).nodes.length, drawn.patterns.length)
  for (const { id } of drawn.patterns) {
    assert.ok((await memory.pattern(id)).sources.length > 0)
    assert.equal((await memory.validatePattern(id)).id, id)
  }
  assert.deepEqual(await memory.patternConflicts({ open: false }), [])
  const unknown = '01890000-0000-7000-8000-000000000000'
  assert.equal(await memory.pattern(unknown), undefined)
  await assert.rejects(memory.validatePattern(unknown), { code: 'MEMORY_NOT_FOUND' })
  await assert.rejects(memory.resolvePattern(unknown, first.id, { note: 'asked' }), { code: 'MEMORY_NOT_FOUND' })
})
