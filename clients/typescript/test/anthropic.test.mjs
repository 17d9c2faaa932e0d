// The memory tool with Anthropic's SDK itself, and beside the SDK's own handlers on a file system: both must answer
// alike. Only the model is a fake, at the HTTP boundary.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, after, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { Memory, SomnographError } from 'somnograph'
import { SomnographMemoryFiles } from 'somnograph/anthropic'
import { Server } from './server.mjs'

const server = new Server()
before(() => server.start())
after(() => server.remove())
const open = (namespace, user) => new Memory(server.url, { consent: 'EXPLICIT', namespace, user })

// run gives the answer of a command, or its error.
async function run(handlers, command) {
  try {
    return await handlers[command.command](command)
  } catch (e) {
    return `error: ${e.message}`
  }
}

const sequence = [
  { command: 'view', path: '/memories/notes.txt' },
  { command: 'create', path: '/memories/notes.txt', file_text: 'one\ntwo\nthree\nfour\nfive\nsix\n' },
  { command: 'create', path: '/memories/notes.txt', file_text: 'again' },
  { command: 'view', path: '/memories/notes.txt' },
  { command: 'view', path: '/memories/notes.txt', view_range: [2, 4] },
  { command: 'view', path: '/memories/notes.txt', view_range: [5, -1] },
  { command: 'str_replace', path: '/memories/notes.txt', old_str: 'three', new_str: 'THREE $& drei' },
  { command: 'str_replace', path: '/memories/notes.txt', old_str: 'nothing', new_str: 'x' },
  { command: 'str_replace', path: '/memories/notes.txt', old_str: 'o', new_str: 'x' },
  { command: 'str_replace', path: '/memories/none.txt', old_str: 'o', new_str: 'x' },
  { command: 'insert', path: '/memories/notes.txt', insert_line: 0, insert_text: 'zero\n' },
  { command: 'insert', path: '/memories/notes.txt', insert_line: 3, insert_text: 'two and a half' },
  { command: 'insert', path: '/memories/notes.txt', insert_line: 99, insert_text: 'x' },
  { command: 'insert', path: '/memories/none.txt', insert_line: 0, insert_text: 'x' },
  { command: 'view', path: '/memories/notes.txt' },
  { command: 'create', path: '/memories/empty.txt', file_text: '' },
  { command: 'view', path: '/memories/empty.txt' },
  { command: 'insert', path: '/memories/empty.txt', insert_line: 0, insert_text: 'now filled' },
  { command: 'view', path: '/memories/empty.txt' },
  { command: 'create', path: '/memories/a/b/deep.md', file_text: '  # Title \n\n\ttext  \n' },
  { command: 'view', path: '/memories/a/b/deep.md' },
  { command: 'str_replace', path: '/memories/a', old_str: 'x', new_str: 'y' },
  { command: 'rename', old_path: '/memories/notes.txt', new_path: '/memories/empty.txt' },
  { command: 'rename', old_path: '/memories/notes.txt', new_path: '/memories/c/renamed.txt' },
  { command: 'rename', old_path: '/memories/notes.txt', new_path: '/memories/d.txt' },
  { command: 'view', path: '/memories/c/renamed.txt' },
  { command: 'create', path: '/memories/notes.txt', file_text: 'a new file under the old name' },
  { command: 'view', path: '/memories/notes.txt' },
  { command: 'rename', old_path: '/memories/a', new_path: '/memories/z' },
  { command: 'view', path: '/memories/z/b/deep.md' },
  { command: 'delete', path: '/memories/z' },
  { command: 'view', path: '/memories/z/b/deep.md' },
  { command: 'delete', path: '/memories/none.txt' },
  { command: 'delete', path: '/memories' },
  { command: 'rename', old_path: '/memories', new_path: '/memories/x' },
  { command: 'view', path: '/etc/passwd' },
  { command: 'view', path: '/memories/../etc/passwd' },
  { command: 'create', path: '/memories/../../x', file_text: 'x' },
]

test('every command answers as the handlers of the SDK do', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'memory-tool-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const theirs = await BetaLocalFilesystemMemoryTool.init(dir)
  const ours = new SomnographMemoryFiles(open('tool'))
  for (const command of sequence) assert.equal(await run(ours, command), await run(theirs, command), JSON.stringify(command))
})

test('a directory is listed two levels deep, with the sizes of what is in it', async () => {
  const files = new SomnographMemoryFiles(open('listing'))
  assert.match(await files.view({ command: 'view', path: '/memories' }), /^Here're the files and directories up to 2 levels deep in \/memories, excluding hidden items and node_modules:\n0B\t\/memories$/)
  for (const [path, text] of Object.entries({ 'b.txt': 'x'.repeat(2048), 'a/one.md': 'x'.repeat(10), 'a/deep/two.md': 'x'.repeat(5), '.hidden': 'x', 'a/node_modules/m': 'x' })) {
    await files.create({ command: 'create', path: `/memories/${path}`, file_text: text })
  }
  const lines = (await files.view({ command: 'view', path: '/memories/' })).split('\n').slice(1)
  assert.deepEqual(lines, ['2.0K\t/memories/', '15B\t/memories/a/', '5B\t/memories/a/deep/', '10B\t/memories/a/one.md', '2K\t/memories/b.txt'])
  assert.equal((await files.view({ command: 'view', path: '/memories/a/deep' })).split('\n').length, 3)
  await assert.rejects(files.create({ command: 'create', path: '/memories/b.txt/c', file_text: 'x' }), /not a directory/)
})

test('paths that leave the directory are refused in every spelling', async () => {
  const files = new SomnographMemoryFiles(open('paths'))
  const bad = ['/memories/..', '/memories/a/../../b', '/memories/./a', '/memories//a', '/memories/a\\..\\b', '/memories/%2e%2e/a', '/memories/a%2Fb', '/memories/a\u0000', '/memoriesx/a', 'memories/a', '', '/', '../memories/a']
  for (const path of bad) {
    await assert.rejects(files.create({ command: 'create', path, file_text: 'x' }), /escape|must start/, path)
    await assert.rejects(files.rename({ command: 'rename', old_path: '/memories/a', new_path: path }), /escape|must start/, path)
  }
  assert.equal((await open('paths').list()).nodes.length, 0)
})

test('a file keeps its versions, also under a new name, and erasure takes them all', async () => {
  const memory = open('versions')
  const files = new SomnographMemoryFiles(memory)
  await files.create({ command: 'create', path: '/memories/plan.md', file_text: 'Sail on Monday.' })
  await files.str_replace({ command: 'str_replace', path: '/memories/plan.md', old_str: 'Monday', new_str: 'Tuesday' })
  await files.rename({ command: 'rename', old_path: '/memories/plan.md', new_path: '/memories/done.md' })
  const [now] = (await memory.list()).nodes
  assert.deepEqual((await memory.lineage(now.id)).map((v) => [v.memory.content, v.memory.meta.path]), [
    ['Sail on Monday.', '/memories/plan.md'],
    ['Sail on Tuesday.', '/memories/plan.md'],
    ['Sail on Tuesday.', '/memories/done.md'],
  ])
  assert.equal((await memory.search('when do we sail')).hits[0].memory.id, now.id, 'files are memories')
  const versions = (await memory.lineage(now.id)).map((v) => v.memory.id)
  await files.delete({ command: 'delete', path: '/memories/done.md' })
  for (const id of versions) assert.equal((await memory.get(id)).status, 'FORGOTTEN')
})

test('edits at the same time are all kept', async () => {
  const files = new SomnographMemoryFiles(open('edits'))
  await files.create({ command: 'create', path: '/memories/log.txt', file_text: 'start' })
  await Promise.all(['a', 'b', 'c', 'd'].map((insert_text) => files.insert({ command: 'insert', path: '/memories/log.txt', insert_line: 1, insert_text })))
  const lines = (await files.view({ command: 'view', path: '/memories/log.txt' })).split('\n').slice(1).map((l) => l.split('\t')[1])
  assert.deepEqual([lines[0], ...lines.slice(1).sort()], ['start', 'a', 'b', 'c', 'd'])
})

test('the tool runner of the SDK uses the files', async () => {
  const answers = [
    { content: [{ type: 'tool_use', id: 't1', name: 'memory', input: { command: 'create', path: '/memories/ana.md', file_text: 'Ana lives in Lisbon.' } }], stop_reason: 'tool_use' },
    { content: [{ type: 'tool_use', id: 't2', name: 'memory', input: { command: 'view', path: '/memories/bo.md' } }], stop_reason: 'tool_use' },
    { content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
  ]
  const asked = []
  const fetch = async (_, { body }) => {
    asked.push(JSON.parse(body))
    return Response.json({ id: 'm', type: 'message', role: 'assistant', model: 'fake', usage: { input_tokens: 1, output_tokens: 1 }, ...answers.shift() })
  }
  const client = new Anthropic({ apiKey: 'none', fetch })
  const tools = [betaMemoryTool(new SomnographMemoryFiles(open('runner')))]
  const message = await client.beta.messages.toolRunner({ model: 'claude-fake', max_tokens: 100, tools, messages: [{ role: 'user', content: 'Remember where Ana lives.' }] })
  assert.equal(message.content[0].text, 'Done.')
  assert.deepEqual(asked[0].tools, [{ type: 'memory_20250818', name: 'memory' }])
  const results = [asked[1], asked[2]].map((body) => body.messages.at(-1).content[0])
  assert.equal(results[0].content, 'File created successfully at: /memories/ana.md')
  assert.equal(results[1].is_error, true)
  assert.match(JSON.stringify(results[1].content), /The path \/memories\/bo.md does not exist/)
})

// An answer has at most 32 MiB: of files as large as the server takes, not a thousand fit.
test('large files are listed and deleted in pages that the server can answer', async () => {
  const large = new Server(['--max-content', '100KiB'])
  await large.start()
  try {
    const memory = new Memory(large.url, { consent: 'EXPLICIT' })
    const handlers = new SomnographMemoryFiles(memory)
    const content = '"'.repeat(100_000) // two bytes each in JSON
    const files = Array.from({ length: 200 }, (_, i) => {
      const path = `/memories/large/${i}.txt`
      return { content, type: 'DOCUMENT', externalId: `memory-tool::${path}`, onDuplicate: 'INSERT', tags: ['memory-tool', 'memory-tool:/memories/', 'memory-tool:/memories/large/'], meta: { path } }
    })
    for (let i = 0; i < files.length; i += 100) for (const { error } of await memory.rememberMany(files.slice(i, i + 100))) assert.equal(error ?? null, null)
    await assert.rejects(memory.list({ first: 1000 }), { code: 'LIMIT_EXCEEDED' })
    const view = await run(handlers, { command: 'view', path: '/memories' })
    assert.equal(view.split('\n').filter((line) => line.startsWith('97.7K\t/memories/large/')).length, 200, view.slice(0, 300))
    assert.equal(await run(handlers, { command: 'delete', path: '/memories/large' }), 'Successfully deleted /memories/large')
    assert.deepEqual((await memory.list({ filter: { tags: ['memory-tool'] } })).nodes, [])
  } finally {
    await large.remove()
  }
})

// Narrow is a client of a server that answers at most two versions at once.
class Narrow extends Memory {
  async lineage(id, options) {
    if (options.first > 2) throw new SomnographError('LIMIT_EXCEEDED', 'too large')
    return super.lineage(id, options)
  }
}

test('a file is deleted with all its versions, in however many pages', async () => {
  const memory = new Narrow(server.url, { consent: 'EXPLICIT', namespace: 'versions' })
  const handlers = new SomnographMemoryFiles(memory)
  await run(handlers, { command: 'create', path: '/memories/a.txt', file_text: 'line 0' })
  for (let i = 0; i < 4; i++) await run(handlers, { command: 'str_replace', path: '/memories/a.txt', old_str: `line ${i}`, new_str: `line ${i + 1}` })
  const { nodes } = await memory.list({ filter: { statuses: ['ACTIVE', 'SUPERSEDED'] } })
  assert.equal(nodes.length, 5)
  assert.equal(await run(handlers, { command: 'delete', path: '/memories/a.txt' }), 'Successfully deleted /memories/a.txt')
  assert.deepEqual((await memory.list({ filter: { statuses: ['ACTIVE', 'SUPERSEDED'] } })).nodes, [])
})
