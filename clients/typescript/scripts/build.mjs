// Builds dist from src.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(root + 'dist', { recursive: true, force: true })
execFileSync(root + 'node_modules/.bin/tsc', ['--project', root + 'tsconfig.json'], { stdio: 'inherit' })
cpSync(root + '../../LICENSE', root + 'LICENSE')
