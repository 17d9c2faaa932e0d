// How a program or an agent is connected to this server, as text to copy.

export interface Snippet {
  key: string
  name: string
  /** what it needs, in a sentence */
  about: string
  code: string
}

/** The snippets for a server at an origin such as "http://127.0.0.1:8420". */
export function snippets(origin: string): Snippet[] {
  return [
    { key: 'agent', name: 'Agent (MCP)', about: 'Adds memory to Claude Code. Others: claude-desktop, cursor, vscode, codex.', code: `somnograph init claude-code --addr ${origin}` },
    {
      key: 'python', name: 'Python', about: 'pip install somnograph',
      code: `from somnograph import Memory\n\nmemory = Memory("${origin}", user="ana", consent="EXPLICIT")\nmemory.add("I am allergic to peanuts.")\nprint(memory.context("What must I not eat?").text)`,
    },
    {
      key: 'typescript', name: 'TypeScript', about: 'npm install somnograph',
      code: `import { Memory } from 'somnograph'\n\nconst memory = new Memory('${origin}', { user: 'ana', consent: 'EXPLICIT' })\nawait memory.add('I am allergic to peanuts.')\nconsole.log((await memory.context('What must I not eat?')).text)`,
    },
    {
      key: 'curl', name: 'curl', about: 'Any language that can send a request.',
      code: `curl ${origin}/graphql -H 'content-type: application/json' -d '{"query": "mutation { remember(input: {content: \\"Releases go out on Tuesdays\\", consent: EXPLICIT}) { memory { id } } }"}'`,
    },
  ]
}
