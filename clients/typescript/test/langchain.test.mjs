// The vector store against LangChain.js itself.
import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { Document } from '@langchain/core/documents'
import { VectorStore } from '@langchain/core/vectorstores'
import { Memory } from 'somnograph'
import { SomnographVectorStore } from 'somnograph/langchain'
import { Server } from './server.mjs'

const server = new Server()
before(() => server.start())
after(() => server.remove())
const open = (namespace, collection) => new SomnographVectorStore(new Memory(server.url, { consent: 'EXPLICIT', namespace }), collection)

const documents = [
  new Document({ pageContent: 'The lighthouse was built in 1870.', metadata: { page: 1, topic: 'tower' } }),
  new Document({ pageContent: 'Penguins nest on the southern beach.', metadata: { page: 2, topic: 'birds' } }),
  new Document({ pageContent: 'The lighthouse keeper grows tomatoes.', metadata: { page: 3, topic: 'garden' } }),
]

test('documents are added, found with scores, and filtered by metadata', async () => {
  const store = open('docs')
  assert.ok(store instanceof VectorStore)
  const ids = await store.addDocuments(documents)
  assert.equal(new Set(ids).size, 3)
  const found = await store.similaritySearchWithScore('when was the lighthouse built', 2)
  assert.equal(found.length, 2)
  assert.equal(found[0][0].pageContent, documents[0].pageContent)
  assert.deepEqual([found[0][0].metadata, found[0][0].id], [documents[0].metadata, ids[0]])
  assert.ok(found[0][1] > found[1][1])
  assert.deepEqual((await store.similaritySearch('lighthouse', 4, { topic: 'garden' })).map((d) => d.metadata.page), [3])
})

test('a retriever works', async () => {
  const store = open('retriever')
  await store.addDocuments(documents)
  const [best] = await store.asRetriever({ k: 1 }).invoke('penguins on the beach')
  assert.equal(best.pageContent, documents[1].pageContent)
  assert.equal((await store.asRetriever({ k: 2, filter: { topic: 'tower' } }).invoke('lighthouse')).length, 1)
})

test('a document under the same id is replaced, and deletion erases', async () => {
  const store = open('ids')
  assert.deepEqual(await store.addDocuments([documents[0]], { ids: ['one'] }), ['one'])
  await store.addDocuments([new Document({ id: 'one', pageContent: 'The lighthouse was rebuilt in 1931.', metadata: { page: 9 } })])
  const found = await store.similaritySearch('lighthouse built', 10)
  assert.deepEqual(found.map((d) => [d.id, d.pageContent, d.metadata]), [['one', 'The lighthouse was rebuilt in 1931.', { page: 9 }]])
  await store.addDocuments([documents[1]], { ids: ['two'] })
  await store.delete({ ids: ['one', 'unknown'] })
  assert.deepEqual((await store.similaritySearch('lighthouse penguins', 10)).map((d) => d.id), ['two'])
  await store.delete({ deleteAll: true })
  assert.deepEqual(await store.similaritySearch('penguins', 10), [])
})

test('collections are apart, and vectors are refused', async () => {
  await open('apart', 'a').addDocuments([documents[0]])
  assert.deepEqual(await open('apart', 'b').similaritySearch('lighthouse'), [])
  assert.throws(() => open('apart').addVectors([[1]], [documents[0]]), /the server makes the embeddings/)
})
