import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// The server that `npm run dev` and the browser tests talk to.
const server = process.env.EXPLORER_SERVER ?? 'http://127.0.0.1:8420'

/** Bundles shaders without comments and indentation. */
const shaders: Plugin = {
  name: 'shaders',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    const [file, query] = id.split('?')
    if (query !== 'raw' || !file!.endsWith('.glsl')) return null
    return `export default ${JSON.stringify(readFileSync(file!, 'utf8').replace(/\/\/.*$/gm, '').replace(/^\s+|\s+$/gm, ''))}`
  },
}

/** Loads the code of dynamic imports with our own helper in place of the bundler's, which cannot try again. */
const chunks: Plugin = {
  name: 'chunks',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (id !== '\0vite/preload-helper.js') return null
    return `export { importChunk as __vitePreload } from ${JSON.stringify(fileURLToPath(new URL('src/chunks.ts', import.meta.url)))}`
  },
}

export default defineConfig({
  base: './',
  plugins: [shaders, chunks],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: fonts
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/graphql': { target: server, ws: true },
      '/viz': { target: server },
    },
  },
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], environment: 'node', testTimeout: 60_000 } },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 300_000, // only a failing test takes this long
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
