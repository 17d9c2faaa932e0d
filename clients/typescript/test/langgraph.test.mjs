// The store against LangGraph.js itself. Its InMemoryStore, with a fake embedding model, is the reference for everything
// but the order of searches with a query.
import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { Memory, SomnographError } from 'somnograph'
import { SomnographStore } from 'somnograph/langgraph'
import { Server } from './server.mjs'

const server = new Server()
before(() => server.start())
after(() => server.remove())
const open = (namespace, options) => new SomnographStore(new Memory(server.url, { consent: 'IMPLICIT', namespace }), options)
const plain = (items) => items.map(({ namespace, key, value }) => ({ namespace, key, value }))
const byKey = (items) => plain(items).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

test('what is put is got as it was, replaced and deleted', async () => {
  const store = open('items')
  assert.equal(await store.get(['users', 'ana'], 'profile'), null)
  const value = { name: 'Ana', tags: ['a', { b: null }], age: 34, text: 'She lives in Lisbon.\n' }
  await store.put(['users', 'ana'], 'profile', value)
  const first = await store.get(['users', 'ana'], 'profile')
  assert.deepEqual([first.namespace, first.key, first.value], [['users', 'ana'], 'profile', value])
  assert.ok(first.createdAt instanceof Date && first.updatedAt instanceof Date)
  await store.put(['users', 'ana'], 'profile', { ...value, age: 35 })
  const second = await store.get(['users', 'ana'], 'profile')
  assert.equal(second.value.age, 35)
  assert.deepEqual(second.createdAt, first.createdAt)
  assert.ok(second.updatedAt > first.updatedAt)
  await store.delete(['users', 'ana'], 'profile')
  assert.equal(await store.get(['users', 'ana'], 'profile'), null)
  assert.deepEqual(await store.search([]), [])
  await store.delete(['users', 'ana'], 'profile')
  await store.put(['users', 'ana'], 'profile', value)
  assert.deepEqual((await store.get(['users', 'ana'], 'profile')).value, value)
})

test('later statements under other keys change nothing', async () => {
  const memory = new Memory(server.url, { consent: 'EXPLICIT', namespace: 'revised' })
  const store = new SomnographStore(memory)
  await store.put(['a'], 'home', { text: 'I live in Berlin.' })
  await store.put(['a'], 'copy', { text: 'I live in Berlin.' })
  await store.put(['a'], 'later', { text: 'I live in Paris now, not in Berlin.' })
  await memory.add('I moved from Berlin to Rome.')
  await memory.sleep()
  for (const [key, text] of Object.entries({ home: 'I live in Berlin.', copy: 'I live in Berlin.', later: 'I live in Paris now, not in Berlin.' })) {
    assert.equal((await store.get(['a'], key))?.value.text, text)
  }
})

test('a batch reads first, then writes, and of writes of one key the last counts', async () => {
  const operations = () => [
    { namespace: ['b'], key: 'x', value: { n: 1 } },
    { namespace: ['b'], key: 'x' },
    { namespace: ['b'], key: 'x', value: { n: 2 } },
    { namespacePrefix: ['b'], limit: 10, offset: 0 },
    { namespace: ['b'], key: 'old' },
    { namespace: ['b'], key: 'old', value: null },
    { matchConditions: undefined, maxDepth: 1, limit: 10, offset: 0 },
  ]
  const results = []
  for (const store of [open('batches'), new InMemoryStore()]) {
    await store.put(['b'], 'old', { n: 0 })
    const [, got, , found, old, , namespaces] = await store.batch(operations())
    results.push([got, plain(found), plain([old]), namespaces, plain(await store.search(['b']))])
  }
  assert.deepEqual(results[0], results[1])
})

test('searches without a query give what the in-memory store gives', async () => {
  const [ours, theirs] = [open('filters'), new InMemoryStore()]
  const kinds = ['fruit', 'tool']
  for (const store of [ours, theirs]) {
    await Promise.all(Array.from({ length: 12 }, (_, i) => store.put(i % 3 ? ['shop', `shelf${i % 2}`] : ['shop2'], `k${i}`, { kind: kinds[i % 2], price: i, nested: { a: i } })))
  }
  const asked = [
    [['shop'], {}],
    [[], { limit: 100 }],
    [['shop', 'shelf1'], { filter: { kind: 'tool' }, limit: 100 }],
    [['shop'], { filter: { price: { $gte: 4, $lt: 9 } }, limit: 100 }],
    [['shop'], { filter: { kind: { $in: ['tool'] }, price: { $ne: 5 } }, limit: 100 }],
    [['shop'], { filter: { kind: { $nin: ['tool'] } }, limit: 100 }],
    [['sho'], {}],
    [['shop'], { filter: { nothing: 1 } }],
  ]
  for (const [prefix, options] of asked) assert.deepEqual(byKey(await ours.search(prefix, options)), byKey(await theirs.search(prefix, options)), JSON.stringify([prefix, options]))
  const pages = [await ours.search(['shop'], { limit: 3 }), await ours.search(['shop'], { limit: 3, offset: 3 }), await ours.search(['shop'], { limit: 3, offset: 6 })].flat()
  assert.deepEqual(byKey(pages), byKey(await ours.search(['shop'], { limit: 100 })))
})

test('namespaces are listed as the in-memory store lists them', async () => {
  const [ours, theirs] = [open('listing'), new InMemoryStore()]
  const all = [['a', 'b', 'c'], ['a', 'b', 'd'], ['a', 'x', 'c'], ['z', 'c'], ['a']]
  for (const store of [ours, theirs]) for (const namespace of all) await store.put(namespace, 'k', { v: 1 })
  const asked = [{}, { prefix: ['a'] }, { prefix: ['a', '*', 'c'] }, { suffix: ['c'] }, { suffix: ['*', 'c'], prefix: ['a'] }, { maxDepth: 2 }, { limit: 2, offset: 1 }, { prefix: ['nothing'] }]
  for (const options of asked) assert.deepEqual(await ours.listNamespaces(options), await theirs.listNamespaces(options), JSON.stringify(options))
})

test('a query ranks items by meaning and words, within prefix and filter', async () => {
  const store = open('queries', { fields: ['text', 'parts[*].title'] })
  await store.put(['notes'], 'a', { text: 'The wine cellar is under the kitchen.', kind: 'house' })
  await store.put(['notes'], 'b', { text: 'Bicycles are repaired on Tuesdays.', kind: 'town' })
  await store.put(['notes'], 'c', { parts: [{ title: 'How to prune roses' }], kind: 'garden' })
  await store.put(['notes'], 'd', { text: 'The wine cellar key hangs by the door.', kind: 'secret' }, false)
  await store.put(['other'], 'e', { text: 'The wine cellar was sold.', kind: 'house' })
  const [best, ...rest] = await store.search(['notes'], { query: 'where is the wine cellar' })
  assert.equal(best.key, 'a')
  assert.ok(best.score > 0 && rest.every((item) => item.score <= best.score))
  assert.ok(!rest.some((item) => item.key === 'd' || item.key === 'e'), 'neither what is not indexed nor another namespace')
  assert.equal((await store.search(['notes'], { query: 'pruning roses' }))[0].key, 'c')
  assert.deepEqual((await store.search(['notes'], { query: 'wine cellar', filter: { kind: 'town' } })).map((i) => i.key).filter((k) => k !== 'b'), [])
})

test('errors name what is wrong', async () => {
  const store = open('errors')
  await assert.rejects(store.put(['a.b'], 'k', {}), /Namespace/)
  await assert.rejects(store.put(['a'], 'k'.repeat(600), { v: 1 }), (e) => e instanceof SomnographError && e.code === 'INVALID_REQUEST')
  await assert.rejects(store.put(['a'], 'k', { v: 'x'.repeat(20_000) }), (e) => e instanceof SomnographError && e.field === 'meta')
  assert.equal(await store.get(['a'], 'k'), null)
})

test('users have stores of their own', async () => {
  const of = (user) => new SomnographStore(new Memory(server.url, { consent: 'EXPLICIT', namespace: 'users', user }))
  await of('ana').put(['n'], 'k', { v: 'a' })
  await of('bo').put(['n'], 'k', { v: 'b' })
  await of(undefined).put(['n'], 'k', { v: 'nobody' })
  for (const [user, v] of [['ana', 'a'], ['bo', 'b'], [undefined, 'nobody']]) {
    assert.equal((await of(user).get(['n'], 'k')).value.v, v)
    assert.deepEqual((await of(user).search(['n'])).map((i) => i.value.v), [v])
  }
})

test('a graph uses the store', async () => {
  const store = open('graphs')
  const State = Annotation.Root({ said: Annotation(), known: Annotation() })
  const graph = new StateGraph(State)
    .addNode('recall', async (state, config) => ({ known: (await config.store.search(['facts'], { query: state.said })).map((i) => i.value.text) }))
    .addNode('keep', async (state, config) => {
      await config.store.put(['facts'], state.said, { text: state.said })
      return {}
    })
    .addEdge(START, 'recall').addEdge('recall', 'keep').addEdge('keep', END)
    .compile({ store })
  assert.deepEqual((await graph.invoke({ said: 'My boat is called Petrel.' })).known, [])
  assert.deepEqual((await graph.invoke({ said: 'What is my boat called?' })).known, ['My boat is called Petrel.'])
})

test('writers of one key at the same time all succeed, and one value stays', async () => {
  const store = open('races')
  await Promise.all(Array.from({ length: 6 }, (_, n) => store.put(['r'], 'k', { n })))
  const found = await store.search(['r'])
  assert.equal(found.length, 1)
  assert.deepEqual((await store.get(['r'], 'k')).value, found[0].value)
})
