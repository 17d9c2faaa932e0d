// Writes src/api/schema.gen.ts: the types of the schema and of the explorer's own
// operations. It fails if an operation does not match the schema.
import { readFileSync, writeFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as operationTypes from '@graphql-codegen/typescript-operations'
import { buildSchema, parse, printSchema, validate } from 'graphql'

const here = new URL('..', import.meta.url)
const text = (path) => readFileSync(new URL(path, here), 'utf8')
const schema = buildSchema(text('../schema.graphqls'))
const document = parse(text('src/api/operations.graphql'))
const faults = validate(schema, document)
if (faults.length > 0) {
  console.error(faults.map(String).join('\n\n'))
  process.exit(1)
}
const config = {
  scalars: { Time: 'string', JSON: 'unknown', ID: 'string' },
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
}
const output = await codegen({
  filename: 'schema.gen.ts',
  schema: parse(printSchema(schema)),
  schemaAst: schema,
  documents: [{ location: 'operations.graphql', document }],
  config,
  plugins: [{ operations: {} }],
  pluginMap: { operations: operationTypes },
})
writeFileSync(new URL('src/api/schema.gen.ts', here), '// Generated from ../schema.graphqls by `npm run types`. Do not edit.\n\n' + output)
