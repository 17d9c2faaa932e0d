// What a user of version 7 writes; only its types are checked.
import { generateText, isStepCount, wrapLanguageModel, type LanguageModel } from 'ai'
import { Memory } from 'somnograph'
import { memoryMiddleware, memoryTools } from 'somnograph/ai'

const memory = new Memory('http://127.0.0.1:8420', { user: 'ana', consent: 'EXPLICIT' })

export async function reply(model: Exclude<Parameters<typeof wrapLanguageModel>[0]['model'], string>, prompt: string) {
  const remembering: LanguageModel = wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { session: 'monday' }) })
  const { text } = await generateText({ model: remembering, tools: memoryTools(memory, { session: 'monday' }), stopWhen: isStepCount(5), prompt })
  return text
}
